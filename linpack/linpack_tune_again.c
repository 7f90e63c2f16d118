/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_tune_again.c: tests whether a setting is faster than the usual one. The search has chosen
   the setting because its time was low, which may have been luck. Other work on the machine lasts
   longer than a trial, so it may disturb all trials of one setting and none of another. Therefore
   both settings are timed again, in turn, until a rank test distinguishes them (Wilcoxon, Mann and
   Whitney). */
#include "linpack_tune.h"
#include "measure/order.h"
#include "measure/rank_test.h"

/* A setting counts as better only if it is faster by this fraction. */
static const double margin = 0.03;
/* The level of the test. Five times of each setting, all of one below all of the other, have 2 /
   C(10, 5) = 0.008. */
static const double alpha = 0.01;

static double median(int n, const double *value)
{
    double *sorted = cm_order_sorted(value, (size_t)n);
    if (!sorted) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    const double middle = cm_order_quantile(sorted, (size_t)n, 0.5);
    free(sorted);
    return middle;
}

static bool differ(const linpack_comparison *c)
{
    double p;
    if (!cm_rank_test((size_t)c->n, c->setting, (size_t)c->n, c->usual, &p))
        cm_abort(CM_EXIT_SYSTEM, "out of memory");
    return p <= alpha;
}

bool linpack_tune_compare(const linpack_contest *contest, linpack_comparison *c)
{
    double own_s = 0, usual_s = 0;
    *c = (linpack_comparison){.n = 0};
    for (int k = 0; k < LINPACK_AGAIN_MOST; k++) {
        if (k >= LINPACK_AGAIN_LEAST && !contest->has_time(contest->context)) break;
        /* Their order is turned round. */
        if (k % 2) usual_s = contest->time_s(contest->context, true);
        own_s = contest->time_s(contest->context, false);
        if (k % 2 == 0) usual_s = contest->time_s(contest->context, true);
        if (!isfinite(own_s) || !isfinite(usual_s)) continue; /* NaN: disturbed */
        c->setting[c->n] = own_s;
        c->usual[c->n++] = usual_s;
        if (c->n < LINPACK_AGAIN_LEAST) continue;
        c->setting_s = median(c->n, c->setting);
        c->usual_s = median(c->n, c->usual);
        if (c->setting_s > (1 - margin) * c->usual_s) return false;
        if (differ(c)) return true;
    }
    return false;
}
