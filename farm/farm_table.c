/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_table.c: what follows from the times of all rows: rates, overhead, speed-up; and whether it
   does. */
#include <math.h>
#include "farm.h"

const farm_point *farm_table_find(const farm_table *table, int workers, int64_t batch)
{
    for (int k = 0; k < table->n; k++)
        if (table->point[k].workers == workers && table->point[k].batch == batch)
            return &table->point[k];
    return NULL;
}

bool farm_has_messages(const farm_point *p)
{
    return p->workers > 0 && p->last.batches >= farm_plan_least_messages(p->workers);
}

static const farm_point *largest_batch(const farm_table *table, int workers)
{
    farm_counts batches;
    farm_plan_batches(table->options, &batches);
    if (batches.n == 1) return NULL;
    return farm_table_find(table, workers, batches.value[batches.n - 1]);
}

static double half_interval(const farm_point *p)
{
    return 0.5 * (p->summary.high - p->summary.low);
}

farm_excess farm_table_excess(const farm_table *table, const farm_point *p)
{
    const farm_point *largest = largest_batch(table, p->workers);
    if (!largest || !farm_has_messages(largest) || !farm_has_messages(p))
        return (farm_excess){NAN, NAN};
    if (largest->batch == p->batch) return (farm_excess){0, 0};
    return (farm_excess){p->summary.median - largest->summary.median,
                         hypot(half_interval(p), half_interval(largest))};
}

void farm_table_derive(const farm_table *table, farm_point *p)
{
    double batches = (double)p->last.batches;
    farm_excess excess = farm_table_excess(table, p);
    p->messages_per_s = farm_has_messages(p) ? batches / p->summary.median : NAN;
    p->overhead_s = excess.time_s >= excess.spread_s ? excess.time_s : NAN;
    p->overhead_message_s = p->overhead_s / (2 * batches);
}

double farm_speed_up(const farm_table *table, const farm_point *p)
{
    const farm_point *one = farm_table_find(table, 1, p->batch);
    if (!one) return NAN;
    return one->summary.median * farm_per_million(one) / (p->summary.median * farm_per_million(p));
}

double farm_per_million(const farm_point *p) { return FARM_PAPER_UNITS / (double)p->units; }
