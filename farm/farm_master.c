/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_master.c: the master: gives batches, receives results, gives the batches of the dead to
   others. */
#include <stdlib.h>
#include <string.h>
#include "farm.h"

const char *const farm_protocols[] = {"paper", "credit", "guided", "tree", NULL};

typedef struct {
    uint32_t first, count;
} range;

/* A batch that a worker has. Results come in the order in which batches went out, so that a
   worker's parcels are a queue and a result needs no name. */
typedef struct {
    range range;
    double given_s;
    cm_request *send;
    uint32_t *unit;
} parcel;
typedef struct {
    parcel *parcel;
    int first, n;
    bool member, greeted;
} worker;

typedef struct {
    const farm_run *run;
    farm_computer *computer;
    farm_outcome *outcome;
    int ranks;
    int credit;           /* batches in flight to a worker: no more than there are */
    int receivers;        /* at the start */
    uint32_t least, most; /* units of a message */
    worker *worker;       /* [ranks] */
    int owing;            /* workers that owe a greeting or a result */
    uint32_t next, done;  /* units */
    range *again;         /* what the dead had */
    int n_again, again_capacity;
} master;

static void out_of_memory(void)
{
    cm_abort(CM_EXIT_SYSTEM, "out of memory for batches in flight (try a smaller --credit or "
                             "--batch)");
}

/* ---- What is to be done ---------------------------------------------------------------------- */

static bool next_range(master *m, range *next)
{
    uint32_t left = (uint32_t)m->run->units - m->next;
    if (m->n_again > 0) {
        *next = m->again[--m->n_again];
        m->outcome->again++;
        return true;
    }
    if (left == 0) return false;
    *next = (range){m->next, farm_plan_share(left, m->receivers, m->least, m->most)};
    m->next += next->count;
    return true;
}

static void give_again(master *m, range range)
{
    if (m->n_again == m->again_capacity) {
        m->again_capacity = 2 * m->again_capacity + 16;
        m->again = realloc(m->again, (size_t)m->again_capacity * sizeof *m->again);
        if (!m->again) out_of_memory();
    }
    m->again[m->n_again++] = range;
}

static void merge(master *m, uint32_t units, const farm_digest *digest)
{
    farm_digest_add(&m->outcome->digest, digest);
    m->done += units;
}

/* ---- Workers --------------------------------------------------------------------------------- */

static bool worker_owes(const worker *w) { return w->member && (!w->greeted || w->n > 0); }

static bool owes(const void *context, int rank)
{
    return worker_owes(&((const master *)context)->worker[rank]);
}

/* With one batch at a time this is the paper's MPI_Send, as the worker is waiting. With more, the
   buffer belongs to the layer until the result shows that the batch has arrived. */
static void send_parcel(const master *m, int rank, parcel *p)
{
    size_t bytes = p->range.count * sizeof *p->unit;
    for (uint32_t k = 0; k < p->range.count; k++) p->unit[k] = p->range.first + k;
    if (m->credit == 1) cm_send(cm_world(), p->unit, bytes, rank, FARM_TAG_WORK);
    else p->send = cm_isend(cm_world(), p->unit, bytes, rank, FARM_TAG_WORK);
    m->outcome->sent++;
}

static parcel *parcel_of(const master *m, worker *w, int k)
{
    k += w->first;
    return &w->parcel[k < m->credit ? k : k - m->credit];
}

/* Sends the worker batches up to its credit, if there are any. Returns the time after sending: the
   worker is waiting, so the clock is read last. */
static double feed(master *m, int rank)
{
    worker *w = &m->worker[rank];
    int had = w->n;
    range next;
    while (w->member && w->greeted && w->n < m->credit && next_range(m, &next)) {
        parcel *p = parcel_of(m, w, w->n++);
        cm_wait(&p->send, NULL);
        p->range = next;
        send_parcel(m, rank, p);
    }
    m->owing += had == 0 && w->n > 0;
    double now_s = cm_time();
    for (int k = had; k < w->n; k++) parcel_of(m, w, k)->given_s = now_s;
    return now_s;
}

static void lose(master *m, int rank)
{
    worker *w = &m->worker[rank];
    if (!w->member) return;
    m->owing -= worker_owes(w);
    w->member = false;
    m->outcome->lost++;
    for (; w->n > 0; w->n--, w->first = (w->first + 1) % m->credit)
        give_again(m, w->parcel[w->first].range);
    for (int other = 1; other < m->ranks; other++) feed(m, other);
}

