/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_life.c: begin and end of the SPMD part in a group. */
#include "config.h"
#include <stdlib.h>
#include "bsp/bsp_internal.h"
#include "base/environment.h"

/* Most processes for which a message to each of them is faster than rounds. On one host a message
   costs what it keeps a core busy: over sockets on two cores, rounds take 1.3 of the time on 3
   processes, 0.88 on 4, 0.65 on 8 and 0.5 on 16. Between hosts p - 1 messages are under way
   together, while each round waits for one: with 5 us for each message on both sides and 25 us on
   the way, that is 5 (p - 1) + 25 against 30 log2(p), which cross between 16 and 32. */
static int direct_most(bool one_host)
{
    cm_environment environment;
    int status = cm_environment_read(&environment);
    if (status) cm_abort(status, "BSP: the environment cannot be read");
    if (environment.bsp_direct_most) return environment.bsp_direct_most;
    return one_host ? 3 : 16;
}

bool cm_bsp_takes_rounds(int processes, bool one_host) { return processes > direct_most(one_host); }

void cm_bsp_in_rounds(bool rounds)
{
    cm_bsp_check_call("cm_bsp_in_rounds", 0);
    cm_bsp.in_rounds = rounds;
}

static bool on_one_host(const cm_group *group)
{
    for (int rank = 1; rank < cm_size(group); rank++)
        if (strcmp(cm_host(group, rank), cm_host(group, 0)) != 0) return false;
    return true;
}

void cm_bsp_begin(cm_group *group)
{
    if (cm_bsp.running) cm_abort(CM_EXIT_USAGE, "bsp_begin between bsp_begin and bsp_end");
    if (cm_size(group) > 1 && !cm_comm_has(CM_HAS_PROCESSES))
        cm_abort(CM_EXIT_USAGE,
                 "BSP needs one process for each rank, but the dummy backend has one for all %d",
                 cm_size(group));
    cm_environment environment;
    int status = cm_environment_read(&environment);
    if (status) cm_abort(status, "BSP: the environment cannot be read");
    /* Supersteps count from 0 again, so messages of two parts may have the same tags: no rank
       begins before all others have ended the last part. Rank 0 decides how supersteps end. */
    int32_t in_rounds =
        cm_rank(group) == 0 && cm_bsp_takes_rounds(cm_size(group), on_one_host(group));
    if (cm_size(group) > 1)
        cm_allreduce(group, &in_rounds, &in_rounds, 1, CM_INT32, CM_MAX, CM_AUTO);
    bsp_job job = cm_bsp.job;
    bool trace_opened = cm_bsp.trace_opened;
    int trace_parts = cm_bsp.trace_parts;
    cm_bsp = (bsp_state){.group = group,
                         .p = cm_size(group),
                         .pid = cm_rank(group),
                         .running = true,
                         .job = job,
                         .found = -1,
                         .trace = environment.bsp_trace,
                         .trace_parts = trace_parts,
                         .trace_opened = trace_opened,
                         .in_rounds = in_rounds,
                         .check = environment.bsp_check};
    cm_bsp_streams_open();
    cm_bsp_now_open();
    if (cm_bsp.pid == 0) cm_bsp_trace_open();
    cm_bsp.begin_s = cm_bsp.work_from_s = cm_time();
}

void cm_bsp_end(void)
{
    cm_bsp_check_call("bsp_end", 0);
    cm_bsp_exchange(BSP_END);
    cm_bsp_now_close();
    cm_bsp_trace_end();
    cm_bsp_areas_free();
    cm_bsp_streams_close();
    free(cm_bsp.write);
    free(cm_bsp.steps);
    cm_bsp.write = NULL;
    cm_bsp.steps = NULL;
    cm_bsp.running = false;
}

cm_group *cm_bsp_group(void) { return cm_bsp.running ? cm_bsp.group : NULL; }

/* ---- Time, supersteps ------------------------------------------------------------------------ */

double bsp_time(void)
{
    cm_bsp_check_call("bsp_time", 0);
    return cm_time() - cm_bsp.begin_s;
}

void bsp_sync(void)
{
    cm_bsp_check_call("bsp_sync", 0);
    cm_bsp_exchange(BSP_SYNC);
}

cm_bsp_sums cm_bsp_total(void) { return cm_bsp.total; }
