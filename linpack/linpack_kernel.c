/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_kernel.c: which kernels the BLAS runs, and how fast its matrix product is. */
#include "config.h"
#include <string.h>
#include "linpack_program.h"

void sgemm_(const char *, const char *, const int *, const int *, const int *, const float *,
            const float *, const int *, const float *, const int *, const float *, float *,
            const int *);
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *, const double *, double *,
            const int *);

#ifdef HAVE_OPENBLAS
char *openblas_get_corename(void);
const char *linpack_blas_name(void) { return openblas_get_corename(); }
#else
const char *linpack_blas_name(void) { return ""; }
#endif

/* Vectors of 128 bits; of 256; with fused multiply-add; of 512. */
enum { SSE, AVX, AVX2, AVX512 };

static int kernel_level(const char *name)
{
    static const struct { const char *name; int level;
    } known[] = {
        {"Prescott", SSE},      {"Core2", SSE},
        {"Penryn", SSE},        {"Dunnington", SSE},
        {"Nehalem", SSE},       {"Atom", SSE},
        {"Nano", SSE},          {"Opteron", SSE},
        {"Opteron_SSE3", SSE},  {"Barcelona", SSE},
        {"Bobcat", SSE},        {"Northwood", SSE},
        {"Sandybridge", AVX},   {"Bulldozer", AVX},
        {"Piledriver", AVX},    {"Steamroller", AVX},
        {"Excavator", AVX},     {"Haswell", AVX2},
        {"Zen", AVX2},          {"SkylakeX", AVX512},
        {"Cooperlake", AVX512}, {"SapphireRapids", AVX512},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (!strcmp(known[k].name, name)) return known[k].level;
    return AVX512;   /* one that came later */
}

const char *linpack_better_kernel(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    const char *name = linpack_blas_name();
    if (!*name) return NULL;
    int level = kernel_level(name);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        return level < AVX512 ? "SkylakeX" : NULL;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return level < AVX2 ? "Haswell" : NULL;
    if (__builtin_cpu_supports("avx")) return level < AVX ? "Sandybridge" : NULL;
#else
    (void)kernel_level;
#endif
    return NULL;
}

/* The best of some products of 1024 x 1024 matrices, after one that is not counted: what the
   update could reach. */
double linpack_gemm_flop_per_s(int precision)
{
    enum { N = 1024, TIMES = 5 };
    const linpack_solvers *solvers = linpack_solvers_of(precision);
    void *memory[3];
    double *row = linpack_allocate(N, sizeof *row, "a row");
    for (int k = 0; k < N; k++) row[k] = 1.0 / (1 + k);
    for (int m = 0; m < 3; m++) {
        memory[m] = linpack_allocate((size_t)N * N, solvers->bytes, "matrices to multiply");
        for (size_t k = 0; k < N; k++)
            solvers->store(row, (char *)memory[m] + k * N * solvers->bytes, N, 1);
    }
    double best_s = HUGE_VAL;
    const int n = N;
    for (int k = 0; k <= TIMES; k++) {
        double since = cm_time();
        if (precision == LINPACK_SINGLE) {
            const float minus = -1, one = 1;
            sgemm_("N", "N", &n, &n, &n, &minus, memory[0], &n, memory[1], &n, &one, memory[2], &n);
        } else {
            const double minus = -1, one = 1;
            dgemm_("N", "N", &n, &n, &n, &minus, memory[0], &n, memory[1], &n, &one, memory[2], &n);
        }
        double took_s = cm_time() - since;
        if (k > 0 && took_s < best_s) best_s = took_s;
    }
    for (int m = 0; m < 3; m++) free(memory[m]);
    free(row);
    return 2.0 * N * N * N / best_s;
}
