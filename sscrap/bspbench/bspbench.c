/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench.c: cm-bspbench: the parameters of the BSP model, and what they predict. */
#include "bspbench.h"

int main(int argc, char **argv)
{
    bspbench_options options = {
        .words = 1024,
        .block = 1 << 18,
        .items = 1000000,
        .nodes = 1000000,
        .order = 1000,
        .sampling = {.rule = {.relative_half_width = 0.02, .time_limit_s = 20},
                     .most = 11,
                     .trial_s = 1e-3}};
    const cm_option table[] = {
        CM_HEADING("h-relations"),
        CM_INTEGER("words", 'w', "H", &options.words, 8, 1e9,
                   "h up to H words of 8 bytes, one by one"),
        CM_INTEGER("block", 'b', "H", &options.block, 1024, 1e12,
                   "h up to H words in one block for each process"),
        CM_HEADING("Predictions"),
        CM_INTEGER("items", 'n', "N", &options.items, 0, 1e15,
                   "sort N keys, predicted and measured; 0: not"),
        CM_INTEGER("nodes", 0, "N", &options.nodes, 0, 1e12,
                   "rank a list of N nodes, predicted and measured; 0: not"),
        CM_INTEGER("order", 0, "N", &options.order, 0, 1 << 24,
                   "multiply matrices of order N, predicted and measured; 0: not"),
        CM_HEADING("Processes"),
        CM_INTEGER("place", 0, "N", &options.place, 0, 1e6,
                   "at most N processes on a host take part; 0: all that were started"),
        CM_HEADING("Sampling"),
        CM_SAMPLE_BIND(&options.sampling),
        CM_SAMPLE_TRIAL_SECONDS(&options.sampling),
        CM_SAMPLE_REPETITIONS(&options.sampling),
        CM_SAMPLE_HALF_WIDTH(&options.sampling),
        CM_SAMPLE_RUNS(&options.sampling),
        CM_SAMPLE_TIME_LIMIT(&options.sampling),
        CM_SAMPLE_WARM_UP(&options.sampling),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-bspbench",
        .purpose = "the parameters r, g and l of the BSP model, and what they predict",
        .description =
            "r: flop/s of one process while all compute. g and l: supersteps in which every "
            "process sends and gets h words take l + g h; fitted for words that are written one "
            "by one and for blocks. With them the time of the algorithms of cm-sort, "
            "cm-listrank and cm-matmul is predicted: a p-th of what one process takes, and g "
            "and l for what they communicate; both are measured beside it.",
        .examples = "mpiexec -n 2 cm-bspbench --bind\tover MPI\n"
                    "cmrun -n 4 cm-bspbench --items 0 --nodes 0 --order 0\tr, g and l alone\n",
        .options = table,
        .metrics = bspbench_metrics,
    };
    const cm_benchmark benchmark = {.program = &program,
                                    .files = &options.files,
                                    .options = &options,
                                    .check = bspbench_check,
                                    .run = bspbench_run};
    return cm_run_main(&benchmark, argc, argv);
}
