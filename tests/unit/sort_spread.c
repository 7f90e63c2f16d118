/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_spread.c: the local sort of cm-sort against qsort of the C library, to the bit: keys of
   each type, as few as none and as many as are dealt out twice, spread evenly and badly; buckets in
   three pieces, some of them cut, in the memory of the result. */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "../sscrap/sort/sort.h"
#include "tap.h"

enum { PIECES = 3, MOST = 300001, SHAPES = SORT_INPUTS + 3 };
static const char *const others[] = {"of all magnitudes", "extremes", "one oversubscribed range"};
static int64_t plain_keys; /* left to the plain sort */

static void plain(const void *of_plain, void *keys, void *buffer, int64_t n)
{
    const sort_kernels *k = of_plain;
    plain_keys += n;
    if (buffer) k->radix(keys, buffer, n);
    else k->library(keys, n);
}

static void put(int key, void *keys, int64_t k, double x)
{
    switch ((sort_key)key) {
    case SORT_DOUBLE:
        ((double *)keys)[k] = x;
        break;
    case SORT_FLOAT:
        ((float *)keys)[k] = (float)(fabs(x) > FLT_MAX ? copysign(FLT_MAX, x) : x);
        break;
    case SORT_INT32:
        ((int32_t *)keys)[k] = x >= 0x1p31 ? INT32_MAX : x < -0x1p31 ? INT32_MIN : (int32_t)x;
        break;
    default:
        ((int64_t *)keys)[k] = x >= 0x1p63 ? INT64_MAX : x < -0x1p63 ? INT64_MIN : (int64_t)x;
    }
}

static void fill(int key, int shape, void *keys, int64_t n)
{
    if (shape < SORT_INPUTS) {
        const sort_source source = {0, n, n ? n : 1, 1, 0, shape, 5};
        sort_kernels_of(key, false)->fill(keys, &source);
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        uint64_t random = cm_random_word(17, (uint64_t)k);
        double sign = random & 1 ? 1 : -1, x = (double)(random >> 11) * 0x1p-53;
        switch (shape - SORT_INPUTS) {
        case 0:
            x = sign * ldexp(1 + x, (int)(random >> 1 & 1023) - 512);
            break;
        case 1:
            x = random & 6 ? sign * DBL_MAX : sign * (double)(random >> 3 & 1);
            break;
        /* All but a few, which no sample needs to find, in a ten thousandth of one cell. */
        default:
            if (random % 40000 == 0) x *= sign * 1e300;
            else x = 1e9 * (1 + x * 1e-12) + x * 4e4 * (random % 3 == 0);
        }
        put(key, keys, k, x);
    }
}

