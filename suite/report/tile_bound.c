/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_bound.c: what a tile's value is judged by, who says so, and from where on another light. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "common/unit.h"
#include "pages.h"

/* ---- The bound ------------------------------------------------------------------------------- */

/* A latency or a rate inside one host is no network's, and a model or a virtual clock is no
   machine's. */
static bool can_be_given(const suite_tile *tile, const suite_measured *measured)
{
    if (tile->kind->network && suite_meta_number(tile->record, "hosts", 1) < 2) return false;
    return !suite_is_dummy(measured) && !suite_is_simulated(measured);
}

static const suite_reference *given(const suite_tile *tile, const suite_measured *measured)
{
    if (!measured->references || !can_be_given(tile, measured)) return NULL;
    return suite_references_bound(measured->references, tile->kind,
                                  cm_record_meta(tile->record, "cpu"));
}

void suite_tile_bound(suite_tile *tile, const suite_measured *measured)
{
    const suite_tile_kind *kind = tile->kind;
    const suite_reference *line = given(tile, measured);
    if (line) {
        tile->bound = line->value;
        tile->bound_is = suite_copy(SAID_BOUND_GIVEN);
        tile->bound_from = suite_copy(line->source);
        tile->bound_given = true;
        return;
    }
    if (!kind->bound || suite_is_dummy(measured)) return;
    if (kind->bounds_models || !suite_is_simulated(measured)) kind->bound(tile);
}

double suite_tile_share(const suite_tile *tile, double value)
{
    return tile->kind->less_is_better ? tile->bound / value : value / tile->bound;
}

bool suite_tile_beyond(const suite_tile *tile)
{
    return isfinite(tile->bound) && suite_tile_share(tile, tile->value) > 1.05;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* The value that has this share of the bound. */
static double at_share(const suite_tile *tile, double share)
{
    return tile->kind->less_is_better ? tile->bound / share : tile->bound * share;
}

char *suite_tile_bound_words(const suite_tile *tile)
{
    char unit[SUITE_UNIT];
    if (!isfinite(tile->bound)) return NULL;
    double divisor = suite_unit_easy(tile->bound, tile->kind->unit, NULL, unit);
    char *bound = suite_three_digits(tile->bound / divisor);
    char *good = suite_three_digits(at_share(tile, SUITE_SHARE_GOOD) / divisor);
    char *slow = suite_three_digits(at_share(tile, SUITE_SHARE_SLOW) / divisor);
    char *words =
        said_tile_bound(bound, unit, tile->bound_from, tile->kind->less_is_better, good, slow);
    free(bound);
    free(good);
    free(slow);
    return words;
}

char *suite_tile_bound_line(const suite_tile *tile, const suite_measured *measured)
{
    if (!tile->record || !can_be_given(tile, measured)) return NULL;
    if (isfinite(tile->bound) && !suite_tile_beyond(tile)) return NULL;
    const char *cpu = cm_record_meta(tile->record, "cpu");
    return suite_text("%s bound | VALUE | %s | %s | SOURCE", tile->kind->key, tile->kind->unit,
                      cpu && !strchr(cpu, '|') ? cpu : "any");
}
