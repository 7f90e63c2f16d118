/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_take.c: measures one setting, and has rank 0 write its rows. */
#include <math.h>
#include <stdlib.h>
#include "stream.h"

/* The triad of the slowest host. */
static cm_quantity slowest_triad(const stream_setting *setting, size_t n, const stream_times *times)
{
    cm_quantity slowest = cm_quantity_of(NAN);
    for (int host = 0; host < setting->hosts; host++) {
        const cm_samples *time_s = stream_samples(setting, times, CM_STREAM_TRIAD, host);
        double MB = 1e-6 * stream_ranks(setting, host) * cm_stream_bytes(CM_STREAM_TRIAD, n);
        slowest = cm_quantity_smaller(slowest, cm_quantity_invert(cm_sample_fastest(time_s), MB));
    }
    return slowest;
}

cm_quantity stream_take(cm_result *result, stream_found *found, const stream_setting *setting,
                        cm_stream *arrays)
{
    cm_quantity triad = {0};
    size_t series = stream_series(setting);
    stream_times times = {.time_s = calloc(series, sizeof *times.time_s)};
    if (!times.time_s) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    stream_measure(setting, arrays, &times);
    found->error = fmax(found->error, times.error);
    if (result) {
        stream_result_rows(result, arrays->n, setting, &times);
        triad = slowest_triad(setting, arrays->n, &times);
    }
    for (size_t k = 0; k < series; k++) cm_samples_free(&times.time_s[k]);
    free(times.time_s);
    return triad;
}
