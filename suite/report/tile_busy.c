/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_busy.c: whether the machine was busy with something else while it was measured. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "tile.h"
#include "pages.h"

/* A quiet core loses far less than 1 %. What loses this much moves a share of a bound by as much,
   and everything that waits for the slowest core by more. */
static const double most_lost_percent = 5;

static double lost_percent(const suite_measured *measured)
{
    const cm_record *record = suite_measured_record(measured, "noise");
    const cm_record_metric *metric = record ? cm_record_metric_of(record, "lost_percent") : NULL;
    double value;
    return metric && cm_record_number(metric->value, &value) ? value : NAN;
}

/* Counts the metrics that say whether they were disturbed; *disturbed: those that were. */
static size_t count_metrics(const suite_measured *measured, size_t *disturbed)
{
    size_t n = 0;
    *disturbed = 0;
    for (size_t r = 0; r < measured->table->n; r++) {
        const suite_entry *entry = &measured->entry[r];
        if (entry->state != SUITE_COMPLETE) continue;
        for (size_t k = 0; k < entry->record.n_metrics; k++) {
            n += entry->record.metric[k].tells;
            *disturbed += entry->record.metric[k].tells && entry->record.metric[k].disturbed;
        }
    }
    return n;
}

char *suite_busy_words(const suite_measured *measured)
{
    if (suite_is_dummy(measured) || suite_is_simulated(measured)) return NULL;
    double lost = lost_percent(measured);
    if (lost > most_lost_percent) return said_busy_core(lost, lost < 10);
    size_t disturbed, n = count_metrics(measured, &disturbed);
    if (2 * disturbed > n) return said_busy_disturbed(disturbed, n);
    return NULL;
}
