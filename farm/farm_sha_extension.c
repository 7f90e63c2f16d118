/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_sha_extension.c: SHA-1 by the instructions that x86-64 has for it, four messages at once.
   Four rounds of one message wait for the four before; those of the others, and the making of the
   next block, fill the time. */
#include "config.h"
#ifdef __x86_64__
#ifndef __clang__
/* Beside registers of 256 bits in use the instructions for SHA-1 can take a hundred times longer.
   Before the headers: their functions are inlined only into what has the same. */
#pragma GCC target("no-avx")
#endif
#include <cpuid.h>
#include <immintrin.h>
#include <string.h>
#include "farm_generator.h"
#include "farm_multi.h"

#define USING_SHA __attribute__((target("sha,sse4.1,bmi2")))
#define INLINE USING_SHA static inline __attribute__((always_inline))

enum { MESSAGES = 4, ROUNDS_AT_ONCE = 4, BLOCK_WORDS = FARM_BLOCK_BYTES / FARM_WORD_BYTES };

typedef struct {
    __m128i abcd[MESSAGES], e[MESSAGES];
} hashes;
typedef unsigned char blocks[MESSAGES][FARM_BLOCK_BYTES];

/* Kept in registers, counts of shifts that do not overwrite what they shift. */
typedef struct {
    unsigned first, second, third;
} shifts;

/* The same as cm_random_mix. */
INLINE uint64_t generator_word(uint64_t z, shifts by)
{
    z = (z ^ z >> by.first) * CM_RANDOM_FACTOR_1;
    z = (z ^ z >> by.second) * CM_RANDOM_FACTOR_2;
    return z ^ z >> by.third;
}

/* The highest byte first, as SHA-1 has its words, and the first word highest, as the instructions
   do. */
#define HIGHEST_FIRST _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f)

/* A block of each message. If next is given, this many states of the generator make one block each
   there. */
INLINE void block(hashes *h, const blocks *data, uint64_t state[MESSAGES], shifts by, blocks *next)
{
    const __m128i reversed = HIGHEST_FIRST;
    __m128i w[MESSAGES][4], abcd[MESSAGES], before[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) abcd[i] = h->abcd[i];
#define WORDS(t, i)                                                                               \
    ((t) < 4 ? _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(*data)[i] + (t) % 4), reversed) \
             : _mm_sha1msg2_epu32(                                                                \
                 _mm_xor_si128(_mm_sha1msg1_epu32(w[i][(t) % 4], w[i][((t) + 1) % 4]),            \
                               w[i][((t) + 2) % 4]),                                              \
                 w[i][((t) + 3) % 4]))
/* Every second time a word of the generator, at other times for neighbours; in registers of its own
   (asm), for compilers would gather those of two messages in vectors, which have enough to do. */
#define FOUR_ROUNDS_OF(t, i)                                                                \
    do {                                                                                    \
        __m128i word = w[i][(t) % 4] = WORDS(t, i);                                         \
        __m128i e =                                                                         \
            (t) == 0 ? _mm_add_epi32(h->e[i], word) : _mm_sha1nexte_epu32(before[i], word); \
        before[i] = abcd[i];                                                                \
        abcd[i] = _mm_sha1rnds4_epu32(abcd[i], e, (t) / 5);                                 \
        if (next && (t) % 2 == (i) % 2 && (t) / 2 < BLOCK_WORDS) {                          \
            uint64_t made = generator_word(state[i], by);                                   \
            state[i] += CM_RANDOM_STEP;                                                     \
            __asm__("" : "+r"(made), "+r"(state[i]));                                       \
            memcpy((*next)[i] + (t) / 2 * FARM_WORD_BYTES, &made, sizeof made);             \
        }                                                                                   \
    } while (0)
#define FOUR_ROUNDS(t)        \
    do {                      \
        FOUR_ROUNDS_OF(t, 0); \
        FOUR_ROUNDS_OF(t, 1); \
        FOUR_ROUNDS_OF(t, 2); \
        FOUR_ROUNDS_OF(t, 3); \
    } while (0)
    FOUR_ROUNDS(0);
    FOUR_ROUNDS(1);
    FOUR_ROUNDS(2);
    FOUR_ROUNDS(3);
    FOUR_ROUNDS(4);
    FOUR_ROUNDS(5);
    FOUR_ROUNDS(6);
    FOUR_ROUNDS(7);
    FOUR_ROUNDS(8);
    FOUR_ROUNDS(9);
    FOUR_ROUNDS(10);
    FOUR_ROUNDS(11);
    FOUR_ROUNDS(12);
    FOUR_ROUNDS(13);
    FOUR_ROUNDS(14);
    FOUR_ROUNDS(15);
    FOUR_ROUNDS(16);
    FOUR_ROUNDS(17);
    FOUR_ROUNDS(18);
    FOUR_ROUNDS(19);
    for (int i = 0; i < MESSAGES; i++) {
        h->e[i] = _mm_sha1nexte_epu32(before[i], h->e[i]);
        h->abcd[i] = _mm_add_epi32(h->abcd[i], abcd[i]);
    }
}

