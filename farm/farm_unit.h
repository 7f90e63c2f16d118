/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_unit.h: the units of work and what is computed from them; no messages here. */
#ifndef FARM_UNIT_H
#define FARM_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FARM_DIGEST_BYTES = 20, FARM_MOST_AT_ONCE = 16 };

typedef struct {
    unsigned char byte[FARM_DIGEST_BYTES];
} farm_digest;

/* sum ^= digest */
void farm_digest_add(farm_digest *sum, const farm_digest *digest);

enum { FARM_DIGEST_TEXT = 2 * FARM_DIGEST_BYTES + 1 };
const char *farm_digest_text(const farm_digest *digest, char text[FARM_DIGEST_TEXT]);

/* ---- farm_unit.c: the generator -------------------------------------------------------------- */

/* Unit u is words 2^32 u, 2^32 u + 1, ... (from 0) of the sequence of splitmix64 (Steele, Lea,
   Flood, OOPSLA 2014) from state 0, each with its lowest byte first; who fills it, and when, makes
   no difference. These are its bytes from, from + 1, ...; from a multiple of 8. */
void farm_unit_fill(uint32_t unit, size_t from, unsigned char *data, size_t bytes);

/* ---- farm_sha1.c: SHA-1 by libcrypto --------------------------------------------------------- */

typedef struct farm_sha1 farm_sha1;
farm_sha1 *farm_sha1_open(void); /* NULL: libcrypto has no SHA-1, or no memory */
void farm_sha1_close(farm_sha1 *sha1);
bool farm_sha1_digest(farm_sha1 *sha1, const void *data, size_t bytes, farm_digest *digest);
const char *farm_sha1_version(void);

/* ---- farm_multi.c: SHA-1 of several messages of one length at once --------------------------- */

typedef struct {
    const char *name;
    int messages;            /* at once; at most FARM_MOST_AT_ONCE */
    bool (*supported)(void); /* by this processor */
    void (*digest)(const unsigned char *const data[], size_t bytes, farm_digest digest[]);
    void (*units)(const uint32_t unit[], size_t bytes, farm_digest digest[]);
} farm_multi;
/* Way k (from 0) that this build has, in the instruction set in force (machine/sets.h); NULL after
   the last. */
const farm_multi *farm_multi_at(int k);

/* *fastest: of those that this processor supports, measured; NULL: libcrypto, one message after the
   other, is faster. Returns NULL, or one whose digests differ from libcrypto's. */
const farm_multi *farm_multi_choose(farm_sha1 *sha1, const farm_multi **fastest);

/* ---- farm_compute.c: a batch ----------------------------------------------------------------- */

/* none: a unit's digest is its first 20 bytes. spin: the same, after a delay in microseconds. */
typedef enum { FARM_SHA1, FARM_SPIN, FARM_NONE } farm_work_kind;
typedef enum { FARM_LIBCRYPTO, FARM_MULTI } farm_sha1_kind;

typedef struct {
    farm_work_kind kind;
    double spin_s; /* of FARM_SPIN, a unit */
    bool yields;   /* of FARM_SPIN: leave the core between looks at the clock */
    farm_sha1_kind sha1;
    size_t unit_bytes;
} farm_work;

typedef struct farm_computer farm_computer;

/* NULL, and *why says why: no memory, or SHA-1 that is wrong: what hashes several messages at once
   is compared with libcrypto on messages of many lengths first. */
farm_computer *farm_computer_open(const farm_work *work, const char **why);
void farm_computer_close(farm_computer *computer);
size_t farm_computer_bytes(const farm_work *work);             /* memory that it takes */
const char *farm_computer_sha1(const farm_computer *computer); /* what hashes */

/* digest = XOR of the digests of the units. False: libcrypto failed. */
bool farm_compute(farm_computer *computer, const uint32_t *unit, size_t n, farm_digest *digest);

/* ---- farm_reference.c: the plain program ----------------------------------------------------- */

/* XOR of the digests of units first .. first + n - 1, one after the other. False: libcrypto
   failed. */
bool farm_reference(const farm_work *work, uint32_t first, uint32_t n, farm_digest *digest);

/* Sets *digest to the result of farm_reference for units 0 .. units - 1. Returns false if it is not
   known. */
bool farm_known(const farm_work *work, uint32_t units, farm_digest *digest);

#endif
