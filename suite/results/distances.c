/* SPDX-License-Identifier: BSD-3-Clause */
/* distances.c: classes of launches by the distance of their cores. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "common/memory.h"
#include "distances.h"
#include "measure/distance.h"
#include "result/finding.h"

double suite_distance_of(const cm_record *launch)
{
    double ns;
    const char *text = cm_record_meta(launch, "pair_distance_ns");
    if (!text || !cm_record_number(text, &ns) || !(ns > 0)) return NAN;
    return cm_record_finding_of(launch, CM_FINDING_DISTANCE_CHANGED, 0) ? NAN : ns;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The known ones, sorted, and their number. */
static double *sorted(size_t n, const double *ns, size_t *known)
{
    double *all = suite_array(n, sizeof *all);
    *known = 0;
    for (size_t k = 0; k < n; k++)
        if (!isnan(ns[k])) all[(*known)++] = ns[k];
    if (*known > 0) qsort(all, *known, sizeof *all, by_value);
    return all;
}

char *suite_distances_words(size_t n, const double *distance_ns, size_t *classes)
{
    size_t known;
    double *all = sorted(n, distance_ns, &known);
    char *words = NULL;
    *classes = 0;
    for (size_t first = 0, end; first < known; first = end) {
        for (end = first + 1; end < known && !cm_distance_differs(all[end], all[end - 1]);) end++;
        char *range = all[end - 1] > all[first]
                          ? suite_text("%.3g to %.3g ns", all[first], all[end - 1])
                          : suite_text("%.3g ns", all[first]);
        char *longer = words ? suite_text("%s, %s in %zu", words, range, end - first)
                             : suite_text("%s in %zu of %zu launches", range, end - first, n);
        free(range);
        free(words);
        words = longer;
        ++*classes;
    }
    free(all);
    return words;
}

bool suite_distances_apart(size_t m, const double *base_ns, size_t n, const double *new_ns)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            if (!cm_distance_differs(base_ns[i], new_ns[j])) return false;
    return m > 0 && n > 0;
}
