/* SPDX-License-Identifier: BSD-3-Clause */
/* page_place.c: how well a simulated cluster answers with its paper's numbers; the settings of
   virtual hosts. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "results/over.h"
#include "page.h"
#include "common/say.h"
#include "common/unit.h"
#include "pages.h"

static bool check(const suite_page *page, const suite_place *place)
{
    char why[512];
    for (size_t k = 0; k < place->n_items; k++) {
        const suite_place_item *own = &place->item[k];
        const suite_item *item = suite_items_find(&page->items, own->owner, own->key);
        if (!item || (item->kind == SUITE_ITEM_NUMBER && item->number == 0))
            snprintf(why, sizeof why, "expected an item of a paper, and no number 0");
        else if (suite_answer_fits(&own->answer, item->kind, why, sizeof why)) continue;
        suite_say("report: clusters/simulated/%s.place: item: '%s:%s': %s", place->name, own->owner,
                  own->key, why);
        return false;
    }
    return true;
}

bool page_place_check(const suite_page *page)
{
    return check(page, page->place) && check(page, &page->beside->place);
}

/* The place's k-th item, if it is a number; otherwise NULL. */
static const suite_item *number_of(const suite_page *page, const suite_place *place, size_t k)
{
    const suite_place_item *own = &place->item[k];
    const suite_item *item = suite_items_find(&page->items, own->owner, own->key);
    return item->kind == SUITE_ITEM_NUMBER ? item : NULL;
}

/* Returns the deviation of the simulation from the paper's number, in per cent; NAN: none is known.
   */
static double deviation(const suite_item *item, const suite_reproduced *r)
{
    double ours;
    return suite_reproduced_number(r, &ours) ? 100 * (ours / item->number - 1) : NAN;
}

static void print_item(FILE *out, const suite_item *item, const suite_side *side)
{
    suite_reproduced r = suite_reproduce(item, side);
    piece_place_item(out, item->what, item->place, item->value);
    if (r.untested) piece_quiet(out, r.untested);
    else suite_found_print(out, r.answer, &r.found);
    char unit[SUITE_UNIT];
    suite_unit_said(item->unit, unit);
    piece_place_item_end(out, unit, deviation(item, &r), suite_reproduced_how(&r));
    suite_reproduced_free(&r);
}

/* "12 predicted numbers: median deviation 1.2 %, largest 5.0 %." */
static void print_summary(const suite_page *page, const suite_side *side, bool fitted)
{
    const suite_place *place = side->place;
    cm_samples sizes = CM_SAMPLES_EMPTY;
    size_t missing = 0;
    for (size_t k = 0; k < place->n_items; k++) {
        const suite_item *item = number_of(page, place, k);
        if (!item || place->item[k].fitted != fitted || place->item[k].input) continue;
        suite_reproduced r = suite_reproduce(item, side);
        double percent = deviation(item, &r);
        if (isfinite(percent)) suite_over_add_number(&sizes, fabs(percent));
        else missing++;
        suite_reproduced_free(&r);
    }
    const cm_summary summary = suite_over_summary(&sizes);
    if (sizes.n) piece_place_deviations(page->out, sizes.n, fitted, summary.median, summary.max);
    if (missing) piece_place_missing(page->out, missing, fitted);
    cm_samples_free(&sizes);
}

static void print_table(const suite_page *page, const suite_side *side)
{
    const suite_place *place = side->place;
    FILE *out = page->out;
    print_summary(page, side, true);
    print_summary(page, side, false);
    piece_place_table_begin(out, place->paper, place->name);
    for (size_t k = 0; k < place->n_items; k++) {
        const suite_item *item = number_of(page, place, k);
        if (item) print_item(out, item, side);
    }
    piece_table_end(out);
}

static const char *setting(const cm_record *record, const char *key)
{
    return record ? cm_record_meta(record, key) : NULL;
}

static void print_virtual(FILE *out, const char *name, const cm_record *record, const char *id)
{
    piece_virtual_begin(out, id, name);
    piece_virtual_settings(out, setting(record, "virtual_rate"), setting(record, "virtual_delay"),
                           setting(record, "virtual_mtu"));
    piece_virtual_end(out);
}

static void print_place(const suite_page *page, const suite_side *side, const char *id)
{
    const suite_place *place = side->place;
    FILE *out = page->out;
    bool numbers = false;
    for (size_t k = 0; k < place->n_items; k++) numbers |= number_of(page, place, k) != NULL;
    piece_place_begin(out, id, place->name, place->about, numbers);
    if (numbers) print_table(page, side);
    piece_section_end(out);
}

void page_place(suite_page *page)
{
    if (!page->place->name) return;
    if (page->place->is_virtual) print_virtual(page->out, page->place->name, page->first, "place");
    else print_place(page, &page->side[0], "place");
}

/* There the results of this page are those that stand beside. */
void page_beside(suite_page *page)
{
    const suite_beside *beside = page->beside;
    if (!beside->dir) return;
    piece_beside(page->out, beside->title, beside->dir);
    if (!beside->place.name) return;
    if (beside->place.is_virtual)
        print_virtual(page->out, beside->place.name,
                      beside->results.n ? beside->results.result[0].record : NULL, "beside");
    else print_place(page, &page->side[1], "beside");
}
