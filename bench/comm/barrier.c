/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier.c: starts, runs one barrier, ends. Starting many ranks is timed from outside. */
#include "config.h"
#include "comm/comm.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    int status = cm_init(&argc, &argv);
    if (status) return status;
    cm_barrier(cm_world(), CM_AUTO);
    if (cm_rank(cm_world()) == 0) printf("%d ranks\n", cm_size(cm_world()));
    cm_finalize();
    return 0;
}
