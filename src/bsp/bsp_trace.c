/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_trace.c: time and traffic of each superstep: sums and, with CM_BSP_TRACE, a file of all
   supersteps. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "bsp/bsp_internal.h"
#include "base/environment.h"

void cm_bsp_name(const char *name)
{
    size_t k = 0;
    cm_bsp_check_call("cm_bsp_name", 0);
    for (; name[k] && k < BSP_NAME_BYTES - 1; k++)
        cm_bsp.now.name[k] = (char)(name[k] > ' ' && name[k] < 127 ? name[k] : '_');
    cm_bsp.now.name[k] = 0;
}

/* Never overwrites an existing file, and reports this before anything is computed. Continues the
   file of earlier SPMD parts of this job. */
void cm_bsp_trace_open(void)
{
    cm_environment environment;
    int status = cm_environment_read(&environment);
    if (status) cm_abort(status, "BSP: the environment cannot be read");
    if (!environment.bsp_trace || cm_bsp.trace_opened) return;
    FILE *file = fopen(environment.bsp_trace, "wx");
    if (!file)
        cm_abort(CM_EXIT_USAGE, "CM_BSP_TRACE=%s: %s; expected the name of a new file",
                 environment.bsp_trace, strerror(errno));
    fclose(file);
    cm_bsp.trace_opened = true;
}

void cm_bsp_trace_step(double begin_s, double end_s)
{
    bsp_step *now = &cm_bsp.now;
    cm_bsp_sums *total = &cm_bsp.total;
    now->work_s = begin_s - cm_bsp.work_from_s;
    now->sync_s = end_s - begin_s;
    total->supersteps++;
    total->work_s += now->work_s;
    total->sync_s += now->sync_s;
    total->out_bytes += now->out_bytes;
    total->in_bytes += now->in_bytes;
    total->out_messages += now->out_messages;
    total->in_messages += now->in_messages;
    if (cm_bsp.trace) {
        if (cm_bsp.steps_n == cm_bsp.steps_capacity) {
            cm_bsp.steps_capacity = cm_bsp.steps_capacity ? 2 * cm_bsp.steps_capacity : 256;
            cm_bsp.steps =
                cm_bsp_memory(cm_bsp.steps, cm_bsp.steps_capacity * sizeof *cm_bsp.steps);
        }
        cm_bsp.steps[cm_bsp.steps_n++] = *now;
    }
    memset(now, 0, sizeof *now);
    cm_bsp.work_from_s = end_s;
}

/* ---- The file -------------------------------------------------------------------------------- */

static void write_row(FILE *file, size_t superstep, int pid, const bsp_step *s)
{
    fprintf(file, "%d %zu %d %s %.4e %.4e %lld %lld %lld %lld\n", cm_bsp.trace_parts, superstep,
            pid, s->name[0] ? s->name : "-", s->work_s, s->sync_s, (long long)s->out_bytes,
            (long long)s->in_bytes, (long long)s->out_messages, (long long)s->in_messages);
}

void cm_bsp_trace_end(void)
{
    if (!cm_bsp.trace) return;
    int part = cm_bsp.trace_parts;
    size_t bytes = cm_bsp.steps_n * sizeof *cm_bsp.steps;
    int tag = BSP_TAG + 16;
    if (cm_bsp.pid) {
        cm_send(cm_bsp.group, cm_bsp.steps, bytes, 0, tag);
        cm_bsp.trace_parts++;
        return;
    }
    bsp_step *all = cm_bsp_memory(NULL, (size_t)cm_bsp.p * bytes);
    memcpy(all, cm_bsp.steps, bytes);
    for (int pid = 1; pid < cm_bsp.p; pid++)
        cm_recv(cm_bsp.group, all + (size_t)pid * cm_bsp.steps_n, bytes, pid, tag, NULL);
    FILE *file = fopen(cm_bsp.trace, part ? "a" : "w");
    bool written = file != NULL;
    if (file) {
        if (!part)
            fprintf(file, "# trace: supersteps of a BSP program, one row a superstep and process\n"
                          "part superstep process name work_s sync_s out_bytes in_bytes "
                          "out_messages in_messages\n");
        for (size_t k = 0; k < cm_bsp.steps_n; k++)
            for (int pid = 0; pid < cm_bsp.p; pid++)
                write_row(file, k, pid, &all[(size_t)pid * cm_bsp.steps_n + k]);
        written = !ferror(file);
        written = fclose(file) == 0 && written;
    }
    free(all);
    cm_bsp.trace_parts++;
    if (!written) cm_abort(CM_EXIT_SYSTEM, "CM_BSP_TRACE=%s: %s", cm_bsp.trace, strerror(errno));
}