/* ---- Messages -------------------------------------------------------------------------------- */

INLINE void begin(hashes *h)
{
    const uint32_t *s = farm_initial_state;
    for (int i = 0; i < MESSAGES; i++) {
        h->abcd[i] = _mm_set_epi32((int)s[0], (int)s[1], (int)s[2], (int)s[3]);
        h->e[i] = _mm_set_epi32((int)s[4], 0, 0, 0);
    }
}

/* last: holds what follows the last whole block of messages of `bytes` bytes. */
INLINE void end(hashes *h, const blocks *last, size_t bytes, farm_digest digest[MESSAGES])
{
    unsigned char tail[MESSAGES][2 * FARM_BLOCK_BYTES];
    blocks data;
    size_t padded = 0;
    for (int i = 0; i < MESSAGES; i++) padded = farm_multi_pad((*last)[i], bytes, tail[i]);
    for (size_t k = 0; k < padded; k++) {
        for (int i = 0; i < MESSAGES; i++)
            memcpy(data[i], tail[i] + k * FARM_BLOCK_BYTES, FARM_BLOCK_BYTES);
        block(h, &data, NULL, (shifts){0, 0, 0}, NULL);
    }
    for (int i = 0; i < MESSAGES; i++) {
        uint32_t e = __builtin_bswap32((uint32_t)_mm_extract_epi32(h->e[i], 3));
        _mm_storeu_si128((__m128i *)digest[i].byte, _mm_shuffle_epi8(h->abcd[i], HIGHEST_FIRST));
        memcpy(digest[i].byte + sizeof(__m128i), &e, sizeof e);
    }
}

USING_SHA static void digest_messages(const unsigned char *const message[MESSAGES], size_t bytes,
                                      farm_digest digest[MESSAGES])
{
    hashes h;
    blocks data;
    begin(&h);
    for (size_t at = 0; at + FARM_BLOCK_BYTES <= bytes; at += FARM_BLOCK_BYTES) {
        for (int i = 0; i < MESSAGES; i++) memcpy(data[i], message[i] + at, FARM_BLOCK_BYTES);
        block(&h, &data, NULL, (shifts){0, 0, 0}, NULL);
    }
    size_t rest = bytes % FARM_BLOCK_BYTES;
    for (int i = 0; i < MESSAGES && rest > 0; i++) memcpy(data[i], message[i] + bytes - rest, rest);
    end(&h, &data, bytes, digest);
}

/* While a block is hashed the next one is prepared, even after the last one. */
USING_SHA static void digest_units(const uint32_t unit[MESSAGES], size_t bytes,
                                   farm_digest digest[MESSAGES])
{
    hashes h;
    blocks made[2];
    uint64_t state[MESSAGES];
    shifts by = {30, 27, 31};
    __asm__("" : "+r"(by.first), "+r"(by.second), "+r"(by.third));
    for (int i = 0; i < MESSAGES; i++) {
        farm_unit_fill(unit[i], 0, made[0][i], FARM_BLOCK_BYTES);
        state[i] = farm_generator_state(unit[i], BLOCK_WORDS);
    }
    begin(&h);
    size_t whole = bytes / FARM_BLOCK_BYTES;
    for (size_t k = 0; k < whole; k++) block(&h, &made[k % 2], state, by, &made[(k + 1) % 2]);
    end(&h, &made[whole % 2], bytes, digest);
}

static bool supported(void)
{
    enum { SHA = 1u << 29 }; /* of EBX, leaf 7; GCC 12 has no name for it to ask for */
    unsigned a, b, c, d;
    return __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3")
           && __builtin_cpu_supports("bmi2") && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & SHA;
}

const farm_multi farm_multi_sha = {"SHA instructions, 4 messages in turn", MESSAGES, supported,
                                   digest_messages, digest_units};
#endif
