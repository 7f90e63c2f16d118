/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench.c: cm-bspbench: measures the parameters of the BSP model and predicts with them. */
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
                   "largest h for words of 8 bytes sent one by one"),
        CM_INTEGER("block", 'b', "H", &options.block, 1024, 1e12,
                   "largest h for words of 8 bytes sent in one block to each process"),
        CM_HEADING("Predictions"),
        CM_INTEGER("items", 'n', "N", &options.items, 0, 1e15,
                   "sort N keys, predicted and measured; 0: do not"),
        CM_INTEGER("nodes", 0, "N", &options.nodes, 0, 1e12,
                   "rank a list of N nodes, predicted and measured; 0: do not"),
        CM_INTEGER("order", 0, "N", &options.order, 0, 1 << 24,
                   "multiply matrices of order N, predicted and measured; 0: do not"),
        CM_HEADING("Processes"),
        CM_INTEGER("place", 0, "N", &options.place, 0, 1e6,
                   "use at most N processes on a host; 0: all that were started"),
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
        .purpose = "the parameters r, g and l of the BSP model, and predictions with them",
        .description =
            "Measures r, the flop/s of one process while all compute, and g and l: a superstep in "
            "which every process sends and receives h words takes l + g h. g and l are fitted for "
            "words that are written one by one and for blocks. With these parameters the program "
            "predicts the time of the algorithms of cm-sort, cm-listrank and cm-matmul on p "
            "processes: 1/p of the time of one process, and g and l for the communication. It "
            "also measures both times.",
        .examples = "mpiexec -n 2 cm-bspbench --bind\tover MPI\n"
                    "cmrun -n 4 cm-bspbench --items 0 --nodes 0 --order 0\tonly r, g and l\n",
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
