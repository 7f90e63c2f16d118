/* SPDX-License-Identifier: BSD-3-Clause */
/* distance.c: classes of distances, and when one has changed. */
#include "config.h"
#include <math.h>
#include <string.h>
#include "measure/distance.h"
#include "measure/order.h"

bool cm_distance_differs(double one_ns, double other_ns)
{
    if (!(one_ns > 0 && other_ns > 0)) return false;
    return one_ns >= CM_DISTANCE_FACTOR * other_ns || other_ns >= CM_DISTANCE_FACTOR * one_ns;
}

double cm_distance_of(size_t n, double *batch_ns)
{
    return n == 0 ? NAN : cm_order_select(batch_ns, n, 0.1);
}

static double median_of_looks(const double *look_ns)
{
    double sorted[CM_DISTANCE_LOOKS];
    memcpy(sorted, look_ns, sizeof sorted);
    return cm_order_select(sorted, CM_DISTANCE_LOOKS, 0.5);
}

static bool accept(cm_distance *d, double look_ns)
{
    if (d->looks == 0) d->first_ns = d->least_ns = d->most_ns = look_ns;
    d->looks++;
    d->now_ns = look_ns;
    d->least_ns = fmin(d->least_ns, look_ns);
    d->most_ns = fmax(d->most_ns, look_ns);
    d->in_doubt = 0;
    return true;
}

static void change(cm_distance *d, double to_ns)
{
    const double ratio = fabs(log(to_ns / d->level_ns));
    if (d->changes == 0 || ratio > fabs(log(d->to_ns / d->from_ns))) {
        d->from_ns = d->level_ns;
        d->to_ns = to_ns;
    }
    d->changes++;
    d->level_ns = to_ns;
}

/* All looks in doubt are of one class. */
static bool agree(const cm_distance *d)
{
    for (size_t k = 0; k < CM_DISTANCE_LOOKS; k++)
        for (size_t j = 0; j < k; j++)
            if (cm_distance_differs(d->doubt_ns[k], d->doubt_ns[j])) return false;
    return true;
}

bool cm_distance_add(cm_distance *d, double look_ns)
{
    if (!(look_ns > 0 && look_ns <= CM_DISTANCE_MOST_NS)) return d->in_doubt == 0;
    if (d->looks > 0 && !cm_distance_differs(look_ns, d->level_ns)) return accept(d, look_ns);
    if (d->in_doubt == CM_DISTANCE_LOOKS) {
        memmove(d->doubt_ns, d->doubt_ns + 1, (CM_DISTANCE_LOOKS - 1) * sizeof *d->doubt_ns);
        d->in_doubt--;
    }
    d->doubt_ns[d->in_doubt++] = look_ns;
    if (d->in_doubt < CM_DISTANCE_LOOKS || !agree(d)) return false;
    const double middle_ns = median_of_looks(d->doubt_ns);
    if (d->looks > 0) change(d, middle_ns);
    else d->level_ns = middle_ns;
    return accept(d, middle_ns);
}

void cm_distance_drop(cm_distance *d) { d->in_doubt = 0; }
