/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_life.c: begin and end of the SPMD part, the participating processes. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "bsp/bsp_internal.h"
#include "base/environment.h"

/* ---- In a group ------------------------------------------------------------------------------ */

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
                         .in_rounds = cm_bsp_takes_rounds(cm_size(group), on_one_host(group)),
                         .check = environment.bsp_check};
    cm_bsp_streams_open();
    if (cm_bsp.pid == 0) cm_bsp_trace_open();
    cm_bsp.begin_s = cm_bsp.work_from_s = cm_time();
}

void cm_bsp_end(void)
{
    cm_bsp_check_call("bsp_end", 0);
    cm_bsp_exchange(BSP_END);
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

/* ---- A program of its own -------------------------------------------------------------------- */

/* The value that process 0 sends to the others, which wait in bsp_begin, if main ends before its
   SPMD part. */
enum { NO_PART = INT32_MIN };

/* A program may query the number of processes, or read its options after bsp_init, and then end
   successfully without an SPMD part. If it ends with another status, the other processes learn that
   it died, as they would without this function. */
#ifdef HAVE_ON_EXIT
static void leave(int status, void *unused)
{
    (void)unused;
    if (status != CM_EXIT_PASS || cm_bsp.job.began) return;
    int32_t most = NO_PART;
    if (cm_bsp.job.awaited) cm_bcast(cm_world(), &most, sizeof most, 0, CM_AUTO);
    cm_finalize();
}
#endif

static void join(int *argc, char ***argv)
{
    if (cm_bsp.job.joined || cm_bsp.running) return;
    int status = cm_init(argc, argv);
    if (status) exit(status);
    cm_bsp.job =
        (bsp_job){.joined = true, .ranks = cm_size(cm_world()), .rank = cm_rank(cm_world())};
#ifdef HAVE_ON_EXIT
    on_exit(leave, NULL);
#endif
}

/* After bsp_end there is no job in which one process could speak for all: process 0 does. */
static void check_first(const char *call)
{
    if (cm_bsp.running)
        cm_abort(CM_EXIT_USAGE, "%s between bsp_begin and bsp_end; expected one SPMD part", call);
    if (!cm_bsp.job.ended) return;
    if (cm_bsp.job.rank == 0)
        fprintf(stderr,
                "clustermark: %s after bsp_end: a second SPMD part of a program is not supported\n",
                call);
    exit(CM_EXIT_USAGE);
}

void bsp_init(void (*spmd_part)(void), int argc, char **argv)
{
    check_first("bsp_init");
    join(&argc, &argv);
    cm_bsp.job.awaited = cm_bsp.job.rank == 0;
    if (cm_bsp.job.awaited) return;
    spmd_part();
    exit(CM_EXIT_PASS);
}

/* Other processes wait in bsp_sync, and not every launcher reports that one has exited. */
static void left(void)
{
    if (!cm_bsp.running || !cm_bsp.job.owned) return;
    cm_bsp_wrong("exit", "process %d exits without bsp_end", cm_bsp.pid);
}

void bsp_begin(int max_processes)
{
    check_first("bsp_begin");
    join(NULL, NULL);
    cm_bsp.job.began = true;
    int32_t most = max_processes > NO_PART ? max_processes : 0;
    cm_bcast(cm_world(), &most, sizeof most, 0, CM_AUTO);
    if (most == NO_PART) {
        cm_finalize();
        exit(CM_EXIT_PASS);
    }
    if (most < 1)
        cm_abort(CM_EXIT_USAGE, "bsp_begin with %d processes; expected at least 1", (int)most);
    bool needed = cm_rank(cm_world()) < most;
    cm_group *group = cm_split(cm_world(), needed ? 0 : -1, 0);
    if (!needed) {
        cm_finalize();
        exit(CM_EXIT_PASS);
    }
    cm_bsp.job.owned = true;
    cm_bsp_begin(group);
    atexit(left);
}

void bsp_end(void)
{
    cm_bsp_end();
    if (!cm_bsp.job.owned) return;
    cm_group_free(cm_bsp.group);
    cm_bsp.job.owned = false;
    cm_bsp.job.ended = true;
    fflush(stdout);
    cm_finalize();
}

/* ---- Process number, number of processes, time ----------------------------------------------- */

int bsp_nprocs(void)
{
    if (cm_bsp.running) return cm_bsp.p;
    join(NULL, NULL);
    return cm_bsp.job.ranks;
}

int bsp_pid(void)
{
    if (cm_bsp.running) return cm_bsp.pid;
    join(NULL, NULL);
    return cm_bsp.job.rank;
}

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

void bsp_abort(const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n') text[--length] = 0;
    cm_bsp.running = false;
    cm_abort(CM_EXIT_WRONG, "%s", text);
}
