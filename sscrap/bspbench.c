/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench.c: cm-bspbench: the parameters of the BSP model, and what they predict. */
#include "bspbench.h"

int main(int argc, char **argv)
{
    bspbench_options options = {.words = 1024, .block = 1 << 18, .items = 1000000,
                                .nodes = 1000000, .order = 1000, .repeat = 11};
    const cm_option table[] = {
        {CM_OPTION_HEADING, 0, 0, 0, 0, "h-relations", 0, 0, 0},
        {CM_OPTION_INTEGER, "words", 'w', "H", &options.words,
         "h up to H words of 8 bytes, one by one", 8, 1e9, 0},
        {CM_OPTION_INTEGER, "block", 'b', "H", &options.block,
         "h up to H words in one block for each process", 1024, 1e12, 0},
        {CM_OPTION_INTEGER, "repeat", 'r', "N", &options.repeat, "samples of each h", 1, 1e6, 0},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Predictions", 0, 0, 0},
        {CM_OPTION_INTEGER, "items", 'n', "N", &options.items,
         "sort N keys, predicted and measured; 0: not", 0, 1e15, 0},
        {CM_OPTION_INTEGER, "nodes", 0, "N", &options.nodes,
         "rank a list of N nodes, predicted and measured; 0: not", 0, 1e12, 0},
        {CM_OPTION_INTEGER, "order", 0, "N", &options.order,
         "multiply matrices of order N, predicted and measured; 0: not", 0, 1 << 24, 0},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Processes", 0, 0, 0},
        {CM_OPTION_INTEGER, "place", 0, "N", &options.place,
         "at most N processes on a host take part; 0: all that were started", 0, 1e6, 0},
        {CM_OPTION_FLAG, "bind", 0, 0, &options.bind, "bind each process to a core of its own", 0, 0,
         0},
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-bspbench",
        .purpose = "the parameters r, g and l of the BSP model, and what they predict",
        .description =
            "r: flop/s of one process while all compute. g and l: supersteps in which every process "
            "sends and gets h words take l + g h; fitted for words that are written one by one and "
            "for blocks. With them the time of the algorithms of cm-sort, cm-listrank and cm-matmul "
            "is predicted: a p-th of what one process takes, and g and l for what they communicate; "
            "both are measured beside it.",
        .examples = "mpiexec -n 2 cm-bspbench --bind\tover MPI\n"
                    "cmrun -n 4 cm-bspbench --items 0 --nodes 0 --order 0\tr, g and l alone\n",
        .options = table,
    };
    const cm_benchmark benchmark = {.program = &program, .files = &options.files,
                                    .options = &options, .run = bspbench_run};
    return cm_run_main(&benchmark, argc, argv);
}
