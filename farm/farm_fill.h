/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_fill.h: making a unit of work with the vectors for which the including file is compiled. */
#ifndef FARM_FILL_H
#define FARM_FILL_H

#include <endian.h>
#include <string.h>
#include "farm_generator.h"
#include "farm_unit.h"
#if defined __AVX2__ && !defined __AVX512DQ__
#include <immintrin.h>
#endif

/* ---- Where vectors have no product of 64 bits ------------------------------------------------ */

#if defined __AVX2__ && !defined __AVX512DQ__
enum { VECTOR_WORDS = 4 };

static inline __m256i times(__m256i z, uint64_t factor)
{
    /* The lower half times the upper half, and the upper times the lower, side by side. Only the
       lower halves of the products count. */
    const __m256i turned = _mm256_set1_epi64x((int64_t)(factor << 32 | factor >> 32));
    __m256i crossed = _mm256_mullo_epi32(z, turned);
    __m256i upper = _mm256_add_epi32(crossed, _mm256_slli_epi64(crossed, 32));
    upper = _mm256_and_si256(upper, _mm256_set1_epi64x((int64_t)0xffffffff00000000u));
    return _mm256_add_epi64(_mm256_mul_epu32(z, _mm256_set1_epi64x((int64_t)factor)), upper);
}

static inline __m256i vector_words(__m256i z)
{
    z = times(_mm256_xor_si256(z, _mm256_srli_epi64(z, 30)), CM_RANDOM_FACTOR_1);
    z = times(_mm256_xor_si256(z, _mm256_srli_epi64(z, 27)), CM_RANDOM_FACTOR_2);
    return _mm256_xor_si256(z, _mm256_srli_epi64(z, 31));
}

/* Four words by the vector units and beside them one by the others, which had nothing to do.
   Returns how many it made. */
static inline size_t many_words(uint64_t state, unsigned char *data, size_t words)
{
    enum { STEP = VECTOR_WORDS + 1 };
    size_t j = 0;
    uint64_t s[VECTOR_WORDS];
    if (words < STEP) return 0;
    for (int k = 0; k < VECTOR_WORDS; k++) s[k] = state + (uint64_t)k * CM_RANDOM_STEP;
    __m256i four = _mm256_loadu_si256((const __m256i *)s);
    const __m256i step = _mm256_set1_epi64x((int64_t)(STEP * CM_RANDOM_STEP));
    uint64_t fifth = state + VECTOR_WORDS * CM_RANDOM_STEP;
    for (; j + STEP <= words; j += STEP) {
        uint64_t word = cm_random_mix(fifth);
        unsigned char *at = data + j * FARM_WORD_BYTES;
        _mm256_storeu_si256((__m256i *)at, vector_words(four));
        memcpy(at + sizeof four, &word, sizeof word);
        four = _mm256_add_epi64(four, step);
        fifth += STEP * CM_RANDOM_STEP;
    }
    return j;
}
#else
static inline size_t many_words(uint64_t state, unsigned char *data, size_t words)
{
    (void)state, (void)data, (void)words;
    return 0;
}
#endif

/* ---- Units ----------------------------------------------------------------------------------- */

/* Does the same as farm_unit_fill. */
static inline void fill(uint32_t unit, size_t from, unsigned char *data, size_t bytes)
{
    size_t words = bytes / FARM_WORD_BYTES, rest = bytes % FARM_WORD_BYTES;
    /* One product a unit instead of one a word. */
    uint64_t state = farm_generator_state(unit, from / FARM_WORD_BYTES);
    size_t j = many_words(state, data, words);
    state += j * CM_RANDOM_STEP;
    for (; j < words; j++, state += CM_RANDOM_STEP) {
        uint64_t word = htole64(cm_random_mix(state));
        memcpy(data + j * FARM_WORD_BYTES, &word, sizeof word);
    }
    uint64_t word = htole64(cm_random_mix(state));
    memcpy(data + words * FARM_WORD_BYTES, &word, rest);
}

#endif
