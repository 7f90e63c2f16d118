/* SPDX-License-Identifier: BSD-3-Clause */
/* page_papers.c: the papers' items, each with what was measured here: the numbers under a
   benchmark's heading, and the index of all of them. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/html.h"
#include "common/memory.h"
#include "page.h"
#include "page_order.h"

/* Ours over theirs, where there is one of each. */
static void print_ratio(FILE *out, const suite_item *item, const suite_reproduced *r)
{
    double ours;
    if (item->kind != SUITE_ITEM_NUMBER || item->number == 0) return;
    if (!suite_reproduced_number(r, &ours)) return;
    char *ratio = suite_text("%.3g", ours / item->number);
    html_print(out, "%h", ratio);
    free(ratio);
}

/* ---- under a benchmark's heading ------------------------------------------------------------- */

static const char section_head[] =
    "<details><summary>Beside the papers' numbers</summary>\n"
    "<div class=\"wide\"><table><caption>The papers measured "
    "other machines; the ratio says how far this one is from theirs.</caption>\n"
    "<thead><tr><th scope=\"col\">What</th><th scope=\"col\">Paper</th>"
    "<th scope=\"col\" class=\"number\">Theirs</th><th scope=\"col\" class=\"number\">Here</th>"
    "<th scope=\"col\">Unit</th><th scope=\"col\" class=\"number\">Here / theirs</th>"
    "</tr></thead>\n"
    "<tbody>\n";

static void print_number(FILE *out, const suite_item *item, const suite_reproduced *r)
{
    html_print(out,
               "<tr><th scope=\"row\">%h</th><td><a href=\"#paper-%h\">%h</a>, %h</td>"
               "<td class=\"number\">%h</td><td class=\"number\">",
               item->what, item->paper, item->paper, item->place, item->value);
    suite_found_print(out, r->answer, &r->found);
    html_print(out, "</td><td class=\"unit\">%h</td><td class=\"number\">", item->unit);
    print_ratio(out, item, r);
    html_print(out, "</td></tr>\n");
}

static bool is_of(const suite_item *item, const suite_reproduced *r, const char *bench)
{
    const suite_answer *answer = r->answer ? r->answer : &item->answer;
    return strcmp(suite_answer_bench(answer, item->owner), bench) == 0;
}

void page_papers_of(suite_page *page, const char *bench)
{
    size_t compared = 0, others = 0;
    for (size_t k = 0; k < page->items.n; k++) {
        const suite_item *item = &page->items.item[k];
        if (item->kind != SUITE_ITEM_NUMBER) continue;
        suite_reproduced r = suite_reproduce(item, &page->side[0]);
        if (is_of(item, &r, bench)) {
            if (suite_reproduced_whole(&r) && compared++ == 0) html_print(page->out, section_head);
            if (suite_reproduced_whole(&r)) print_number(page->out, item, &r);
            else others++;
        }
        suite_reproduced_free(&r);
    }
    if (compared) html_print(page->out, "</tbody></table></div></details>\n");
    if (others)
        html_print(page->out,
                   "<p class=\"quiet\">%u numbers of the papers cannot be compared with this run; "
                   "the <a href=\"#papers\">index</a> says why.</p>\n",
                   others);
}

/* ---- a cell of the index --------------------------------------------------------------------- */

static bool is_simulated(const suite_side *side)
{
    return side->place->name && !side->place->is_virtual;
}

/* Returns true if one of the sides has the whole answer. */
static bool is_answered(const suite_page *page, const suite_item *item)
{
    bool whole = false;
    for (size_t k = 0; k < page->n_sides; k++) {
        suite_reproduced r = suite_reproduce(item, &page->side[k]);
        whole |= suite_reproduced_whole(&r);
        suite_reproduced_free(&r);
    }
    return whole;
}

/* A line may break before --place; what stands in parentheses is no part of the command. */
static void print_command(FILE *out, const char *command)
{
    size_t program = (size_t)(strstr(command, "--place") - command), all = strcspn(command, "(");
    if (command[all]) all--;
    char *before = suite_text("%.*s", (int)program, command);
    char *place = suite_text("%.*s", (int)(all - program), command + program);
    html_print(out, "; <code>%h<span>%h</span></code>%h", before, place, command + all);
    free(place);
    free(before);
}

