/* SPDX-License-Identifier: BSD-3-Clause */
/* hello.c: a user's C program on the installed library; joins the job, sums over the ranks, says
   so. */
#include <stdio.h>
#include "comm/comm.h"
#include "measure/samples.h"
#include "option/option.h"

int main(int argc, char **argv)
{
    int64_t bytes = 0;
    if (!cm_option_bytes("64Ki", &bytes) || bytes != 65536) return CM_EXIT_WRONG;

    int status = cm_init(&argc, &argv);
    if (status) return status;
    int rank = cm_rank(cm_world()), size = cm_size(cm_world());
    printf("rank %d of %d on %s\n", rank, size, cm_host(cm_world(), rank));

    cm_samples samples = CM_SAMPLES_EMPTY;
    bool kept = cm_samples_add(&samples, cm_time());
    cm_samples_free(&samples);
    cm_finalize();
    return kept && rank >= 0 && rank < size ? CM_EXIT_PASS : CM_EXIT_WRONG;
}
