/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_unit.c: what a unit of work consists of: a generator that starts anywhere. */
#include "config.h"
#include <endian.h>
#include <stdio.h>
#include <string.h>
#include "farm_unit.h"

static const uint64_t golden = 0x9e3779b97f4a7c15u;
enum { UNIT_BITS = 32, WORD_BYTES = 8 };

static inline uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void farm_unit_fill(uint32_t unit, size_t from, unsigned char *data, size_t bytes)
{
    uint64_t first = ((uint64_t)unit << UNIT_BITS) + from / WORD_BYTES;
    size_t words = bytes / WORD_BYTES, rest = bytes % WORD_BYTES;
    /* One product a unit instead of one a word. */
    uint64_t state = (first + 1) * golden;
    for (size_t j = 0; j < words; j++, state += golden) {
        uint64_t word = htole64(mix(state));
        memcpy(data + j * WORD_BYTES, &word, sizeof word);
    }
    uint64_t word = htole64(mix(state));
    memcpy(data + words * WORD_BYTES, &word, rest);
}

void farm_digest_add(farm_digest *sum, const farm_digest *digest)
{
    for (int k = 0; k < FARM_DIGEST_BYTES; k++) sum->byte[k] ^= digest->byte[k];
}

const char *farm_digest_text(const farm_digest *digest, char text[FARM_DIGEST_TEXT])
{
    for (int k = 0; k < FARM_DIGEST_BYTES; k++) snprintf(text + 2 * k, 3, "%02x", digest->byte[k]);
    return text;
}
