/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_states.c: two states over launches, as 9.3 us in 2 of 6 and 22 us in 4: the sides are
   compared within the states, and their shares apart. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "memory.h"
#include "unit.h"

static void need_memory(bool had)
{
    if (!had) suite_array(SIZE_MAX, 1); /* says so, and ends the program */
}

static bool find(size_t n, const double *value, cm_states_few *found)
{
    need_memory(cm_states_few_find(n, value, found));
    return found->low > 0;
}

/* One side's values, which are sorted, on both sides of the boundary. */
static void split(const compare_values *values, double between, size_t n[2], double level[2])
{
    n[0] = 0;
    while (n[0] < values->n && values->value[n[0]] < between) n[0]++;
    n[1] = values->n - n[0];
    for (int k = 0; k < 2; k++) {
        const double *first = values->value + (k ? n[0] : 0);
        level[k] = n[k] ? (first[(n[k] - 1) / 2] + first[n[k] / 2]) / 2 : NAN;
    }
}

/* The exact test of two shares is the rank test of values that are 0 or 1. */
static double shares_p(const compare_states *states)
{
    double base[CM_RANK_MOST], new[CM_RANK_MOST], p;
    size_t n_base = states->base[0] + states->base[1], n_new = states->new[0] + states->new[1];
    for (size_t k = 0; k < n_base; k++) base[k] = k >= states->base[0];
    for (size_t k = 0; k < n_new; k++) new[k] = k >= states->new[0];
    need_memory(cm_rank_test(n_base, base, n_new, new, &p));
    return p;
}

/* The boundary that one side has alone, since a change between the sides makes two levels of both
   together; if both have states, that of all values, by which the sides' states are the same. */
static bool find_boundary(const compare_item *item, double *between)
{
    cm_states_few base, new, both;
    size_t n = item->base.n + item->new.n;
    bool in_base = find(item->base.n, item->base.value, &base);
    bool in_new = find(item->new.n, item->new.value, &new);
    if (!in_base && !in_new) return false;
    *between = in_base ? base.between : new.between;
    double *all = suite_array(n, sizeof *all);
    memcpy(all, item->base.value, item->base.n * sizeof *all);
    memcpy(all + item->base.n, item->new.value, item->new.n * sizeof *all);
    if (find(n, all, &both)) *between = both.between;
    free(all);
    return true;
}

void compare_states_find(compare_items *items)
{
    for (size_t i = 0; i < items->n; i++) {
        compare_item *item = &items->item[i];
        double between;
        if (!find_boundary(item, &between)) continue;
        compare_states *states = suite_array(1, sizeof *states);
        split(&item->base, between, states->base, states->base_level);
        split(&item->new, between, states->new, states->new_level);
        for (int k = 0; k < 2; k++) states->ratio[k] = states->new_level[k] / states->base_level[k];
        states->p = shares_p(states);
        item->states = states;
    }
}

/* "9.30 in 2 of 6 launches, 22.0 in 4" */
static char *side_words(const size_t n[2], const double level[2])
{
    char low[COMPARE_WORD], high[COMPARE_WORD];
    suite_number(level[0], low, sizeof low);
    suite_number(level[1], high, sizeof high);
    if (n[0] == 0 || n[1] == 0) return suite_text("%s in all %zu", n[0] ? low : high, n[0] + n[1]);
    return suite_text("%s in %zu of %zu, %s in %zu", low, n[0], n[0] + n[1], high, n[1]);
}

char *compare_states_words(const compare_states *states)
{
    char *base = side_words(states->base, states->base_level);
    char *new = side_words(states->new, states->new_level);
    char ratio[2][COMPARE_WORD], p[COMPARE_WORD];
    for (int k = 0; k < 2; k++) suite_number(states->ratio[k], ratio[k], sizeof ratio[k]);
    suite_number(states->p, p, sizeof p);
    char *words = suite_text(
        "two states over launches: base %s; new %s; ratio within the lower %s, within the higher "
        "%s; such shares by chance: p = %s",
        base, new, ratio[0], ratio[1], p);
    free(base);
    free(new);
    return words;
}
