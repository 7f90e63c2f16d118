/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_vector.h: the vectors of one data type, as the compiler's (GNU C) extension, with intrinsics
   where the extension is not enough. Part of hint_kernels.h. HINT_VECTOR_BYTES may be set from
   outside: the compiler splits vectors that are longer than the processor's. */
#include <string.h>
/* The warning concerns vectors passed between files; there are none. */
#pragma GCC diagnostic ignored "-Wpsabi"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#ifndef HINT_VECTOR_BYTES
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define HINT_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define HINT_VECTOR_BYTES 32
#else
#define HINT_VECTOR_BYTES 16
#endif
#endif
/* Vectors of AVX-512's length, on a processor that has it. */
#if HINT_VECTOR_BYTES == 64 && defined(__AVX512F__) && defined(__AVX512DQ__)
#define HINT_AVX512 1
#else
#define HINT_AVX512 0
#endif
#define HINT_LANES ((int)(HINT_VECTOR_BYTES / sizeof(value)))

typedef value HINT(vector) __attribute__((vector_size(HINT_VECTOR_BYTES)));
/* Comparisons give -1 or 0 in integers of the type's width. */
#if HINT_BITS == 64
typedef int64_t HINT(mask) __attribute__((vector_size(HINT_VECTOR_BYTES)));
#else
typedef int32_t HINT(mask) __attribute__((vector_size(HINT_VECTOR_BYTES)));
#endif

typedef kept HINT(kept_vector) __attribute__((vector_size(HINT_LANES * sizeof(kept))));
#if HINT_KEPT_BITS == 64
typedef int64_t HINT(kept_mask) __attribute__((vector_size(HINT_LANES * sizeof(kept))));
#else
typedef int32_t HINT(kept_mask) __attribute__((vector_size(HINT_LANES * sizeof(kept))));
#endif

static inline HINT(kept_vector) HINT(load)(const kept *from)
{
    HINT(kept_vector) v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void HINT(store)(kept *to, HINT(kept_vector) v) { memcpy(to, &v, sizeof v); }

static inline HINT(vector) HINT(values)(HINT(kept_vector) v)
{
#if HINT_REAL && HINT_BITS == 64 && HINT_VECTOR_BYTES == 32 && defined(__AVX__)
    return (HINT(vector))_mm256_cvtepi32_pd((__m128i)v); /* GCC 12 would split the halves */
#elif HINT_REAL && HINT_BITS == 64 && HINT_AVX512
    return (HINT(vector))_mm512_cvtepi32_pd((__m256i)v);
#else
    return __builtin_convertvector(v, HINT(vector));
#endif
}

static inline HINT(vector) HINT(where)(HINT(mask) mask, HINT(vector) v)
{
    return (HINT(vector))(mask & (HINT(mask))v);
}

static inline bool HINT(all)(HINT(mask) mask)
{
#if HINT_VECTOR_BYTES == 32 && defined(__AVX2__)
    return _mm256_movemask_epi8((__m256i)mask) == -1;
#elif HINT_VECTOR_BYTES == 16 && defined(__SSE2__)
    return _mm_movemask_epi8((__m128i)mask) == 0xffff;
#elif HINT_BITS == 64 && HINT_AVX512
    return _mm512_movepi64_mask((__m512i)mask) == 0xff;
#elif HINT_AVX512
    return _mm512_movepi32_mask((__m512i)mask) == 0xffff;
#else
    int64_t word[sizeof mask / sizeof(int64_t)], both = -1;
    memcpy(word, &mask, sizeof mask);
    for (size_t k = 0; k < sizeof mask / sizeof(int64_t); k++) both &= word[k];
    return both == -1;
#endif
}

/* Converts a mask of value lanes to a mask of kept lanes. */
static inline HINT(kept_mask) HINT(kept_lanes)(HINT(mask) mask)
{
#if HINT_BITS == 64 && HINT_KEPT_BITS == 32 && HINT_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (HINT(kept_mask))_mm_packs_epi32(_mm256_castsi256_si128((__m256i)mask),
                                            _mm256_extracti128_si256((__m256i)mask, 1));
#else
    return __builtin_convertvector(mask, HINT(kept_mask));
#endif
}

/* Fills the lanes outside `ours` with the first lane, so that they compute nothing out of range. */
static inline HINT(kept_vector) HINT(filled)(HINT(kept_mask) ours, HINT(kept_vector) v)
{
    const HINT(kept_vector) first = v[0] - (HINT(kept_vector)){0};
    return (HINT(kept_vector))((ours & (HINT(kept_mask))v) | (~ours & (HINT(kept_mask))first));
}

/* Stores a0 b0 a1 b1 and so on, first from the vectors' first halves; b before a in lanes with
   swap set. */
