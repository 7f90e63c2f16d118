/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_pattern.c: generates the data that are sent, and checks the received data. */
#include <stdlib.h>
#include <string.h>
#include "random/random.h"
#include "sockets.h"

enum { WORD = 8, WORDS = SOCKETS_PERIOD_BYTES / WORD };

bool sockets_pattern_open(sockets_pattern *pattern, size_t largest_bytes)
{
    pattern->bytes = SOCKETS_PERIOD_BYTES + largest_bytes;
    pattern->data = malloc(pattern->bytes);
    if (!pattern->data) return false;
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t word = cm_random_word(0, i);
        for (unsigned k = 0; k < WORD; k++)
            pattern->data[WORD * i + k] = (unsigned char)(word >> (8 * k));
    }
    for (size_t done = SOCKETS_PERIOD_BYTES; done < pattern->bytes;) {
        size_t n = pattern->bytes - done < done ? pattern->bytes - done : done;
        memcpy(pattern->data + done, pattern->data, n);
        done += n;
    }
    return true;
}

void sockets_pattern_close(sockets_pattern *pattern) { free(pattern->data); }

/* Counts wrong bytes; `datagram` and `position` are those of the first byte compared. */
static void compare(const unsigned char *expected, const unsigned char *data, size_t bytes,
                    uint64_t datagram, uint64_t position, sockets_damage *damage)
{
    if (memcmp(expected, data, bytes) == 0) return;
    for (size_t k = 0; k < bytes; k++) {
        if (data[k] == expected[k]) continue;
        if (damage->wrong_bytes++ > 0) continue;
        damage->position = position + k;
        damage->datagram = datagram;
        damage->expected = expected[k];
        damage->got = data[k];
    }
}

static void compare_ends(const unsigned char *expected, const unsigned char *data, size_t bytes,
                         uint64_t datagram, uint64_t position, bool all, sockets_damage *damage)
{
    if (all || bytes <= 2 * WORD) {
        compare(expected, data, bytes, datagram, position, damage);
        return;
    }
    size_t last = bytes - WORD;
    compare(expected, data, WORD, datagram, position, damage);
    compare(expected + last, data + last, WORD, datagram, position + last, damage);
}

void sockets_pattern_check(const sockets_pattern *pattern, uint64_t position,
                           const unsigned char *data, size_t bytes, bool all,
                           sockets_damage *damage)
{
    compare_ends(sockets_pattern_at(pattern, position), data, bytes, 0, position, all, damage);
}

/* ---- Datagrams ------------------------------------------------------------------------------ */

static const unsigned char *payload_of(const sockets_pattern *pattern, uint64_t number)
{
    static const uint64_t step = 4999; /* no multiple of the size of a packet or a word */
    return sockets_pattern_at(pattern, number % SOCKETS_SLOTS * step);
}

void sockets_datagram_stamp(uint64_t number, unsigned char *data, size_t bytes)
{
    for (size_t k = 0; k < WORD && k < bytes; k++) data[k] = (unsigned char)(number >> (8 * k));
}

uint64_t sockets_datagram_number(const unsigned char *data, size_t bytes)
{
    uint64_t number = 0;
    for (size_t k = 0; k < WORD && k < bytes; k++) number |= (uint64_t)data[k] << (8 * k);
    return number;
}

void sockets_datagram_fill(const sockets_pattern *pattern, uint64_t number, unsigned char *data,
                           size_t bytes)
{
    sockets_datagram_stamp(number, data, bytes);
    if (bytes > WORD) memcpy(data + WORD, payload_of(pattern, number), bytes - WORD);
}

void sockets_datagram_check(const sockets_pattern *pattern, uint64_t number,
                            const unsigned char *data, size_t bytes, bool all,
                            sockets_damage *damage)
{
    unsigned char stamp[WORD];
    sockets_datagram_stamp(number, stamp, WORD);
    compare(stamp, data, bytes < WORD ? bytes : WORD, number, 0, damage);
    if (bytes > WORD)
        compare_ends(payload_of(pattern, number), data + WORD, bytes - WORD, number, WORD, all,
                     damage);
}
