/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_multi.h: what the ways of hashing several messages at once share. */
#ifndef FARM_MULTI_H
#define FARM_MULTI_H

#include "farm_unit.h"

enum { FARM_BLOCK_BYTES = 64, FARM_STATE_WORDS = 5 };
extern const uint32_t farm_initial_state[FARM_STATE_WORDS];

/* Writes the padded end of a message of `bytes` bytes: what is left after its last whole block, a
   one bit, zeros, and its length in bits. Returns the number of blocks written. */
size_t farm_multi_pad(const unsigned char *left, size_t bytes,
                      unsigned char tail[2 * FARM_BLOCK_BYTES]);

/* farm_fill.c: farm_unit_fill for an instruction set. */
typedef void farm_filler(uint32_t unit, size_t from, unsigned char *data, size_t bytes);

#ifdef __x86_64__
extern const farm_multi farm_multi_sha; /* farm_sha_extension.c */
#endif

#endif