#define HINT_PAIR(k) (k), HINT_LANES + (k)
#if HINT_VECTOR_BYTES / (HINT_BITS / 8) == 2
#define HINT_PAIRS(k) HINT_PAIR(k)
#elif HINT_VECTOR_BYTES / (HINT_BITS / 8) == 4
#define HINT_PAIRS(k) HINT_PAIR(k), HINT_PAIR((k) + 1)
#elif HINT_VECTOR_BYTES / (HINT_BITS / 8) == 8
#define HINT_PAIRS(k) HINT_PAIR(k), HINT_PAIR((k) + 1), HINT_PAIR((k) + 2), HINT_PAIR((k) + 3)
#else
#define HINT_PAIRS(k)                                                                             \
    HINT_PAIR(k), HINT_PAIR((k) + 1), HINT_PAIR((k) + 2), HINT_PAIR((k) + 3), HINT_PAIR((k) + 4), \
        HINT_PAIR((k) + 5), HINT_PAIR((k) + 6), HINT_PAIR((k) + 7)
#endif
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define HINT_SHUFFLE __builtin_shufflevector
#endif
#endif
#ifndef HINT_SHUFFLE
#define HINT_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (HINT(kept_mask)){__VA_ARGS__})
#endif
static inline void HINT(append)(kept *to, HINT(kept_mask) swap, HINT(kept_vector) a,
                                HINT(kept_vector) b)
{
    const HINT(kept_mask) other = ((HINT(kept_mask))a ^ (HINT(kept_mask))b) & swap;
    a = (HINT(kept_vector))((HINT(kept_mask))a ^ other);
    b = (HINT(kept_vector))((HINT(kept_mask))b ^ other);
    HINT(store)(to, HINT_SHUFFLE(a, b, HINT_PAIRS(0)));
    HINT(store)(to + HINT_LANES, HINT_SHUFFLE(a, b, HINT_PAIRS(HINT_LANES / 2)));
}

/* Returns the mask of the lanes below n. */
static inline HINT(mask) HINT(first_lanes)(size_t n)
{
    HINT(mask) lane;
    for (int k = 0; k < HINT_LANES; k++) lane[k] = k;
    return lane < (int)(n < HINT_LANES ? n : HINT_LANES);
}

#if HINT_REAL
/* Returns the whole parts of y >= 0. */
static inline HINT(vector) HINT(wholes)(HINT(vector) y)
{
#if HINT_VECTOR_BYTES == 32 && defined(__AVX__)
    return HINT_BITS == 64 ? (HINT(vector))_mm256_floor_pd((__m256d)y)
                           : (HINT(vector))_mm256_floor_ps((__m256)y);
#elif HINT_VECTOR_BYTES == 16 && defined(__SSE4_1__)
    return HINT_BITS == 64 ? (HINT(vector))_mm_floor_pd((__m128d)y)
                           : (HINT(vector))_mm_floor_ps((__m128)y);
#elif HINT_AVX512
    return HINT_BITS == 64 ? (HINT(vector))_mm512_floor_pd((__m512d)y)
                           : (HINT(vector))_mm512_floor_ps((__m512)y);
#else
    /* At a magnitude where the last place is worth 1, adding rounds to the nearest whole number. */
    const value ones = HINT_BITS == 64 ? 0x1p52 : 0x1p23f;
    HINT(vector) nearest = y + ones - ones;
    return nearest - HINT(where)(nearest > y, (HINT(vector)){0} + 1);
#endif
}
#else
typedef HINT_UNSIGNED HINT(unsigned_vector) __attribute__((vector_size(HINT_VECTOR_BYTES)));
typedef HINT_FLOATING HINT(real_vector) __attribute__((vector_size(HINT_VECTOR_BYTES)));

/* Returns rows numerator / divisor, as one of the two nearest whole numbers. */
static inline HINT(vector) HINT(quotients)(HINT(vector) numerator, HINT(vector) divisor, value rows)
{
#if HINT_BITS == 32
    return __builtin_convertvector((HINT_FLOATING)rows
                                       * __builtin_convertvector(numerator, HINT(real_vector))
                                       / __builtin_convertvector(divisor, HINT(real_vector)),
                                   HINT(vector));
#else
    /* Below 2^52 a sum with 2^52 has a last place worth 1: its low bits are the whole number. Few
       processors have an instruction for it. Rounds to the nearest. */
    const HINT(real_vector) ones = (HINT(real_vector)){0} + 0x1p52;
    const HINT(vector) bits = (HINT(vector))ones;
    HINT(real_vector) over = (HINT(real_vector))(numerator | bits) - ones,
                      under = (HINT(real_vector))(divisor | bits) - ones;
    return (HINT(vector))((double)rows * over / under + ones) ^ bits;
#endif
}

/* Multiplies numbers below 2^32. */
static inline HINT(vector) HINT(products)(HINT(vector) a, HINT(vector) b)
{
#if HINT_BITS == 64 && HINT_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (HINT(vector))_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif HINT_BITS == 64 && HINT_VECTOR_BYTES == 16 && defined(__SSE2__)
    return (HINT(vector))_mm_mul_epu32((__m128i)a, (__m128i)b);
#elif HINT_BITS == 64 && HINT_AVX512
    return (HINT(vector))_mm512_mul_epu32((__m512i)a, (__m512i)b);
#else
    return (HINT(vector))((HINT(unsigned_vector))a * (HINT(unsigned_vector))b);
#endif
}
#endif
