/* SPDX-License-Identifier: BSD-3-Clause */
/* cross.c: compares what benchmarks measured of the same thing. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "cross.h"
#include "common/memory.h"

/* ---- what was measured ----------------------------------------------------------------------- */

static bool meets(const cm_record *record, const suite_measure *measure)
{
    for (size_t k = 0; k < measure->n_conditions; k++) {
        const char *value = cm_record_meta(record, measure->condition[k].column);
        if (!value || strcmp(value, measure->condition[k].value) != 0) return false;
    }
    return true;
}

/* Returns false if there is nothing to compare. */
static bool find_value(const suite_measure *measure, const suite_results *results,
                       suite_cross_value *value)
{
    const cm_record *record = suite_results_find(results, measure->bench);
    if (!record || !meets(record, measure)) return false;
    suite_value found = suite_expression_value(&measure->expression, measure->bench, results);
    *value = (suite_cross_value){.bench = measure->bench,
                                 .remark = found.oversubscribed ? SUITE_CROSS_OVERSUBSCRIBED
                                                                : SUITE_CROSS_AGREES};
    free(found.text);
    value->quantity = suite_expression_quantity(&measure->expression, measure->bench, results);
    return value->quantity.value > 0;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The compared values in ascending order. */
static double *sorted(const suite_cross *cross)
{
    double *list = suite_array(cross->compared, sizeof *list);
    size_t n = 0;
    for (size_t k = 0; k < cross->n; k++)
        if (cross->value[k].remark != SUITE_CROSS_OVERSUBSCRIBED)
            list[n++] = cross->value[k].quantity.value;
    qsort(list, n, sizeof *list, compare);
    return list;
}

static bool overlap(const suite_cross_value *a, const suite_cross_value *b)
{
    return a->quantity.low <= b->quantity.high && b->quantity.low <= a->quantity.high;
}

/* Returns true if the interval of value k meets those of half of the others. */
static bool reaches(const suite_cross *cross, size_t k)
{
    size_t met = 0;
    for (size_t j = 0; j < cross->n; j++)
        met += j != k && cross->value[j].remark != SUITE_CROSS_OVERSUBSCRIBED
               && overlap(&cross->value[k], &cross->value[j]);
    return 2 * met >= cross->compared - 1;
}

static void set_remarks(suite_cross *cross, suite_cross_remark from, suite_cross_remark to)
{
    for (size_t k = 0; k < cross->n; k++)
        if (cross->value[k].remark == from) cross->value[k].remark = to;
}

/* Neither of two is nearer to their median. */
static void judge_two(suite_cross *cross, double most)
{
    suite_cross_value *two[2];
    for (size_t k = 0, n = 0; k < cross->n; k++)
        if (cross->value[k].remark != SUITE_CROSS_OVERSUBSCRIBED) two[n++] = &cross->value[k];
    double ratio = two[0]->quantity.value / two[1]->quantity.value;
    if (ratio <= most && ratio >= 1 / most) return;
    cross->differs = !overlap(two[0], two[1]);
    set_remarks(cross, SUITE_CROSS_AGREES,
                cross->differs ? SUITE_CROSS_DIFFERS : SUITE_CROSS_OVERLAPS);
}

static void judge(suite_cross *cross, double most)
{
    for (size_t k = 0; k < cross->n; k++) {
        suite_cross_value *value = &cross->value[k];
        if (value->remark == SUITE_CROSS_OVERSUBSCRIBED) continue;
        if (value->ratio <= most && value->ratio >= 1 / most) continue;
        value->remark = reaches(cross, k) ? SUITE_CROSS_OVERLAPS : SUITE_CROSS_ODD;
        cross->odd += value->remark == SUITE_CROSS_ODD;
    }
    /* With two camps of equal size, the median lies between them; it may happen to be near one of
       them. */
    if (2 * cross->odd < cross->compared) return;
    cross->differs = true;
    cross->odd = 0;
    set_remarks(cross, SUITE_CROSS_ODD, SUITE_CROSS_DIFFERS);
    set_remarks(cross, SUITE_CROSS_AGREES, SUITE_CROSS_DIFFERS);
}

/* ---- an agreement, and all of them ----------------------------------------------------------- */

static suite_cross find(const suite_agreement *agreement, const suite_results *results)
{
    suite_cross cross = {.agreement = agreement,
                         .value = suite_array(agreement->n, sizeof cross.value[0])};
    for (size_t k = 0; k < agreement->n; k++) {
        suite_cross_value *value = &cross.value[cross.n];
        if (!find_value(&agreement->measure[k], results, value)) continue;
        cross.compared += value->remark != SUITE_CROSS_OVERSUBSCRIBED;
        cross.n++;
    }
    if (cross.compared < 2) return cross;
    double *list = sorted(&cross), most = 1 + agreement->tolerance_percent / 100;
    cross.median = (list[(cross.compared - 1) / 2] + list[cross.compared / 2]) / 2;
    free(list);
    for (size_t k = 0; k < cross.n; k++)
        if (cross.value[k].remark != SUITE_CROSS_OVERSUBSCRIBED)
            cross.value[k].ratio = cross.value[k].quantity.value / cross.median;
    if (cross.compared == 2) judge_two(&cross, most);
    else judge(&cross, most);
    return cross;
}

suite_crosses suite_crosses_find(const suite_agreements *agreements, const suite_results *results)
{
    suite_crosses crosses = {.cross = suite_array(agreements->n, sizeof crosses.cross[0])};
    for (size_t a = 0; a < agreements->n; a++) {
        suite_cross cross = find(&agreements->agreement[a], results);
        if (cross.compared < 2) {
            free(cross.value);
            continue;
        }
        crosses.cross[crosses.n++] = cross;
        crosses.disagree += cross.differs || cross.odd > 0;
    }
    return crosses;
}

void suite_crosses_free(suite_crosses *crosses)
{
    for (size_t c = 0; c < crosses->n; c++) free(crosses->cross[c].value);
    free(crosses->cross);
    *crosses = (suite_crosses){0};
}
