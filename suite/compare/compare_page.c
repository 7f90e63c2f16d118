/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_page.c: the comparison as one page, with the figures of both sides beside each other. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "compare.h"
#include "results/folder.h"
#include "common/memory.h"
#include "figures/svg.h"
#include "common/unit.h"
#include "pages.h"

/* Prints the remarks on what was left out, on what only one side has (mostly because of a profile),
   and similar ones. id: see compare_page_differences. */
static void print_notes(FILE *out, const suite_words *notes, const char *id)
{
    enum { FEW = 3 };
    const bool folded = notes->n > FEW;
    if (notes->n == 0) return;
    piece_compare_notes_begin(out, folded, notes->n, id);
    for (size_t k = 0; k < notes->n; k++) piece_compare_note(out, notes->word[k]);
    piece_compare_notes_end(out, folded);
}

/* The ranks of a thousand hosts fill no cell. The caller frees. */
static char *shortened(const char *value)
{
    enum { MOST = 400, BEGIN = 300 };
    const size_t length = strlen(value);
    if (length <= MOST) return suite_copy(value);
    int end = BEGIN;
    while (end > 0 && ((unsigned char)value[end] & 0xc0) == 0x80) end--; /* no part of a letter */
    char *begin = suite_text("%.*s", end, value);
    char *cut = said_compare_cut_value(begin, length - (size_t)end);
    free(begin);
    return cut;
}

