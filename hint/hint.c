/* SPDX-License-Identifier: BSD-3-Clause */
/* hint.c: cm-hint: HINT, quality improvement per second, as halstead-1999, section 2.1. */
#include "hint.h"

/* The least that the smallest size takes, of all kernels that are asked for. */
static int64_t least_bytes(const hint_options *options)
{
    int64_t most = 0;
    for (int type = 0; type < HINT_TYPES; type++)
        for (int kernel = 0; kernel < HINT_KERNELS; kernel++) {
            if ((options->type != HINT_TYPES && options->type != type)
                || (options->kernel != HINT_KERNELS && options->kernel != kernel))
                continue;
            int64_t bytes = (int64_t)hint_kernel_of((hint_type)type, (hint_kernel_kind)kernel)
                                ->bytes(options->lower);
            if (bytes > most) most = bytes;
        }
    return most;
}

static int check(const cm_program *program, void *of_program)
{
    hint_options *options = of_program;
    if (options->upper >= 0 && options->upper < options->lower)
        return cm_option_error(program, "--upper %lld is below --lower %lld",
                               (long long)options->upper, (long long)options->lower);
    if (options->scatter && options->copies)
        return cm_option_error(program, "--scatter and --copies exclude each other");
    const int64_t limit = options->max_memory_bytes, least = least_bytes(options);
    if (limit >= 0 && limit < least)
        return cm_option_error(program,
                               "--max-memory %lld is below the %lld bytes that %lld "
                               "subintervals take",
                               (long long)limit, (long long)least, (long long)options->lower);
    if (limit < 0 && options->swap)
        return cm_option_error(program, "--swap needs --max-memory, which says how far");
    if (limit < 0 || options->swap) return 0;
    return cm_run_check_memory(program, (size_t)limit, "--max-memory, or --swap,",
                               "--max-memory %lld", (long long)limit);
}

int main(int argc, char **argv)
{
    hint_options options = {
        .type = HINT_DOUBLE,
        .kernel = HINT_CLASSIC,
        .lower = 2,
        .upper = -1,
        .max_memory_bytes = -1,
        .slow_part = 0.1,
        .trial_s = 0.02,
        .time_limit_s = 100,
        .warm_up_s = 0.1,
        .trials = 5,
    };
    const double most = (double)((int64_t)1 << 40);
    const cm_option table[] = {
        CM_HEADING("What is computed"),
        CM_CHOICE("type", 't', "TYPE", &options.type, hint_type_names,
                  "data type of all that is computed"),
        CM_CHOICE(
            "kernel", 'k', "KERNEL", &options.kernel, hint_kernel_names,
            "the original's data structure, or one of two that give the same bounds from less "
            "memory; their curves say what the processor can do, not what its memory does"),
        CM_INTEGER("lower", 'l', "N", &options.lower, 2, most, "subintervals of the smallest size"),
        CM_INTEGER(
            "upper", 'u', "N", &options.upper, 2, most,
            "at most so many subintervals; without it, until precision, memory or time ends it"),
        CM_HEADING("Ranks"),
        CM_FLAG("scatter", 0, &options.scatter,
                "cut the interval into 4 strips a rank, one reduction a lap; several ranks do so "
                "anyway, one is then the base of their speed-up"),
        CM_FLAG("copies", 0, &options.copies, "each rank refines the whole interval, all at once"),
        CM_FLAG("speed-up", 0, &options.speed_up, "measure 1, 2, 4... of the ranks, too, in turn"),
        CM_FLAG("bind", 0, &options.bind, "bind each rank to a core of its own"),
        CM_HEADING("Limits"),
        CM_BYTES("max-memory", 'm', "BYTES", &options.max_memory_bytes, 1, 0x1p62,
                 "of each host, for all its ranks; without it half of what is free"),
        CM_FLAG("swap", 0, &options.swap,
                "take memory that is not free as well, up to --max-memory; the system swaps"),
        CM_REAL("time-limit", 0, "SECONDS", &options.time_limit_s, 1e-9, 1e6,
                "a curve ends at the size of which one lap takes longer"),
        CM_REAL(
            "slow-part", 0, "FRACTION", &options.slow_part, 0, 1,
            "a curve ends at the size with less than this part of its peak's QUIPS; 0: none does"),
        CM_HEADING("Sampling"),
        CM_INTEGER("trials", 'n', "N", &options.trials, 1, 1000,
                   "trials a size; the fastest counts"),
        CM_REAL("trial-seconds", 0, "SECONDS", &options.trial_s, 1e-6, 1e3,
                "a trial is as many laps as last this long, at least one"),
        CM_REAL("warm-up", 0, "SECONDS", &options.warm_up_s, 0, 1e3,
                "laps of the smallest size before the first trial, not kept"),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-hint",
        .purpose = "HINT: quality improvement per second, over time and memory",
        .description =
            "Bounds the area under (1 - x)/(1 + x) from both sides by splitting the subinterval "
            "with the largest error, again and again. Quality is 1 over the gap between the "
            "bounds; QUIPS (quality improvements per second), over the time or the memory that "
            "it took, is one curve from the registers to the main memory (halstead-1999, figure "
            "1).\n\n"
            "Net QUIPS is the integral of QUIPS over the logarithm of time. It depends on the "
            "first and the last size: only equal ranges compare.",
        .examples = "cm-hint -o hint.txt\tone core, double, until half the memory is full\n"
                    "cm-hint --type all --upper 1000000\tfour data types beside each other\n"
                    "cm-hint --kernel all --upper 1000000\twhat tuned kernels gain\n",
        .options = table,
        .metrics = hint_metrics,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = check,
        .least = 1,
        .run = hint_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
