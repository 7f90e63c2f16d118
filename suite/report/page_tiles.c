/* SPDX-License-Identifier: BSD-3-Clause */
/* page_tiles.c: the first screen of the report's page: a sentence and tiles. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/html.h"
#include "common/memory.h"
#include "page.h"
#include "common/unit.h"
#include "common/words.h"

/* Told by a word and a sign, too, not by colour alone. */
static const struct {
    const char *class, *sign, *word;
} lights[] = {
    [SUITE_LIGHT_NONE] = {"unjudged", "\xe2\x80\x93", "no judgement"},
    [SUITE_LIGHT_GOOD] = {"good", "\xe2\x9c\x93", "good"},
    [SUITE_LIGHT_LOOK] = {"look", "!", "look at it"},
    [SUITE_LIGHT_SLOW] = {"slow", "\xe2\x9c\x97", "slow"},
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
    char *width = suite_text("%.1f", 100 * b->value / longest);
    html_print(out, "<li class=\"%s\"", b->class);
    if (b->source) html_print(out, " title=\"%h\"", b->source);
    html_print(out,
               "><span class=\"label\">%h</span><span class=\"number\">%h%s%h</span>"
               "<span class=\"track\"><span style=\"width: %s%%\"></span></span></li>\n",
               b->label, number, divisor == of_tile ? "" : " ", divisor == of_tile ? "" : unit,
               width);
    free(width);
    free(number);
}

/* Beside what the tile's value stands: its bound, and the nearest references on both sides. A
   latency or a rate inside one host is no network's. */
