/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_judge_further.c: tests the second family. The metrics of a program are tested together by
   the sizes of their differences (measure/split_test.h); the programs share the level equally, so
   that 6 launches a side reach it with 19 programs, as with Holm's procedure over the headlines. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "measure/split_test.h"
#include "common/memory.h"

/* The items of one program in one pair. They have the same launches. */
typedef struct {
    compare_item **item;
    size_t n, base, new;
} program;
typedef struct {
    program *program;
    size_t n;
} programs;

/* The result of cm_split_visible for these numbers of launches and metrics. */
typedef struct {
    size_t base, new, metrics;
    double shift;
} seen;

static void need_memory(bool had)
{
    if (!had) suite_there(NULL);
}

static void add_item(programs *list, compare_item *item)
{
    program *last = list->n > 0 ? &list->program[list->n - 1] : NULL;
    if (!last || strcmp(last->item[0]->bench, item->bench) != 0) {
        list->program = suite_longer(list->program, list->n + 1, sizeof *list->program);
        last = &list->program[list->n++];
        *last = (program){.base = item->base.n, .new = item->new.n};
    }
    last->item = suite_longer(last->item, last->n + 1, sizeof(compare_item *));
    last->item[last->n++] = item;
}

static int by_bench(const void *a, const void *b)
{
    return strcmp(((const compare_item *)a)->bench, ((const compare_item *)b)->bench);
}

/* Programs whose launches can reach the level at all; the items of a pair are by program here. */
static programs find_programs(comparison *all)
{
    programs list = {0};
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        compare_items *items = &all->pair[k].further;
        programs own = {0};
        if (items->n > 0) qsort(items->item, items->n, sizeof *items->item, by_bench);
        for (size_t i = 0; i < items->n; i++)
            if (cm_rank_least_p(items->item[i].base.n, items->item[i].new.n) <= COMPARE_LEVEL)
                add_item(&own, &items->item[i]);
        for (size_t i = 0; i < own.n; i++) {
            list.program = suite_longer(list.program, list.n + 1, sizeof *list.program);
            list.program[list.n++] = own.program[i];
        }
        free(own.program);
    }
    return list;
}

/* Logarithms, if all values have one, of what the states leave. */
static void fill(const compare_item *item, size_t n, double *value)
{
    bool positive = true;
    memcpy(value, item->by_launch, n * sizeof *value);
    cm_states_pair_align(&item->states, false, item->base.n, value);
    cm_states_pair_align(&item->states, true, n - item->base.n, value + item->base.n);
    for (size_t k = 0; k < n; k++) positive &= value[k] > 0;
    for (size_t k = 0; positive && k < n; k++) value[k] = log(value[k]);
}

/* The deviation within the sides, of the n values of both. */
static double deviation(const double *value, size_t base, size_t n)
{
    double squares = 0;
    for (size_t from = 0, end = base; from < n; from = end, end = n) {
        double mean = 0;
        for (size_t k = from; k < end; k++) mean += value[k] / (double)(end - from);
        for (size_t k = from; k < end; k++) squares += pow(value[k] - mean, 2);
    }
    return sqrt(squares / (double)(n - 2));
}

static double visible_shift(const program *p, double alpha, seen **known, size_t *n_known)
{
    for (size_t k = 0; k < *n_known; k++)
        if ((*known)[k].base == p->base && (*known)[k].new == p->new && (*known)[k].metrics == p->n)
            return (*known)[k].shift;
    seen one = {p->base, p->new, p->n, cm_split_visible(p->base, p->new, p->n, alpha)};
    *known = suite_longer(*known, *n_known + 1, sizeof one);
    (*known)[(*n_known)++] = one;
    return one.shift;
}

/* A split may deal launches in different states to a side, which are not alike even without the
   levels: the states may have other spreads. The exact test within the states holds beside it. */
static double p_within(const compare_item *item)
{
    double p = 0;
    if (item->states.kind != CM_STATES_PAIR_ONE)
        need_memory(cm_states_pair_test(&item->states, &p));
    return p;
}

static bool can_tell(const compare_item *item, size_t family)
{
    return item->states.kind == CM_STATES_PAIR_ONE
           || cm_states_pair_least_p(&item->states) <= COMPARE_LEVEL / (double)family;
}

static void test(const program *one, size_t family, double shift, double margin_percent)
{
    size_t n = one->base + one->new;
    double *value = suite_array(one->n * n, sizeof *value), *p = suite_array(one->n, sizeof *p);
    for (size_t k = 0; k < one->n; k++) fill(one->item[k], n, value + k * n);
    need_memory(cm_split_test(one->base, one->new, one->n, value, p));
    for (size_t k = 0; k < one->n; k++) {
        compare_item *item = one->item[k];
        item->family = family;
        item->p = fmax(p[k], p_within(item));
        item->adjusted = fmin(1, (double)family * item->p);
        item->visible = NAN;
        if (!isnan(item->factor.ratio) && can_tell(item, family))
            item->visible = exp(shift * deviation(value + k * n, one->base, n)
                                * cm_states_pair_loss(&item->states));
        compare_judge_verdict(item, margin_percent);
    }
    free(value);
    free(p);
}

void compare_judge_further(comparison *all)
{
    programs list = find_programs(all);
    seen *known = NULL;
    size_t n_known = 0;
    all->programs = list.n;
    for (size_t k = 0; k < list.n; k++) {
        double shift =
            visible_shift(&list.program[k], COMPARE_LEVEL / (double)list.n, &known, &n_known);
        test(&list.program[k], list.n, shift, all->options->margin_percent);
        free(list.program[k].item);
    }
    free(known);
    free(list.program);
    for (size_t k = 0; k + 1 < all->n_sides; k++) compare_items_sort(&all->pair[k].further);
}
