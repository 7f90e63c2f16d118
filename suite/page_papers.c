/* SPDX-License-Identifier: BSD-3-Clause */
/* page_papers.c: the papers' items, each with what was measured here: the numbers under a
   benchmark's heading, and the index of all of them. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "memory.h"
#include "page.h"
#include "page_order.h"

static suite_found find(const suite_page *page, const suite_item *item)
{
    return suite_answer_find(&item->answer, item->owner, &page->shown);
}

/* What was found, or a dash where nothing measures that. */
static void print_found(FILE *out, const suite_item *item, const suite_found *found)
{
    if (item->answer.n == 0) html_print(out, "&#8211;");
    else suite_found_print(out, &item->answer, found);
}

/* Ours over theirs, where there is one of each. */
static void print_ratio(FILE *out, const suite_item *item, const suite_found *found)
{
    double ours;
    if (item->kind != SUITE_ITEM_NUMBER || item->number == 0 || found->n != 1) return;
    if (!found->value[0].text || !cm_record_number(found->value[0].text, &ours)) return;
    char *ratio = suite_text("%.3g", ours / item->number);
    html_print(out, "%h", ratio);
    free(ratio);
}

/* ---- under a benchmark's heading ------------------------------------------------------------- */

static const char section_head[] =
    "<h3>Beside the papers' numbers</h3>\n<div class=\"wide\"><table><caption>The papers measured "
    "other machines; the ratio says how far this one is from theirs.</caption>\n"
    "<thead><tr><th scope=\"col\">What</th><th scope=\"col\">Paper</th>"
    "<th scope=\"col\" class=\"number\">Theirs</th><th scope=\"col\" class=\"number\">Here</th>"
    "<th scope=\"col\">Unit</th><th scope=\"col\" class=\"number\">Here / theirs</th>"
    "</tr></thead>\n"
    "<tbody>\n";

static void print_number(suite_page *page, const suite_item *item)
{
    FILE *out = page->out;
    suite_found found = find(page, item);
    html_print(out,
               "<tr><th scope=\"row\">%h</th><td><a href=\"#paper-%h\">%h</a>, %h</td>"
               "<td class=\"number\">%h</td><td class=\"number\">",
               item->what, item->paper, item->paper, item->place, item->value);
    print_found(out, item, &found);
    html_print(out, "</td><td class=\"unit\">%h</td><td class=\"number\">", item->unit);
    print_ratio(out, item, &found);
    html_print(out, "</td></tr>\n");
    suite_found_free(&found);
}

void page_papers_of(suite_page *page, const char *bench)
{
    bool any = false;
    for (size_t k = 0; k < page->items.n; k++) {
        const suite_item *item = &page->items.item[k];
        if (item->kind != SUITE_ITEM_NUMBER
            || strcmp(suite_answer_bench(&item->answer, item->owner), bench) != 0)
            continue;
        if (!any) html_print(page->out, section_head);
        any = true;
        print_number(page, item);
    }
    if (any) html_print(page->out, "</tbody></table></div>\n");
}

/* ---- the index ------------------------------------------------------------------------------- */

/* How many numbers of the table have an answer. Returns false if it has no numbers. */
static bool count_numbers(const suite_page *page, const suite_item *table, size_t *answered,
                          size_t *all)
{
    *answered = *all = 0;
    for (size_t k = 0; k < page->items.n; k++) {
        const suite_item *item = &page->items.item[k];
        if (item->kind != SUITE_ITEM_NUMBER || !suite_item_same_table(item, table)) continue;
        suite_found found = find(page, item);
        ++*all;
        *answered += found.n > 0 && found.answered == found.n;
        suite_found_free(&found);
    }
    return *all > 0;
}

/* A table's numbers and what answers to it as a whole. */
static void print_here(const suite_page *page, const suite_item *item, const suite_found *found)
{
    size_t answered, all;
    if (item->kind != SUITE_ITEM_TABLE || !count_numbers(page, item, &answered, &all)) {
        print_found(page->out, item, found);
        return;
    }
    html_print(page->out, "%u of its %u numbers", answered, all);
    if (item->answer.n == 0) return;
    html_print(page->out, "; ");
    suite_found_print(page->out, &item->answer, found);
}

static void print_item(const suite_page *page, const suite_item *item)
{
    static const char section[] = "section ";
    FILE *out = page->out;
    suite_found found = find(page, item);
    bool number = item->kind == SUITE_ITEM_NUMBER;
    const char *place = item->place;
    if (strncmp(place, section, strlen(section)) == 0) place += strlen(section);
    html_print(out,
               "<tr><td class=\"place\">%h</td><td>%s</td><th scope=\"row\">%h</th>"
               "<td class=\"number\">%h</td><td class=\"here%s\">",
               place, suite_item_kinds[item->kind], item->what, number ? item->value : "",
               number ? " number" : "");
    print_here(page, item, &found);
    html_print(out, "</td><td class=\"unit\">%h</td><td class=\"number\">",
               number ? item->unit : "");
    print_ratio(out, item, &found);
    html_print(out, "</td></tr>\n");
    suite_found_free(&found);
}

static const char index_head[] =
    "<div class=\"wide\"><table class=\"index\"><thead><tr><th scope=\"col\">Section</th>"
    "<th scope=\"col\">Kind</th><th scope=\"col\">What</th>"
    "<th scope=\"col\" class=\"number\">Theirs</th><th scope=\"col\">Here</th>"
    "<th scope=\"col\">Unit</th><th scope=\"col\" class=\"number\">Here / theirs</th>"
    "</tr></thead>\n"
    "<tbody>\n";

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
        if (!any) html_print(page->out, index_head);
        any = true;
        print_item(page, item);
    }
    if (any) html_print(page->out, "</tbody></table></div>\n");
    if (any && inside) html_print(page->out, "</details>\n");
    return any;
}

void page_papers(suite_page *page)
{
    size_t *order = suite_items_order(&page->items);
    html_print(
        page->out,
        "<section id=\"papers\">\n<h2>The papers</h2>\n<p>Their tables, figures, numbers and "
        "claims in the order of their sections, each with what this run has beside it. The "
        "papers measured other machines; the ratio says how far this one is from theirs. "
        "&#8211;: nothing here measures that.</p>\n");
    for (size_t k = 0; k < page->items.n_papers; k++) {
        const suite_paper *paper = &page->items.paper[k];
        html_print(page->out, "<h3 id=\"paper-%h\">%h</h3>\n<p>%h</p>\n", paper->name, paper->name,
                   paper->citation);
        if (!print_items(page, order, paper->name, false))
            html_print(page->out,
                       "<p class=\"note\">No benchmark of this installation answers to it.</p>\n");
        print_items(page, order, paper->name, true);
    }
    html_print(page->out, "</section>\n");
    free(order);
}
