/* SPDX-License-Identifier: BSD-3-Clause */
/* page_papers.c: the papers' items, each with what was measured here: the numbers under a
   benchmark's heading, and the index of all of them. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/quantity.h"
#include "common/unit.h"
#include "page.h"
#include "page_order.h"
#include "pages.h"

/* Ours over theirs as HTML, "0.970"; NULL: one of them is missing. The caller frees. */
static char *ratio_of(const suite_item *item, const suite_reproduced *r)
{
    double ours;
    char text[SUITE_NUMBER];
    if (item->kind != SUITE_ITEM_NUMBER || item->number == 0 || !suite_reproduced_number(r, &ours))
        return NULL;
    suite_number(ours / item->number, text, sizeof text);
    return suite_number_html(text);
}

/* ---- under a benchmark's heading ------------------------------------------------------------- */

static void print_number(FILE *out, const suite_item *item, const suite_reproduced *r)
{
    piece_beside_paper(out, item->what, item->paper, item->place, item->value);
    suite_found_print(out, r->answer, &r->found);
    char *ratio = ratio_of(item, r), unit[SUITE_UNIT];
    suite_unit_said(item->unit, unit);
    piece_beside_paper_end(out, unit, ratio);
    free(ratio);
}

static bool is_of(const suite_item *item, const suite_reproduced *r, const char *bench)
{
    const suite_answer *answer = r->answer ? r->answer : &item->answer;
    return strcmp(suite_answer_bench(answer, item->owner), bench) == 0;
}

void page_papers_of(suite_page *page, const char *bench)
{
    size_t compared = 0, others = 0;
    for (int print = 0; print < 2; print++) {
        if (print && compared + others > 0) piece_beside_papers_begin(page->out, bench, compared);
        if (print && compared > 0) piece_beside_papers_table(page->out);
        for (size_t k = 0; k < page->items.n; k++) {
            const suite_item *item = &page->items.item[k];
            if (item->kind != SUITE_ITEM_NUMBER) continue;
            suite_reproduced r = suite_reproduce(item, &page->side[0]);
            const bool of = is_of(item, &r, bench), whole = suite_reproduced_whole(&r);
            if (of && whole && print) print_number(page->out, item, &r);
            if (of && !print) ++*(whole ? &compared : &others);
            suite_reproduced_free(&r);
        }
    }
    if (compared > 0) piece_table_end(page->out);
    if (others > 0) piece_beside_papers_others(page->out, others);
    if (compared + others > 0) piece_part_end(page->out);
}

/* ---- a cell of the index --------------------------------------------------------------------- */

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
    piece_paper_here_command(out, before, place, command + all);
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
    if (suite_place_simulates(page->side[side].place) && !r->own) {
        piece_paper_here_none(page->out);
        return;
    }
    piece_paper_here_untested(page->out, r->own || !item->answer.none, r->untested);
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
        bool more = r->answer && r->answer->n > 0;
        piece_paper_here_numbers(page->out, answered, all, more);
        if (!more) return;
    }
    if (r->untested) print_untested(page, item, side, r);
    else suite_found_print(page->out, r->answer, &r->found);
}

/* A ratio, or what became of a claim. */
static void print_agreement(FILE *out, const suite_item *item, const suite_reproduced *r)
{
    static const struct {
        const char *class, *words;
    } verdicts[] = {[SUITE_HOLDS] = {"pass", SAID_CLAIM_HOLDS},
                    [SUITE_CANNOT_TELL] = {"none", SAID_CLAIM_UNDECIDED},
                    [SUITE_UNTESTED] = {NULL, NULL},
                    [SUITE_FAILS] = {"fail", SAID_CLAIM_FAILS}};
    suite_verdict verdict = SUITE_UNTESTED;
    if (item->kind == SUITE_ITEM_CLAIM && (r->answer || r->own) && !item->answer.none)
        verdict = suite_reproduced_verdict(r);
    char *ratio = ratio_of(item, r);
    piece_paper_agreement(out, verdicts[verdict].class, verdicts[verdict].words, ratio,
                          r->own && suite_reproduced_whole(r) ? suite_reproduced_how(r) : NULL);
    free(ratio);
}

static void print_item(const suite_page *page, const suite_item *item)
{
    static const char section[] = "section ";
    FILE *out = page->out;
    bool number = item->kind == SUITE_ITEM_NUMBER;
    const char *place = item->place;
    char unit[SUITE_UNIT];
    suite_unit_said(item->unit, unit);
    if (strncmp(place, section, strlen(section)) == 0) place += strlen(section);
    piece_paper_item(out, place, suite_item_kinds[item->kind], item->what,
                     number ? item->value : NULL, number ? unit : NULL);
    for (size_t k = 0; k < page->n_sides; k++) {
        suite_reproduced r = suite_reproduce(item, &page->side[k]);
        piece_paper_here(out, number && suite_reproduced_whole(&r));
        print_here(page, item, k, &r);
        print_agreement(out, item, &r);
        suite_reproduced_free(&r);
    }
    piece_row_end(out);
}

/* ---- the index ------------------------------------------------------------------------------- */

static void print_head(const suite_page *page)
{
    piece_paper_table(page->out);
    for (size_t k = 0; k < page->n_sides; k++) piece_paper_side(page->out, page->side[k].title);
    piece_head_end(page->out);
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
        if (!any && inside) piece_paper_tables(page->out);
        if (!any) print_head(page);
        any = true;
        print_item(page, item);
    }
    if (any) piece_table_end(page->out);
    if (any && inside) piece_details_end(page->out);
    return any;
}

/* "Here: 3 of 40 numbers compared; of 12 claims 3 hold, 1 does not, 0 cannot be decided and 8 were
   not tested" */
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
    piece_paper_summary(page->out, side->title, compared, numbers, claims, verdicts[SUITE_HOLDS],
                        verdicts[SUITE_FAILS], verdicts[SUITE_CANNOT_TELL],
                        verdicts[SUITE_UNTESTED]);
}

static void print_paper(const suite_page *page, const size_t *order, const suite_paper *paper)
{
    piece_paper_begin(page->out, paper->name);
    for (size_t k = 0; k < page->n_sides; k++) print_summary(page, paper->name, &page->side[k]);
    piece_paper_items(page->out, paper->name, paper->citation);
    if (!print_items(page, order, paper->name, false)) piece_paper_none(page->out);
    print_items(page, order, paper->name, true);
    piece_part_end(page->out);
}

void page_papers(suite_page *page)
{
    size_t *order = suite_items_order(&page->items);
    piece_papers_begin(page->out);
    for (size_t k = 0; k < page->items.n_papers; k++)
        print_paper(page, order, &page->items.paper[k]);
    piece_section_end(page->out);
    free(order);
}
