/* SPDX-License-Identifier: BSD-3-Clause */
/* blas_kernel.c: checks whether OpenBLAS' kernels suit the processor. An OpenBLAS older than the
   processor runs kernels that are decades old; one that was told to use other kernels may use those
   of a different processor. */
#include "config.h"
#include <string.h>
#include "machine/machine.h"

#if defined(__x86_64__) && defined(__GNUC__)
/* Vectors of 128 bits; of 256; with fused multiply-add; of 512. */
enum { SSE, AVX, AVX2, AVX512, UNKNOWN };

static int level_of(const char *name)
{
    static const char *const names[UNKNOWN][16] = {
        [SSE] = {"Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Atom", "Nano", "Opteron",
                 "Opteron_SSE3", "Barcelona", "Bobcat", "Northwood"},
        [AVX] = {"Sandybridge", "Bulldozer", "Piledriver", "Steamroller"},
        [AVX2] = {"Excavator", "Haswell", "Zen"},
        [AVX512] = {"SkylakeX", "Cooperlake", "SapphireRapids"},
    };
    for (int level = SSE; level < UNKNOWN; level++)
        for (int k = 0; names[level][k]; k++)
            if (strcmp(names[level][k], name) == 0) return level;
    return UNKNOWN;
}

static int level_here(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        return AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return AVX2;
    return __builtin_cpu_supports("avx") ? AVX : SSE;
}

const char *cm_machine_better_blas_kernel(const char *runs)
{
    static const char *const best[] = {
        [SSE] = NULL, [AVX] = "Sandybridge", [AVX2] = "Haswell", [AVX512] = "SkylakeX"};
    return level_of(runs) < level_here() ? best[level_here()] : NULL;
}

bool cm_machine_runs_blas_kernel(const char *runs)
{
    return level_of(runs) == UNKNOWN || level_of(runs) <= level_here();
}
#else
const char *cm_machine_better_blas_kernel(const char *runs)
{
    (void)runs;
    return NULL;
}

bool cm_machine_runs_blas_kernel(const char *runs)
{
    (void)runs;
    return true;
}
#endif
