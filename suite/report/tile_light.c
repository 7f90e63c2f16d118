/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_light.c: the one rule of the lights (tile.h). */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"

static void decide(suite_tile *tile, suite_light light, char *why)
{
    tile->light = light;
    tile->why = why;
}

/* "61 % of 10 Gbit/s Ethernet" */
static char *share_words(const suite_tile *tile)
{
    return suite_text("%.0f %% of %s", 100 * tile->value / tile->bound, tile->bound_is);
}

/* Returns true if cm-nodes named somebody in this quantity. */
static bool decide_by_neighbours(suite_tile *tile, const suite_odds *odds)
{
    for (size_t k = 0; k < odds->n; k++) {
        if (odds->odd[k].kind != tile->kind) continue;
        char *share = isfinite(tile->bound) ? share_words(tile) : suite_copy("");
        const suite_odd *odd = &odds->odd[k];
        char *launches = odd->of_launches ? suite_text(", in %zu of %zu launches", odd->launches,
                                                       odd->of_launches)
                                          : suite_copy("");
        decide(tile, SUITE_LIGHT_SLOW,
               suite_text("%s is not like the others (cm-nodes%s)%s%s", odds->odd[k].who, launches,
                          *share ? "; " : "", share));
        free(launches);
        free(share);
        return true;
    }
    return false;
}

static suite_light light_of(double value, double bound)
{
    if (value >= 0.75 * bound) return SUITE_LIGHT_GOOD;
    return value >= 0.5 * bound ? SUITE_LIGHT_LOOK : SUITE_LIGHT_SLOW;
}

/* Both ends of the interval must agree: noise widens it, and must not change a light. */
static void decide_by_bound(suite_tile *tile)
{
    double low = isfinite(tile->low) ? tile->low : tile->value;
    double high = isfinite(tile->high) ? tile->high : tile->value;
    suite_light worse = light_of(low, tile->bound);
    char *words = share_words(tile);
    if (tile->value / tile->bound > 1.05)
        decide(tile, SUITE_LIGHT_NONE,
               suite_text("more than %s should allow: that is not the bound", tile->bound_is));
    else if (worse != light_of(high, tile->bound))
        decide(tile, SUITE_LIGHT_NONE,
               suite_text("%s, but its interval is %.0f to %.0f %%: it spans a limit", words,
                          100 * low / tile->bound, 100 * high / tile->bound));
    else decide(tile, worse, suite_copy(words));
    free(words);
}

/* Returns the reason why there is neither a bound nor a comparison of hosts. */
static const char *unknown(const suite_tile *tile)
{
    if (tile->kind->network && suite_meta_number(tile->record, "hosts", 1) < 2)
        return "inside one host, without a network";
    return tile->kind->bound ? "what the hardware can do at most is not known"
                             : "the hardware states no bound of it";
}

void suite_tile_light(suite_tile *tile, const suite_measured *measured)
{
    if (!tile->record) return;
    suite_odds odds = suite_odds_find(measured);
    char *busy = suite_busy_words(measured);
    if (!tile->verdict->pass) decide(tile, SUITE_LIGHT_SLOW, suite_copy("the answer was wrong"));
    else if (suite_is_dummy(measured))
        decide(tile, SUITE_LIGHT_NONE, suite_copy("a virtual clock, no machine"));
    else if (suite_is_simulated(measured))
        decide(tile, SUITE_LIGHT_NONE,
               suite_copy("simulated: a model's number, not a measurement"));
    else if (suite_result_oversubscribed(tile->record))
        decide(tile, SUITE_LIGHT_NONE, suite_copy("more ranks than cores: no measure of them"));
    else if (busy)
        decide(tile, SUITE_LIGHT_NONE,
               suite_text("the machine was busy (%s): measure again", busy));
    else if (decide_by_neighbours(tile, &odds)) {
    } else if (tile->verdict->disturbed)
        decide(tile, SUITE_LIGHT_NONE, suite_copy("disturbed: measure again"));
    else if (isfinite(tile->bound)) decide_by_bound(tile);
    else if (odds.compared && tile->kind->finding[0].quantity)
        decide(tile, SUITE_LIGHT_GOOD, suite_copy("no host stands out (cm-nodes)"));
    else decide(tile, SUITE_LIGHT_NONE, suite_copy(unknown(tile)));
    free(busy);
    suite_odds_free(&odds);
}
