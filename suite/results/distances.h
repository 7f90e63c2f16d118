/* SPDX-License-Identifier: BSD-3-Clause */
/* distances.h: how far apart the cores of the measured pairs were in the launches of a run
   (measure/distance.h). */
#ifndef SUITE_DISTANCES_H
#define SUITE_DISTANCES_H

#include <stdbool.h>
#include <stddef.h>
#include "result/read.h"

/* Returns the distance in ns of a launch, of several pairs the greatest; NaN: not known, or it
   changed within the launch. */
double suite_distance_of(const cm_record *launch);

/* Returns "12.1 to 12.4 ns in 4 of 6 launches, 95 ns in 2", the launches of each class of n
   distances, and *classes, their number; NULL if none is known. The caller frees. */
char *suite_distances_words(size_t n, const double *distance_ns, size_t *classes);

/* Returns true if the distances of all launches of both sides are known, and no class has launches
   of both: a difference of the sides may be the distances'. */
bool suite_distances_apart(size_t m, const double *base_ns, size_t n, const double *new_ns);

#endif
