/* SPDX-License-Identifier: BSD-3-Clause */
/* gemm.c: the peak of a core, as cm_machine_describe says it, beside what the BLAS library's matrix
   product reaches on it, in turn, in double and in single precision. gemm.c [ROUNDS [N]]. Prints
   Gflop/s of each round, and the median, least and greatest of the ratios. Exit status 1: the
   product exceeds the peak by more than a hundredth in the median of the rounds, so the peak is
   wrong. The BLAS library must use one thread. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "blas/symbols.h"
#include "machine/machine.h"

enum { MOST_ROUNDS = 100, PRODUCTS = 64, DOUBLE = 0, SINGLE, PRECISIONS };

typedef struct {
    double peak[PRECISIONS], reached[PRECISIONS], clock_hz;
    bool tell; /* print how they are known */
} said;

static void keep(const char *key, const char *value, void *context)
{
    said *s = context;
    const struct {
        const char *key;
        double *number;
    } of[] = {{"core_peak_flop_per_s", &s->peak[DOUBLE]},
              {"core_single_peak_flop_per_s", &s->peak[SINGLE]},
              {"fma_flop_per_s", &s->reached[DOUBLE]},
              {"fma_single_flop_per_s", &s->reached[SINGLE]},
              {"core_clock_hz", &s->clock_hz}};
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++)
        if (strcmp(key, of[k].key) == 0) *of[k].number = strtod(value, NULL);
    if (!s->tell) return;
    if (strcmp(key, "fma_set") == 0 || strcmp(key, "flop_per_cycle") == 0
        || strcmp(key, "vector_bits") == 0 || strncmp(key, "fma_units", 9) == 0
        || strcmp(key, "core_clock_from") == 0)
        printf("# %s: %s\n", key, value);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the rate of the fastest of some products of matrices of order n. */
static double gemm(int precision, int n, void *a, void *b, void *c)
{
    double least_s = INFINITY;
    for (int k = 0; k < PRODUCTS; k++) {
        const double one = 1, zero = 0, start_s = now_s();
        const float one_single = 1, zero_single = 0;
        if (precision == DOUBLE)
            dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
        else sgemm_("N", "N", &n, &n, &n, &one_single, a, &n, b, &n, &zero_single, c, &n, 1, 1);
        least_s = fmin(least_s, now_s() - start_s);
    }
    return 2.0 * n * n * n / least_s;
}

static int compare(const void *left, const void *right)
{
    const double x = *(const double *)left, y = *(const double *)right;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 7, n = argc > 2 ? atoi(argv[2]) : 384;
    if (rounds < 1 || rounds > MOST_ROUNDS || n < 1 || n > 10000) {
        fprintf(stderr, "gemm: expected 1 to %d rounds and an order of 1 to 10000\n", MOST_ROUNDS);
        return 2;
    }
    static const char *const names[PRECISIONS] = {"double", "single"};
    const size_t numbers = (size_t)n * (size_t)n;
    double *memory[3], ratio[PRECISIONS][MOST_ROUNDS];
    int status = 0;
    for (int k = 0; k < 3; k++) {
        memory[k] = malloc(numbers * sizeof(double));
        if (!memory[k]) return 3;
    }
    puts("# precision clock_GHz peak FMAs gemm Gflop/s gemm/peak");
    for (int round = 0; round < rounds; round++) {
        said s = {.clock_hz = NAN, .tell = round == 0};
        cm_machine_describe(keep, &s);
        for (int precision = 0; precision < PRECISIONS; precision++) {
            /* Of both types the values are between 1 and 2. */
            for (size_t j = 0; j < numbers; j++)
                for (int k = 0; k < 2; k++)
                    if (precision == DOUBLE) memory[k][j] = 1 + (double)(j % 997) / 997;
                    else ((float *)memory[k])[j] = 1 + (float)(j % 997) / 997;
            const double rate = gemm(precision, n, memory[0], memory[1], memory[2]);
            ratio[precision][round] = rate / s.peak[precision];
            printf("%s %.3f %.2f %.2f %.2f %.4f\n", names[precision], 1e-9 * s.clock_hz,
                   1e-9 * s.peak[precision], 1e-9 * s.reached[precision], 1e-9 * rate,
                   ratio[precision][round]);
        }
    }
    for (int precision = 0; precision < PRECISIONS; precision++) {
        double *of = ratio[precision];
        qsort(of, (size_t)rounds, sizeof *of, compare);
        printf("# %s: gemm/peak %.4f, %.4f to %.4f\n", names[precision], of[rounds / 2], of[0],
               of[rounds - 1]);
        if (!(of[rounds / 2] <= 1.01)) status = 1;
    }
    for (int k = 0; k < 3; k++) free(memory[k]);
    return status;
}
