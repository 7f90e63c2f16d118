/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c: cm-stream: memory bandwidth by the four kernels of STREAM, as in innocente-1999,
   section 3. */
#include "stream.h"

int main(int argc, char **argv)
{
    enum { PASSES = 10 };
    static const char *const plain_words[] = {"no", "one", "all", NULL};
    stream_options options = {.plain = STREAM_PLAIN_NOT_GIVEN,
                              .per_octave = 1,
                              .sampling = {.rule = {.relative_half_width = 0.005,
                                                    .least = PASSES,
                                                    .time_limit_s = 1,
                                                    .least_in_time = PASSES},
                                           .most = 100,
                                           .trial_s = 1e-3}};
    const cm_option table[] = {
        CM_HEADING("Arrays"),
        CM_BYTES("size", 's', "BYTES", &options.size_bytes, 1024, (double)((int64_t)1 << 46),
                 "size of each of the three arrays of each rank; default: four times the "
                 "last-level cache that it uses alone, and of all ranks of a host together four "
                 "times all of them, or less if that would fill half of the memory"),
        CM_CHOICE("plain", 0, "RANKS", &options.plain, plain_words,
                  "also run STREAM as it is compiled plainly, on one rank or on one and all; "
                  "default: all"),
        CM_FLAG("sweep", 0, &options.sweep,
                "instead, the triad over arrays from the first cache to --size, by one rank to all "
                "ranks of a host, in small, transparent and explicit huge pages, by both kinds of "
                "stores, in near and far memory"),
        CM_FLAG("matrix", 0, &options.matrix,
                "instead, the triad of each socket of the first host, of one third-level cache and "
                "of one core, to every NUMA node with memory"),
        CM_FLAG("latency", 0, &options.latency,
                "instead, the time of loads that depend on each other, on the first rank of each "
                "host: from the first cache to --size in small, explicit and transparent huge "
                "pages, from each NUMA node, and from memory while the other ranks load it"),
        CM_INTEGER("per-octave", 0, "N", &options.per_octave, 1, 8,
                   "with --sweep and --latency: sizes while an array doubles"),
        CM_FLAG("no-cache", 0, &options.no_cache, "leave out the arrays that stay in the cache"),
        CM_HEADING("Sampling"),
        CM_SAMPLE_BIND(&options.sampling),
        CM_SAMPLE_TRIAL_SECONDS(&options.sampling),
        CM_SAMPLE_HALF_WIDTH(&options.sampling),
        CM_SAMPLE_TRIALS_AS(&options.sampling, "passes"),
        CM_SAMPLE_TIME_LIMIT(&options.sampling),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-stream",
        .purpose = "memory bandwidth of one rank and of all at once",
        .description =
            "Runs the four kernels of STREAM (copy, scale, add, triad) over arrays that do not fit "
            "into a cache and lie in huge pages: on one rank while the others wait, then on all "
            "ranks at once, summed over the ranks of each host. It measures ordinary stores and, "
            "if the compiler has them, non-temporal stores, which bypass the caches. Bytes are "
            "counted both as STREAM counts them and as memory moves them. Arrays that stay in the "
            "cache have rows of their own, and so has STREAM as it is compiled plainly, which "
            "gives the figures that are published. STREAM's own check verifies the arrays after "
            "each setting.\n\n"
            "--sweep measures the triad over arrays of all sizes instead, for a roofline of "
            "memory. --latency measures how long a load takes that waits for the one before, "
            "idle and under load.",
        .examples = "mpiexec -n 8 cm-stream --bind -o stream.txt\tone rank and 8, over MPI\n"
                    "cmrun --hosts a:4,b:4 cm-stream\ttwo hosts, a sum for each\n"
                    "mpiexec -n 8 cm-stream --sweep --bind\tall sizes, 1, 2, 4 and 8 ranks\n"
                    "mpiexec -n 8 cm-stream --matrix --bind\tfrom each socket to each NUMA node\n"
                    "mpiexec -n 8 cm-stream --latency --bind\tone rank chases, 7 load memory\n"
                    "cm-stream --size 1Gi --no-cache\tone rank, arrays of 1 GiB\n",
        .options = table,
        .metrics = stream_metrics,
        .labels = stream_labels,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = stream_check,
        .least = 1,
        .run = stream_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
