/* SPDX-License-Identifier: BSD-3-Clause */
/* describe.c: prints what rank 0 says of its settings, KEY VALUE. */
#include "comm/comm.h"
#include <stdio.h>

static void print(const char *key, const char *value, void *context)
{
    (void)context;
    printf("%s %s\n", key, value);
}

int main(int argc, char **argv)
{
    const int status = cm_init(&argc, &argv);
    if (status) return status;
    cm_barrier(cm_world(), CM_AUTO);
    if (cm_rank(cm_world()) == 0) cm_describe(print, NULL);
    cm_finalize();
    return 0;
}