void compare_page_differences(const compare_pair *pair, const char *id, FILE *out)
{
    piece_compare_differences_begin(out, pair->n_differences);
    for (size_t k = 0; k < pair->n_differences; k++) {
        const compare_difference *difference = &pair->difference[k];
        char *benches = compare_where(pair, difference);
        char *base = shortened(difference->base), *new = shortened(difference->new);
        piece_compare_difference(out, difference->key, base, new, benches);
        free(new);
        free(base);
        free(benches);
    }
    if (pair->n_differences > 0) piece_table_end(out);
    print_notes(out, &pair->notes, id);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void print_number(FILE *out, double value)
{
    char text[COMPARE_WORD];
    suite_number(value, text, sizeof text);
    piece_compare_number(out, text);
}

/* The id of a row of a table that has one: names have blanks, ids have none. */
static char *row_id(const char *table, const char *name)
{
    char *id = suite_text("%s:%s", table, name);
    for (char *at = id; (at = strchr(at, ' '));) *at = '_';
    return id;
}

/* Long names may be broken after these characters, to leave room for the values. A row with an id
   can be found. */
static void print_name(FILE *out, const compare_item *item, const char *table)
{
    char *name = compare_item_name(item), *id = table ? row_id(table, name) : NULL;
    piece_compare_name_begin(out, id);
    free(id);
    for (size_t at = 0, n; name[at]; at += n) {
        n = strcspn(name + at, "_:");
        n += name[at + n] != '\0';
        char *part = suite_text("%.*s", (int)n, name + at);
        piece_metric_part(out, part, name[at + n]);
        free(part);
    }
    piece_compare_name_end(out);
    free(name);
}

/* A median over two states may be one that no launch had: the line below says both. */
static void print_median(FILE *out, const compare_item *item, bool of_new, double divisor)
{
    if (compare_states_mixed(item, of_new)) piece_compare_two_states(out);
    else print_number(out, (of_new ? item->new.median : item->base.median) / divisor);
}

/* One launch a side has a ratio and nothing beyond it. */
static void print_ratio(FILE *out, const cm_rank_factor *factor)
{
    const bool range = factor->interval == CM_INTERVAL_RANGE;
    const bool known = isfinite(factor->low) && !(range && factor->low == factor->high);
    suite_digits digits =
        suite_digits_of(factor->ratio, known ? factor->low : NAN, known ? factor->high : NAN);
    piece_compare_number(out, digits.value);
    piece_compare_ends(out, known ? digits.low : NULL, digits.high, range);
}

/* The values of both sides, and their ratio. */
static void print_values(FILE *out, const compare_item *item)
{
    char unit[SUITE_UNIT]; /* one for both */
    double divisor = compare_unit(item, unit);
    print_median(out, item, false, divisor);
    print_median(out, item, true, divisor);
    piece_compare_unit(out, unit);
    print_ratio(out, &item->factor);
}

static void print_launches(FILE *out, const compare_item *item, size_t columns)
{
    piece_compare_launches(out, item->base.n, item->new.n);
    if (item->states.kind != CM_STATES_PAIR_ONE) {
        char unit[SUITE_UNIT], *words = compare_states_words(item, compare_unit(item, unit));
        piece_compare_below(out, columns, words);
        free(words);
    }
    for (size_t k = 0; k < item->remarks.n; k++)
        piece_compare_below(out, columns, item->remarks.word[k]);
}

static void print_tested(FILE *out, const compare_items *items, const char *what, const char *id)
{
    static const char *const classes[] = {
        [COMPARE_FASTER] = "faster", [COMPARE_SLOWER] = "slower", [COMPARE_LOWER] = NULL};
    bool tested = false;
    if (items->n == 0) return;
    for (size_t k = 0; k < items->n; k++) tested |= isfinite(items->item[k].p);
    piece_compare_tested_begin(out, what, tested);
    for (size_t k = 0; k < items->n; k++) {
        const compare_item *item = &items->item[k];
        print_name(out, item, id);
        piece_compare_verdict(out, classes[item->verdict], compare_verdict_words(item));
        print_values(out, item);
        if (tested) {
            print_number(out, item->visible);
            print_number(out, item->p);
            print_number(out, item->adjusted);
        }
        print_launches(out, item, tested ? 10 : 7);
    }
    piece_table_end(out);
}

/* id: of the part, which a link then opens; NULL: it has none. found: its rows can be found. Of
   very many the page has those that changed most: the JSON has all. */
static void print_explored(FILE *out, const compare_items *items, const char *what, const char *id,
                           const char *found)
{
    enum { MOST = 1000 };
    static const char *const better[] = {"-", "low", "high"};
    const size_t n = items->n < MOST ? items->n : MOST;
    if (items->n == 0) return;
    piece_compare_explored_begin(out, what, n, items->n, n < items->n, id);
    for (size_t k = 0; k < n; k++) {
        const compare_item *item = &items->item[k];
        print_name(out, item, found);
        print_values(out, item);
        piece_cell(out, better[item->better], false);
        print_launches(out, item, 7);
    }
    if (id) piece_part_of_tables_end(out);
    else piece_folded_table_end(out);
}

/* ---- Figures --------------------------------------------------------------------------------- */

static void print_figure(const comparison *all, FILE *out, const suite_run *run, size_t side,
                         const char *figure)
{
    char *id = suite_text("%s-%s-%zu", run->name, figure, side);
    char *path = suite_text("%s/%zu/%s-%s.svg", all->figures, side, run->name, figure);
    piece_compare_figure_begin(out, false, id);
    if (!svg_copy(out, path, id, run->heading, all->side[side].label)) piece_figure_failed(out);
    piece_compare_figure_end(out, side == 0, all->side[side].label);
    free(path);
    free(id);
}

/* A figure of all sides, if there is one. */
static void print_shared(const comparison *all, FILE *out, const suite_run *run, const char *figure,
                         const char *caption)
{
    char *id = suite_text("%s-%s", run->name, figure);
    char *path = suite_text("%s/%s.svg", all->figures, id);
    if (access(path, F_OK) == 0) {
        piece_compare_figure_begin(out, true, id);
        svg_copy(out, path, id, run->heading, caption);
        piece_compare_overlay_end(out, caption);
    }
    free(path);
    free(id);
}

/* Do base and another side have the run? */
static bool is_shared(const comparison *all, const suite_run *run)
{
    bool found = false;
    for (size_t s = 1; s < all->n_sides; s++)
        found |= compare_side_find(&all->side[s], run->name) != NULL;
    return found && compare_side_find(&all->side[0], run->name);
}

static bool has_figures(const comparison *all)
{
    bool any = false;
    for (size_t r = 0; all->figures && r < all->table.n; r++)
        any = any || is_shared(all, &all->table.run[r]);
    return any;
}

/* "pair-1"; the caller frees. */
static char *id_of(size_t pair) { return suite_text("pair-%zu", pair + 1); }

static void print_contents(const comparison *all, FILE *out)
{
    piece_contents_begin(out, SAID_COMPARE_FIND, SAID_COMPARE_FIND_NONE);
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        char *id = id_of(k),
             *name = said_compare_over(all->pair[k].new->label, all->pair[k].base->label);
        piece_contents_entry(out, id, name);
        free(name);
        free(id);
    }
    if (all->expectations) piece_contents_entry(out, "expectations", SAID_COMPARE_EXPECTATIONS);
    if (has_figures(all)) {
        piece_contents_group(out, "figures", SAID_COMPARE_FIGURES, true);
        for (size_t r = 0; r < all->table.n; r++)
            if (is_shared(all, &all->table.run[r]))
                piece_contents_entry(out, all->table.run[r].name, all->table.run[r].heading);
        piece_contents_group_end(out, true);
    }
    piece_contents_end(out);
    piece_main_begin(out);
}

