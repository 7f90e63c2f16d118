/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_moved.c: the bytes that memory moves for a triad, by the counters of its controllers. */
#include <stdio.h>
#include "machine/traffic.h"
#include "stream.h"

/* The counters are those of a whole host, so all its ranks run the kernel between two readings. */
static double moved_per_counted(const cm_machine_traffic *traffic, const stream_setting *setting,
                                const cm_stream *arrays)
{
    enum { REPETITIONS = 4 };
    cm_barrier(setting->group, CM_AUTO);
    double before = cm_machine_traffic_bytes(traffic);
    cm_barrier(setting->group, CM_AUTO);
    for (int k = 0; k < REPETITIONS; k++) cm_stream_run(arrays, CM_STREAM_TRIAD, setting->stores);
    cm_barrier(setting->group, CM_AUTO);
    double after = cm_machine_traffic_bytes(traffic);
    double counted = stream_ranks(setting, 0) * cm_stream_bytes(CM_STREAM_TRIAD, arrays->n);
    return before >= 0 && after >= before ? (after - before) / REPETITIONS / counted : -1;
}

void stream_moved(const stream_setting *setting, const cm_stream *arrays, stream_found *found)
{
    cm_machine_traffic traffic = {.n = 0};
    if (cm_rank(setting->group) == 0) {
        cm_machine_traffic_find("", &traffic);
        cm_machine_traffic_open(&traffic);
        snprintf(found->traffic, sizeof found->traffic, "%s", traffic.said);
    }
    found->moved[setting->stores] = moved_per_counted(&traffic, setting, arrays);
    cm_machine_traffic_close(&traffic);
}
