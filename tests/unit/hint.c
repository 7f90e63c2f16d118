/* SPDX-License-Identifier: BSD-3-Clause */
/* hint.c: HINT's kernels against bounds computed by hand and against each other; grids, sizes,
   the check of the bounds, net QUIPS of curves whose integral is known. */
#include <math.h>
#include <stdlib.h>
#include "../hint/hint.h"
#include "tap.h"

enum { MOST = 40000, HAND = 9 };

static void *memory;

static hint_bounds refine(hint_type type, hint_kernel_kind kernel, const hint_work *work, int64_t n)
{
    hint_bounds bounds;
    /* What a lap before left must not matter. */
    memset(memory, 0xa5, hint_kernel_of(type, kernel)->bytes(n));
    hint_kernel_of(type, kernel)->refine(work, n, memory, &bounds);
    return bounds;
}

static bool equal(hint_bounds a, hint_bounds b)
{
    return a.lower == b.lower && a.upper == b.upper && a.subintervals == b.subintervals;
}

/* 8 columns, 8 rows: y = 8 (8 - x)/(8 + x) is 8, 6.2, 4.8, 3.6, 2.7, 1.8, 1.1, 0.5, 0. Halved: [0,
   8], [0, 4] (error 23, of [4, 8] 11), [4, 8], [0, 2] (7), [2, 4] (4), and [6, 8] (3) before [4, 6]
   (2). */
static void test_by_hand(hint_type type, hint_kernel_kind kernel)
{
    static const uint64_t lower[HAND + 1] = {0, 0, 8, 12, 14, 16, 17, 17, 17, 17};
    static const uint64_t upper[HAND + 1] = {0, 64, 44, 38, 36, 35, 34, 33, 32, 32};
    const hint_work work = {.columns = 8, .rows_log2 = 3, .strips = 1, .width = 8};
    int wrong = 0;
    for (int n = 1; n <= HAND; n++) {
        hint_bounds b = refine(type, kernel, &work, n);
        int reached = n < 8 ? n : 8;
        if (b.lower == lower[n] && b.upper == upper[n] && b.subintervals == reached) continue;
        printf("# n = %d: %llu to %llu, %lld subintervals\n", n, (unsigned long long)b.lower,
               (unsigned long long)b.upper, (long long)b.subintervals);
        wrong++;
    }
    ok(wrong == 0, "%s %s: bounds by hand", hint_type_names[type], hint_kernel_names[kernel]);
}

/* Every n at first, then sizes; quality must not fall, the area lie between, kernels agree. */
static void test_agree(hint_type type, const hint_work *work, bool whole, const char *what)
{
    int unlike[HINT_KERNELS] = {0}, falling = 0, outside = 0;
    uint64_t gap = UINT64_MAX;
    const hint_kernel_kind first = type < (int)HINT_COMMON_TYPES ? HINT_CLASSIC : HINT_ORIGINAL;
    for (int64_t n = work->strips + 1; n <= MOST; n = n < 300 ? n + 1 : hint_next_size(n)) {
        hint_bounds classic = refine(type, first, work, n);
        falling += classic.upper - classic.lower > gap;
        gap = classic.upper - classic.lower;
        outside += whole && !hint_encloses(hint_squares(work), &classic);
        for (int kernel = (int)first + 1; kernel < HINT_KERNELS; kernel++)
            unlike[kernel] += !equal(classic, refine(type, (hint_kernel_kind)kernel, work, n));
    }
    ok(falling == 0, "%s, %s: quality never falls", hint_type_names[type], what);
    ok(outside == 0, "%s, %s: the area lies between", hint_type_names[type], what);
    for (int kernel = (int)first + 1; kernel < HINT_KERNELS; kernel++)
        ok(unlike[kernel] == 0, "%s, %s: %s has classic's bounds", hint_type_names[type], what,
           hint_kernel_names[kernel]);
}

static void test_scattered(hint_type type, int ranks)
{
    uint64_t lower = 0, upper = 0;
    double squares = 0;
    char what[64];
    for (int rank = 0; rank < ranks; rank++) {
        hint_work work;
        if (!ok(hint_work_scattered(type, ranks, rank, &work), "%s: %d ranks",
                hint_type_names[type], ranks))
            return;
        snprintf(what, sizeof what, "rank %d of %d", rank, ranks);
        test_agree(type, &work, false, what);
        hint_bounds b = refine(type, HINT_ORIGINAL, &work, 1000);
        lower += b.lower;
        upper += b.upper;
        squares = hint_squares(&work);
    }
    const hint_bounds all = {lower, upper, 0};
    ok(hint_encloses(squares, &all), "%s: the area lies between the sums of %d ranks",
       hint_type_names[type], ranks);
}

/* What HINT 1.0 computes: upper - lower of its largest size in these, with steps of 1.2589. */
static void test_as_original(void)
{
    static const struct {
        hint_type type;
        int64_t n;
        uint64_t gap;
    } seen[] = {
        {HINT_INT8, 2, 68},
        {HINT_INT8, 7, 25},
        {HINT_INT16, 2, 16448},
        {HINT_INT16, 27, 1336},
        {HINT_LONG_DOUBLE, 2, 9223372039002259456u},
        {HINT_LONG_DOUBLE, 27, 683212747621531648u},
    };
    for (size_t k = 0; k < sizeof seen / sizeof *seen; k++) {
        const hint_work work = hint_work_alone(seen[k].type);
        if (hint_squares(&work) < 0x1p64 && seen[k].type == HINT_LONG_DOUBLE) continue;
        const hint_bounds b = refine(seen[k].type, HINT_ORIGINAL, &work, seen[k].n);
        ok(b.upper - b.lower == seen[k].gap, "%s, %lld subintervals: the original's bounds",
           hint_type_names[seen[k].type], (long long)seen[k].n);
    }
    int64_t n = 2;
    for (int k = 0; k < 12; k++) n = hint_next_size_of_original(n);
    ok(n == 27 && hint_original_printed_bytes(HINT_DOUBLE, 27) == 27 * 88,
       "the original's sizes and its count of bytes");
}

