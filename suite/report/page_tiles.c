/* SPDX-License-Identifier: BSD-3-Clause */
/* page_tiles.c: the first screen of the report's page: a sentence and tiles. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "page.h"
#include "common/unit.h"
#include "common/words.h"
#include "pages.h"

/* Told by a word and a sign, too, not by colour alone. */
static const struct {
    const char *class, *sign, *word;
} lights[] = {
    [SUITE_LIGHT_NONE] = {"unjudged", "\xe2\x80\x93", SAID_LIGHT_NONE},
    [SUITE_LIGHT_GOOD] = {"good", "\xe2\x9c\x93", SAID_LIGHT_GOOD},
    [SUITE_LIGHT_LOOK] = {"look", "!", SAID_LIGHT_LOOK},
    [SUITE_LIGHT_SLOW] = {"slow", "\xe2\x9c\x97", SAID_LIGHT_SLOW},
};

/* ---- Bars ------------------------------------------------------------------------------------ */

typedef struct {
    const char *class, *label, *source;
    double value;
} bar;

/* A number in another unit than the tile's own says so. */
static void print_bar(FILE *out, const suite_tile *tile, const bar *b, double longest)
{
    char unit[SUITE_UNIT], unit_of_tile[SUITE_UNIT];
    const char *of_quantity = tile->kind->unit;
    double divisor = suite_unit_easy(b->value, of_quantity, NULL, unit);
    double of_tile = suite_unit_easy(tile->value, of_quantity, NULL, unit_of_tile);
    char *number = suite_three_digits(b->value / divisor);
    piece_bar(out, b->class, b->source, b->label, number, divisor == of_tile ? NULL : unit,
              100 * b->value / longest);
    free(number);
}

/* Beside what the tile's value stands: its bound, and the nearest references on both sides. A
   latency or a rate inside one host is no network's. */
static size_t find_bars(const suite_page *page, const suite_tile *tile, bar *bars)
{
    size_t n = 0;
    bars[n++] = (bar){"here", "here", NULL, tile->value};
    if (isfinite(tile->bound))
        bars[n++] =
            (bar){"bound", tile->bound_given ? SAID_TILE_GIVEN_LABEL : tile->kind->bound_label,
                  tile->bound_is, tile->bound};
    if (tile->kind->network && suite_meta_number(tile->record, "hosts", 1) < 2) return n;
    for (int better = 1; better >= 0; better--) {
        const suite_reference *r =
            suite_references_nearest(&page->references, tile->kind, tile->value, better);
        if (r)
            bars[n++] =
                (bar){r->own ? "reference own" : "reference", r->machine, r->source, r->value};
    }
    return n;
}

static void print_bars(const suite_page *page, const suite_tile *tile)
{
    bar bars[4];
    double longest = 0;
    size_t n = find_bars(page, tile, bars);
    if (n < 2) return;
    for (size_t k = 0; k < n; k++)
        if (bars[k].value > longest) longest = bars[k].value;
    piece_bars_begin(page->out);
    for (size_t k = 0; k < n; k++) print_bar(page->out, tile, &bars[k], longest);
    piece_list_end(page->out);
}

/* Prints what tests and other programs read: the metric as the result has it, with all its digits.
   */
static void print_data(FILE *out, const suite_tile *tile)
{
    const char *light = lights[tile->light].class;
    const cm_record_metric *metric = tile->metric;
    if (!tile->record) {
        piece_tile_data(out, light, NULL, NULL, NULL, NULL, NAN, NAN, NAN);
        return;
    }
    piece_tile_data(out, light, tile->name, tile->kind->metric, metric->value, metric->unit,
                    metric->low, metric->high,
                    tile->bound * strtod(metric->value, NULL) / tile->value);
}

/* From what the light is, and how it would be another. */
static void print_why(const suite_page *page, const suite_tile *tile,
                      const suite_measured *measured)
{
    char *bound = suite_is_simulated(measured) ? NULL : suite_tile_bound_words(tile);
    char *line = suite_tile_bound_line(tile, measured);
    piece_tile_why(page->out, tile->kind->less_is_better, tile->why, bound);
    if (line) piece_tile_give(page->out, line, !!bound);
    free(bound);
    free(line);
}

static void print_measured(const suite_page *page, const suite_tile *tile,
                           const suite_measured *measured)
{
    const cm_record_metric *metric = tile->metric;
    char unit[SUITE_UNIT];
    bool known = isfinite(tile->low) && isfinite(tile->high);
    bool once = known && metric->over && metric->n == 1;
    suite_digits digits =
        suite_digits_easy(tile->value, tile->low, tile->high, tile->kind->unit, NULL, unit);
    piece_tile_value(page->out, digits.value, unit, once, known && !once ? digits.low : NULL,
                     digits.high, page_is_range(metric),
                     metric->over && metric->n > 1 ? (size_t)metric->n : 0, metric->over,
                     metric->disturbed);
    piece_tile_what(page->out, tile->what, tile->name);
    print_bars(page, tile);
    print_why(page, tile, measured);
}

/* A place runs only the benchmarks of its table, so another folder would have to measure the
   others. */
static void print_missing(const suite_page *page, const suite_tile *tile)
{
    piece_tile_missing(page->out, tile->missing,
                       suite_table_find(page->table, tile->name) ? tile->name : NULL);
}

static void print_tile(const suite_page *page, const suite_tile *tile,
                       const suite_measured *measured)
{
    const suite_light light = tile->record ? tile->light : SUITE_LIGHT_NONE;
    piece_tile_begin(page->out, tile->kind->key, tile->record ? lights[light].class : "missing");
    print_data(page->out, tile);
    piece_tile_head(page->out, tile->kind->title, lights[light].sign,
                    tile->record ? lights[light].word : SAID_LIGHT_MISSING);
    if (tile->record) print_measured(page, tile, measured);
    else print_missing(page, tile);
    piece_item_end(page->out);
}

/* ---- The rule -------------------------------------------------------------------------------- */

static void print_sources(const suite_page *page, const suite_tile *tile)
{
    bar bars[4];
    for (size_t k = 0; k < suite_tile_n_kinds; k++) {
        size_t n = tile[k].record ? find_bars(page, &tile[k], bars) : 0;
        for (size_t b = 1; b < n; b++) /* the tile itself says who gives its bound */
            if (strcmp(bars[b].class, "bound") != 0)
                piece_rule_source(page->out, tile[k].kind->title, bars[b].label, bars[b].source);
    }
}

static void print_rule(const suite_page *page, const suite_tile *tile)
{
    piece_rule_begin(page->out);
    print_sources(page, tile);
    piece_rule_end(page->out);
}

void page_tiles(suite_page *page)
{
    char *comm = suite_folder_metadata(page->dir, "comm");
    const suite_measured measured = {.table = page->table,
                                     .entry = page->entry,
                                     .place = page->place,
                                     .comm = comm,
                                     .references = &page->references};
    suite_tile *tile = suite_tiles_make(&measured);
    char *plain = suite_first_sentence(&measured, tile);
    char *sentence = suite_replace(plain, " %", "\xc2\xa0%"); /* that no line begins with it */
    piece_first_begin(page->out, sentence);
    for (size_t k = 0; k < suite_tile_n_kinds; k++) print_tile(page, &tile[k], &measured);
    piece_list_end(page->out);
    piece_range_mark(page->out);
    print_rule(page, tile);
    page_warnings(page);
    piece_section_end(page->out);
    suite_tiles_free(tile);
    free(sentence);
    free(plain);
    free(comm);
}
