/* SPDX-License-Identifier: BSD-3-Clause */
/* sum.c: cm-sum: the time until all ranks know a sum. */
#include "sum.h"

int main(int argc, char **argv)
{
    sum_options options = {.upper_bytes = 4096, .sampling = CM_SAMPLING_DEFAULTS(0.5)};
    const cm_option table[] = {
        CM_HEADING("Vectors"),
        CM_BYTES("upper", 'u', "BYTES", &options.upper_bytes, SUM_WORD_BYTES, 1 << 30,
                 "largest vector of a rank"),
        CM_SAMPLE_OPTIONS(&options.sampling),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-sum",
        .purpose = "time until all ranks know a sum",
        .description =
            "Adds vectors of 8-byte integers, one from each rank, on all ranks. Sizes go "
            "from one number to --upper bytes. Every sum is verified.",
        .examples = "mpiexec -n 2 cm-sum --bind\tover MPI\n"
                    "cmrun -n 2 cm-sum --upper 64\tshort vectors, over TCP\n",
        .options = table,
        .metrics = sum_metrics,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = sum_check,
        .run = sum_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
