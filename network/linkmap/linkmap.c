/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap.c: cm-linkmap: measures every pair of ranks, to find a slow link. */
#include "linkmap.h"

int main(int argc, char **argv)
{
    linkmap_options options = {
        .size_bytes = 1 << 20,
        .again = 4,
        .again_limit_s = -1,
        .map_limit_s = 300,
        .seed = 1,
        .job = CM_PAIR_JOB_DEFAULTS(0.1),
    };
    const double most_bytes = (double)((int64_t)1 << CM_PAIR_JOB_MOST_BITS);
    const cm_option table[] = {
        CM_HEADING("Messages"),
        CM_BYTES("size", 's', "BYTES", &options.size_bytes, 2, most_bytes,
                 "message for bandwidth; latency is measured with 1 byte"),
        CM_INTEGER("again", 'k', "K", &options.again, 0, 1e6,
                   "measure pairs of each size again, alone, until the K slowest are known by such "
                   "times; 0: none"),
        CM_REAL("again-limit", 0, "SECONDS", &options.again_limit_s, 0, 1e6,
                "begin no more pairs of a size alone after this time; default 20"),
        CM_REAL("map-limit", 0, "SECONDS", &options.map_limit_s, 0, 1e6,
                "begin no more rounds after this time; the pairs that have met are random ones"),
        CM_INTEGER("seed", 0, "N", &options.seed, 0, 1e15,
                   "draw another order of the rounds and other pairs for them"),
        CM_PAIR_JOB_OPTIONS(&options.job),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-linkmap",
        .purpose = "latency and bandwidth of every pair of ranks",
        .description =
            "Every rank runs a ping-pong with every other, in rounds in which each rank has at "
            "most one peer: latency is measured with one byte, bandwidth with a long message. "
            "Rounds are in random order; with very many ranks --map-limit ends them early, and the "
            "result says which share of the pairs was measured. "
            "Pairs of a round may disturb each other. Therefore the slowest pairs are measured "
            "again while all others are silent, until the slowest pair is known by a time taken "
            "alone. Every size is verified byte by byte before it is measured.",
        .examples = "mpiexec -n 16 cm-linkmap -o map.txt\tall 120 pairs, over MPI\n"
                    "cmrun --hosts a,b,c,d cm-linkmap --again 6\tall pairs of 4 hosts alone\n",
        .options = table,
        .metrics = linkmap_metrics,
        .labels = linkmap_labels,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = linkmap_check,
        .least = 2,
        .run = linkmap_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
