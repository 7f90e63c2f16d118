/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_parts.c: vectors of which each rank has a part. */
#include <math.h>
#include <stdlib.h>
#include "linpack_refine.h"
#include "linpack_verify.h"

void linpack_parts_open(linpack_parts *p, cm_group *group, int n)
{
    const int ranks = cm_size(group), rank = cm_rank(group);
    *p = (linpack_parts){.group = group, .n = n};
    p->counts = linpack_allocate((size_t)ranks, sizeof *p->counts, "parts of vectors");
    p->bytes = linpack_allocate((size_t)ranks, sizeof *p->bytes, "parts of vectors");
    p->offsets = linpack_allocate((size_t)ranks, sizeof *p->offsets, "parts of vectors");
    for (int r = 0; r < ranks; r++) {
        const int first = (int)((int64_t)n * r / ranks);
        p->counts[r] = (size_t)((int64_t)n * (r + 1) / ranks - first);
        p->bytes[r] = p->counts[r] * sizeof(double);
        p->offsets[r] = (size_t)first * sizeof(double);
        if (r == rank) p->first = first, p->count = (int)p->counts[r];
    }
}

void linpack_parts_close(linpack_parts *p) { free(p->counts), free(p->bytes), free(p->offsets); }

void linpack_parts_gather(const linpack_parts *p, const double *part, double *whole)
{
    cm_allgatherv(p->group, part, (size_t)p->count * sizeof *part, whole, p->bytes, p->offsets,
                  CM_AUTO);
}

void linpack_parts_sum(const linpack_parts *p, const double *whole, double *part)
{
    cm_reduce_scatter(p->group, whole, part, p->counts, CM_DOUBLE, CM_SUM, CM_AUTO);
}

void linpack_parts_dots(const linpack_parts *p, int k, const double *v, const double *w,
                        double *products)
{
    for (int i = 0; i < k; i++)
        products[i] = linpack_dot(v + (size_t)i * (size_t)p->count, w, p->count);
    cm_allreduce(p->group, products, products, (size_t)k, CM_DOUBLE, CM_SUM, CM_AUTO);
}

double linpack_parts_largest(const linpack_parts *p, const double *part)
{
    double largest = 0;
    for (int i = 0; i < p->count; i++)
        if (!(fabs(part[i]) <= largest)) largest = fabs(part[i]);
    linpack_raise_over_ranks(p->group, &largest, 1);
    return largest;
}
