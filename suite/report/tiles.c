/* SPDX-License-Identifier: BSD-3-Clause */
/* tiles.c: makes the tiles from their kinds and the results. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "pages.h"

static char *words_of(const suite_tile *tile)
{
    const suite_tile_kind *kind = tile->kind;
    bool several = suite_meta_number(tile->record, "hosts", 1) > 1;
    if (kind->describe) return kind->describe(tile);
    return suite_copy(several && kind->several_hosts ? kind->several_hosts : kind->one_host);
}

/* A tile that was not measured says what would measure it. */
static char *missing_of(const suite_measured *measured, const char *name)
{
    for (size_t r = 0; r < measured->table->n; r++) {
        const suite_run *run = &measured->table->run[r];
        const suite_entry *entry = &measured->entry[r];
        if (strcmp(run->name, name) != 0) continue;
        if (entry->state == SUITE_COMPLETE) return suite_copy(SAID_MISSING_METRIC);
        char *why = suite_text("%.*s", (int)strcspn(entry->text, "\n"), entry->text);
        if (entry->state != SUITE_FAILED) return why;
        char *failed = said_missing_failed(why);
        free(why);
        return failed;
    }
    return suite_copy(SAID_MISSING_RUN);
}

static void set_value(suite_tile *tile)
{
    double scale = tile->kind->scale, value;
    if (tile->kind->per_rank) scale /= suite_meta_number(tile->record, "ranks", NAN);
    if (!cm_record_number(tile->metric->value, &value)) value = NAN;
    tile->value = scale * value;
    tile->low = scale * tile->metric->low;
    tile->high = scale * tile->metric->high;
}

static void make(const suite_measured *measured, const suite_tile_kind *kind, suite_tile *tile)
{
    const char *name = kind->choose ? kind->choose(measured) : kind->result;
    *tile = (suite_tile){.kind = kind, .name = suite_copy(name), .bound = NAN};
    const cm_record *record = suite_measured_record(measured, name);
    const cm_record_metric *metric = record ? cm_record_metric_of(record, kind->metric) : NULL;
    double value;
    if (kind->per_rank && record && suite_meta_number(record, "ranks", 1) < 2) {
        tile->missing = suite_copy(SAID_MISSING_RANKS);
        return;
    }
    if (!metric || !cm_record_number(metric->value, &value)) {
        tile->missing = missing_of(measured, name);
        return;
    }
    tile->record = record;
    tile->metric = metric;
    tile->what = words_of(tile);
    set_value(tile);
    suite_tile_bound(tile, measured);
    suite_tile_light(tile, measured);
}

suite_tile *suite_tiles_make(const suite_measured *measured)
{
    suite_tile *tile = suite_longer(NULL, suite_tile_n_kinds, sizeof *tile);
    for (size_t k = 0; k < suite_tile_n_kinds; k++) make(measured, &suite_tile_kinds[k], &tile[k]);
    return tile;
}

void suite_tiles_free(suite_tile *tile)
{
    for (size_t k = 0; tile && k < suite_tile_n_kinds; k++) {
        free(tile[k].name);
        free(tile[k].what);
        free(tile[k].bound_is);
        free(tile[k].bound_from);
        free(tile[k].missing);
        free(tile[k].why);
    }
    free(tile);
}