static void test_grids(void)
{
    hint_work work = hint_work_alone(HINT_DOUBLE);
    ok(work.columns == 67108864 && work.rows_log2 == 27, "the original's grid for double");
    ok(hint_work_scattered(HINT_DOUBLE, 3, 1, &work) && work.columns == 12 << 22
           && work.width == 1 << 22 && work.first == 1 << 22 && work.stride == 3 << 22,
       "3 ranks: 12 strips of 2^22 columns");
    ok(hint_work_scattered(HINT_FLOAT, 512, 0, &work) && work.width == 2,
       "512 ranks share a float's grid");
    ok(!hint_work_scattered(HINT_FLOAT, 513, 0, &work), "513 do not");
    int64_t sum = 0;
    for (int rank = 0; rank < 7; rank++) sum += hint_share(100, 7, rank);
    ok(sum == 100 && hint_share(100, 7, 0) == 15 && hint_share(100, 7, 6) == 14, "shares");
}

/* 64 (2 ln 2 - 1) = 24.72..., 2^63 of it = 3562937283...: where doubles are 512 apart. */
static void test_encloses(void)
{
    const uint64_t whole = 0x317217f7d1cf79ab; /* 2^63 (2 ln 2 - 1) = 0x6.2e42fefa39ef3579 / 2 */
    static const struct {
        uint64_t squares, lower, upper;
        bool encloses;
    } cases[] = {
        {64, 24, 25, true},
        {64, 25, 26, false},
        {64, 23, 24, false},
        {64, 0, 64, true},
        {(uint64_t)1 << 63, whole, whole + 1, true},
        {(uint64_t)1 << 63, whole + 1, whole + 2, false},
        {(uint64_t)1 << 63, whole - 1, whole, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const hint_bounds b = {cases[k].lower, cases[k].upper, 0};
        ok(hint_encloses(cases[k].squares, &b) == cases[k].encloses, "enclosed or not: case %zu",
           k);
    }
}

static void test_curves(void)
{
    enum { SIZES = 13, POINTS = 20001 };
    static const int64_t size[SIZES] = {2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40};
    int wrong = 0;
    for (int k = 0; k + 1 < SIZES; k++) wrong += hint_next_size(size[k]) != size[k + 1];
    ok(wrong == 0 && hint_next_size(1000000) == 1002374, "ten sizes a decade");

    hint_point *point = calloc(POINTS, sizeof *point);
    /* QUIPS 5 from 1e-6 to 1 s: 5 ln 10^6, and the last. */
    for (int k = 0; k < POINTS; k++)
        point[k] = (hint_point){.t_s = pow(10, 6.0 * k / (POINTS - 1) - 6),
                                .quips = 5,
                                .n = k + 2,
                                .memory_bytes = 10 * k};
    ok_near(hint_net_quips(POINTS, point), 5 * log(1e6) + 5, 1e-3, "net QUIPS of a constant");
    ok_near(hint_net_quips(1, point), 5, 1e-12, "net QUIPS of one size");
    /* QUIPS t: the integral over ln t is t, from 1e-6 to 1. */
    for (int k = 0; k < POINTS; k++) point[k].quips = point[k].t_s;
    ok_near(hint_net_quips(POINTS, point), 1 + 1, 1e-3, "net QUIPS of a line");
    /* Two sizes, by hand: 6 (1 - 1/4) + 10. */
    point[0].quips = 6, point[0].t_s = 1, point[1].quips = 10, point[1].t_s = 4;
    ok_near(hint_net_quips(2, point), 14.5, 1e-12, "net QUIPS of two sizes");
    point[77].quips = 99;
    ok(hint_peak(POINTS, point) == &point[77], "the peak");
    ok(hint_within(POINTS, point, 55) == &point[5] && !hint_within(POINTS, point, -1),
       "the largest that fits");
    free(point);
}

int main(void)
{
    memory = malloc(hint_kernel_of(HINT_LONG_DOUBLE, HINT_ORIGINAL)->bytes(2 * MOST));
    if (!memory) return 99;
    for (int type = 0; type < HINT_TYPES; type++) {
        for (int kernel = 0; kernel < HINT_KERNELS; kernel++)
            if (hint_kernel_of((hint_type)type, (hint_kernel_kind)kernel)->refine)
                test_by_hand((hint_type)type, (hint_kernel_kind)kernel);
        hint_work work = hint_work_alone((hint_type)type);
        test_agree((hint_type)type, &work, true, "alone");
        for (int ranks = 1; ranks <= (type == HINT_INT8 ? 1 : 3); ranks++)
            test_scattered((hint_type)type, ranks);
    }
    test_as_original();
    test_grids();
    test_encloses();
    test_curves();
    free(memory);
    return tap_done();
}
