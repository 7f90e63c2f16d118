/* SPDX-License-Identifier: BSD-3-Clause */
/* counters.c: reads counters of errors and throttling around a benchmark, on the first rank of each
   host, and tells which moved. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "comm/hosts.h"
#include "machine/counters.h"
#include "run/counters.h"

enum { TAG = CM_TAG_LIMIT - 2, LEADER = 0 };

/* A host's report at the end: lines, cut where they do not fit. */
typedef struct {
    int32_t watched, moved, cut;            /* cut: lines without room */
    double clock_before_hz, clock_after_hz; /* 0: not told */
    char lines[4000];
} answer;

struct cm_run_counters {
    const char *root;
    bool reads; /* this rank, its host's */
    cm_machine_counters before;
    cm_result *result; /* rank 0: to be finished */
};

cm_run_counters *cm_run_counters_begin(const char *root)
{
    if (cm_comm_has(CM_HAS_SIMULATOR)) return NULL;
    cm_run_counters *counters = calloc(1, sizeof *counters);
    if (!counters) cm_abort(CM_EXIT_SYSTEM, "out of memory for the counters of errors");
    counters->root = root;
    counters->reads = cm_hosts_of(cm_world())->local[cm_rank(cm_world())] == 0;
    if (counters->reads) cm_machine_counters_read(root, &counters->before);
    return counters;
}

void cm_run_counters_tell(cm_run_counters *counters, cm_result *result)
{
    if (!counters) return;
    counters->result = result;
    cm_result_defer(result);
    cm_result_meta_number(result, "counters_watched", (double)counters->before.n, "%.0f");
    if (counters->before.not_readable[0])
        cm_result_meta(result, "counters_not_readable", "%s", counters->before.not_readable);
}

static void add_line(const char *text, void *context)
{
    answer *a = context;
    const size_t used = strlen(a->lines);
    if (used + strlen(text) + 2 < sizeof a->lines) sprintf(a->lines + used, "%s\n", text);
    else a->cut++;
}

static void add_moved(const char *text, void *context)
{
    ((answer *)context)->moved++;
    add_line(text, context);
}

static void read_own(const cm_run_counters *counters, answer *own)
{
    cm_machine_counters after;
    *own = (answer){0};
    cm_machine_counters_read(counters->root, &after);
    cm_machine_counters_moved(&counters->before, &after, add_moved, own);
    cm_machine_slow_links(counters->root, add_line, own);
    own->watched = (int32_t)after.n;
    own->clock_before_hz = counters->before.clock_hz;
    own->clock_after_hz = after.clock_hz;
    cm_machine_counters_free(&after);
}

static void tell_host(cm_result *result, const char *name, const answer *a)
{
    const cm_finding finding = {.who = name, .what = CM_FINDING_COUNTERS};
    const char *line = a->lines;
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        cm_result_finding(result, &finding, "%.*s", (int)(end - line), line);
    if (a->cut > 0) cm_result_finding(result, &finding, "%d more lines have no room here", a->cut);
    if (a->clock_before_hz > 0 && a->clock_after_hz > 0)
        cm_result_comment(result, "clock: %s: %.0f MHz before, %.0f MHz after, mean of its threads",
                          name, 1e-6 * a->clock_before_hz, 1e-6 * a->clock_after_hz);
}

/* Other ranks may end long before rank 0 does. They read when rank 0 asks, so that all hosts report
   values of the same time. */
static void ask_all(const cm_run_counters *counters)
{
    const cm_hosts *hosts = cm_hosts_of(cm_world());
    const bool processes = cm_comm_has(CM_HAS_PROCESSES);
    answer *all = calloc(1, sizeof *all);
    int32_t watched = 0, moved = 0;
    char asks = 1;
    if (!all) cm_abort(CM_EXIT_SYSTEM, "out of memory for the counters of errors");
    for (int host = 1; processes && host < hosts->hosts; host++)
        cm_send(cm_world(), &asks, sizeof asks, hosts->ranks[hosts->first[host]], TAG);
    for (int host = 0; host < (processes ? hosts->hosts : 1); host++) {
        const int rank = hosts->ranks[hosts->first[host]];
        cm_status status = {.failed = -1};
        if (rank == LEADER) read_own(counters, all);
        else cm_recv(cm_world(), all, sizeof *all, rank, TAG, &status);
        if (status.failed >= 0) {
            const cm_finding failed = {.who = cm_host(cm_world(), rank),
                                       .what = CM_FINDING_COUNTERS};
            if (counters->result)
                cm_result_finding(counters->result, &failed, "not read again, its rank failed");
            continue;
        }
        watched += all->watched;
        moved += all->moved;
        if (counters->result) tell_host(counters->result, cm_host(cm_world(), rank), all);
    }
    if (counters->result && moved == 0)
        cm_result_finding(counters->result, &(cm_finding){.what = CM_FINDING_COUNTERS},
                          "none of %d moved", watched);
    free(all);
}

void cm_run_counters_end(cm_run_counters *counters)
{
    if (!counters) return;
    if (cm_rank(cm_world()) == LEADER) {
        ask_all(counters);
    } else if (counters->reads && cm_comm_has(CM_HAS_PROCESSES)) {
        char asked;
        cm_status status;
        answer *own = calloc(1, sizeof *own);
        if (!own) cm_abort(CM_EXIT_SYSTEM, "out of memory for the counters of errors");
        cm_recv(cm_world(), &asked, sizeof asked, LEADER, TAG, &status);
        read_own(counters, own);
        if (status.failed < 0) cm_send(cm_world(), own, sizeof *own, LEADER, TAG);
        free(own);
    }
}

int cm_run_counters_finish(cm_run_counters *counters, int status)
{
    if (!counters) return status;
    const int written = counters->result ? cm_result_finish(counters->result) : CM_EXIT_PASS;
    cm_machine_counters_free(&counters->before);
    free(counters);
    return written > status ? written : status;
}
