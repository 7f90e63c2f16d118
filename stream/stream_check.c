/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_check.c: checks options beyond their ranges. */
#include "stream.h"

int stream_check(const cm_program *program, void *of_program)
{
    stream_options *options = of_program;
    const char *const other = options->matrix    ? "matrix"
                              : options->sweep   ? "sweep"
                              : options->latency ? "latency"
                                                 : NULL;
    if (options->sampling.most > CM_STREAM_MOST_PASSES)
        return cm_option_error(program,
                               "--passes %lld: expected 1 to %d, for which the check of the "
                               "arrays holds",
                               (long long)options->sampling.most, (int)CM_STREAM_MOST_PASSES);
    if (options->sweep && options->latency)
        return cm_option_error(program, "--sweep and --latency: expected one of them");
    if (options->matrix && (options->sweep || options->latency))
        return cm_option_error(program, "--matrix and --%s: expected one of them",
                               options->sweep ? "sweep" : "latency");
    if (options->matrix && options->no_cache)
        return cm_option_error(program, "--no-cache: expected no --matrix, which is of memory");
    if (options->per_octave != 1 && !options->sweep && !options->latency)
        return cm_option_error(program, "--per-octave %lld: expected --sweep or --latency, too",
                               (long long)options->per_octave);
    if (options->no_cache && (options->sweep || options->latency))
        return cm_option_error(program, "--no-cache: expected no --%s, which has all sizes",
                               options->sweep ? "sweep" : "latency");
    if (options->plain != STREAM_PLAIN_NOT_GIVEN && other)
        return cm_option_error(program,
                               "--plain: expected no --%s, which does not run STREAM as it is "
                               "compiled plainly",
                               other);
    if (options->plain == STREAM_PLAIN_NOT_GIVEN) options->plain = STREAM_PLAIN_ALL;
    cm_sampling_check(&options->sampling);
    if (options->size_bytes % (int64_t)sizeof(double))
        return cm_option_error(program, "--size %lld is not a multiple of 8 bytes; try %lld",
                               (long long)options->size_bytes,
                               (long long)(options->size_bytes / 8 * 8));
    return cm_run_check_memory(program, 3 * (size_t)options->size_bytes, "--size", "--size %lld",
                               (long long)options->size_bytes);
}
