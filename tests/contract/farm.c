/* SPDX-License-Identifier: BSD-3-Clause */
/* farm.c: a master gives units of work to workers that die at random points of their work
   (cm_on_failure); each unit is done once, the dead's by others, in the end by the master itself.
   Argument: the seed. contract/failure.sh runs it. */
#include "contract.h"
#include "random/random.h"

#include <signal.h>

enum { UNITS = 300, AHEAD = 2, LONGEST = 600000, WORK = 1, RESULT = 2, END = 3, DEATHS = 300 };

typedef struct {
    int32_t unit;
    uint32_t bytes;
} head;
typedef struct {
    int32_t unit;
    uint64_t sum;
} result;

static uint64_t state;

static uint64_t draw(void) { return cm_random_next(&state); }

static bool now_and_then(void) { return draw() % DEATHS == 0; }

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Its data are what fill makes of its number; some are short, some long. */
static size_t bytes_of(int unit)
{
    return unit % 3 ? (size_t)(unit * 7) : (size_t)unit * 7919 % LONGEST;
}

static uint64_t sum_of(const unsigned char *data, size_t bytes)
{
    uint64_t sum = 17;
    for (size_t i = 0; i < bytes; i++) sum = sum * 31 + data[i];
    return sum;
}

static uint64_t right_sum(int unit)
{
    unsigned char *data = memory(bytes_of(unit));
    fill(data, bytes_of(unit), (unsigned)unit);
    uint64_t sum = sum_of(data, bytes_of(unit));
    free(data);
    return sum;
}

/* ---- Worker ---------------------------------------------------------------------------------- */

static void work(void)
{
    char *in = memory(sizeof(head) + LONGEST), *out = memory(LONGEST);
    for (;;) {
        cm_status status;
        if (now_and_then()) die();
        cm_recv(world, in, sizeof(head) + LONGEST, 0, CM_ANY, &status);
        if (status.failed == 0) cm_abort(CM_EXIT_WRONG, "the master is not to fail");
        if (status.tag == END) break;
        if (now_and_then()) die();
        head h;
        memcpy(&h, in, sizeof h);
        result r = {h.unit, sum_of((unsigned char *)in + sizeof h, h.bytes)};
        size_t bytes = sizeof r + (r.sum % 5 ? 0 : h.bytes / 2);
        memset(out, 0, bytes);
        memcpy(out, &r, sizeof r);
        cm_request *send = cm_isend(world, out, bytes, 0, RESULT);
        if (now_and_then()) die();
        cm_wait(&send, NULL);
    }
    free(in);
    free(out);
}

/* ---- Master ---------------------------------------------------------------------------------- */

typedef struct {
    int owner;
    bool done;
} unit_state;

static unit_state units[UNITS];
static int given[64]; /* units that a worker has */
static bool gone[64];
static cm_request *sends[64 * AHEAD];
static char *sent[64 * AHEAD];

static int next_unit(void)
{
    for (int u = 0; u < UNITS; u++)
        if (!units[u].done && !units[u].owner) return u;
    return -1;
}

static void give(int worker)
{
    int u;
    for (int slot = worker * AHEAD; given[worker] < AHEAD && (u = next_unit()) >= 0;) {
        while (slot < (worker + 1) * AHEAD && sends[slot]) slot++;
        if (slot == (worker + 1) * AHEAD) return; /* its last unit's send is not over */
        head h = {u, (uint32_t)bytes_of(u)};
        free(sent[slot]);
        sent[slot] = memory(sizeof h + h.bytes);
        memcpy(sent[slot], &h, sizeof h);
        fill(sent[slot] + sizeof h, h.bytes, (unsigned)u);
        sends[slot] = cm_isend(world, sent[slot], sizeof h + h.bytes, worker, WORK);
        units[u].owner = worker;
        given[worker]++;
    }
}

static void take(const void *data, const cm_status *status)
{
    result r;
    memcpy(&r, data, sizeof r);
    bool known = status->bytes >= sizeof r && r.unit >= 0 && r.unit < UNITS;
    if (!EXPECT(known && status->tag == RESULT, "%zu bytes, tag %d", status->bytes, status->tag))
        return;
    EXPECT(!units[r.unit].done && units[r.unit].owner == status->source,
           "unit %d by rank %d is %s, and rank %d's", r.unit, status->source,
           units[r.unit].done ? "done already" : "open", units[r.unit].owner);
    EXPECT(r.sum == right_sum(r.unit), "unit %d", r.unit);
    units[r.unit].done = true;
    given[status->source]--;
}

static void lose(int worker)
{
    EXPECT(worker > 0 && !gone[worker], "rank %d is lost twice", worker);
    EXPECT(cm_failed(world, worker));
    gone[worker] = true;
    for (int u = 0; u < UNITS; u++)
        if (!units[u].done && units[u].owner == worker) units[u].owner = 0;
    given[worker] = AHEAD;
}

static bool all_done(void)
{
    for (int u = 0; u < UNITS; u++)
        if (!units[u].done) return false;
    return true;
}

static int lead(void)
{
    char *in = memory(LONGEST);
    int lost = 0;
    cm_request **requests = memory((size_t)(size * AHEAD + 1) * sizeof *requests), *receive = NULL;
    while (!all_done() && lost < size - 1) {
        for (int w = 1; w < size; w++)
            if (!gone[w]) give(w);
        if (!receive) receive = cm_irecv(world, in, LONGEST, CM_ANY, CM_ANY);
        cm_status status;
        requests[0] = receive;
        memcpy(requests + 1, sends, (size_t)(size * AHEAD) * sizeof *requests);
        int k = cm_waitany(size * AHEAD + 1, requests, &status);
        if (k > 0) {
            EXPECT(status.failed == -1 || status.failed == (k - 1) / AHEAD, "a send: %d",
                   status.failed);
            sends[k - 1] = NULL;
            continue;
        }
        receive = NULL;
        if (status.failed < 0) take(in, &status);
        else {
            lose(status.failed);
            lost++;
        }
    }
    for (int u = 0; u < UNITS; u++) units[u].done = true; /* the rest is the master's */
    if (receive) cm_cancel(&receive);
    cm_waitall(size * AHEAD, sends, NULL);
    for (int w = 1; w < size; w++) cm_send(world, NULL, 0, w, END);
    for (int k = 0; k < size * AHEAD; k++) free(sent[k]);
    free(requests);
    free(in);
    return lost;
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    contract_outlives = true;
    if (argc != 2 || size > 64) cm_abort(CM_EXIT_USAGE, "contract/farm SEED, by at most 64 ranks");
    state = strtoull(argv[1], NULL, 10) * 1000003 + (uint64_t)rank;
    if (cm_on_failure(CM_RETURN)) return CM_EXIT_USAGE;
    meet();
    point("each of %d units is done once (seed %s)", UNITS, argv[1]);
    if (rank) work();
    else printf("# %d of %d workers died\n", lead(), size - 1);
    return contract_done();
}
