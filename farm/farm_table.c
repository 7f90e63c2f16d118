/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_table.c: what follows from the times of all rows: rates, overhead, speed-up. */
#include <math.h>
#include "farm.h"

const farm_point *farm_table_find(const farm_table *table, int workers, int64_t batch)
{
    for (int k = 0; k < table->n; k++)
        if (table->point[k].workers == workers && table->point[k].batch == batch)
            return &table->point[k];
    return NULL;
}

double farm_messages_per_s(const farm_point *p)
{
    return (double)p->last.batches / p->summary.median;
}

static const farm_point *largest_batch(const farm_table *table, int workers)
{
    const farm_point *largest = NULL;
    for (int k = 0; k < table->n; k++)
        if (table->point[k].workers == workers
            && (!largest || table->point[k].batch > largest->batch))
            largest = &table->point[k];
    return largest;
}

double farm_overhead_s(const farm_table *table, const farm_point *p)
{
    const farm_point *largest = largest_batch(table, p->workers);
    bool alone = true;
    for (int k = 0; k < table->n; k++)
        alone = alone && (table->point[k].workers != p->workers || &table->point[k] == p);
    return alone ? NAN : p->summary.median - largest->summary.median;
}

double farm_overhead_message_s(const farm_table *table, const farm_point *p)
{
    return farm_overhead_s(table, p) / (2 * (double)p->last.batches);
}

double farm_speed_up(const farm_table *table, const farm_point *p)
{
    const farm_point *one = farm_table_find(table, 1, p->batch);
    return one ? one->summary.median / p->summary.median : NAN;
}

double farm_per_million(const farm_table *table)
{
    return FARM_PAPER_UNITS / (double)table->options->units;
}
