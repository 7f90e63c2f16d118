/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_lanes.c: SHA-1 (FIPS 180-4, section 6.1) of several messages of equal length at once. Each
   message has a lane of the vectors, and each step of the standard works on all lanes. */
#include "config.h"
#include <endian.h>
#include <string.h>
#include "farm_fill.h"
#include "farm_multi.h"
#include "machine/sets.h"

enum { BLOCK_BYTES = FARM_BLOCK_BYTES, BLOCK_WORDS = 16, STATE_WORDS = FARM_STATE_WORDS };

/* GROUP messages, the words of a register. */
#ifdef __AVX512F__
enum { GROUP = 16 };
#elif defined __AVX2__
enum { GROUP = 8 };
#else
enum { GROUP = 4 };
#endif
typedef uint32_t lanes __attribute__((vector_size(4 * GROUP)));

#define ROTATE(x, n) ((x) << (n) | (x) >> (32 - (n)))

/* ---- Words of one message each into words of one number each --------------------------------- */

#if defined __clang__ || __GNUC__ >= 12
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (lanes){__VA_ARGS__})
#endif
#if defined __AVX2__ && !defined __AVX512F__
/* Begins within the halves of a register: shuffles across the halves take longer. */
static inline void transpose(lanes r[GROUP])
{
    lanes s[GROUP], t[GROUP];
    for (int k = 0; k < GROUP; k += 2) {
        s[k] = SHUFFLE(r[k], r[k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        s[k + 1] = SHUFFLE(r[k], r[k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int half = 0; half < GROUP; half += 4)
        for (int k = half; k < half + 2; k++) {
            t[2 * k - half] = SHUFFLE(s[k], s[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            t[2 * k - half + 1] = SHUFFLE(s[k], s[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int k = 0; k < GROUP / 2; k++) {
        r[k] = SHUFFLE(t[k], t[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[k + 4] = SHUFFLE(t[k], t[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#else
#ifdef __AVX512F__
#define LOW(a, b) SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b) SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#else
#define LOW(a, b) SHUFFLE(a, b, 0, 4, 1, 5)
#define HIGH(a, b) SHUFFLE(a, b, 2, 6, 3, 7)
#endif

/* Transposes by log2 GROUP perfect shuffles of the rows. */
static inline void transpose(lanes row[GROUP])
{
    for (int step = 1; step < GROUP; step *= 2) {
        lanes next[GROUP];
        for (int k = 0; k < GROUP / 2; k++) {
            next[2 * k] = LOW(row[k], row[k + GROUP / 2]);
            next[2 * k + 1] = HIGH(row[k], row[k + GROUP / 2]);
        }
        memcpy(row, next, sizeof next);
    }
}
#endif

/* The words of the standard are big-endian. */
static inline lanes from_big_endian(lanes x)
{
#if BYTE_ORDER == LITTLE_ENDIAN
    lanes even = {0};
    even += 0x00ff00ffu;
    return (ROTATE(x, 8) & even) | (ROTATE(x, 24) & ~even);
#else
    return x;
#endif
}

static inline void load(const unsigned char *const data[GROUP], size_t at, lanes w[BLOCK_WORDS])
{
    for (int part = 0; part < BLOCK_WORDS; part += GROUP) {
        for (int lane = 0; lane < GROUP; lane++)
            memcpy(&w[part + lane], data[lane] + at + 4 * (size_t)part, sizeof *w);
        transpose(w + part);
        for (int k = 0; k < GROUP; k++) w[part + k] = from_big_endian(w[part + k]);
    }
}

/* ---- One block ------------------------------------------------------------------------------- */

#define CHOOSE(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define PARITY(b, c, d) ((b) ^ (c) ^ (d))
#define MAJORITY(b, c, d) (((b) & (c)) | ((d) & ((b) | (c))))
#define MIXED(t) (w[((t) + 13) % 16] ^ w[((t) + 8) % 16] ^ w[((t) + 2) % 16] ^ w[(t) % 16])
#define SCHEDULE(t) (w[(t) % 16] = ROTATE(MIXED(t), 1))
#define WORD(t) ((t) < 16 ? w[(t) % 16] : SCHEDULE(t))
/* Adds a, the result of the last step, last. In the standard's order four additions would wait for
   it. */
#define STEP(t, f, k)                                                 \
    do {                                                              \
        lanes word = WORD(t);                                         \
        lanes sum = ROTATE(a, 5) + (f(b, c, d) + (e + (word + (k)))); \
        e = d;                                                        \
        d = c;                                                        \
        c = ROTATE(b, 30);                                            \
        b = a;                                                        \
        a = sum;                                                      \
    } while (0)

static inline void block(lanes state[STATE_WORDS], lanes w[BLOCK_WORDS])
{
    lanes a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
#pragma GCC unroll 20
    for (int t = 0; t < 20; t++) STEP(t, CHOOSE, 0x5a827999u);
#pragma GCC unroll 20
    for (int t = 20; t < 40; t++) STEP(t, PARITY, 0x6ed9eba1u);
#pragma GCC unroll 20
    for (int t = 40; t < 60; t++) STEP(t, MAJORITY, 0x8f1bbcdcu);
#pragma GCC unroll 20
    for (int t = 60; t < 80; t++) STEP(t, PARITY, 0xca62c1d6u);
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void begin(lanes state[STATE_WORDS])
{
    const lanes zero = {0};
    for (int k = 0; k < STATE_WORDS; k++) state[k] = zero + farm_initial_state[k];
}

/* Adds the whole blocks of each message of this number of bytes to the states. */
static void take(lanes state[STATE_WORDS], const unsigned char *const data[GROUP], size_t bytes)
{
    lanes w[BLOCK_WORDS];
    for (size_t at = 0; at + BLOCK_BYTES <= bytes; at += BLOCK_BYTES) {
        load(data, at, w);
        block(state, w);
    }
}

/* left: what follows the last whole block of each message; bytes: the length of a message. */
static void end(lanes state[STATE_WORDS], const unsigned char *const left[GROUP], size_t bytes,
                farm_digest digest[GROUP])
{
    unsigned char tail[GROUP][2 * BLOCK_BYTES];
    const unsigned char *tails[GROUP];
    size_t padded = 0;
    for (int lane = 0; lane < GROUP; lane++) {
        padded = farm_multi_pad(left[lane], bytes, tail[lane]);
        tails[lane] = tail[lane];
    }
    take(state, tails, padded * BLOCK_BYTES);
    for (int lane = 0; lane < GROUP; lane++)
        for (int k = 0; k < STATE_WORDS; k++) {
            uint32_t word = htobe32(state[k][lane]);
            memcpy(digest[lane].byte + 4 * k, &word, sizeof word);
        }
}

static void group_digest(const unsigned char *const data[GROUP], size_t bytes,
                         farm_digest digest[GROUP])
{
    lanes state[STATE_WORDS];
    const unsigned char *left[GROUP];
    for (int lane = 0; lane < GROUP; lane++)
        left[lane] = data[lane] + bytes / BLOCK_BYTES * BLOCK_BYTES;
    begin(state);
    take(state, data, bytes);
    end(state, left, bytes, digest);
}

/* Makes the units piece by piece, so that a piece is still in the first-level cache when it is
   hashed. */
static void group_units(const uint32_t unit[GROUP], size_t bytes, farm_digest digest[GROUP])
{
    enum { PIECE = 16 * BLOCK_BYTES };
    unsigned char data[GROUP][PIECE + BLOCK_BYTES];
    lanes state[STATE_WORDS];
    const unsigned char *piece[GROUP], *left[GROUP];
    for (int lane = 0; lane < GROUP; lane++) piece[lane] = left[lane] = data[lane];
    begin(state);
    for (size_t at = 0; at < bytes; at += PIECE) {
        size_t here = bytes - at < PIECE ? bytes - at : PIECE;
        for (int lane = 0; lane < GROUP; lane++) {
            fill(unit[lane], at, data[lane], here);
            left[lane] = data[lane] + here / BLOCK_BYTES * BLOCK_BYTES;
        }
        take(state, piece, here);
    }
    end(state, left, bytes, digest);
}

/* Only the lanes of the instruction set in force are queried. */
static bool supported(void) { return true; }

const farm_multi CM_SETS_NAME(farm_multi_lanes) = {
    GROUP == 16  ? "vectors of 16 words"
    : GROUP == 8 ? "vectors of 8 words"
                 : "vectors of 4 words",
    GROUP,
    supported,
    group_digest,
    group_units,
};
