/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_page.c: the comparison as one page, with the figures of both sides beside each other. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "compare.h"
#include "results/folder.h"
#include "common/html.h"
#include "common/memory.h"
#include "figures/svg.h"
#include "common/unit.h"

/* Beside the report's: two figures in a row, and what is worth a look. */
static const char own_style[] =
    "body { max-width: 80rem; }\n"
    ".pair { display: grid; gap: 1rem;\n"
    "        grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }\n"
    ".overlay { max-width: 48rem; }\n";

static void print_head(const comparison *all, FILE *out)
{
    char *path = suite_home_file(all->home, "suite/style.css"), *style = suite_file_text(path);
    html_print(out,
               "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
               "<head>\n<meta charset=\"utf-8\" />\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
               "<title>clustermark: %h compared</title>\n<style>\n%s%s</style>\n</head>\n<body>\n"
               "<header>\n<h1>clustermark compare</h1>\n",
               all->side[0].label, style, own_style);
    for (size_t s = 0; s < all->n_sides; s++) {
        char *words = compare_side_words(&all->side[s]);
        html_print(out, "<p>%s: <strong>%h</strong> (%h)</p>\n", s == 0 ? "Base" : "New",
                   all->side[s].label, words);
        free(words);
    }
    if (all->report)
        html_print(out, "<p>Beside this page: <a href=\"%h\">the report of the base</a>.</p>\n",
                   all->report);
    html_print(out, "</header>\n<main>\n");
    free(style);
    free(path);
}

/* Prints the remarks on what was left out, on what only one side has (mostly because of a profile),
   and similar ones. */
static void print_notes(FILE *out, const suite_words *notes)
{
    enum { FEW = 3 };
    if (notes->n == 0) return;
    if (notes->n > FEW) html_print(out, "<details><summary>%u notes</summary>\n", notes->n);
    html_print(out, "<ul>\n");
    for (size_t k = 0; k < notes->n; k++)
        html_print(out, "<li class=\"note\">%h</li>\n", notes->word[k]);
    html_print(out, notes->n > FEW ? "</ul></details>\n" : "</ul>\n");
}

