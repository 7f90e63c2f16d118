/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_light.c: the one rule of the lights (tile.h). */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "pages.h"

static void decide(suite_tile *tile, suite_light light, char *why)
{
    tile->light = light;
    tile->why = why;
}

/* "61 % of 10 Gbit/s Ethernet" */
static char *share_words(const suite_tile *tile)
{
    return said_why_share(tile->kind->less_is_better, 100 * suite_tile_share(tile, tile->value),
                          tile->bound_is);
}

/* Returns true if cm-nodes named somebody in this quantity. */
static bool decide_by_neighbours(suite_tile *tile, const suite_odds *odds)
{
    for (size_t k = 0; k < odds->n; k++) {
        const suite_odd *odd = &odds->odd[k];
        if (odd->kind != tile->kind) continue;
        char *share = isfinite(tile->bound) ? share_words(tile) : NULL;
        decide(tile, SUITE_LIGHT_SLOW,
               said_why_odd(odd->who, 100 * odd->ratio, odd->burn_in, 100 * odd->lost,
                            odd->launches, odd->of_launches, share));
        free(share);
        return true;
    }
    return false;
}

static suite_light light_of(double share)
{
    if (share >= SUITE_SHARE_GOOD) return SUITE_LIGHT_GOOD;
    return share >= SUITE_SHARE_SLOW ? SUITE_LIGHT_LOOK : SUITE_LIGHT_SLOW;
}

/* Both ends of the interval must agree: noise widens it, and must not change a light. */
static void decide_by_bound(suite_tile *tile)
{
    double low = suite_tile_share(tile, isfinite(tile->low) ? tile->low : tile->value);
    double high = suite_tile_share(tile, isfinite(tile->high) ? tile->high : tile->value);
    suite_light worse = light_of(fmin(low, high));
    char *words = share_words(tile);
    if (suite_tile_beyond(tile))
        decide(tile, SUITE_LIGHT_NONE,
               said_why_too_fast(tile->kind->less_is_better, tile->bound_is));
    else if (worse != light_of(fmax(low, high)))
        decide(tile, SUITE_LIGHT_NONE,
               said_why_spans(words, 100 * fmin(low, high), 100 * fmax(low, high)));
    else decide(tile, worse, suite_copy(words));
    free(words);
}

/* Returns the reason why there is neither a bound nor a comparison of hosts. */
static const char *unknown(const suite_tile *tile)
{
    if (tile->kind->network && suite_meta_number(tile->record, "hosts", 1) < 2)
        return SAID_WHY_INSIDE;
    return tile->kind->bound ? SAID_WHY_BOUND_UNKNOWN : SAID_WHY_NO_BOUND;
}

void suite_tile_light(suite_tile *tile, const suite_measured *measured)
{
    if (!tile->record) return;
    suite_odds odds = suite_odds_find(measured);
    char *busy = suite_busy_words(measured);
    if (!tile->metric->pass) decide(tile, SUITE_LIGHT_SLOW, suite_copy(SAID_WHY_WRONG));
    else if (suite_is_dummy(measured)) decide(tile, SUITE_LIGHT_NONE, suite_copy(SAID_WHY_DUMMY));
    else if (suite_is_simulated(measured))
        decide(tile, SUITE_LIGHT_NONE, suite_copy(SAID_WHY_SIMULATED));
    else if (suite_result_oversubscribed(tile->record))
        decide(tile, SUITE_LIGHT_NONE, suite_copy(SAID_WHY_OVERSUBSCRIBED));
    else if (busy) decide(tile, SUITE_LIGHT_NONE, suite_copy(SAID_WHY_BUSY));
    else if (decide_by_neighbours(tile, &odds)) {
    } else if (tile->metric->disturbed)
        decide(tile, SUITE_LIGHT_NONE, suite_copy(SAID_WHY_DISTURBED));
    else if (isfinite(tile->bound)) decide_by_bound(tile);
    else if (odds.compared && tile->kind->finding[0].quantity)
        decide(tile, SUITE_LIGHT_GOOD, said_why_none_odd(odds.hosts, odds.n > 0));
    else decide(tile, SUITE_LIGHT_NONE, suite_copy(unknown(tile)));
    free(busy);
    suite_odds_free(&odds);
}
