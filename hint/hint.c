/* SPDX-License-Identifier: BSD-3-Clause */
/* hint.c: cm-hint: HINT, quality improvement per second, as in halstead-1999, section 2.1. */
#include <math.h>
#include "hint.h"

int main(int argc, char **argv)
{
    hint_options options = {
        .type = HINT_DOUBLE,
        .kernel = HINT_CLASSIC,
        .lower = 2,
        .upper = -1,
        .max_memory_bytes = -1,
        .stop_below = 0.1,
        .lap_limit_s = 100,
        .sampling = {.rule = {.time_limit_s = INFINITY},
                     .most = 5,
                     .trial_s = 0.02,
                     .warm_up_s = 0.1},
    };
    const double most = (double)((int64_t)1 << 40);
    const cm_option table[] = {
        CM_HEADING("What is computed"),
        CM_CHOICE(
            "type", 't', "TYPE", &options.type, hint_type_names,
            "data type of the whole computation; all: the first four; only --kernel original has "
            "the others"),
        CM_CHOICE(
            "kernel", 'k', "KERNEL", &options.kernel, hint_kernel_names,
            "classic: the original's data structure, with values kept in registers; original: "
            "computes, stores, counts and steps as HINT 1.0 does, comparable with published "
            "curves; lean, wide: get the same bounds from less memory; their curves show what the "
            "processor can do, not what its memory does"),
        CM_INTEGER("lower", 'l', "N", &options.lower, 2, most, "subintervals of the smallest size"),
        CM_INTEGER(
            "upper", 'u', "N", &options.upper, 2, most,
            "largest number of subintervals; default: until precision, memory or time ends it"),
        CM_HEADING("Ranks"),
        CM_FLAG("scatter", 0, &options.scatter,
                "cut the interval into 4 strips per rank, with one reduction per lap; several "
                "ranks always do this; with one rank it gives the base of their speed-up"),
        CM_FLAG("copies", 0, &options.copies, "each rank refines the whole interval, all at once"),
        CM_FLAG("speed-up", 0, &options.speed_up, "also measure 1, 2, 4... of the ranks in turn"),
        CM_HEADING("Limits"),
        CM_BYTES("max-memory", 'm', "BYTES", &options.max_memory_bytes, 1, 0x1p62,
                 "memory of each host for all its ranks; default: half of the free memory"),
        CM_FLAG("swap", 0, &options.swap,
                "also take memory that is not free, up to --max-memory; the system swaps"),
        CM_REAL("lap-limit", 0, "SECONDS", &options.lap_limit_s, 1e-9, 1e6,
                "end a curve at the size whose lap takes longer than this"),
        CM_REAL("stop-below", 0, "FRACTION", &options.stop_below, 0, 1,
                "end a curve at the size whose QUIPS are below this part of its peak; 0: never"),
        CM_HEADING("Sampling"),
        CM_SAMPLE_BIND(&options.sampling),
        CM_SAMPLE_TRIAL_SECONDS(&options.sampling),
        CM_SAMPLE_TRIALS(&options.sampling),
        CM_SAMPLE_TIME_LIMIT(&options.sampling),
        CM_SAMPLE_WARM_UP(&options.sampling),
        CM_RESULT_OPTIONS(&options.files),
        CM_RENAMED("slow-part", "stop-below"),
        {0},
    };
    const cm_program program = {
        .name = "cm-hint",
        .purpose = "HINT: quality improvement per second, over time and memory",
        .description =
            "Bounds the area under (1 - x)/(1 + x) from both sides by repeatedly splitting the "
            "subinterval with the largest error. Quality is 1 over the gap between the "
            "bounds. QUIPS (quality improvements per second) over the time or memory of an "
            "answer is one curve from the registers to the main memory (halstead-1999, figure "
            "1).\n\n"
            "An operation is a lap, from the whole interval to the last subinterval. The fastest "
            "trial of a size counts. If a size seems slower than a larger one, or slow enough "
            "to end its curve, its trials are repeated, at most three times.\n\n"
            "Net QUIPS is the integral of QUIPS over the logarithm of time. It depends on the "
            "first and the last size: compare equal ranges only. Only --kernel original is "
            "comparable with published results of HINT.",
        .examples = "cm-hint -o hint.txt\tone core, double, until half the memory is full\n"
                    "cm-hint --type all --upper 1000000\tfour data types side by side\n"
                    "cm-hint --kernel all --upper 1000000\twhat tuned kernels gain\n"
                    "cm-hint --kernel original --trial-seconds 1\tas HINT 1.0 itself measures\n",
        .options = table,
        .metrics = hint_metrics,
        .labels = hint_labels,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = hint_check,
        .least = 1,
        .run = hint_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
