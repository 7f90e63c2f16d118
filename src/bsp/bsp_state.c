/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_state.c: the one state of a process, and how a call ends the job. All other files stand on
   this one. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "bsp/bsp_internal.h"

bsp_state cm_bsp;

void cm_bsp_wrong(const char *call, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    cm_bsp.running = false;
    cm_abort(CM_EXIT_USAGE, "%s in superstep %llu: %s", call, (unsigned long long)cm_bsp.superstep,
             text);
}

void *cm_bsp_memory(void *old, size_t bytes)
{
    void *data = realloc(old, bytes ? bytes : 1);
    if (!data)
        cm_abort(CM_EXIT_SYSTEM, "BSP: out of memory for %zu bytes in superstep %llu", bytes,
                 (unsigned long long)cm_bsp.superstep);
    return data;
}

void cm_bsp_check_call(const char *call, int pid)
{
    if (!cm_bsp.running) cm_abort(CM_EXIT_USAGE, "%s outside of bsp_begin and bsp_end", call);
    if (pid < 0 || pid >= cm_bsp.p)
        cm_bsp_wrong(call, "process is %d; expected 0 to %d", pid, cm_bsp.p - 1);
}

/* Both sides of a disagreement notice it, and others may, too. The lower one prints the line, which
   ends the job. The others yield their cores and give it the time it may need on a busy host. */
void cm_bsp_let_speak(int pid, int other)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    if (cm_bsp.pid == (pid < other ? pid : other)) return;
    for (double from_s = cm_time(); cm_time() - from_s < 30; nanosleep(&nap, NULL)) cm_progress();
}
