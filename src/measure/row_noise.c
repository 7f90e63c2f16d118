/* SPDX-License-Identifier: BSD-3-Clause */
/* row_noise.c: how far the time of each row is from a smooth curve, from the rows' intervals and
   from their scatter about their neighbours. */
#include "config.h"
#include "measure/protocols.h"
#include <math.h>

/* Rows each way that share intervals; and scatter, fewer of few rows. */
enum { NEAR = 2, NEIGHBOURS = 6, PARTS = 5 };

/* ---- Intervals ------------------------------------------------------------------------------- */

/* The variance of the median of n normal samples relative to that of one, and the mean range of n
   samples in standard deviations (David and Nagaraja, Order Statistics, 3rd ed. 2003, tables 3.2
   and 8.6.1; from 6 on the limit, pi / 2 n). */
static double median_variance(size_t n)
{
    static const double of[CM_INTERVAL_LEAST] = {1, 1, 0.5, 0.4487, 0.2982, 0.2868};
    return n < CM_INTERVAL_LEAST ? of[n] : acos(-1) / 2 / (double)n;
}

static double mean_range(size_t n)
{
    static const double of[CM_INTERVAL_LEAST] = {0, 0, 1.128, 1.693, 2.059, 2.326};
    return of[n];
}

/* The relative variance of one sample of the row, NaN if its interval does not say: of equal
   samples, too, because a clock may not tell them apart. */
static double sample_variance(const cm_protocol_row *row)
{
    double width = (row->high_s - row->low_s) / row->time_s;
    if (!(width > 0) || !isfinite(width) || row->n < 2) return NAN;
    if (row->n < CM_INTERVAL_LEAST) return pow(width / mean_range(row->n), 2);
    return pow(width / (2 * 1.96), 2) / median_variance(row->n);
}

/* The first and the last row near row k. */
static size_t about(size_t n, size_t k, size_t each_way, size_t *last)
{
    *last = k + each_way < n ? k + each_way : n - 1;
    return k > each_way ? k - each_way : 0;
}

/* Collects the values near row k that are numbers, in ascending order, and returns how many. */
static size_t gather(size_t n, const double *value, size_t k, size_t each_way, double *to)
{
    size_t last, found = 0;
    for (size_t i = about(n, k, each_way, &last); i <= last; i++) {
        if (isnan(value[i])) continue;
        size_t at = found++;
        for (; at > 0 && to[at - 1] > value[i]; at--) to[at] = to[at - 1];
        to[at] = value[i];
    }
    return found;
}

static double median_about(size_t n, const double *value, size_t k)
{
    double near[2 * NEAR + 1];
    size_t found = gather(n, value, k, NEAR, near);
    return found > 0 ? (near[(found - 1) / 2] + near[found / 2]) / 2 : NAN;
}

/* The interval of a few samples says little: two may be alike by chance. Its variance is that of
   FAITH degrees of freedom of the rows near by and of its own. */
static double from_intervals(size_t n, const cm_protocol_row *const *row, const double *variance,
                             size_t k)
{
    enum { FAITH = 4 };
    double others = median_about(n, variance, k), own = variance[k];
    double freedom = row[k]->n > 1 ? (double)row[k]->n - 1 : 0;
    if (isnan(own)) own = others;
    return median_variance(row[k]->n > 0 ? row[k]->n : 1) * (FAITH * others + freedom * own)
           / (FAITH + freedom);
}

/* ---- Scatter --------------------------------------------------------------------------------- */

/* Returns the distance of a row from the line between its neighbours, as a fraction of the row's
   time. Its unit is such that its expected square is the variance of a row (Gasser, Sroka and
   Jennen-Steinmetz, Biometrika 73 (1986) 625). A change of protocol affects two rows only. */
static double scatter(const cm_protocol_row *const *row, size_t k)
{
    const cm_protocol_row *a = row[k - 1], *b = row[k], *c = row[k + 1];
    double span = c->bytes - a->bytes, before = span > 0 ? (c->bytes - b->bytes) / span : 0.5;
    double low = before * a->time_s, high = (1 - before) * c->time_s;
    return fabs(low + high - b->time_s) / sqrt(low * low + high * high + b->time_s * b->time_s);
}

/* The root of the mean square near row k without the largest eighth, which may be outliers or at a
   change of protocol. Without them the mean square of a normal z is 0.569. */
static double scatter_about(size_t n, const double *apart, size_t k)
{
    double near[2 * NEIGHBOURS + 1], sum = 0;
    size_t each_way = n / PARTS;
    if (each_way < NEAR) each_way = NEAR;
    if (each_way > NEIGHBOURS) each_way = NEIGHBOURS;
    size_t found = gather(n, apart, k, each_way, near), counted = found - (found + 7) / 8;
    for (size_t i = 0; i < counted; i++) sum += near[i] * near[i];
    return counted > 0 ? sqrt(sum / (double)counted / 0.569) : NAN;
}

/* ---- Both ------------------------------------------------------------------------------------ */

void cm_row_noise(size_t n, const cm_protocol_row *const *row, double *room, double *relative)
{
    double *variance = room, *apart = room + n;
    for (size_t k = 0; k < n; k++) {
        variance[k] = sample_variance(row[k]);
        apart[k] = k > 0 && k + 1 < n ? scatter(row, k) : NAN;
    }
    for (size_t k = 0; k < n; k++) {
        double of_neighbours = scatter_about(n, apart, k);
        double of_interval = sqrt(from_intervals(n, row, variance, k));
        relative[k] =
            fmax(fmax(of_neighbours, of_interval), CM_ROW_ROUNDING); /* fmax ignores NaN */
    }
}