static void take(master *m, const farm_message *message)
{
    worker *w = &m->worker[message->source];
    m->outcome->received++;
    if (message->tag == FARM_TAG_GREETING) {
        w->greeted = true;
        m->owing--;
        feed(m, message->source);
        return;
    }
    if (w->n == 0)
        cm_abort(CM_EXIT_WRONG, "rank %d sent a result but has no batch", message->source);
    parcel done = w->parcel[w->first];
    w->first = w->first + 1 == m->credit ? 0 : w->first + 1;
    m->owing -= --w->n == 0;
    /* The bookkeeping is done while the worker computes. */
    double now_s = feed(m, message->source);
    farm_round_trips_add(m->outcome->trips, now_s - done.given_s);
    merge(m, done.range.count, &message->digest);
}

static void alone(master *m)
{
    range next;
    uint32_t *unit = malloc(m->most * sizeof *unit);
    if (!unit) out_of_memory();
    while (next_range(m, &next)) {
        farm_digest digest;
        for (uint32_t k = 0; k < next.count; k++) unit[k] = next.first + k;
        if (!farm_compute(m->computer, unit, next.count, &digest))
            cm_abort(CM_EXIT_SYSTEM, "libcrypto failed");
        merge(m, next.count, &digest);
        m->outcome->alone += next.count;
    }
    free(unit);
}

/* ---- A run ----------------------------------------------------------------------------------- */

static void hire_one(master *m, int rank)
{
    size_t units = m->most, credit = (size_t)m->credit;
    worker *w = &m->worker[rank];
    w->member = true;
    w->parcel = calloc(credit, sizeof *w->parcel);
    uint32_t *unit = malloc(credit * units * sizeof *unit);
    if (!w->parcel || !unit) out_of_memory();
    for (size_t k = 0; k < credit; k++) w->parcel[k].unit = unit + k * units;
    m->owing++;
}

static farm_branch branch_of(const master *m, int k)
{
    return farm_tree_branch(m->ranks - 1, m->run->masters, m->run->workers, k);
}

/* Hires the first run->workers workers that are alive, or the masters below this one. */
static void hire(master *m)
{
    const farm_run *run = m->run;
    m->worker = calloc((size_t)m->ranks, sizeof *m->worker);
    if (!m->worker) out_of_memory();
    if (run->protocol == FARM_TREE && run->workers > 0) {
        for (int k = 0; k < run->masters; k++) hire_one(m, branch_of(m, k).master);
        return;
    }
    for (int rank = 1; rank < m->ranks && m->owing < run->workers; rank++)
        if (!cm_failed(cm_world(), rank)) hire_one(m, rank);
}

static void dismiss(master *m)
{
    for (int rank = 1; rank < m->ranks; rank++) {
        worker *w = &m->worker[rank];
        if (!w->parcel) continue;
        for (int k = 0; k < m->credit; k++) cm_wait(&w->parcel[k].send, NULL);
        free(w->parcel[0].unit);
        free(w->parcel);
    }
    free(m->worker);
    free(m->again);
}

static void start_one(const master *m, int rank, farm_start start)
{
    start.kind = m->run->kind;
    start.batch = m->run->batch;
    start.credit = m->run->credit;
    start.coalesce = m->run->coalesce;
    cm_send(cm_world(), &start, sizeof start, rank, FARM_TAG_START);
}

static void start_all(const master *m)
{
    if (m->run->protocol != FARM_TREE) {
        for (int rank = 1; rank < m->ranks; rank++)
            if (m->worker[rank].member) start_one(m, rank, (farm_start){.most_units = m->most});
        return;
    }
    for (int k = 0; k < m->run->masters && m->run->workers > 0; k++) {
        farm_branch b = branch_of(m, k);
        start_one(m, b.master,
                  (farm_start){.most_units = m->most, .first = b.first, .workers = b.workers});
        for (int i = 0; i < b.workers; i++)
            start_one(m, b.first + i,
                      (farm_start){.most_units = m->run->batch, .master = b.master});
    }
}

