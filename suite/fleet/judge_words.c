/* SPDX-License-Identifier: BSD-3-Clause */
/* judge_words.c: the line that a prologue writes to its log. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bound.h"
#include "comm/comm.h"
#include "common/memory.h"
#include "common/unit.h"
#include "judge.h"

/* Four digits, and all of those before the point. */
static void print_number(FILE *out, const char *before, double value)
{
    fprintf(out, fabs(value) < 1000 ? "%s%.4g" : "%s%.0f", before, value); /* NOLINT: those */
}

/* "n17 triad_MB_per_s 7350 MB/s, history 10100 (9800 to 10300) in 12 results". */
static void print_item(FILE *out, const fleet_item *item)
{
    fprintf(out, "%s %s", item->who, item->metric);
    print_number(out, " ", item->value);
    if (strcmp(item->unit, "1") != 0) fprintf(out, " %s", item->unit);
    if (!isnan(item->again)) print_number(out, ", again ", item->again);
    if (item->n == 0) return;
    print_number(out, ", history ", item->median);
    print_number(out, " (", item->least);
    print_number(out, " to ", item->most);
    fprintf(out, ") in %zu result%s", item->n, item->n == 1 ? "" : "s");
}

/* "below 9200" */
static void print_bound(FILE *out, const fleet_item *item)
{
    print_number(out, item->low ? "above " : "below ", item->bound);
}

/* Why nothing could be told. */
static void print_why(FILE *out, const fleet_item *item, double loss)
{
    switch (item->why) {
    case FLEET_WHY_FEW:
        fprintf(out, ": %zu kept result%s of it with %zu rank%s, %zu are needed", item->n,
                item->n == 1 ? "" : "s", item->ranks, item->ranks == 1 ? "" : "s",
                item->needed > FLEET_FEWEST ? item->needed : (size_t)FLEET_FEWEST);
        break;
    case FLEET_WHY_BLIND:
        fprintf(out, ": a loss of %.3g %% would not have been named, only ", 100 * loss);
        print_bound(out, item);
        if (item->needed) fprintf(out, "; %zu kept results would show it", item->needed);
        else fprintf(out, "; with such a spread %d kept results would not show it", FLEET_MOST);
        break;
    default:
        fputs(": ", out);
        print_bound(out, item);
        fputs(item->why == FLEET_WHY_BUSY ? ", but the machine was busy" : ", but only once", out);
        break;
    }
}

/* How far beyond its median the item's bound is, as a factor below 1. */
static double seen(const fleet_item *item)
{
    return item->low ? item->median / item->bound : item->bound / item->median;
}

/* What is named first: the largest loss of what is worse; else the bound that sees least. */
static double weight(const fleet_item *item)
{
    if (item->verdict == FLEET_WORSE)
        return item->low ? item->median / item->value : item->value / item->median;
    return isnan(item->bound) ? (double)item->n * 1e-9 : seen(item);
}

static const fleet_item *first_of(const fleet_judgement *in, fleet_verdict verdict, size_t *n)
{
    const fleet_item *first = NULL;
    *n = 0;
    for (size_t k = 0; k < in->n; k++) {
        const fleet_item *item = &in->item[k];
        if (item->verdict != verdict) continue;
        ++*n;
        if (!first || weight(item) < weight(first)) first = item;
    }
    return first;
}

static void print_like(FILE *out, const fleet_judgement *in, const fleet_item *item)
{
    char *values = suite_counted(in->n, "values");
    fprintf(out, "like its history: %s; a %s %s %.3g of its median would have been named: ", values,
            in->what, item->low ? "above" : "below", item->bound / item->median);
    free(values);
    print_item(out, item);
    fputs(", worse ", out);
    print_bound(out, item);
}

static void print_other(FILE *out, const fleet_judgement *in, const fleet_item *item, size_t n)
{
    fputs(item->verdict == FLEET_WORSE ? "worse: " : "could not tell: ", out);
    print_item(out, item);
    if (item->verdict == FLEET_WORSE) fputs(", worse ", out);
    if (item->verdict == FLEET_WORSE) print_bound(out, item);
    else print_why(out, item, in->loss);
    if (n > 1) fprintf(out, "; and %zu more of %zu values", n - 1, in->n);
}

int fleet_judgement_tell(const fleet_judgement *in)
{
    static const int status[] = {[FLEET_LIKE] = CM_EXIT_PASS,
                                 [FLEET_WORSE] = CM_EXIT_WRONG,
                                 [FLEET_UNTOLD] = CM_EXIT_SYSTEM};
    const fleet_verdict verdict = fleet_judgement_all(in);
    size_t n;
    const fleet_item *item = first_of(in, verdict, &n);
    if (!item) fputs("could not tell: the result has nothing that is judged", stdout);
    else if (verdict == FLEET_LIKE) print_like(stdout, in, item);
    else print_other(stdout, in, item, n);
    putchar('\n');
    return status[verdict];
}
