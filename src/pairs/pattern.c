/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.c: fills messages with known contents, and checks that these arrive unchanged. */
#include <string.h>
#include "pairs/pairs.h"
#include "random/random.h"

/* Word i of a message is word i of a random sequence, whose start depends on the message's size and
   sequence number. Words are stored lowest byte first, so the data are the same on every
   computer. */

static uint64_t start_of(size_t bytes, uint64_t sequence)
{
    return (uint64_t)bytes * 0xd1342543de82ef95 + sequence * 0xaf251af3b0f025b5;
}

static unsigned char byte_of(uint64_t word, unsigned k) { return (unsigned char)(word >> (8 * k)); }

static uint64_t little_endian(uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

static void fill(unsigned char *data, size_t bytes, uint64_t sequence, uint64_t flip)
{
    uint64_t start = start_of(bytes, sequence);
    size_t words = bytes / 8;
    for (size_t i = 0; i < words; i++) {
        uint64_t word = little_endian(cm_random_word(start, i) ^ flip);
        memcpy(data + 8 * i, &word, 8);
    }
    uint64_t last = cm_random_word(start, words) ^ flip;
    for (unsigned k = 0; k < bytes % 8; k++) data[8 * words + k] = byte_of(last, k);
}

static unsigned char mark_of(size_t k) { return (unsigned char)(0xc5 ^ k); }

void cm_pair_pattern_fill(unsigned char *data, size_t bytes, uint64_t sequence)
{
    fill(data, bytes, sequence, 0);
}

void cm_pair_pattern_poison(unsigned char *data, size_t bytes, uint64_t sequence,
                            size_t guard_bytes)
{
    fill(data, bytes, sequence, ~(uint64_t)0);
    for (size_t k = 0; k < guard_bytes; k++) data[bytes + k] = mark_of(k);
}

static void compare(unsigned char got, unsigned char expected, size_t offset, size_t bytes,
                    uint64_t sequence, cm_pair_damage *damage)
{
    if (got == expected) return;
    if (damage->wrong_bytes++ == 0) {
        damage->first_bytes = bytes;
        damage->first_offset = offset;
        damage->first_sequence = sequence;
        damage->expected = expected;
        damage->got = got;
    }
}

void cm_pair_pattern_check(const unsigned char *data, size_t bytes, uint64_t sequence,
                           size_t guard_bytes, cm_pair_damage *damage)
{
    uint64_t start = start_of(bytes, sequence);
    for (size_t i = 0; 8 * i < bytes; i++) {
        uint64_t word = cm_random_word(start, i);
        if (bytes - 8 * i >= 8) {
            uint64_t expected = little_endian(word), got;
            memcpy(&got, data + 8 * i, 8);
            if (got == expected) continue;
        }
        for (unsigned k = 0; k < 8 && 8 * i + k < bytes; k++)
            compare(data[8 * i + k], byte_of(word, k), 8 * i + k, bytes, sequence, damage);
    }
    for (size_t k = 0; k < guard_bytes; k++)
        compare(data[bytes + k], mark_of(k), bytes + k, bytes, sequence, damage);
}

void cm_pair_damage_add(cm_pair_damage *damage, const cm_pair_damage *other)
{
    uint64_t all = damage->wrong_bytes + other->wrong_bytes;
    if (damage->wrong_bytes == 0) *damage = *other;
    damage->wrong_bytes = all;
}
