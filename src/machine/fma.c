/* SPDX-License-Identifier: BSD-3-Clause */
/* fma.c: the rate of multiply-adds between registers, and the clock of a core that does them.

   A loop has more independent sums than any processor has units times cycles of latency, and beside
   them a chain of integer additions, each of which takes a cycle and needs the one before. Without
   a chain its time tells the rate of the units; with one that lasts longer than the sums of a round
   it tells the clock under that load. No zeros are multiplied: units that switch less draw less
   power, and the clock could be higher. The loops are written as instructions, because a compiler
   keeps some of the sums in memory. */
#include <config.h>
#include <math.h>
#include <time.h>
#include "machine/machine_internal.h"

/* A run lasts 10 to 40 us, of which reading the time is less than a hundredth. Whatever else runs
   only lengthens a run, so the shortest counts. */
enum { LEAST_RUNS = 8, RUNS = 30, INSTRUCTIONS = 60000 };

#define LIMIT_S 0.02 /* after which LEAST_RUNS are enough: emulators take milliseconds for each */

/* The longer chain is for units that take more cycles for a round than the shorter one. */
enum { NO_CHAIN, CHAIN, LONG_CHAIN, CHAINS };

typedef void loop(long rounds, const void *factors);
typedef struct {
    const char *set;
    int bits; /* of a vector */
    /* Of a round: its instructions, the operations that each of them does on an element of the
       vector, and the additions of CHAIN. */
    int instructions, operations, chain;
    loop *of[CM_FMA_PRECISIONS][CHAINS];
} kernel;

/* ---- Loops ----------------------------------------------------------------------------------- */

/* Two factors, of which one is the inverse of the other, as vectors of 64 bytes. */
#define TIMES_8(x) x, x, x, x, x, x, x, x
static const double factors_double[] = {TIMES_8(0.70710678118654752), TIMES_8(1.4142135623730951)};
static const float factors_single[] = {TIMES_8(0.70710678F), TIMES_8(0.70710678F),
                                       TIMES_8(1.4142135F), TIMES_8(1.4142135F)};
static const void *const factors[CM_FMA_PRECISIONS] = {factors_double, factors_single};

#define EACH(list, instruction) ".irp s," list "\n\t" instruction "\n\t.endr\n\t"
#define FIRST_7 "0,1,2,3,4,5,6"
#define OTHER_7 "7,8,9,10,11,12,13"
#define FIRST_12 "0,1,2,3,4,5,6,7,8,9,10,11"
#define FIRST_24 FIRST_12 ",12,13,14,15,16,17,18,19,20,21,22,23"

#if defined(__x86_64__) && defined(__GNUC__)

#define LOWER_16                                                                             \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#define ALL_32                                                                                 \
    LOWER_16, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", \
        "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31"

#define LOOP(name, target, start, round, additions, ...)                                   \
    __attribute__((noinline)) target static void name(long rounds, const void *factors_at) \
    {                                                                                      \
        long sum = 1;                                                                      \
        __asm__ volatile(start "1:\n\t" round ".rept " additions                           \
                               "\n\tadd %[at], %[sum]\n\t.endr\n\tdec %[rounds]\n\tjnz 1b" \
                         : [sum] "+r"(sum), [rounds] "+r"(rounds)                          \
                         : [at] "r"(factors_at)                                            \
                         : "cc", "memory", __VA_ARGS__);                                   \
    }

/* Without FMA a multiplication and an addition, of seven sums each, at once; products are
   multiplied by one factor and then by its inverse. */
#define SSE2_START                                                                       \
    "movups (%[at]), %%xmm14\n\tmovups 64(%[at]), %%xmm15\n\t" EACH(FIRST_7 "," OTHER_7, \
                                                                    "movaps %%xmm14, %%xmm\\s")
#define SSE2_HALF(type, factor)                             \
    EACH(FIRST_7, "addp" type " %%xmm" factor ", %%xmm\\s") \
    EACH(OTHER_7, "mulp" type " %%xmm" factor ", %%xmm\\s")
#define SSE2(name, type, additions) \
    LOOP(name, , SSE2_START, SSE2_HALF(type, "14") SSE2_HALF(type, "15"), additions, LOWER_16)
SSE2(sse2_double, "d", "0")
SSE2(sse2_double_chain, "d", "32")
SSE2(sse2_double_long, "d", "64")
SSE2(sse2_single, "s", "0")

#define AVX2(name, type, additions)                                         \
    LOOP(name, __attribute__((target("avx2,fma"))),                         \
         "vmovups (%[at]), %%ymm14\n\tvmovups 64(%[at]), %%ymm15\n\t" EACH( \
             FIRST_12, "vmovaps %%ymm14, %%ymm\\s"),                        \
         EACH(FIRST_12, "vfmadd231p" type " %%ymm14, %%ymm15, %%ymm\\s"), additions, LOWER_16)
AVX2(avx2_double, "d", "0")
AVX2(avx2_double_chain, "d", "14")
AVX2(avx2_double_long, "d", "28")
AVX2(avx2_single, "s", "0")

#define AVX512(name, type, additions)                                       \
    LOOP(name, __attribute__((target("avx512f"))),                          \
         "vmovups (%[at]), %%zmm30\n\tvmovups 64(%[at]), %%zmm31\n\t" EACH( \
             FIRST_24, "vmovaps %%zmm30, %%zmm\\s"),                        \
         EACH(FIRST_24, "vfmadd231p" type " %%zmm30, %%zmm31, %%zmm\\s"), additions, ALL_32)
AVX512(avx512_double, "d", "0")
AVX512(avx512_double_chain, "d", "28")
AVX512(avx512_double_long, "d", "56")
AVX512(avx512_single, "s", "0")