static void print_figures(const comparison *all, FILE *out, const suite_run *run)
{
    if (!is_shared(all, run)) return;
    piece_compare_figures_begin(out, run->name, run->heading);
    print_shared(all, out, run, "compare", SAID_COMPARE_ALL_SIDES);
    print_shared(all, out, run, "pair", SAID_COMPARE_RATIO_FIGURE);
    for (size_t f = 0; f < run->n_figures; f++) {
        piece_compare_figures_pair(out);
        for (size_t s = 0; s < all->n_sides; s++) {
            const compare_bench *bench = compare_side_find(&all->side[s], run->name);
            if (bench && bench->figure) print_figure(all, out, run, s, run->figure[f]);
        }
        piece_compare_figures_pair_end(out);
    }
    piece_compare_figures_end(out);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void print_head(const comparison *all, FILE *out)
{
    char *path = suite_home_file(all->home, "suite/style.css"), *style = suite_file_text(path);
    piece_compare_begin(out, all->side[0].label, style);
    print_contents(all, out);
    for (size_t s = 0; s < all->n_sides; s++) {
        char *words = compare_side_words(&all->side[s]);
        piece_compare_side(out, s == 0, all->side[s].label, words);
        free(words);
    }
    if (all->report) piece_compare_beside(out, all->report);
    free(style);
    free(path);
}

void compare_page_metrics(const compare_pair *pair, const char *id, FILE *out)
{
    char *metrics = id ? suite_text("%s-metrics", id) : NULL;
    print_tested(out, &pair->headline, SAID_COMPARE_HEADLINE, id);
    print_tested(out, &pair->further, SAID_COMPARE_FURTHER, id);
    print_explored(out, &pair->metrics, SAID_COMPARE_OTHER, metrics, id);
    free(metrics);
}

/* Rows may be many thousands: they are not found one by one. */
static void print_pair(FILE *out, const compare_pair *pair, size_t k)
{
    char *id = id_of(k), *rows = suite_text("%s-rows", id);
    char *name = said_compare_over(pair->new->label, pair->base->label);
    piece_compare_pair_begin(out, id, name);
    compare_page_metrics(pair, id, out);
    compare_page_hosts(pair, id, out);
    print_explored(out, &pair->rows, SAID_COMPARE_ROWS, rows, NULL);
    compare_page_differences(pair, id, out);
    piece_section_end(out);
    free(name);
    free(rows);
    free(id);
}

static void print_expectations(const comparison *all, FILE *out)
{
    if (!all->expectations) return;
    piece_compare_expectations_begin(out);
    for (size_t s = compare_expect_first(all); s < all->n_sides; s++)
        for (size_t k = 0; k < all->expectations->n; k++) {
            const compare_expected *expected = &all->expectations->expected[k];
            double median;
            bool met = compare_expect_met(expected, &all->side[s], &median);
            piece_compare_expected(out, all->side[s].label, expected->bench, expected->metric, met);
            char *of = compare_expect_of(expected, &all->side[s]);
            print_number(out, median);
            piece_compare_expected_end(out, expected->text, of);
            free(of);
        }
    piece_table_end(out);
    piece_section_end(out);
}

void compare_page(const comparison *all, FILE *out)
{
    print_head(all, out);
    if (all->n_sides > 1) {
        piece_range_mark(out);
        char *few = compare_shortage(all);
        if (*few) piece_compared_note(out, few);
        free(few);
    }
    for (size_t k = 0; k + 1 < all->n_sides; k++) print_pair(out, &all->pair[k], k);
    if (all->n_sides > 1) {
        char *method = compare_method(all);
        piece_paragraph(out, method);
        free(method);
    }
    print_expectations(all, out);
    if (has_figures(all)) {
        piece_group_begin(out, "figures", SAID_COMPARE_FIGURES);
        for (size_t r = 0; r < all->table.n; r++) print_figures(all, out, &all->table.run[r]);
        piece_section_end(out);
    }
    piece_compare_end(out, PACKAGE_VERSION);
    svg_scripts(out, all->home);
    piece_page_end(out);
}
