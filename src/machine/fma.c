/* SPDX-License-Identifier: BSD-3-Clause */
/* fma.c: the rate of fused multiply-adds between registers. */
#include <config.h>
#include <time.h>
#include "machine/machine_internal.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_LOOPS
#elif defined(__aarch64__) && defined(__GNUC__)
#include <arm_neon.h>
#define HAS_LOOPS
#endif

/* Independent sums, which with the two factors are all in registers: enough for two units with a
   latency of up to six cycles. A processor with more is in the table of peak.c. */
enum { SUMS = 12, ROUNDS = 2000, RUNS = 100 };

#ifdef HAS_LOOPS

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* sum += factor * term. The instructions are written as such: what the compiler makes of a source
   keeps some of the sums in memory. */
#define LOOP(name, attribute, vector, set, instruction, constraint)                                \
    attribute static double name(void)                                                             \
    {                                                                                              \
        vector a = set(0.5), b = set(0.25), s0 = a, s1 = a, s2 = a, s3 = a, s4 = a, s5 = a;        \
        vector s6 = a, s7 = a, s8 = a, s9 = a, s10 = a, s11 = a;                                   \
        double start_s = now_s();                                                                  \
        for (int round = 0; round < ROUNDS; round++)                                               \
            __asm__ volatile(                                                                      \
                instruction("0") instruction("1") instruction("2") instruction("3")                \
                    instruction("4") instruction("5") instruction("6") instruction("7")            \
                        instruction("8") instruction("9") instruction("10") instruction("11")      \
                : "+" constraint(s0), "+" constraint(s1), "+" constraint(s2), "+" constraint(s3),  \
                  "+" constraint(s4), "+" constraint(s5), "+" constraint(s6), "+" constraint(s7),  \
                  "+" constraint(s8), "+" constraint(s9), "+" constraint(s10), "+" constraint(s11) \
                : constraint(a), constraint(b));                                                   \
        return now_s() - start_s;                                                                  \
    }

#ifdef __x86_64__
#define FMA(sum) "vfmadd231pd %12, %13, %" sum "\n\t"
LOOP(loop_256, __attribute__((target("avx2,fma"), noinline)), __m256d, _mm256_set1_pd, FMA, "x")
LOOP(loop_512, __attribute__((target("avx512f"), noinline)), __m512d, _mm512_set1_pd, FMA, "x")
#else
#define FMA(sum) "fmla %" sum ".2d, %12.2d, %13.2d\n\t"
LOOP(loop_128, , float64x2_t, vdupq_n_f64, FMA, "w")
#endif

static double fastest(double (*loop)(void), int bits)
{
    double least_s = 1e300;
    for (int run = 0; run < RUNS; run++) {
        double time_s = loop();
        if (time_s < least_s) least_s = time_s;
    }
    return least_s > 0 ? 2.0 * (bits / 64.0) * SUMS * ROUNDS / least_s : 0;
}

#endif

double cm_machine_fma_flop_per_s(int *bits)
{
    *bits = 0;
#ifdef HAS_LOOPS
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return fastest(loop_512, *bits = 512);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return fastest(loop_256, *bits = 256);
#else
    return fastest(loop_128, *bits = 128);
#endif
#endif
    return 0;
}
