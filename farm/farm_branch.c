/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_branch.c: a master below the first: gets blocks of units from it, gives them in batches to
   workers of its own, and sends back the digest of a block when all of it is done. */
#include <stdlib.h>
#include <string.h>
#include "farm.h"

typedef struct {
    uint32_t *unit;
    size_t n, given, done;
    farm_digest digest;
} block;

/* The state of one worker. The units stay in their block until the result has arrived. */
typedef struct {
    block *block;
    size_t n;
    cm_request *send;
} parcel;
typedef struct {
    parcel *parcel;
    int first, n;
    bool greeted;
} worker;

typedef struct {
    const farm_start *start;
    worker *worker; /* [start->workers] */
    /* a queue: the first master takes results in the order of its blocks */
    block block[FARM_BLOCKS];
    int first, n;
    int greeted;
    uint32_t *arriving;
} branch;

static void *allocate(size_t n, size_t bytes)
{
    void *memory = calloc(n, bytes);
    if (!memory)
        cm_abort(CM_EXIT_SYSTEM, "out of memory for blocks of %zu bytes (try a smaller --batch)",
                 bytes);
    return memory;
}

static block *nth(branch *b, int k) { return &b->block[(b->first + k) % FARM_BLOCKS]; }

/* Returns the oldest block with units that have not been given to any rank; NULL: none. */
static block *unfinished(branch *b)
{
    for (int k = 0; k < b->n; k++)
        if (nth(b, k)->given < nth(b, k)->n) return nth(b, k);
    return NULL;
}

static void feed(branch *b, int k)
{
    worker *w = &b->worker[k];
    block *from;
    while (w->greeted && w->n < b->start->credit && (from = unfinished(b))) {
        size_t left = from->n - from->given, batch = (size_t)b->start->batch;
        size_t n = left < batch ? left : batch;
        parcel *p = &w->parcel[(w->first + w->n++) % b->start->credit];
        const uint32_t *unit = from->unit + from->given;
        *p = (parcel){.block = from, .n = n};
        from->given += n;
        p->send = cm_isend(cm_world(), unit, n * sizeof *unit, b->start->first + k, FARM_TAG_WORK);
    }
}

static void take_block(branch *b, size_t bytes)
{
    if (b->n == FARM_BLOCKS) cm_abort(CM_EXIT_WRONG, "got more than %d blocks", FARM_BLOCKS);
    block *next = nth(b, b->n++);
    uint32_t *unit = next->unit;
    *next = (block){.unit = b->arriving, .n = bytes / sizeof *unit};
    b->arriving = unit;
    for (int k = 0; k < b->start->workers; k++) feed(b, k);
}

static void send_results(branch *b)
{
    while (b->n > 0 && nth(b, 0)->done == nth(b, 0)->n) {
        const farm_digest *digest = &nth(b, 0)->digest;
        cm_send(cm_world(), digest, sizeof *digest, b->start->master, FARM_TAG_RESULT);
        b->first = (b->first + 1) % FARM_BLOCKS;
        b->n--;
    }
}

static void take_result(branch *b, int k, const void *digest)
{
    worker *w = &b->worker[k];
    if (w->n == 0)
        cm_abort(CM_EXIT_WRONG, "rank %d sent a result but has no batch", b->start->first + k);
    parcel *p = &w->parcel[w->first];
    farm_digest sum;
    memcpy(&sum, digest, sizeof sum);
    cm_wait(&p->send, NULL);
    p->block->done += p->n;
    farm_digest_add(&p->block->digest, &sum);
    w->first = (w->first + 1) % b->start->credit;
    w->n--;
    feed(b, k);
    send_results(b);
}

/* Everything until QUIT, and the greetings of all. */
static void conduct(branch *b)
{
    size_t capacity = (size_t)b->start->most_units * sizeof *b->arriving + sizeof(farm_digest);
    for (bool quit = false; !quit || b->greeted < b->start->workers;) {
        cm_status status;
        cm_recv(cm_world(), b->arriving, capacity, CM_ANY, CM_ANY, &status);
        int k = status.source - b->start->first;
        switch (status.tag) {
        case FARM_TAG_WORK:
            take_block(b, status.bytes);
            break;
        case FARM_TAG_RESULT:
            take_result(b, k, b->arriving);
            break;
        case FARM_TAG_QUIT:
            quit = true;
            break;
        default:
            b->worker[k].greeted = true;
            b->greeted++;
            feed(b, k);
        }
    }
}

/* Returns the sum of the workers' reports. */
static farm_report dismiss(const branch *b)
{
    farm_report sum = {0};
    for (int k = 0; k < b->start->workers; k++)
        cm_send(cm_world(), NULL, 0, b->start->first + k, FARM_TAG_QUIT);
    for (int k = 0; k < b->start->workers; k++) {
        farm_report report;
        cm_recv(cm_world(), &report, sizeof report, b->start->first + k, FARM_TAG_REPORT, NULL);
        sum.computing_s += report.computing_s;
        sum.batches += report.batches;
        sum.units += report.units;
        sum.disturbed |= report.disturbed;
    }
    return sum;
}

void farm_branch_serve(const farm_start *start, cm_sample_watch *watch)
{
    branch b = {.start = start, .worker = allocate((size_t)start->workers, sizeof *b.worker)};
    /* Digests arrive there, too. */
    size_t bytes = (size_t)start->most_units * sizeof *b.arriving + sizeof(farm_digest);
    for (int k = 0; k < start->workers; k++)
        b.worker[k].parcel = allocate((size_t)start->credit, sizeof *b.worker[k].parcel);
    for (int k = 0; k < FARM_BLOCKS; k++) b.block[k].unit = allocate(1, bytes);
    b.arriving = allocate(1, bytes);
    cm_sample_watch_begin(watch, cm_time());
    cm_send(cm_world(), NULL, 0, start->master, FARM_TAG_GREETING);
    cm_coalesce(start->coalesce);
    conduct(&b);
    cm_coalesce(false);
    unsigned disturbed = cm_sample_watch_end(watch, cm_time(), cm_sample_watch_look_is_due(watch));
    farm_report report = dismiss(&b);
    report.disturbed |= disturbed;
    cm_send(cm_world(), &report, sizeof report, start->master, FARM_TAG_REPORT);
    for (int k = 0; k < start->workers; k++) free(b.worker[k].parcel);
    for (int k = 0; k < FARM_BLOCKS; k++) free(b.block[k].unit);
    free(b.worker);
    free(b.arriving);
}