static size_t find_bars(const suite_page *page, const suite_tile *tile, bar *bars)
{
    size_t n = 0;
    bars[n++] = (bar){"here", "here", NULL, tile->value};
    if (isfinite(tile->bound))
        bars[n++] = (bar){"bound", tile->kind->bound_label, tile->bound_is, tile->bound};
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
    html_print(page->out, "<ul class=\"bars\">\n");
    for (size_t k = 0; k < n; k++) print_bar(page->out, tile, &bars[k], longest);
    html_print(page->out, "</ul>\n");
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

static void print_number(FILE *out, const char *name, double value)
{
    if (!isfinite(value)) return;
    char *text = suite_text("%.10g", value);
    html_print(out, " data-%s=\"%h\"", name, text);
    free(text);
}

/* Prints what tests and other programs read: the metric as the result has it, with all its digits.
   */
static void print_data(FILE *out, const suite_tile *tile)
{
    html_print(out, " data-light=\"%s\"", lights[tile->light].class);
    if (!tile->record) return;
    html_print(out, " data-metric=\"%h:%h\" data-value=\"%h\" data-unit=\"%h\"", tile->name,
               tile->kind->metric, tile->verdict->value, tile->verdict->unit);
    print_number(out, "low", tile->verdict->low);
    print_number(out, "high", tile->verdict->high);
    print_number(out, "bound", tile->bound * strtod(tile->verdict->value, NULL) / tile->value);
}

static void print_interval(FILE *out, const suite_tile *tile, double divisor)
{
    const cm_record_verdict *verdict = tile->verdict;
    if (!isfinite(tile->low) || !isfinite(tile->high)) return;
    if (verdict->over && verdict->n == 1) {
        html_print(out, "<span class=\"interval\">once, no interval</span>");
        return;
    }
    char *low = suite_three_digits(tile->low / divisor);
    char *high = suite_three_digits(tile->high / divisor);
    html_print(out, "<span class=\"interval\">%h to %h", low, high);
    if (verdict->over && verdict->n > 1)
        html_print(out, ", %u %h", (size_t)verdict->n, verdict->over);
    html_print(out, "</span>");
    free(low);
    free(high);
}

static void print_measured(const suite_page *page, const suite_tile *tile)
{
    FILE *out = page->out;
    char unit[SUITE_UNIT];
    double divisor = suite_unit_easy(tile->value, tile->kind->unit, NULL, unit);
    char *number = suite_three_digits(tile->value / divisor);
    html_print(out, "<p class=\"value\"><strong>%h</strong> %h ", number, unit);
    print_interval(out, tile, divisor);
    if (tile->verdict->disturbed)
        html_print(out, " <a class=\"note\" href=\"#disturbed\">disturbed</a>");
    html_print(out, "</p>\n<p class=\"what\">%h. <a href=\"#%h\">More</a></p>\n", tile->what,
               tile->name);
    print_bars(page, tile);
    html_print(out, "<p class=\"why\">%h%h.</p>\n",
               tile->kind->less_is_better ? "Less is better; " : "", tile->why);
    free(number);
}

/* A place runs only the benchmarks of its table, so another folder would have to measure the
   others. */
static void print_missing(const suite_page *page, const suite_tile *tile)
{
    html_print(page->out, "<p class=\"what\">Not measured: %h.</p>\n", tile->missing);
    if (suite_table_find(page->table, tile->name))
        html_print(
            page->out,
            "<p class=\"what\"><code>clustermark run --only %h DIR</code> measures it.</p>\n",
            tile->name);
}

static void print_tile(const suite_page *page, const suite_tile *tile)
{
    const char *class = tile->record ? lights[tile->light].class : "missing";
    html_print(page->out, "<li id=\"tile-%s\" class=\"tile %s\"", tile->kind->key, class);
    print_data(page->out, tile);
    html_print(page->out, ">\n<h3>%h</h3>\n<p class=\"light\"><span>%h</span> %h</p>\n",
               tile->kind->title,
               tile->record ? lights[tile->light].sign : lights[SUITE_LIGHT_NONE].sign,
               tile->record ? lights[tile->light].word : "not measured");
    if (tile->record) print_measured(page, tile);
    else print_missing(page, tile);
    html_print(page->out, "</li>\n");
}

/* ---- The rule -------------------------------------------------------------------------------- */

static void print_sources(const suite_page *page, const suite_tile *tile)
{
    bar bars[4];
    for (size_t k = 0; k < suite_tile_n_kinds; k++) {
        size_t n = tile[k].record ? find_bars(page, &tile[k], bars) : 0;
        for (size_t b = 1; b < n; b++)
            html_print(page->out, "<li>%h, %h: %h</li>\n", tile[k].kind->title, bars[b].label,
                       bars[b].source);
    }
}

static void print_rule(const suite_page *page, const suite_tile *tile)
{
    html_print(
        page->out,
        "<details id=\"lights\"><summary>How the tiles are judged, and where their comparisons are "
        "from</summary>\n<p>One rule for all computers. A value is <em>good</em> if it reaches 3/4 "
        "of what its own hardware can do, worth a <em>look</em> if it reaches 1/2, and "
        "<em>slow</em> below that. Both ends of its interval must agree, and it must not be "
        "disturbed, otherwise there is no judgement. It is also slow if cm-nodes names a host or a "
        "pair of hosts that is not like the others in it. Without a bound it is good if four or "
        "more hosts were compared and none stands out. Otherwise there is no judgement, and none "
        "on a machine that was busy: a core lost more than 5 %% of its time (cm-noise), or more "
        "than half of the metrics were disturbed. The numbers of other machines judge "
        "nothing.</p>\n"
        "<p>The bound of arithmetic is cores x FMA units x vector width x clock, of memory the "
        "channels' rate, of the network its link's speed, of programs one times the number of "
        "ranks. Bars begin at 0.</p>\n<ul>\n");
    print_sources(page, tile);
    html_print(page->out, "</ul>\n</details>\n");
}

void page_tiles(suite_page *page)
{
    char *comm = suite_folder_metadata(page->dir, "comm");
    const suite_measured measured = {
        .table = page->table, .entry = page->entry, .place = page->place, .comm = comm};
    suite_tile *tile = suite_tiles_make(&measured);
    char *plain = suite_first_sentence(&measured, tile);
    char *sentence = suite_replace(plain, " %", "\xc2\xa0%"); /* that no line begins with it */
    html_print(page->out,
               "<section id=\"first\">\n<h2>At a glance</h2>\n<p class=\"sentence\">%h</p>\n"
               "<ul class=\"tiles\">\n",
               sentence);
    for (size_t k = 0; k < suite_tile_n_kinds; k++) print_tile(page, &tile[k]);
    html_print(page->out, "</ul>\n");
    print_rule(page, tile);
    page_warnings(page);
    html_print(page->out, "</section>\n");
    suite_tiles_free(tile);
    free(sentence);
    free(plain);
    free(comm);
}
