/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu.c: getrusage of this process. */
#include "config.h"
#include <sys/resource.h>
#include <sys/time.h>
#include "measure/cpu.h"

static double seconds(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

cm_cpu cm_cpu_used(void)
{
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) < 0) return (cm_cpu){0, 0};
    return (cm_cpu){seconds(used.ru_utime), seconds(used.ru_stime)};
}

void cm_cpu_add_since(cm_cpu *sum, const cm_cpu *begin)
{
    cm_cpu now = cm_cpu_used();
    sum->user_s += now.user_s - begin->user_s;
    sum->system_s += now.system_s - begin->system_s;
}
