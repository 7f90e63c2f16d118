/* SPDX-License-Identifier: BSD-3-Clause */
/* papers_table.c: DIR/papers.tsv, how the results answer to the papers, for programs: a line for
   each part of each item's answer on each side, with fields that tabs separate. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "page_order.h"
#include "common/say.h"

static const char head[] =
    "paper\tplace\titem\tkind\twhat\ttheirs\tunit\tneeds\tplaces\tside\tpart\tours\tlow\thigh\t"
    "relation\tbound\tverdict\thow\tproblem\tcommand\n";

static void print_end(FILE *out, double number)
{
    if (isfinite(number)) fprintf(out, "%.6g\t", number);
    else fputs("-\t", out);
}

static const char *or_dash(const char *text) { return text && *text ? text : "-"; }

/* Prints the beginning that all parts of an item share. */
static void print_begin(FILE *out, const suite_page *page, const suite_item *item,
                        const suite_side *side)
{
    char *needs = suite_needs_words(&item->needs), *places = suite_places_of(&page->places, item);
    fprintf(out, "%s\t%s\t%s:%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t", item->paper, item->place,
            item->owner, item->key, suite_item_kinds[item->kind], item->what, item->value,
            item->unit, or_dash(needs), or_dash(places), side->title);
    free(places);
    free(needs);
}

static void print_untested(FILE *out, const suite_reproduced *r)
{
    fprintf(out, "-\t-\t-\t-\t-\t-\t%s\t%s\t%s", suite_verdict_words[SUITE_UNTESTED],
            suite_reproduced_how(r), r->untested);
}

static void print_part(FILE *out, const suite_reproduced *r, size_t k)
{
    const suite_part *part = &r->answer->part[k];
    const suite_found_part *found = &r->found.part[k];
    bool test = part->kind == SUITE_PART_TEST;
    fprintf(out, "%s\t%s\t", or_dash(part->label), or_dash(found->value.text));
    print_end(out, found->quantity.low);
    print_end(out, found->quantity.high);
    fprintf(out, "%s\t%s\t%s\t%s\t%s%s", or_dash(part->relation), or_dash(found->bound),
            test ? suite_verdict_words[found->verdict] : "-", suite_reproduced_how(r),
            or_dash(found->value.problem),
            found->value.oversubscribed ? " (more ranks than cores)" : "");
}

static void print_item(FILE *out, const suite_page *page, const suite_item *item,
                       const suite_side *side)
{
    suite_reproduced r = suite_reproduce(item, side);
    char *command = suite_reproduce_command(&page->places, item);
    size_t n = r.untested ? 1 : r.answer->n;
    for (size_t k = 0; k < n; k++) {
        print_begin(out, page, item, side);
        if (r.untested) print_untested(out, &r);
        else print_part(out, &r, k);
        fprintf(out, "\t%s\n", or_dash(command));
    }
    free(command);
    suite_reproduced_free(&r);
}

bool page_papers_table(const suite_page *page)
{
    size_t length, *order = suite_items_order(&page->items);
    char *text = NULL;
    FILE *out = open_memstream(&text, &length);
    bool written = out;
    if (out) {
        fputs(head, out);
        for (size_t k = 0; k < page->items.n; k++)
            for (size_t s = 0; s < page->n_sides; s++)
                print_item(out, page, &page->items.item[order[k]], &page->side[s]);
        written = fclose(out) == 0;
    }
    if (written) written = suite_folder_write(page->dir, "papers", "tsv", text);
    else suite_say("report: out of memory");
    free(text);
    free(order);
    return written;
}
