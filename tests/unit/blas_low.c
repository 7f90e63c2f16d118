/* SPDX-License-Identifier: BSD-3-Clause */
/* blas_low.c: how matrices are rounded and scaled for products in bfloat16 and half precision. */
#include <float.h>
#include "blas/blas.h"
#include "low_gemm.h"
#include "random/random.h"
#include "tap.h"

/* ---- What a product is given ----------------------------------------------------------------- */

enum { MOST = 4096 };
static uint16_t of_a[MOST], of_b[MOST];
static float alpha_given;

static void keep(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                 const float *alpha, const uint16_t *a, const int *lda, const uint16_t *b,
                 const int *ldb, const float *beta, float *c, const int *ldc)
{
    (void)transa, (void)transb, (void)lda, (void)ldb, (void)beta, (void)c, (void)ldc;
    memcpy(of_a, a, (size_t)*m * (size_t)*k * sizeof *a);
    memcpy(of_b, b, (size_t)*k * (size_t)*n * sizeof *b);
    alpha_given = *alpha;
}

static LOW_GEMM(plain_bfloat16, bfloat16) static LOW_GEMM(plain_half, half)

    static const struct {
    const char *name;
    double (*value)(unsigned);
    cm_blas_low_gemm *plain;
    int digits, least; /* bits of a significand; exponent of the least number that has all */
    double largest;
} formats[] = {
    [CM_BLAS_BFLOAT16] = {"bfloat16", bfloat16_value, plain_bfloat16, 8, -126, 0x1.fep127},
    [CM_BLAS_HALF] = {"half", half_value, plain_half, 11, -14, 65504}};

/* By the definition, in double. */
static double rounded(int format, float x)
{
    if (x == 0 || isnan(x) || isinf(x)) return x;
    const int e =
        ilogb((double)x) > formats[format].least ? ilogb((double)x) : formats[format].least;
    const double unit = ldexp(1, e - formats[format].digits + 1);
    const double r = nearbyint(x / unit) * unit;
    return fabs(r) > formats[format].largest ? copysign(INFINITY, x) : r;
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

/* ---- Rounding -------------------------------------------------------------------------------- */

/* Numbers are not scaled if one of them is infinite. Returns how many are wrong. */
static int wrong_of(int format, float *x, int n)
{
    const cm_blas_low low = {.format = (cm_blas_format)format, .gemm = keep};
    float one = 1, *c = calloc((size_t)n, sizeof *c);
    int wrong = 0;
    x[n - 1] = INFINITY;
    if (!cm_blas_low_subtract(&low, n, 1, 1, x, n, &one, 1, c, n)) wrong++;
    for (int i = 0; i < n; i++) {
        const double got = formats[format].value(of_a[i]), want = rounded(format, x[i]);
        if (!same(got, want) && !wrong++) printf("# %a: %a, expected %a\n", x[i], got, want);
    }
    free(c);
    return wrong;
}

/* Every number of the format, the midpoint to the next one, and the neighbours of both. */
static void test_rounding(int format)
{
    static float x[MOST];
    uint64_t state = 1;
    int n = 0, wrong = 0;
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        const double at = formats[format].value(bits), next = formats[format].value(bits + 1);
        const float numbers[] = {(float)at, (float)((at + next) / 2)};
        for (int k = 0; k < 2; k++) {
            x[n++] = numbers[k];
            x[n++] = nextafterf(numbers[k], INFINITY);
            x[n++] = nextafterf(numbers[k], -INFINITY);
        }
        if (n < MOST - 7 && bits < 0xffff) continue;
        wrong += wrong_of(format, x, n + 1);
        n = 0;
    }
    ok(wrong == 0, "%s: numbers, middles and their neighbours", formats[format].name);
    wrong = 0;
    for (int k = 0; k < 200; k++) {
        for (int i = 0; i < MOST; i++) {
            const uint32_t bits = (uint32_t)cm_random_next(&state);
            memcpy(&x[i], &bits, sizeof bits);
        }
        wrong += wrong_of(format, x, MOST);
    }
    ok(wrong == 0, "%s: any bits", formats[format].name);
}

