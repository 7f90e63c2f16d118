/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_worker.c: a worker greets the master and computes batches until the master says QUIT. */
#include <stdlib.h>
#include <string.h>
#include "farm.h"
#include "measure/clock.h"

enum { FIRST_MASTER = 0 };

static void receive(void *data, size_t capacity, int master, cm_status *status)
{
    cm_recv(cm_world(), data, capacity, master, CM_ANY, status);
    if (status->failed >= 0)
        cm_abort(CM_EXIT_SYSTEM, "the master on %s failed", cm_host(cm_world(), master));
}

/* An answer that may wait is coalesced with later ones, as long as the next batch has arrived. If
   the worker must wait for a batch, the layer sends what it has held back. */
static void answer(const farm_digest *digest, int master, bool may_wait)
{
    if (!may_wait) {
        cm_send(cm_world(), digest, sizeof *digest, master, FARM_TAG_RESULT);
        return;
    }
    cm_request *send = cm_isend(cm_world(), digest, sizeof *digest, master, FARM_TAG_RESULT);
    cm_wait(&send, NULL);
}

static void serve(farm_computer *computer, const farm_start *start, cm_sample_watch *watch)
{
    size_t capacity = (size_t)start->most_units * sizeof(uint32_t);
    uint32_t *unit = malloc(capacity);
    if (!unit) cm_abort(CM_EXIT_SYSTEM, "out of memory for batches of %zu bytes", capacity);
    farm_report report = {0};
    /* If there is no work, no time is taken, because two clock readings would take a tenth of the
       round trip. */
    bool timed = start->kind != FARM_NONE;
    bool coalesces = start->coalesce && cm_coalesce(true);
    cm_sample_watch_begin(watch, cm_time());
    cm_send(cm_world(), NULL, 0, start->master, FARM_TAG_GREETING);
    for (;;) {
        cm_status status;
        farm_digest digest;
        receive(unit, capacity, start->master, &status);
        if (status.tag == FARM_TAG_QUIT) break;
        size_t n = status.bytes / sizeof *unit;
        double begun_s = timed ? cm_clock_now_s() : 0;
        if (!farm_compute(computer, unit, n, &digest)) cm_abort(CM_EXIT_SYSTEM, "libcrypto failed");
        double took_s = timed ? cm_clock_now_s() - begun_s : 0;
        report.computing_s += took_s;
        report.batches++;
        report.units += (int64_t)n;
        answer(&digest, start->master, coalesces && took_s < FARM_WRITE_S);
    }
    cm_coalesce(false);
    report.disturbed = cm_sample_watch_end(watch, cm_time(), cm_sample_watch_look_is_due(watch));
    cm_send(cm_world(), &report, sizeof report, start->master, FARM_TAG_REPORT);
    free(unit);
}

int farm_worker(const farm_options *options)
{
    /* One computer for each kind: runs with and without work alternate, and opening some kinds
       includes choosing the fastest code. */
    farm_computer *computers[FARM_NONE + 1] = {NULL};
    cm_sample_watch watch; /* opened once: that takes longer than a message */
    cm_sample_watch_open(&watch);
    for (;;) {
        farm_start start;
        cm_status status;
        const char *why;
        receive(&start, sizeof start, FIRST_MASTER, &status);
        if (status.tag == FARM_TAG_END) break;
        if (start.workers > 0) {
            farm_branch_serve(&start, &watch);
            continue;
        }
        if (!computers[start.kind]) {
            farm_work work = options->work;
            work.kind = (farm_work_kind)start.kind;
            computers[start.kind] = farm_computer_open(&work, &why);
            if (!computers[start.kind]) cm_abort(CM_EXIT_SYSTEM, "%s", why);
        }
        serve(computers[start.kind], &start, &watch);
    }
    cm_sample_watch_close(&watch);
    for (int kind = 0; kind <= FARM_NONE; kind++) farm_computer_close(computers[kind]);
    return CM_EXIT_PASS;
}