void compare_page_differences(const compare_pair *pair, FILE *out)
{
    html_print(out, "<h3>Differences in the metadata</h3>\n");
    if (pair->n_differences == 0)
        html_print(out, "<p>Machine, build and settings are the same, as far as the metadata "
                        "say.</p>\n");
    else
        html_print(out, "<div class=\"wide keys\"><table>\n<thead><tr><th scope=\"col\">Key</th>"
                        "<th scope=\"col\">Base</th><th scope=\"col\">New</th>"
                        "<th scope=\"col\">Benchmarks</th></tr></thead>\n<tbody>\n");
    for (size_t k = 0; k < pair->n_differences; k++) {
        const compare_difference *difference = &pair->difference[k];
        char *benches = compare_where(pair, difference);
        html_print(out, "<tr><th scope=\"row\">%h</th><td>%h</td><td>%h</td><td>%h</td></tr>\n",
                   difference->key, difference->base, difference->new, benches);
        free(benches);
    }
    if (pair->n_differences > 0) html_print(out, "</tbody></table></div>\n");
    print_notes(out, &pair->notes);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void print_number(FILE *out, double value)
{
    char text[COMPARE_WORD];
    suite_number(value, text, sizeof text);
    html_print(out, "<td class=\"number\">%h</td>", text);
}

/* Long names may be broken after these characters, to leave room for the values. */
static void print_name(FILE *out, const compare_item *item)
{
    char *name = compare_item_name(item);
    html_print(out, "<tr><th scope=\"row\">");
    for (size_t at = 0, n; name[at]; at += n) {
        n = strcspn(name + at, "_:");
        n += name[at + n] != '\0';
        char *part = suite_text("%.*s", (int)n, name + at);
        html_print(out, name[at + n] ? "%h<wbr />" : "%h", part);
        free(part);
    }
    html_print(out, "</th>");
    free(name);
}

/* A median over two states may be one that no launch had: the line below says both. */
static void print_median(FILE *out, const compare_item *item, bool of_new, double divisor)
{
    if (compare_states_mixed(item, of_new)) html_print(out, "<td>two states</td>");
    else print_number(out, (of_new ? item->new.median : item->base.median) / divisor);
}

/* The values of both sides, and their ratio. */
static void print_values(FILE *out, const compare_item *item)
{
    char interval[COMPARE_WORD];
    compare_interval(&item->factor, interval, sizeof interval);
    char unit[SUITE_UNIT]; /* one for both */
    double divisor = compare_unit(item, unit);
    print_median(out, item, false, divisor);
    print_median(out, item, true, divisor);
    html_print(out, "<td class=\"unit\">%h</td>", unit);
    print_number(out, item->factor.ratio);
    html_print(out, "<td class=\"number\">%h</td>", interval);
}

static void print_below(FILE *out, size_t columns, const char *words)
{
    html_print(out, "<tr><td></td><td colspan=\"%u\">%h</td></tr>\n", columns, words);
}

static void print_launches(FILE *out, const compare_item *item, size_t columns)
{
    char *launches = suite_text("%zu, %zu", item->base.n, item->new.n);
    html_print(out, "<td class=\"number\">%h</td></tr>\n", launches);
    free(launches);
    if (item->states.kind != CM_STATES_PAIR_ONE) {
        char unit[SUITE_UNIT], *words = compare_states_words(item, compare_unit(item, unit));
        print_below(out, columns, words);
        free(words);
    }
    for (size_t k = 0; k < item->remarks.n; k++) print_below(out, columns, item->remarks.word[k]);
}

static const char value_heads[] =
    "<th scope=\"col\" class=\"number\">Base</th><th scope=\"col\" class=\"number\">New</th>"
    "<th scope=\"col\">Unit</th><th scope=\"col\" class=\"number\">Ratio</th>"
    "<th scope=\"col\" class=\"number\">Over launches</th>";
static const char launch_heads[] =
    "<th scope=\"col\" class=\"number\">Launches</th></tr></thead>\n<tbody>\n";
static const char test_heads[] = "<th scope=\"col\" class=\"number\">Visible</th>"
                                 "<th scope=\"col\" class=\"number\">p</th>"
                                 "<th scope=\"col\" class=\"number\">p, adjusted</th>";

static void print_tested(FILE *out, const compare_items *items, const char *what)
{
    static const char *const classes[] = {[COMPARE_FASTER] = " class=\"faster\"",
                                          [COMPARE_SLOWER] = " class=\"slower\"",
                                          [COMPARE_LOWER] = ""};
    bool tested = false;
    if (items->n == 0) return;
    for (size_t k = 0; k < items->n; k++) tested |= isfinite(items->item[k].p);
    html_print(out,
               "<h3>%s</h3>\n<div class=\"wide\"><table>\n<thead><tr>"
               "<th scope=\"col\">Metric</th><th scope=\"col\">Verdict</th>%s%s%s",
               what, value_heads, tested ? test_heads : "", launch_heads);
    for (size_t k = 0; k < items->n; k++) {
        const compare_item *item = &items->item[k];
        print_name(out, item);
        html_print(out, "<td%s>%h</td>", classes[item->verdict], compare_verdict_words(item));
        print_values(out, item);
        if (tested) {
            print_number(out, item->visible);
            print_number(out, item->p);
            print_number(out, item->adjusted);
        }
        print_launches(out, item, tested ? 10 : 7);
    }
    html_print(out, "</tbody></table></div>\n");
}

static void print_explored(FILE *out, const compare_items *items, const char *what)
{
    static const char *const better[] = {"-", "low", "high"};
    if (items->n == 0) return;
    html_print(out,
               "<details><summary>%s, not tested (exploratory): %u</summary>\n"
               "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Metric</th>%s"
               "<th scope=\"col\">Best</th>%s",
               what, items->n, value_heads, launch_heads);
    for (size_t k = 0; k < items->n; k++) {
        const compare_item *item = &items->item[k];
        print_name(out, item);
        print_values(out, item);
        html_print(out, "<td>%s</td>", better[item->better]);
        print_launches(out, item, 7);
    }
    html_print(out, "</tbody></table></div></details>\n");
}

/* ---- Figures --------------------------------------------------------------------------------- */

static void print_figure(const comparison *all, FILE *out, const suite_run *run, size_t side,
                         const char *figure)
{
    char *id = suite_text("%s-%s-%zu", run->name, figure, side);
    char *path = suite_text("%s/%zu/%s-%s.svg", all->figures, side, run->name, figure);
    html_print(out, "<figure id=\"%h\">\n", id);
    if (!svg_copy(out, path, id, run->heading, all->side[side].label))
        html_print(out, "<p class=\"note\">gnuplot could not draw this figure.</p>\n");
    html_print(out, "<figcaption>%s: %h</figcaption>\n</figure>\n", side == 0 ? "Base" : "New",
               all->side[side].label);
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
        html_print(out, "<figure class=\"overlay\" id=\"%h\">\n", id);
        svg_copy(out, path, id, run->heading, caption);
        html_print(out, "<figcaption>%s</figcaption>\n</figure>\n", caption);
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

static void print_contents(const comparison *all, FILE *out)
{
    size_t n = 0;
    for (size_t r = 0; all->figures && r < all->table.n; r++) {
        const suite_run *run = &all->table.run[r];
        if (!is_shared(all, run)) continue;
        html_print(out, n++ == 0 ? "<nav aria-label=\"Figures\">\n<p>Figures of: " : ", ");
        html_link(out, run->name, run->name);
    }
    if (n > 0) html_print(out, ".</p>\n</nav>\n");
}

static void print_figures(const comparison *all, FILE *out, const suite_run *run)
{
    if (!is_shared(all, run)) return;
    html_print(out, "<section id=\"%h\">\n<h2>%h</h2>\n", run->name, run->heading);
    print_shared(all, out, run, "compare", "All results in one figure.");
    print_shared(all, out, run, "pair", "The new result over the base.");
    for (size_t f = 0; f < run->n_figures; f++) {
        html_print(out, "<div class=\"pair\">\n");
        for (size_t s = 0; s < all->n_sides; s++) {
            const compare_bench *bench = compare_side_find(&all->side[s], run->name);
            if (bench && bench->figure) print_figure(all, out, run, s, run->figure[f]);
        }
        html_print(out, "</div>\n");
    }
    html_print(out, "</section>\n");
}

/* ---- The whole ------------------------------------------------------------------------------- */

void compare_page_metrics(const compare_pair *pair, FILE *out)
{
    print_tested(out, &pair->headline, "Headline metrics");
    print_tested(out, &pair->further, "Further metrics, tested");
    print_explored(out, &pair->metrics, "Other metrics");
}

static void print_pair(FILE *out, const compare_pair *pair)
{
    html_print(out, "<section>\n<h2>%h over %h</h2>\n", pair->new->label, pair->base->label);
    compare_page_metrics(pair, out);
    print_explored(out, &pair->rows, "Rows");
    compare_page_differences(pair, out);
    html_print(out, "</section>\n");
}

static void print_expectations(const comparison *all, FILE *out)
{
    if (!all->expectations) return;
    html_print(out, "<section>\n<h2>Expectations</h2>\n<div class=\"wide\"><table>\n<thead><tr>"
                    "<th scope=\"col\">Result</th><th scope=\"col\">Metric</th>"
                    "<th scope=\"col\">Verdict</th><th scope=\"col\" class=\"number\">Value</th>"
                    "<th scope=\"col\">Expected</th></tr></thead>\n<tbody>\n");
    for (size_t s = compare_expect_first(all); s < all->n_sides; s++)
        for (size_t k = 0; k < all->expectations->n; k++) {
            const compare_expected *expected = &all->expectations->expected[k];
            double median;
            bool met = compare_expect_met(expected, &all->side[s], &median);
            html_print(out, "<tr><td>%h</td><th scope=\"row\">%h:%h</th>", all->side[s].label,
                       expected->bench, expected->metric);
            html_print(out, met ? "<td class=\"pass\">PASS</td>" : "<td class=\"fail\">FAIL</td>");
            char *of = compare_expect_of(expected, &all->side[s]);
            print_number(out, median);
            html_print(out, *of ? "<td>%h, measured%h</td></tr>\n" : "<td>%h%h</td></tr>\n",
                       expected->text, of);
            free(of);
        }
    html_print(out, "</tbody></table></div>\n</section>\n");
}

void compare_page(const comparison *all, FILE *out)
{
    print_head(all, out);
    print_contents(all, out);
    if (all->n_sides > 1) {
        char *few = compare_shortage(all);
        html_print(out, *few ? "<p class=\"note\">%h</p>\n" : "%h", few);
        free(few);
    }
    for (size_t k = 0; k + 1 < all->n_sides; k++) print_pair(out, &all->pair[k]);
    if (all->n_sides > 1) {
        char *method = compare_method(all);
        html_print(out, "<p>%h</p>\n", method);
        free(method);
    }
    print_expectations(all, out);
    for (size_t r = 0; all->figures && r < all->table.n; r++)
        print_figures(all, out, &all->table.run[r]);
    html_print(out, "</main>\n<footer><p>Made by clustermark %h.</p></footer>\n", PACKAGE_VERSION);
    svg_script(out, all->home);
    html_print(out, "</body>\n</html>\n");
}
