/* SPDX-License-Identifier: BSD-3-Clause */
/* normal.c: normally distributed numbers (Box and Muller, Annals of Mathematical Statistics 29
   (1958) 610). */
#include "config.h"
#include "random/random.h"
#include <math.h>

double cm_random_normal(uint64_t *state)
{
    double u = cm_random_uniform(state), v = cm_random_uniform(state);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}