/* Returns the sets of this processor, the one with the widest vectors last. */
static size_t kernels(kernel of[CM_FMA_SETS])
{
    size_t n = 0;
    __builtin_cpu_init();
    of[n++] =
        (kernel){"sse2", 128, 28,
                 1,      32,  {{sse2_double, sse2_double_chain, sse2_double_long}, {sse2_single}}};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        of[n++] = (kernel){
            "avx2", 256, 12,
            2,      14,  {{avx2_double, avx2_double_chain, avx2_double_long}, {avx2_single}}};
    if (__builtin_cpu_supports("avx512f"))
        of[n++] = (kernel){
            "avx512", 512,
            24,       2,
            28,       {{avx512_double, avx512_double_chain, avx512_double_long}, {avx512_single}}};
    return n;
}

#elif defined(__aarch64__) && defined(__GNUC__)
#include <sys/auxv.h>
#include <sys/prctl.h>

#define LOOP(name, start, round, additions)                                                      \
    __attribute__((noinline)) static void name(long rounds, const void *factors_at)              \
    {                                                                                            \
        long sum = 1;                                                                            \
        __asm__ volatile(start "1:\n\t" round ".rept " additions                                 \
                               "\n\tadd %[sum], %[sum], %[at]\n\t.endr\n\t"                      \
                               "subs %[rounds], %[rounds], #1\n\tb.ne 1b"                        \
                         : [sum] "+r"(sum), [rounds] "+r"(rounds)                                \
                         : [at] "r"(factors_at)                                                  \
                         : "cc", "memory", "p0", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", \
                           "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17",   \
                           "v18", "v19", "v20", "v21", "v22", "v23", "v30", "v31");              \
    }

#define NEON(name, type, additions)                                                         \
    LOOP(name,                                                                              \
         "ldr q30, [%[at]]\n\tldr q31, [%[at], #64]\n\t" EACH(FIRST_24,                     \
                                                              "mov v\\s\\().16b, v30.16b"), \
         EACH(FIRST_24, "fmla v\\s\\()." type ", v30." type ", v31." type), additions)
NEON(neon_double, "2d", "0")
NEON(neon_double_chain, "2d", "28")
NEON(neon_double_long, "2d", "56")
NEON(neon_single, "4s", "0")

#define SVE(name, type, load, additions)                                      \
    LOOP(name,                                                                \
         ".arch_extension sve\n\tptrue p0." type "\n\t" load " {z30." type    \
         "}, p0/z, [%[at]]\n\t" load " {z31." type                            \
         "}, p0/z, [%[at], #64]\n\t" EACH(FIRST_24, "mov z\\s\\().d, z30.d"), \
         EACH(FIRST_24, "fmla z\\s\\()." type ", p0/m, z30." type ", z31." type), additions)
SVE(sve_double, "d", "ld1rd", "0")
SVE(sve_double_chain, "d", "ld1rd", "28")
SVE(sve_double_long, "d", "ld1rd", "56")
SVE(sve_single, "s", "ld1rw", "0")

static size_t kernels(kernel of[CM_FMA_SETS])
{
    enum { BYTES = 0xffff }; /* PR_SVE_VL_LEN_MASK */
    size_t n = 0;
    of[n++] =
        (kernel){"neon", 128, 24,
                 2,      28,  {{neon_double, neon_double_chain, neon_double_long}, {neon_single}}};
    const int length = getauxval(AT_HWCAP) & HWCAP_SVE ? prctl(PR_SVE_GET_VL) : -1;
    if (length > 0)
        of[n++] = (kernel){"sve", (length & BYTES) * 8,
                           24,    2,
                           28,    {{sve_double, sve_double_chain, sve_double_long}, {sve_single}}};
    return n;
}

#else

static size_t kernels(kernel of[CM_FMA_SETS])
{
    (void)of;
    return 0;
}

#endif

/* ---- Times ----------------------------------------------------------------------------------- */

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the seconds of a round, infinity where no time passes (simulators). */
static double round_s(const kernel *k, int precision, int chain)
{
    const long rounds = INSTRUCTIONS / k->instructions;
    double least_s = INFINITY, end_s = now_s() + LIMIT_S;
    for (int run = 0; run < LEAST_RUNS || (run < RUNS && now_s() < end_s); run++) {
        const double start_s = now_s();
        k->of[precision][chain](rounds, factors[precision]);
        const double time_s = now_s() - start_s;
        if (time_s > 0 && time_s < least_s) least_s = time_s;
    }
    return least_s / (double)rounds;
}

size_t cm_machine_fma(cm_fma_rate rate[CM_FMA_SETS])
{
    kernel of[CM_FMA_SETS];
    const size_t sets = kernels(of);
    for (size_t set = 0; set < sets; set++) {
        const kernel *k = &of[set];
        rate[set] = (cm_fma_rate){.set = k->set, .bits = k->bits, .fused = k->operations == 2};
        for (int precision = 0; precision < CM_FMA_PRECISIONS; precision++) {
            const int lanes = k->bits / (precision == CM_FMA_DOUBLE ? 64 : 32);
            rate[set].flop_per_s[precision] =
                (double)(lanes * k->operations * k->instructions) / round_s(k, precision, NO_CHAIN);
        }
        /* Where the chain is not what takes longest, both say too little. */
        const double hz = k->chain / round_s(k, CM_FMA_DOUBLE, CHAIN);
        const double long_hz = 2 * k->chain / round_s(k, CM_FMA_DOUBLE, LONG_CHAIN);
        rate[set].clock_hz = hz > long_hz ? hz : long_hz;
    }
    return sets > 0 && rate[sets - 1].clock_hz > 0 ? sets : 0;
}
