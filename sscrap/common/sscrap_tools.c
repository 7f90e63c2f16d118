/* SPDX-License-Identifier: BSD-3-Clause */
/* sscrap_tools.c: blocks, and reductions outside of the timing. */
#include <stdlib.h>
#include "sscrap.h"

void *sscrap_memory(size_t bytes)
{
    void *data = malloc(bytes ? bytes : 1);
    if (!data) cm_abort(CM_EXIT_SYSTEM, "no memory for %zu bytes", bytes);
    return data;
}

int64_t sscrap_first(int64_t n, int p, int pid)
{
    int64_t each = n / p, more = n % p;
    return pid * each + (pid < more ? pid : more);
}

double sscrap_max(double value)
{
    double all;
    cm_allreduce(cm_bsp_group(), &value, &all, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    return all;
}

double sscrap_sum(double value)
{
    double all;
    cm_allreduce(cm_bsp_group(), &value, &all, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    return all;
}
