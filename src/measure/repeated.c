/* SPDX-License-Identifier: BSD-3-Clause */
/* repeated.c: who is low in several launches, by order statistics over the launches (Wilkinson,
   Psychological Bulletin 48 (1951) 156). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "measure/order.h"
#include "measure/outliers.h"
#include "measure/repeated.h"

/* P(at least `needed` of `launches` independent events of probability p). */
static double at_least(size_t needed, size_t launches, double p)
{
    const double k = (double)launches;
    double sum = 0;
    for (size_t hits = needed; hits <= launches; hits++) {
        const double h = (double)hits;
        const double ways = lgamma(k + 1) - lgamma(h + 1) - lgamma(k - h + 1);
        sum += exp(ways) * pow(p, h) * pow(1 - p, k - h);
    }
    return sum;
}

/* The p of one launch for which that is alpha. */
static double one_of(size_t needed, size_t launches, double alpha)
{
    double low = 0, high = 1;
    for (int k = 0; k < 100; k++) {
        const double middle = (low + high) / 2;
        if (at_least(needed, launches, middle) > alpha) high = middle;
        else low = middle;
    }
    return low;
}

/* Each of n values is below the limit with probability p if the greatest one is with that of
   1 - (1 - p)^n. */
static bool limit_of(const cm_repeated *r, size_t needed, double *limit)
{
    const double p = one_of(needed, r->launches, r->alpha / 2 / (double)r->n);
    return cm_outliers_limit(r->n, r->n, -expm1((double)r->n * log1p(-p)), limit);
}

static size_t most_of(size_t launches) { return launches - launches / 4; }

bool cm_repeated_open(size_t n, size_t launches, size_t kinds, double alpha, cm_repeated *r)
{
    *r = (cm_repeated){n, launches, alpha, most_of(launches), INFINITY, INFINITY, INFINITY};
    if (launches < CM_REPEATED_FEWEST || n < CM_OUTLIERS_FEWEST) return true;
    if (!limit_of(r, r->most, &r->limit_most) || !limit_of(r, launches, &r->limit_all)
        || !cm_outliers_limit(n, n, CM_REPEATED_LASTING / (double)kinds, &r->limit_lasting))
        return false;
    r->limit_all = fmin(r->limit_all, r->limit_most);
    return true;
}

/* ---- The launches together ------------------------------------------------------------------- */

/* room: for `launches` values. */
static void medians(size_t n, size_t launches, const double *value, double *room, double *middle)
{
    for (size_t k = 0; k < n; k++) {
        size_t known = 0;
        for (size_t l = 0; l < launches; l++)
            if (!isnan(value[l * n + k])) room[known++] = value[l * n + k];
        middle[k] = known ? cm_order_select(room, known, 0.5) : NAN;
    }
}

/* z[launch * n + k] in scaled deviations; scale and middle of each launch. A launch without a value
   has NaN. Returns false if memory is short. */
static bool standardise(size_t n, size_t launches, const double *value, double *z, double *middle,
                        double *scale)
{
    for (size_t l = 0; l < launches; l++) {
        size_t known = 0;
        for (size_t k = 0; k < n; k++) known += !isnan(value[l * n + k]);
        middle[l] = scale[l] = NAN;
        if (known > 0 && !cm_outliers_scale(n, value + l * n, 0, &middle[l], &scale[l]))
            return false;
        for (size_t k = 0; k < n; k++) z[l * n + k] = (value[l * n + k] - middle[l]) / scale[l];
    }
    return true;
}

/* ---- The noise of all kinds ------------------------------------------------------------------ */

typedef struct {
    double left; /* from the median launch, in scaled deviations */
    size_t host;
} part;

typedef struct {
    const cm_repeated *r;
    size_t kinds;
    double *z;                     /* [kind * launches * n + launch * n + k] */
    double *middle, *scale, *room; /* [kind * launches + launch]; room: for the launches */
    part *part;                    /* [parts], sorted */
    size_t parts;
} noise;