/* Prints the command that would give an answer. */
static void print_hint(const suite_page *page, const suite_item *item)
{
    char *command = suite_reproduce_command(&page->places, item);
    if (command) print_command(page->out, command);
    free(command);
}

static void print_untested(const suite_page *page, const suite_item *item, size_t side,
                           const suite_reproduced *r)
{
    if (is_simulated(&page->side[side]) && !r->own) {
        html_print(page->out, "&#8211;");
        return;
    }
    html_print(page->out, "<span class=\"none\">%s%h</span>",
               r->own || !item->answer.none ? "cannot be tested here: " : "", r->untested);
    if (side == 0 && !is_answered(page, item)) print_hint(page, item);
}

/* Counts the numbers of the table that have an answer. Returns false if it has no numbers. */
static bool count_numbers(const suite_page *page, const suite_item *table, size_t side,
                          size_t *answered, size_t *all)
{
    *answered = *all = 0;
    for (size_t k = 0; k < page->items.n; k++) {
        const suite_item *item = &page->items.item[k];
        if (item->kind != SUITE_ITEM_NUMBER || !suite_item_same_table(item, table)) continue;
        suite_reproduced r = suite_reproduce(item, &page->side[side]);
        ++*all;
        *answered += suite_reproduced_whole(&r);
        suite_reproduced_free(&r);
    }
    return *all > 0;
}

/* A table's numbers and what answers to it as a whole. */
static void print_here(const suite_page *page, const suite_item *item, size_t side,
                       const suite_reproduced *r)
{
    size_t answered, all;
    bool table = item->kind == SUITE_ITEM_TABLE && count_numbers(page, item, side, &answered, &all);
    if (table) {
        html_print(page->out, "%u of its %u numbers", answered, all);
        if (!r->answer || r->answer->n == 0) return;
        html_print(page->out, "; ");
    }
    if (r->untested) print_untested(page, item, side, r);
    else suite_found_print(page->out, r->answer, &r->found);
}

/* A ratio, or what became of a claim. */
static void print_agreement(FILE *out, const suite_item *item, const suite_reproduced *r)
{
    static const char *const classes[] = {"pass", "none", "none", "fail"};
    if (item->kind == SUITE_ITEM_CLAIM && (r->answer || r->own) && !item->answer.none) {
        suite_verdict verdict = suite_reproduced_verdict(r);
        if (verdict != SUITE_UNTESTED)
            html_print(out, "<span class=\"%s\">%s</span>", classes[verdict],
                       suite_verdict_words[verdict]);
    }
    print_ratio(out, item, r);
    if (r->own && suite_reproduced_whole(r)) html_print(out, " %s", suite_reproduced_how(r));
}

static void print_item(const suite_page *page, const suite_item *item)
{
    static const char section[] = "section ";
    FILE *out = page->out;
    bool number = item->kind == SUITE_ITEM_NUMBER;
    const char *place = item->place;
    if (strncmp(place, section, strlen(section)) == 0) place += strlen(section);
    html_print(out,
               "<tr><td class=\"place\">%h</td><td>%s</td><th scope=\"row\">%h</th>"
               "<td class=\"number\">%h</td><td class=\"unit\">%h</td>",
               place, suite_item_kinds[item->kind], item->what, number ? item->value : "",
               number ? item->unit : "");
    for (size_t k = 0; k < page->n_sides; k++) {
        suite_reproduced r = suite_reproduce(item, &page->side[k]);
        html_print(out, "<td class=\"here%s\">",
                   number && suite_reproduced_whole(&r) ? " number" : "");
        print_here(page, item, k, &r);
        html_print(out, "</td><td class=\"agreement\">");
        print_agreement(out, item, &r);
        html_print(out, "</td>");
        suite_reproduced_free(&r);
    }
    html_print(out, "</tr>\n");
}

/* ---- the index ------------------------------------------------------------------------------- */

