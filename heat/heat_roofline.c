/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_roofline.c: measures memory bandwidth in this run: STREAM's triad on all ranks at once, with
   stores past the caches if the compiler has them. */
#include "heat.h"
#include "memory/stream.h"

enum { LEAST_PASSES = 6 };

/* All arrays of a host together have four times the size of its last-level caches each. */
static size_t numbers(void)
{
    size_t n =
        cm_stream_least_n() / (size_t)cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    return n < 64 ? 64 : n / 8 * 8;
}

size_t heat_roofline_bytes(void) { return 3 * numbers() * sizeof(double); }

static double pass(void *context, int64_t operations, double *value)
{
    (void)operations; /* one */
    cm_barrier(cm_world(), CM_AUTO);
    double start_s = cm_time();
    cm_stream_run(context, CM_STREAM_TRIAD, CM_STREAM_NONTEMPORAL);
    return *value = cm_time() - start_s;
}

heat_triad heat_roofline(void)
{
    /* The rule of cm-stream, with fewer passes where a pass takes long. */
    const cm_sampling sampling = {.rule = {.relative_half_width = 0.005,
                                           .least = 10,
                                           .most = 100,
                                           .time_limit_s = 0.3,
                                           .least_in_time = LEAST_PASSES}};
    cm_stream arrays;
    size_t n = numbers();
    if (!cm_stream_open(n, &arrays))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for STREAM; try --no-stream");
    const cm_subject subject = {.who = CM_SAMPLE_SLOWEST, .trial = pass, .context = &arrays};
    cm_samples time_s = CM_SAMPLES_EMPTY;
    cm_sampled sampled = {.samples = &time_s};
    cm_sample(&sampling, cm_world(), 1, &subject, &sampled);
    cm_stream_close(&arrays);
    double bytes = cm_stream_bytes(CM_STREAM_TRIAD, n), all_bytes;
    cm_allreduce(cm_world(), &bytes, &all_bytes, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    const cm_summary s = cm_sample_summary(&time_s);
    cm_samples_free(&time_s);
    return (heat_triad){all_bytes / s.min, all_bytes / s.median, s.counted};
}