static void quit_all(const master *m)
{
    for (int rank = 1; rank < m->ranks; rank++)
        if (m->worker[rank].member) cm_send(cm_world(), NULL, 0, rank, FARM_TAG_QUIT);
    for (int rank = 1; rank < m->ranks; rank++) {
        farm_report report = {0};
        cm_status status;
        if (!m->worker[rank].member) continue;
        cm_recv(cm_world(), &report, sizeof report, rank, FARM_TAG_REPORT, &status);
        m->outcome->lost += status.failed >= 0;
        if (status.failed >= 0) continue;
        m->outcome->computing_s += report.computing_s;
        m->outcome->computed += report.units;
        m->outcome->served += report.batches;
        m->outcome->disturbed |= (unsigned)report.disturbed;
    }
}

/* Runs until all units are done and all workers have greeted. Reading the clock before and after a
   receive takes a fifth of a message's time if nothing is computed; then one message in sixteen is
   timed. */
static void conduct(master *m)
{
    const int64_t watched_every = m->run->kind == FARM_NONE ? 16 : 1;
    double waited_s = 0, watched_s = 0;
    farm_outcome *outcome = m->outcome;
    farm_receiver *receiver = NULL;
    if (m->ranks > 1) receiver = farm_receiver_open(m->run->receive, m->ranks - 1, owes, m);
    uint32_t units = (uint32_t)m->run->units;
    double begun_s = cm_time(), ended_s = 0;
    start_all(m);
    while (m->done < units || m->owing > 0) {
        if (m->owing == 0) {
            alone(m);
            ended_s = cm_time();
            break;
        }
        farm_message message;
        bool watched = ended_s == 0 && outcome->received % watched_every == 0;
        double waits_s = watched ? cm_time() : 0;
        farm_receive(receiver, &message);
        double has_s = watched ? cm_time() : 0;
        if (message.failed) lose(m, message.source);
        else take(m, &message);
        if (watched) {
            waited_s += has_s - waits_s;
            watched_s += cm_time() - waits_s;
        }
        if (ended_s == 0 && m->done == units) ended_s = cm_time();
    }
    outcome->time_s = ended_s - begun_s;
    outcome->waiting_s = watched_s > 0 ? outcome->time_s * waited_s / watched_s : 0;
    if (receiver) farm_receiver_close(receiver);
}

/* The most units in a message of the first master: a block with FARM_TREE, otherwise a batch. */
static int64_t block_of(const farm_run *run)
{
    const int64_t batches_each = 8;
    if (run->protocol != FARM_TREE || run->workers == 0) return run->batch;
    int64_t workers_each = (run->workers + run->masters - 1) / run->masters;
    int64_t block = run->batch * batches_each * workers_each;
    return block < run->units ? block : run->units;
}

void farm_master(const farm_run *run, farm_computer *computer, farm_outcome *outcome)
{
    master m = {.run = run,
                .computer = computer,
                .outcome = outcome,
                .ranks = cm_size(cm_world()),
                .receivers = run->workers > 0 ? run->workers : 1,
                .least = (uint32_t)run->batch,
                .most = (uint32_t)block_of(run)};
    if (run->protocol == FARM_TREE && run->workers > 0) m.receivers = run->masters;
    if (run->protocol == FARM_GUIDED) m.least = 1;
    *outcome = (farm_outcome){.trips = outcome->trips};
    outcome->messages = farm_plan_shares((uint32_t)run->units, m.receivers, m.least, m.most,
                                         run->batch, &outcome->batches);
    int64_t credit = run->protocol == FARM_TREE ? FARM_BLOCKS : run->credit;
    m.credit = (int)(credit < outcome->messages ? credit : outcome->messages);
    memset(outcome->trips, 0, sizeof *outcome->trips);
    hire(&m);
    /* The master computes nothing: it sends what it holds back once it has taken all results. */
    cm_coalesce(run->coalesce);
    conduct(&m);
    cm_coalesce(false);
    quit_all(&m);
    dismiss(&m);
}

int farm_master_alive(void) { return cm_size(cm_world()) - 1 - cm_failures(cm_world()); }

void farm_master_end(void)
{
    for (int rank = 1; rank < cm_size(cm_world()); rank++)
        if (!cm_failed(cm_world(), rank)) cm_send(cm_world(), NULL, 0, rank, FARM_TAG_END);
}
