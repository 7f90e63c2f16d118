/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_multi.h: what the ways to hash several messages at once share. */
#ifndef FARM_MULTI_H
#define FARM_MULTI_H

#include "farm_unit.h"

enum { FARM_BLOCK_BYTES = 64, FARM_STATE_WORDS = 5 };
extern const uint32_t farm_initial_state[FARM_STATE_WORDS];

/* The end of a message of so many bytes: what is left of it behind its last whole block, a one bit,
   zeros, its length in bits. Returns its blocks. */
size_t farm_multi_pad(const unsigned char *left, size_t bytes,
                      unsigned char tail[2 * FARM_BLOCK_BYTES]);

extern const farm_multi farm_multi_lanes; /* farm_lanes.c */
#ifdef __x86_64__
extern const farm_multi farm_multi_sha; /* farm_sha_extension.c */
#endif

#endif