static void print_head(const suite_page *page)
{
    html_print(
        page->out,
        "<div class=\"wide\"><table class=\"index\"><thead><tr><th scope=\"col\">Section</th>"
        "<th scope=\"col\">Kind</th><th scope=\"col\">What</th>"
        "<th scope=\"col\" class=\"number\">Theirs</th><th scope=\"col\">Unit</th>");
    for (size_t k = 0; k < page->n_sides; k++)
        html_print(page->out,
                   "<th scope=\"col\">%h</th><th scope=\"col\" class=\"number\">Agreement</th>",
                   page->side[k].title);
    html_print(page->out, "</tr></thead>\n<tbody>\n");
}

/* The paper's items in the order of its sections: those inside its tables, or all others. Returns
   false if there are none. */
static bool print_items(const suite_page *page, const size_t *order, const char *paper, bool inside)
{
    bool any = false;
    for (size_t k = 0; k < page->items.n; k++) {
        const suite_item *item = &page->items.item[order[k]];
        if (strcmp(item->paper, paper) != 0) continue;
        if ((item->kind == SUITE_ITEM_NUMBER && suite_item_in_table(item)) != inside) continue;
        if (!any && inside)
            html_print(page->out,
                       "<details><summary>The numbers of its tables, one by one</summary>\n");
        if (!any) print_head(page);
        any = true;
        print_item(page, item);
    }
    if (any) html_print(page->out, "</tbody></table></div>\n");
    if (any && inside) html_print(page->out, "</details>\n");
    return any;
}

/* "Here: 3 of 40 numbers compared; of 12 claims 3 hold, 1 does not hold, 8 cannot be tested." */
static void print_summary(const suite_page *page, const char *paper, const suite_side *side)
{
    size_t numbers = 0, compared = 0, claims = 0, verdicts[SUITE_FAILS + 1] = {0};
    double ours;
    for (size_t k = 0; k < page->items.n; k++) {
        const suite_item *item = &page->items.item[k];
        if (strcmp(item->paper, paper) != 0) continue;
        suite_reproduced r = suite_reproduce(item, side);
        if (item->kind == SUITE_ITEM_NUMBER) {
            numbers++;
            compared += suite_reproduced_number(&r, &ours);
        } else if (item->kind == SUITE_ITEM_CLAIM) {
            claims++;
            verdicts[suite_reproduced_verdict(&r)]++;
        }
        suite_reproduced_free(&r);
    }
    html_print(page->out,
               "<p>%h: %u of its %u numbers compared; of its %u claims %u hold, %u do not hold, "
               "%u cannot be told and %u were not tested.</p>\n",
               side->title, compared, numbers, claims, verdicts[SUITE_HOLDS], verdicts[SUITE_FAILS],
               verdicts[SUITE_CANNOT_TELL], verdicts[SUITE_UNTESTED]);
}

static void print_paper(const suite_page *page, const size_t *order, const suite_paper *paper)
{
    html_print(page->out, "<h3 id=\"paper-%h\">%h</h3>\n<p>%h</p>\n", paper->name, paper->name,
               paper->citation);
    for (size_t k = 0; k < page->n_sides; k++) print_summary(page, paper->name, &page->side[k]);
    html_print(page->out, "<details><summary>%h, item by item</summary>\n", paper->name);
    if (!print_items(page, order, paper->name, false))
        html_print(page->out,
                   "<p class=\"note\">No benchmark of this installation answers to it.</p>\n");
    print_items(page, order, paper->name, true);
    html_print(page->out, "</details>\n");
}

void page_papers(suite_page *page)
{
    size_t *order = suite_items_order(&page->items);
    html_print(
        page->out,
        "<section id=\"papers\">\n<h2>The papers</h2>\n<p>Their tables, figures, numbers and "
        "claims in the order of their sections, each with what this run has beside it. The "
        "papers measured other machines; the ratio says how far this one is from theirs. Only like "
        "things are compared: an item that needs another place says which. A claim is an "
        "inequality; it holds, or does not, if that is so within the intervals of both sides. "
        "&#8211;: the simulated cluster does not answer it.</p>\n");
    for (size_t k = 0; k < page->items.n_papers; k++)
        print_paper(page, order, &page->items.paper[k]);
    html_print(page->out, "</section>\n");
    free(order);
}