static int by_left(const void *a, const void *b)
{
    const part *x = a, *y = b;
    return (x->left > y->left) - (x->left < y->left);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The z of a host in ascending order; returns their number. */
static size_t sorted_z(const noise *w, size_t kind, size_t k)
{
    const cm_repeated *r = w->r;
    size_t known = 0;
    for (size_t l = 0; l < r->launches; l++) {
        const double z = w->z[(kind * r->launches + l) * r->n + k];
        if (!isnan(z)) w->room[known++] = z;
    }
    qsort(w->room, known, sizeof *w->room, by_value);
    return known;
}

/* What is left of the median is a little smaller than the noise. */
static void take_left(noise *w)
{
    const cm_repeated *r = w->r;
    for (size_t kind = 0; kind < w->kinds; kind++)
        for (size_t k = 0; k < r->n; k++) {
            const size_t known = sorted_z(w, kind, k);
            if (known < 2) continue;
            const double own = cm_order_quantile(w->room, known, 0.5);
            const double grown = sqrt((double)known / (double)(known - 1));
            for (size_t l = 0; l < known; l++)
                w->part[w->parts++] = (part){grown * (w->room[l] - own), k};
        }
    qsort(w->part, w->parts, sizeof *w->part, by_left);
}

static void close_noise(noise *w)
{
    free(w->z);
    free(w->middle);
    free(w->scale);
    free(w->room);
    free(w->part);
}

static bool open_noise(const cm_repeated *r, size_t kinds, const double *const *value, noise *w)
{
    const size_t each = r->launches * r->n;
    *w = (noise){.r = r,
                 .kinds = kinds,
                 .z = malloc((kinds * each + 1) * sizeof(double)),
                 .middle = malloc((kinds * r->launches + 1) * sizeof(double)),
                 .scale = malloc((kinds * r->launches + 1) * sizeof(double)),
                 .room = malloc((r->launches + 1) * sizeof(double)),
                 .part = malloc((kinds * each + 1) * sizeof(part))};
    bool done = w->z && w->middle && w->scale && w->room && w->part;
    for (size_t kind = 0; done && kind < kinds; kind++)
        done = standardise(r->n, r->launches, value[kind], w->z + kind * each,
                           w->middle + kind * r->launches, w->scale + kind * r->launches);
    if (done) take_left(w);
    return done;
}

/* A low value passes a normal distribution's limit as well, so the noise has a wider level: a host
   that is disturbed in all kinds of one launch must not hide who is low in all three. */
static const double widened = 4;

/* The chance that noise alone puts `needed` launches at or below what `below` of n parts are: the
   next one of n + 1 is as likely at any place among them. */
static double chance_of(const cm_repeated *r, size_t needed, size_t below, size_t n)
{
    return at_least(needed, r->launches, ((double)below + 1) / ((double)n + 1));
}

/* Returns true if the noise of the others explains that the host is at x or below. */
static bool is_explained(const noise *w, size_t needed, size_t k, double x)
{
    size_t below = 0, n = 0;
    for (size_t i = 0; i < w->parts; i++) {
        if (w->part[i].host == k) continue;
        below += w->part[i].left <= x;
        n++;
    }
    return !(chance_of(w->r, needed, below, n) < widened * w->r->alpha / (double)w->r->n);
}

/* The limit in deviations that noise and a normal distribution have together. */
static double limit_with(const noise *w, size_t needed, double limit)
{
    const double alpha = widened * w->r->alpha / (double)w->r->n;
    size_t below = 0;
    while (below < w->parts && chance_of(w->r, needed, below, w->parts) < alpha) below++;
    return below > 0 ? fmax(limit, -w->part[below - 1].left) : INFINITY;
}

static bool is_low(const noise *w, size_t kind, size_t k)
{
    const cm_repeated *r = w->r;
    const size_t known = sorted_z(w, kind, k);
    const double all = known == r->launches ? w->room[known - 1] : INFINITY;
    const double most = known >= r->most ? w->room[r->most - 1] : INFINITY;
    return (all < -r->limit_all && !is_explained(w, r->launches, k, all))
           || (most < -r->limit_most && !is_explained(w, r->most, k, most));
}

/* The value that is low if it is the same in all launches; room: for the launches. */
static double bound_of(const noise *w, size_t kind)
{
    const cm_repeated *r = w->r;
    const double limit_all = limit_with(w, r->launches, r->limit_all);
    const double limit_most = limit_with(w, r->most, r->limit_most);
    const double *middle = w->middle + kind * r->launches, *scale = w->scale + kind * r->launches;
    double all = INFINITY;
    for (size_t l = 0; l < r->launches; l++) {
        if (isnan(scale[l])) return -INFINITY;
        all = fmin(all, middle[l] - limit_all * scale[l]);
        w->room[l] = middle[l] - limit_most * scale[l];
    }
    qsort(w->room, r->launches, sizeof *w->room, by_value);
    return fmin(fmax(all, w->room[r->launches - r->most]), -CM_REPEATED_MARGIN);
}

bool cm_repeated_low(const cm_repeated *r, size_t kinds, const double *const *value, bool *low,
                     double *middle, double *bound)
{
    noise w;
    const bool judges = isfinite(r->limit_most);
    bool done = open_noise(r, kinds, value, &w);
    for (size_t kind = 0; done && kind < kinds; kind++) {
        double *own = middle + kind * r->n, all, scale;
        size_t known = 0;
        medians(r->n, r->launches, value[kind], w.room, own);
        for (size_t k = 0; k < r->n; k++) known += !isnan(own[k]);
        all = scale = NAN;
        done = known == 0 || cm_outliers_scale(r->n, own, 0, &all, &scale);
        const double lasting = fmin(all - r->limit_lasting * scale, -CM_REPEATED_MARGIN);
        for (size_t k = 0; done && k < r->n; k++)
            low[kind * r->n + k] = judges && own[k] < lasting && is_low(&w, kind, k);
        bound[kind] = done && judges && known > 0 ? fmin(lasting, bound_of(&w, kind)) : -INFINITY;
    }
    close_noise(&w);
    return done;
}

double cm_repeated_chance(size_t n, double *p, size_t launches)
{
    const size_t most = most_of(launches);
    double chance = 1;
    qsort(p, n, sizeof *p, by_value);
    if (n >= most) chance = fmin(chance, 2 * at_least(most, launches, p[most - 1]));
    if (n == launches) chance = fmin(chance, 2 * at_least(n, launches, p[n - 1]));
    return chance;
}

/* ---- Two groups ------------------------------------------------------------------------------ */

/* log C(n, k)^(1 - launches). */
static double log_same(size_t n, size_t k, size_t launches)
{
    const double ways = lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
    return -(double)(launches - 1) * ways;
}

enum { LEAST_GROUP = 2 };

static bool is_chance(size_t n, size_t size, size_t launches, double alpha)
{
    const double own = log_same(n, size, launches);
    double sum = 0;
    for (size_t k = LEAST_GROUP; k + LEAST_GROUP <= n; k++)
        if (log_same(n, k, launches) <= own + 1e-9) sum += exp(log_same(n, k, launches));
    return !(sum <= alpha);
}

/* Returns true if each of the group is below each other one in every launch. */
static bool is_apart(size_t n, size_t launches, const double *value, const bool *slower)
{
    for (size_t l = 0; l < launches; l++) {
        double highest = -INFINITY, lowest = INFINITY;
        for (size_t k = 0; k < n; k++) {
            const double x = value[l * n + k];
            if (isnan(x)) return false;
            if (slower[k]) highest = fmax(highest, x);
            else lowest = fmin(lowest, x);
        }
        if (!(highest < lowest)) return false;
    }
    return true;
}

/* The split of n sorted values whose neighbours are farthest apart. */
static size_t widest(size_t n, const double *sorted)
{
    size_t size = LEAST_GROUP;
    for (size_t k = LEAST_GROUP; k + LEAST_GROUP <= n; k++)
        if (sorted[k] - sorted[k - 1] > sorted[size] - sorted[size - 1]) size = k;
    return size;
}

/* Sets *wide to whether the gap above the first `size` of n sorted values is wide beside how the
   values of each side differ. Returns false if memory is short. */
static bool is_wide(size_t n, const double *sorted, size_t size, bool *wide)
{
    double middle, low = 0, high = 0;
    if (!cm_outliers_scale(size, sorted, 0, &middle, &low)
        || !cm_outliers_scale(n - size, sorted + size, 0, &middle, &high))
        return false;
    *wide = sorted[size] - sorted[size - 1] > CM_REPEATED_GAP * fmax(low, high);
    return true;
}

bool cm_repeated_groups(size_t n, size_t launches, const double *value, double alpha, bool *slower,
                        double *apart)
{
    *apart = NAN;
    memset(slower, 0, n * sizeof *slower);
    if (launches < CM_REPEATED_FEWEST || n < 2 * LEAST_GROUP) return true;
    double *middle = malloc(n * sizeof *middle), *room = malloc(launches * sizeof *room);
    if (middle && room) medians(n, launches, value, room, middle);
    double *sorted = middle && room ? cm_order_sorted(middle, n) : NULL;
    bool done = sorted != NULL;
    if (done && !isnan(sorted[n - 1])) {
        const size_t size = widest(n, sorted);
        bool wide = false;
        done = is_wide(n, sorted, size, &wide);
        const double between =
            cm_order_quantile(sorted, size, 0.5) - cm_order_quantile(sorted + size, n - size, 0.5);
        for (size_t k = 0; k < n; k++) slower[k] = middle[k] <= sorted[size - 1];
        if (wide && between < -CM_REPEATED_APART && is_apart(n, launches, value, slower)
            && !is_chance(n, size, launches, alpha))
            *apart = between;
        else memset(slower, 0, n * sizeof *slower);
    }
    free(sorted);
    free(middle);
    free(room);
    return done;
}
