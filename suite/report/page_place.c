/* SPDX-License-Identifier: BSD-3-Clause */
/* page_place.c: how well a simulated cluster answers with its paper's numbers; the settings of
   virtual hosts. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/html.h"
#include "common/memory.h"
#include "results/over.h"
#include "page.h"
#include "common/say.h"

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
    double percent = deviation(item, &r);
    html_print(
        out,
        "<tr><th scope=\"row\">%h</th><td class=\"place\">%h</td><td class=\"number\">%h</td>"
        "<td class=\"number\">",
        item->what, item->place, item->value);
    if (r.untested) html_print(out, "<span class=\"none\">%h</span>", r.untested);
    else suite_found_print(out, r.answer, &r.found);
    html_print(out, "</td><td class=\"unit\">%h</td><td class=\"number\">", item->unit);
    if (isfinite(percent)) {
        char *text = suite_text("%+.1f", percent);
        html_print(out, "%h", text);
        free(text);
    }
    html_print(out, "</td><td>%s</td></tr>\n", suite_reproduced_how(&r));
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
    if (sizes.n) {
        char *text =
            suite_text("%zu %s numbers: median deviation %.2g %%, largest %.2g %%.", sizes.n,
                       fitted ? "fitted" : "predicted", summary.median, summary.max);
        html_print(page->out, "<p>%h</p>\n", text);
        free(text);
    }
    if (missing)
        html_print(page->out, "<p class=\"note\">%u %s numbers have no value in this run.</p>\n",
                   missing, fitted ? "fitted" : "predicted");
    cm_samples_free(&sizes);
}

static void print_table(const suite_page *page, const suite_side *side)
{
    const suite_place *place = side->place;
    FILE *out = page->out;
    print_summary(page, side, true);
    print_summary(page, side, false);
    html_print(out,
               "<div class=\"wide\"><table><caption>The numbers of %h, and what the simulation "
               "says</caption>\n<thead><tr><th scope=\"col\">What</th>"
               "<th scope=\"col\">Place</th><th scope=\"col\" class=\"number\">Paper</th>"
               "<th scope=\"col\" class=\"number\">Simulated %h</th><th scope=\"col\">Unit</th>"
               "<th scope=\"col\" class=\"number\">Deviation, %%</th><th scope=\"col\">Fitted or "
               "predicted</th></tr></thead>\n<tbody>\n",
               place->paper, place->name);
    for (size_t k = 0; k < place->n_items; k++) {
        const suite_item *item = number_of(page, place, k);
        if (item) print_item(out, item, side);
    }
    html_print(out, "</tbody></table></div>\n");
}

static void print_setting(FILE *out, const cm_record *record, const char *what, const char *key)
{
    const char *value = record ? cm_record_meta(record, key) : NULL;
    if (value) html_print(out, "<tr><th scope=\"row\">%s</th><td>%h</td></tr>\n", what, value);
}

static void print_virtual(FILE *out, const char *name, const cm_record *record, const char *id)
{
    html_print(out,
               "<section id=\"%h\">\n<h2>The virtual hosts %h</h2>\n<p>The hosts are network "
               "namespaces of one machine, whose cores and memory they share; virtual-cluster made "
               "them for this run. What is measured between them is their network's settings and "
               "this machine's TCP.</p>\n<table>\n<tbody>\n",
               id, name);
    print_setting(out, record, "Rate", "virtual_rate");
    print_setting(out, record, "Delay", "virtual_delay");
    print_setting(out, record, "MTU, bytes", "virtual_mtu");
    html_print(out, "</tbody>\n</table>\n</section>\n");
}

static void print_place(const suite_page *page, const suite_side *side, const char *id)
{
    const suite_place *place = side->place;
    FILE *out = page->out;
    bool numbers = false;
    for (size_t k = 0; k < place->n_items; k++) numbers |= number_of(page, place, k) != NULL;
    html_print(out,
               "<section id=\"%h\">\n<h2>The simulated cluster %h</h2>\n<p>%h. SimGrid simulates "
               "it; clusters/simulated/%h.xml has its parameters, each with its source. %s</p>\n",
               id, place->name, place->about, place->name,
               numbers ? "They were fitted to the numbers marked so; all others are predictions."
                       : "No paper has a number of it: everything is a prediction.");
    if (numbers) print_table(page, side);
    html_print(out, "</section>\n");
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
    html_print(page->out, "<p>In green in the figures: %h, the results of %h.</p>\n", beside->title,
               beside->dir);
    if (!beside->place.name) return;
    if (beside->place.is_virtual)
        print_virtual(page->out, beside->place.name,
                      beside->results.n ? beside->results.result[0].record : NULL, "beside");
    else print_place(page, &page->side[1], "beside");
}
