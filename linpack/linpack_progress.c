/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_progress.c: how much of a run is done, and how long the rest takes. */
#include <math.h>
#include "linpack_system.h"

double linpack_operations(int order)
{
    return 2.0 / 3 * order * order * order + 2.0 * order * order;
}

/* In the current factorization (n - k)^3 of n^3 is left after column k. The rate of the current
   factorization is used for everything that follows, because larger orders are faster than the
   finished ones. */
linpack_progress linpack_progress_of(int order, int column, double passed_s, double flop_before,
                                     double flop_after)
{
    double left = 1 - (double)column / order, flop = linpack_operations(order);
    double here = flop * (1 - left * left * left);
    return (linpack_progress){
        .done = (flop_before + here) / (flop_before + flop + flop_after),
        .left_s = here > 0 ? passed_s / here * (flop - here + flop_after) : INFINITY,
    };
}
