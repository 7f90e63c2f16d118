/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c: cm-stream: memory bandwidth by the four kernels of STREAM, as innocente-1999, section
   3. */
#include "stream.h"

static int check(const cm_program *program, void *of_program)
{
    stream_options *options = of_program;
    options->rule.most = (size_t)options->passes;
    if (options->rule.least > options->rule.most) options->rule.least = options->rule.most;
    if (options->size_bytes % (int64_t)sizeof(double))
        return cm_option_error(program, "--size %lld is no whole number of doubles; %lld is",
                               (long long)options->size_bytes,
                               (long long)(options->size_bytes / 8 * 8));
    return cm_run_check_memory(program, 3 * (size_t)options->size_bytes, "--size", "--size %lld",
                               (long long)options->size_bytes);
}

int main(int argc, char **argv)
{
    stream_options options = {
        .rule = {.relative_half_width = 0.005, .least = 10, .time_limit_s = 1},
        .passes = 100,
        .trial_s = 1e-3};
    const cm_option table[] = {
        CM_HEADING("Arrays"),
        CM_BYTES("size", 's', "BYTES", &options.size_bytes, 1024, (double)((int64_t)1 << 46),
                 "each of the three arrays of each rank; unless given four times the last-level "
                 "cache, less where that would fill half of the memory"),
        CM_FLAG("no-cache", 0, &options.no_cache, "leave out the arrays that stay in the cache"),
        CM_FLAG("bind", 0, &options.bind, "bind each rank to a core of its own"),
        CM_HEADING("Sampling"),
        CM_REAL("half-width", 0, "FRACTION", &options.rule.relative_half_width, 0, 1,
                "stop when the half-width of the 95 % confidence interval of the median is at most "
                "this part of it"),
        CM_INTEGER("passes", 'n', "N", &options.passes, 1, CM_STREAM_MOST_PASSES,
                   "at most so many passes"),
        CM_REAL("time-limit", 0, "SECONDS", &options.rule.time_limit_s, 1e-3, 1e5,
                "stop after this time in each setting, after 10 passes"),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-stream",
        .purpose = "memory bandwidth, on one rank and on all at once",
        .description =
            "The four kernels of STREAM (copy, scale, add, triad) over arrays that no cache "
            "holds: on one rank while the others wait, then on all at once, with the sum over "
            "each host's ranks; with ordinary stores, and with stores past the caches where the "
            "compiler has them. Bytes are counted as STREAM counts them and as memory moves "
            "them. Arrays that stay in the cache are a line of their own. The arrays are "
            "verified after each setting by STREAM's own check.",
        .examples = "mpiexec -n 8 cm-stream --bind -o stream.txt\tone rank and 8, over MPI\n"
                    "cmrun --hosts a:4,b:4 cm-stream\ttwo hosts, a sum for each\n"
                    "cm-stream --size 1Gi --no-cache\tone rank, arrays of 1 GiB\n",
        .options = table,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = check,
        .least = 1,
        .run = stream_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
