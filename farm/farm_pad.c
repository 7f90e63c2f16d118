/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_pad.c: how SHA-1 begins and ends a message (FIPS 180-4, sections 5.1.1 and 5.3.1). */
#include "config.h"
#include <endian.h>
#include <string.h>
#include "farm_multi.h"

const uint32_t farm_initial_state[FARM_STATE_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe,
                                                       0x10325476, 0xc3d2e1f0};

size_t farm_multi_pad(const unsigned char *left, size_t bytes,
                      unsigned char tail[2 * FARM_BLOCK_BYTES])
{
    uint64_t bits = htobe64(8 * (uint64_t)bytes);
    size_t rest = bytes % FARM_BLOCK_BYTES;
    size_t blocks = rest < FARM_BLOCK_BYTES - sizeof bits ? 1 : 2;
    memset(tail, 0, 2 * FARM_BLOCK_BYTES);
    if (rest > 0) memcpy(tail, left, rest);
    tail[rest] = 0x80;
    memcpy(tail + blocks * FARM_BLOCK_BYTES - sizeof bits, &bits, sizeof bits);
    return blocks;
}