static bool is_zero(const sort_kernels *k, uint64_t bits)
{
    uint64_t zero = (uint64_t)1 << (8 * k->bytes - 1);
    return bits == zero || bits == zero - 1;
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Keys, and the same as qsort leaves them, which takes longer than all that is compared with it. */
typedef struct {
    int key;
    int64_t n;
    unsigned char *given, *right;
} problem;

static problem problem_of(int key, int shape, int64_t n)
{
    const sort_kernels *k = sort_kernels_of(key, false);
    const size_t bytes = (size_t)n * k->bytes;
    problem p = {key, n, malloc(bytes + 1), malloc(bytes + 1)};
    fill(key, shape, p.given, n);
    memcpy(p.right, p.given, bytes);
    k->library(p.right, n);
    return p;
}

static void problem_free(const problem *p)
{
    free(p->given);
    free(p->right);
}

/* In one piece, or dealt out from three that lie as cm-sort's do: one at the end of the result's
   memory, the others in the spare's. */
static bool sorts(const problem *p, bool pieces, bool plainly)
{
    const int key = p->key;
    const int64_t n = p->n;
    const sort_kernels *k = sort_kernels_of(key, false);
    size_t bytes = (size_t)n * k->bytes;
    unsigned char *keys = malloc(bytes + 1), *spare = malloc(bytes + 1);
    const unsigned char *right = p->right;
    sort_spread *spread = sort_spread_open(k, n, plain, k);
    sort_spread_plainly(spread, plainly);
    memcpy(keys, p->given, bytes);
    unsigned char *result = keys;
    if (!pieces) sort_spread_keys(spread, keys, spare, n);
    else {
        int64_t samples = sort_plan_samples(n), room = n + n / 7, counts[PIECES][SORT_BUCKETS + 4];
        int64_t first[PIECES + 1] = {0, n / 3, n / 3 + n / 5, n}, at[SORT_BUCKETS + 4];
        uint64_t *sample = malloc((size_t)samples * sizeof *sample), most[SORT_BUCKETS + 4];
        for (int64_t s = 0; s < samples; s++)
            sample[s] = k->bits(keys, (int64_t)(cm_random_word(3, (uint64_t)s) % (uint64_t)n));
        /* Two cuts at one place, and perhaps all in one bucket. */
        uint64_t limit[4] = {sample[samples / 2], 0, sample[samples / 3], sample[samples / 5]};
        limit[1] = limit[0];
        qsort(limit, 4, sizeof *limit, compare);
        int begin[6];
        const sort_plan *plan = sort_spread_make_plan(spread, sample, samples, n, limit, 4, begin);
        for (int b = 0; b < plan->buckets; b++) most[b] = UINT64_MAX;
        for (int b = 1; b <= 4; b++) most[begin[b] - 1] = limit[b - 1] ? limit[b - 1] - 1 : 0;
        result = malloc((size_t)room * k->bytes);
        sort_piece piece[PIECES];
        for (int j = 0; j < PIECES; j++) {
            int64_t some = first[j + 1] - first[j];
            const unsigned char *from = keys + (size_t)first[j] * k->bytes;
            unsigned char *to = j == 1 ? result + (size_t)(room - some) * k->bytes
                                       : spare + (size_t)(j ? first[1] : 0) * k->bytes;
            memset(counts[j], 0, sizeof counts[j]);
            k->tally(from, some, plan, most, counts[j]);
            at[0] = 0;
            for (int b = 1; b < plan->buckets; b++) at[b] = at[b - 1] + counts[j][b - 1];
            k->deal(from, some, plan, most, to, at);
            piece[j] = (sort_piece){to, counts[j]};
        }
        sort_spread_finish(spread, 0, plan->buckets, piece, PIECES, result, spare);
        free(sample);
    }
    bool fine = k->descents(result, n) == 0 && k->digest(result, n) == k->digest(right, n);
    for (int64_t j = 0; j < n && fine; j++) {
        uint64_t got = k->bits(result, j), wanted = k->bits(right, j);
        /* qsort leaves zeros of both signs as they come. */
        fine = got == wanted || (key <= SORT_FLOAT && is_zero(k, got) && is_zero(k, wanted));
    }
    if (result != keys) free(result);
    sort_spread_close(spread);
    free(keys);
    free(spare);
    return fine;
}

int main(void)
{
    static const int64_t sizes[] = {0, 1, 2, SORT_SPREAD_LEAST - 1, SORT_SPREAD_LEAST, 30011, MOST};
    for (int key = 0; key < SORT_KEYS; key++)
        for (int shape = 0; shape < SHAPES; shape++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                const bool is_most = sizes[s] == MOST, in_full = shape % 3 == key % 3;
                if (is_most && !in_full && (key || !tier_is_big())) continue;
                /* Half as many still have more samples than the fewest; those in full are
                   dealt out up to three times. */
                const int64_t n = is_most && !in_full ? MOST / 2 : sizes[s];
                const problem p = problem_of(key, shape, n);
                bool fine =
                    sorts(&p, false, false)
                    && (n < SORT_SPREAD_LEAST || (sorts(&p, true, false) && sorts(&p, true, true)));
                problem_free(&p);
                ok(fine, "%s, %s, %lld", sort_kernels_of(key, false)->name,
                   shape < SORT_INPUTS ? sort_input_names[shape] : others[shape - SORT_INPUTS],
                   (long long)n);
            }
    const problem million = problem_of(SORT_DOUBLE, SORT_INPUTS + 1, 2000003);
    ok(sorts(&million, true, false), "buckets of a million");
    problem_free(&million);
    const problem uniform = problem_of(SORT_DOUBLE, SORT_UNIFORM, MOST);
    plain_keys = 0;
    sorts(&uniform, false, false);
    ok(plain_keys < MOST / 50, "uniform keys: %lld left to the plain sort", (long long)plain_keys);
    problem_free(&uniform);
    const problem oversubscribed = problem_of(SORT_DOUBLE, SORT_INPUTS + 2, MOST);
    plain_keys = 0;
    sorts(&oversubscribed, false, false);
    ok(plain_keys > 0, "oversubscribed keys: %lld left to the plain sort", (long long)plain_keys);
    problem_free(&oversubscribed);
    return tap_done();
}
