/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_plan.c: batch sizes and numbers of workers of a series. */
#include "farm.h"

/* Keeps the list ascending, each value once. */
static void add(farm_counts *counts, int64_t value)
{
    int k = counts->n;
    for (int i = 0; i < counts->n; i++)
        if (counts->value[i] == value) return;
    if (k == FARM_MOST_COUNTS) return;
    for (; k > 0 && counts->value[k - 1] > value; k--) counts->value[k] = counts->value[k - 1];
    counts->value[k] = value;
    counts->n++;
}

void farm_plan_batches(const farm_options *options, farm_counts *batches)
{
    *batches = (farm_counts){0};
    if (options->series) *batches = farm_paper_batches;
    else add(batches, options->batch);
}

/* Chooses the numbers of workers. Without a list this is the available number; in a series also the
   paper's numbers and the powers of two. */
void farm_plan_workers(const farm_options *options, int available, farm_counts *workers)
{
    *workers = (farm_counts){0};
    for (int k = 0; k < options->workers.n; k++) add(workers, options->workers.value[k]);
    if (workers->n > 0) return;
    add(workers, available);
    if (!options->series) return;
    for (int k = 0; k < farm_paper_workers.n; k++)
        if (farm_paper_workers.value[k] < available) add(workers, farm_paper_workers.value[k]);
    for (int64_t count = 1; count < available; count *= 2) add(workers, count);
}

int64_t farm_plan_units(const farm_options *options, int64_t workers)
{
    farm_counts batches;
    farm_plan_batches(options, &batches);
    int64_t round = workers * batches.value[batches.n - 1];
    if (!options->series || workers == 0) return options->units;
    int64_t units = (options->units + round - 1) / round * round;
    return units <= UINT32_MAX ? units : options->units;
}

int64_t farm_plan_least_messages(int64_t workers)
{
    const int64_t each = 10, all = 100;
    return each * workers > all ? each * workers : all;
}

int farm_plan_masters(const farm_options *options, int ranks)
{
    if (options->protocol != FARM_TREE || ranks == 0) return 0;
    return options->masters > 0 ? (int)options->masters : farm_tree_masters(ranks);
}

uint32_t farm_plan_share(uint32_t left, int receivers, uint32_t least, uint32_t most)
{
    uint32_t share = most;
    if (least < most) {
        share = left / (2 * (uint32_t)receivers);
        share = share < least ? least : share > most ? most : share;
    }
    return share < left ? share : left;
}

int64_t farm_plan_shares(uint32_t units, int receivers, uint32_t least, uint32_t most,
                         int64_t batch, int64_t *batches)
{
    int64_t n = 0;
    *batches = 0;
    for (uint32_t left = units, share; left > 0; left -= share, n++) {
        share = farm_plan_share(left, receivers, least, most);
        *batches += (share + batch - 1) / batch;
    }
    return n;
}
