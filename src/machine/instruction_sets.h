/* SPDX-License-Identifier: BSD-3-Clause */
/* instruction_sets.h: the instruction sets that a compiler uses on its own when it builds for one
   processor, and how to ask a processor for them. Define CM_SET before including this file; it has
   no include guard.

   x86: CM_SET(macro, name, leaf, subleaf, register, bit, state), where leaf, subleaf, register (a,
   b, c or d) and bit are those of CPUID, and state is the bits of XCR0 that the system must have
   set to keep the registers (Intel SDM volume 1 chapter 14, volume 2 CPUID).
   ARM: CM_SET(macro, name, word, bit); POWER: CM_SET(macro, name, word, mask bit), where word is
   AT_HWCAP (1) or AT_HWCAP2 (2) of getauxval (Linux, asm/hwcap.h and asm/cputable.h).

   Instruction sets that only intrinsics use (AES, SHA, AMX) are not listed: a program that uses
   them asks for them itself. */
#if defined(__x86_64__) || defined(__i386__)
CM_SET(__SSE2__, "sse2", 1, 0, d, 26, 0)
CM_SET(__SSE3__, "sse3", 1, 0, c, 0, 0)
CM_SET(__SSSE3__, "ssse3", 1, 0, c, 9, 0)
CM_SET(__SSE4_1__, "sse4_1", 1, 0, c, 19, 0)
CM_SET(__SSE4_2__, "sse4_2", 1, 0, c, 20, 0)
CM_SET(__POPCNT__, "popcnt", 1, 0, c, 23, 0)
CM_SET(__MOVBE__, "movbe", 1, 0, c, 22, 0)
CM_SET(__LZCNT__, "lzcnt", 0x80000001, 0, c, 5, 0)
CM_SET(__BMI__, "bmi1", 7, 0, b, 3, 0)
CM_SET(__BMI2__, "bmi2", 7, 0, b, 8, 0)
CM_SET(__ADX__, "adx", 7, 0, b, 19, 0)
CM_SET(__TBM__, "tbm", 0x80000001, 0, c, 21, 0)
CM_SET(__AVX__, "avx", 1, 0, c, 28, 0x06)
CM_SET(__F16C__, "f16c", 1, 0, c, 29, 0x06)
CM_SET(__FMA__, "fma", 1, 0, c, 12, 0x06)
CM_SET(__FMA4__, "fma4", 0x80000001, 0, c, 16, 0x06)
CM_SET(__XOP__, "xop", 0x80000001, 0, c, 11, 0x06)
CM_SET(__AVX2__, "avx2", 7, 0, b, 5, 0x06)
CM_SET(__AVXVNNI__, "avx_vnni", 7, 1, a, 4, 0x06)
CM_SET(__AVXIFMA__, "avx_ifma", 7, 1, a, 23, 0x06)
CM_SET(__AVXVNNIINT8__, "avx_vnni_int8", 7, 1, d, 4, 0x06)
CM_SET(__AVXNECONVERT__, "avx_ne_convert", 7, 1, d, 5, 0x06)
CM_SET(__AVXVNNIINT16__, "avx_vnni_int16", 7, 1, d, 10, 0x06)
CM_SET(__GFNI__, "gfni", 7, 0, c, 8, 0)
CM_SET(__AVX512F__, "avx512f", 7, 0, b, 16, 0xe6)
CM_SET(__AVX512CD__, "avx512cd", 7, 0, b, 28, 0xe6)
CM_SET(__AVX512DQ__, "avx512dq", 7, 0, b, 17, 0xe6)
CM_SET(__AVX512BW__, "avx512bw", 7, 0, b, 30, 0xe6)
CM_SET(__AVX512VL__, "avx512vl", 7, 0, b, 31, 0xe6)
CM_SET(__AVX512ER__, "avx512er", 7, 0, b, 27, 0xe6)
CM_SET(__AVX512IFMA__, "avx512ifma", 7, 0, b, 21, 0xe6)
CM_SET(__AVX512VBMI__, "avx512vbmi", 7, 0, c, 1, 0xe6)
CM_SET(__AVX512VBMI2__, "avx512_vbmi2", 7, 0, c, 6, 0xe6)
CM_SET(__AVX512VNNI__, "avx512_vnni", 7, 0, c, 11, 0xe6)
CM_SET(__AVX512BITALG__, "avx512_bitalg", 7, 0, c, 12, 0xe6)
CM_SET(__AVX512VPOPCNTDQ__, "avx512_vpopcntdq", 7, 0, c, 14, 0xe6)
CM_SET(__AVX512BF16__, "avx512_bf16", 7, 1, a, 5, 0xe6)
CM_SET(__AVX512FP16__, "avx512_fp16", 7, 0, d, 23, 0xe6)
CM_SET(__APX_F__, "apx", 7, 1, d, 21, 0x80000)
#elif defined(__aarch64__)
CM_SET(__ARM_FEATURE_ATOMICS, "atomics", 1, 8)
CM_SET(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC, "asimdhp", 1, 10)
CM_SET(__ARM_FEATURE_QRDMX, "asimdrdm", 1, 12)
CM_SET(__ARM_FEATURE_JCVT, "jscvt", 1, 13)
CM_SET(__ARM_FEATURE_COMPLEX, "fcma", 1, 14)
CM_SET(__ARM_FEATURE_SHA3, "sha3", 1, 17)
CM_SET(__ARM_FEATURE_DOTPROD, "asimddp", 1, 20)
CM_SET(__ARM_FEATURE_SVE, "sve", 1, 22)
CM_SET(__ARM_FEATURE_FP16_FML, "asimdfhm", 1, 23)
CM_SET(__ARM_FEATURE_SVE2, "sve2", 2, 1)
CM_SET(__ARM_FEATURE_MATMUL_INT8, "i8mm", 2, 13)
CM_SET(__ARM_FEATURE_BF16, "bf16", 2, 14)
#elif defined(__powerpc__)
CM_SET(__VSX__, "vsx", 1, 7)
CM_SET(_ARCH_PWR8, "arch_2_07", 2, 31)
CM_SET(_ARCH_PWR9, "arch_3_00", 2, 23)
CM_SET(_ARCH_PWR10, "arch_3_1", 2, 18)
#endif