/* ---- Products -------------------------------------------------------------------------------- */

static double product_error(int format, double size_a, double size_b)
{
    enum { M = 7, N = 5, K = 11, LDA = 9, LDB = 13, LDC = 8 };
    static float a[LDA * K], b[LDB * N], c[LDC * N], before[LDC * N];
    const cm_blas_low low = {.format = (cm_blas_format)format, .gemm = formats[format].plain};
    uint64_t state = 3;
    double worst = 0;
    for (int i = 0; i < LDA * K; i++)
        a[i] = (float)(size_a * ((double)(cm_random_next(&state) >> 11) * 0x1p-53 - 0.5));
    for (int i = 0; i < LDB * N; i++)
        b[i] = (float)(size_b * ((double)(cm_random_next(&state) >> 11) * 0x1p-53 - 0.5));
    for (int i = 0; i < LDC * N; i++) c[i] = before[i] = (float)(size_a * size_b * i / 50);
    if (!cm_blas_low_subtract(&low, M, N, K, a, LDA, b, LDB, c, LDC)) return INFINITY;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < LDC; i++) {
            double want = before[j * LDC + i];
            for (int l = 0; l < K && i < M; l++)
                want -= (double)a[l * LDA + i] * (double)b[j * LDB + l];
            const double error = fabs(c[j * LDC + i] - want) / (size_a * size_b * K / 4);
            if (!(error <= worst)) worst = error;
            if (i >= M && c[j * LDC + i] != before[j * LDC + i]) worst = INFINITY;
        }
    return worst;
}

static void test_products(int format)
{
    static const double sizes[][2] = {{1, 1},        {1, 1e6},    {1e6, 1},
                                      {1e-9, 1e-9},  {1, 1e38},   {1, 1e-38},
                                      {1e-30, 1e38}, {100, 1e30}, {1e-12, 1e-20}};
    /* Each factor is rounded once; errors of the sums in single precision are negligible. */
    const double unit = ldexp(1, -formats[format].digits), bound = 2.1 * unit;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const double error = product_error(format, sizes[k][0], sizes[k][1]);
        if (!ok(error <= bound && error > 0, "%s: numbers up to %g times up to %g",
                formats[format].name, sizes[k][0] / 2, sizes[k][1] / 2))
            printf("# error %g, expected at most %g\n", error, bound);
    }
}

/* Scales are powers of two, and alpha takes them back: integers of few bits stay exact. */
static void test_scales(int format)
{
    const cm_blas_low low = {.format = (cm_blas_format)format, .gemm = keep};
    float a[] = {0x1p20f, -0x1.8p13f}, b[] = {0x1p-40f, 0, 0x1.4p-36f}, c[6] = {0};
    ok(cm_blas_low_subtract(&low, 2, 3, 1, a, 2, b, 1, c, 2), "%s: a product is called",
       formats[format].name);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            ok(alpha_given * formats[format].value(of_a[i]) * formats[format].value(of_b[j])
                   == -(double)a[i] * (double)b[j],
               "%s: element %d, %d", formats[format].name, i, j);
    ok(fabs(formats[format].value(of_a[0])) == 0.5 && formats[format].value(of_b[2]) == 0.625,
       "%s: the largest elements are between 1/2 and 1", formats[format].name);
}

int main(void)
{
    for (int format = 0; format < 2; format++) {
        test_rounding(format);
        test_products(format);
        test_scales(format);
    }
    cm_blas_low low;
    const bool has = cm_blas_low_find(CM_BLAS_BFLOAT16, &low);
    ok(has == (low.gemm != NULL), "the BLAS has sbgemm, or it has not");
    return tap_done();
}
