/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_unit.c: what a unit of work consists of, and sums of digests. */
#include "config.h"
#include <stdio.h>
#include "farm_multi.h"
#include "machine/sets.h"

CM_SETS_DECLARE(farm_filler *const, farm_filler_of_set);

void farm_unit_fill(uint32_t unit, size_t from, unsigned char *data, size_t bytes)
{
    static farm_filler *const *const fillers[CM_SETS] = CM_SETS_TABLE(farm_filler_of_set);
    (*fillers[cm_set_chosen()])(unit, from, data, bytes);
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
