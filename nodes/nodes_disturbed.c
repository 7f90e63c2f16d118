/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_disturbed.c: how often others took a rank's core while it computed, of all ranks. */
#include "config.h"
#include "nodes.h"

void nodes_disturbed_open(nodes_disturbed *d)
{
    *d = (nodes_disturbed){0};
    cm_sample_watch_open(&d->watch);
}

void nodes_disturbed_close(nodes_disturbed *d) { cm_sample_watch_close(&d->watch); }

void nodes_disturbed_begin(nodes_disturbed *d) { cm_sample_watch_begin(&d->watch, cm_time()); }

void nodes_disturbed_end(nodes_disturbed *d)
{
    const bool look = cm_sample_watch_look_is_due(&d->watch);
    const unsigned cause = cm_sample_watch_end(&d->watch, cm_time(), look);
    d->count[NODES_SAMPLES]++;
    if (cause) d->count[NODES_DISTURBED]++;
    for (int k = 0; k < CM_DISTURBED_CAUSES; k++) d->count[NODES_CAUSES + k] += cause >> k & 1;
}

cm_disturbed nodes_disturbed_tell(const nodes_disturbed *d, cm_result *result)
{
    double all[NODES_COUNTS];
    size_t by[CM_DISTURBED_CAUSES];
    cm_reduce(cm_world(), d->count, all, NODES_COUNTS, CM_DOUBLE, CM_SUM, 0, CM_AUTO);
    if (!result) return CM_DISTURBED_UNKNOWN;
    for (int k = 0; k < CM_DISTURBED_CAUSES; k++) by[k] = (size_t)all[NODES_CAUSES + k];
    cm_result_add_disturbed(result, (size_t)all[NODES_SAMPLES], (size_t)all[NODES_DISTURBED], by);
    return all[NODES_DISTURBED] > 0 ? CM_DISTURBED_YES : CM_DISTURBED_NO;
}
