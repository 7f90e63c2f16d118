/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_multi.c: which way to hash several messages at once is right and the fastest here. */
#include "config.h"
#include <math.h>
#include <string.h>
#include "farm_multi.h"
#include "machine/sets.h"
#include "measure/clock.h"

CM_SETS_DECLARE(const farm_multi, farm_multi_lanes); /* farm_lanes.c */

const farm_multi *farm_multi_at(int k)
{
    static const farm_multi *const lanes[CM_SETS] = CM_SETS_TABLE(farm_multi_lanes);
#ifdef __x86_64__
    if (k-- == 0) return &farm_multi_sha;
#endif
    return k == 0 ? lanes[cm_set_chosen()] : NULL;
}

/* Compares the digests of different messages, whose lengths are near the ends of the first blocks
   and near those at which the padding takes one more block. For units that are generated on the
   way, compares the beginnings. */
static bool agrees(const farm_multi *multi, farm_sha1 *sha1)
{
    static const size_t length[] = {0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 200, 1024, 1500};
    unsigned char data[FARM_MOST_AT_ONCE][1500];
    const unsigned char *message[FARM_MOST_AT_ONCE];
    uint32_t unit[FARM_MOST_AT_ONCE];
    farm_digest of_messages[FARM_MOST_AT_ONCE], of_units[FARM_MOST_AT_ONCE], right;
    for (int k = 0; k < multi->messages; k++) {
        unit[k] = (uint32_t)k;
        farm_unit_fill(unit[k], 0, data[k], sizeof data[k]);
        message[k] = data[k];
    }
    for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
        multi->digest(message, length[i], of_messages);
        multi->units(unit, length[i], of_units);
        for (int k = 0; k < multi->messages; k++)
            if (!farm_sha1_digest(sha1, data[k], length[i], &right)
                || memcmp(&of_messages[k], &right, sizeof right) != 0
                || memcmp(&of_units[k], &right, sizeof right) != 0)
                return false;
    }
    return true;
}

/* One after the other. */
static void plain(farm_sha1 *sha1, const uint32_t unit[], size_t bytes, unsigned char *data)
{
    farm_digest digest;
    for (int k = 0; k < FARM_MOST_AT_ONCE; k++) {
        farm_unit_fill(unit[k], 0, data, bytes);
        farm_sha1_digest(sha1, data, bytes, &digest);
    }
}

/* Returns the seconds per unit. multi NULL: units are digested one after the other. */
static double unit_s(const farm_multi *multi, farm_sha1 *sha1)
{
    enum { UNIT_BYTES = 8192 };
    uint32_t unit[FARM_MOST_AT_ONCE];
    farm_digest digest[FARM_MOST_AT_ONCE];
    unsigned char data[UNIT_BYTES];
    for (int k = 0; k < FARM_MOST_AT_ONCE; k++) unit[k] = (uint32_t)k;
    double begun_s = cm_clock_now_s();
    if (multi) multi->units(unit, UNIT_BYTES, digest);
    else plain(sha1, unit, UNIT_BYTES, data);
    return (cm_clock_now_s() - begun_s) / (multi ? multi->messages : FARM_MOST_AT_ONCE);
}

const farm_multi *farm_multi_choose(farm_sha1 *sha1, const farm_multi **fastest)
{
    enum { ROUNDS = 20 };
    double plain_s = INFINITY, least_s = INFINITY;
    *fastest = NULL;
    const farm_multi *multi;
    for (int k = 0; (multi = farm_multi_at(k)); k++)
        if (multi->supported() && !agrees(multi, sha1)) return multi;
    /* The least times, taken in turn: others may want the core for a while. */
    for (int round = 0; round < ROUNDS; round++) {
        plain_s = fmin(plain_s, unit_s(NULL, sha1));
        for (int k = 0; (multi = farm_multi_at(k)); k++) {
            double s = multi->supported() ? unit_s(multi, sha1) : INFINITY;
            if (s >= least_s) continue;
            least_s = s;
            *fastest = multi;
        }
    }
    if (plain_s <= least_s) *fastest = NULL;
    return NULL;
}
