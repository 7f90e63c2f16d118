/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap.c: cm-linkmap: every rank with every other, to find the link that is slow. */
#include "linkmap.h"

int main(int argc, char **argv)
{
    linkmap_options options = {
        .size_bytes = 1 << 20,
        .again = 4,
        .job = CM_PAIR_JOB_DEFAULTS(0.1),
    };
    const double most_bytes = (double)((int64_t)1 << CM_PAIR_JOB_MOST_BITS);
    const cm_option table[] = {
        CM_HEADING("Messages"),
        CM_BYTES("size", 's', "BYTES", &options.size_bytes, 2, most_bytes,
                 "the message that bandwidth is measured with; latency has one of 1 byte"),
        CM_INTEGER("again", 'k', "K", &options.again, 0, 1e6,
                   "measure the K slowest pairs of each size again, alone"),
        CM_PAIR_JOB_OPTIONS(&options.job),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-linkmap",
        .purpose = "latency and bandwidth of every pair of ranks",
        .description =
            "Every rank bounces messages with every other, in rounds in which each has one peer or "
            "none: latency with one byte, bandwidth with a long message. The slowest pairs are "
            "measured again while the others are silent, which tells a slow link from one that "
            "others were in the way of. Every message is verified byte by byte before it is "
            "measured.",
        .examples = "mpiexec -n 16 cm-linkmap -o map.txt\tall 120 pairs, over MPI\n"
                    "cmrun --hosts a,b,c,d cm-linkmap --again 6\tand all pairs of 4 hosts alone\n",
        .options = table,
        .metrics = linkmap_metrics,
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
