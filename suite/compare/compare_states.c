/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_states.c: says two states over launches, as 9.3 us in 2 of 6 and 22 us in 4: what they
   are on both sides, and whether their shares differ. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "compare.h"
#include "common/memory.h"
#include "common/unit.h"
#include "pages.h"

bool compare_states_mixed(const compare_item *item, bool of_new)
{
    const size_t *n = of_new ? item->states.y : item->states.x;
    return n[0] > 0 && n[1] > 0;
}

/* "9.30 in 2 of 6, 22.0 in 4" */
static char *side_words(const size_t n[2], const double level[2], double divisor)
{
    char low[COMPARE_WORD], high[COMPARE_WORD];
    suite_number(level[0] / divisor, low, sizeof low);
    suite_number(level[1] / divisor, high, sizeof high);
    if (n[0] == 0 || n[1] == 0) return said_compare_state(n[0] ? low : high, n[0] + n[1]);
    return said_compare_both_states(low, n[0], n[0] + n[1], high, n[1]);
}

/* "0.999 within the lower, - within the higher" */
static char *ratio_words(const cm_states_pair *states)
{
    char ratio[2][COMPARE_WORD];
    for (int k = 0; k < 2; k++)
        suite_number(states->y_level[k] / states->x_level[k], ratio[k], sizeof ratio[k]);
    const bool lower = states->x[0] > 0 && states->y[0] > 0;
    const bool higher = !lower || (states->x[1] > 0 && states->y[1] > 0);
    return said_compare_state_ratios(lower ? ratio[0] : NULL, higher ? ratio[1] : NULL);
}

/* A share is one number for all launches, of which a streak makes many alike: it takes the level of
   the intervals. */
static char *share_words(const compare_item *item)
{
    const cm_states_pair *states = &item->states;
    char p[COMPARE_WORD];
    suite_number(states->shares_p, p, sizeof p);
    return said_compare_shares(states->x[1], states->x[0] + states->x[1], states->y[1],
                               states->y[0] + states->y[1],
                               states->shares_p <= CM_STATES_PAIR_ALPHA, p);
}

char *compare_states_words(const compare_item *item, double divisor)
{
    const cm_states_pair *states = &item->states;
    bool matched = states->kind == CM_STATES_PAIR_MATCHED;
    char *base = side_words(states->x, states->x_level, divisor);
    char *new = side_words(states->y, states->y_level, divisor);
    char *ratio = matched ? ratio_words(states) : suite_copy(SAID_COMPARE_STATES_UNKNOWN);
    char *shares = matched && isfinite(item->p) ? share_words(item) : suite_copy("");
    char *words = said_compare_states(base, new, ratio, shares);
    free(base);
    free(new);
    free(ratio);
    free(shares);
    return words;
}
