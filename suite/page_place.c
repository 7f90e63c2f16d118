/* SPDX-License-Identifier: BSD-3-Clause */
/* page_place.c: how well a simulated cluster answers with its paper's numbers; the settings of
   virtual hosts. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "memory.h"
#include "over.h"
#include "page.h"
#include "say.h"

static bool check(const suite_page *page, const suite_place *place)
{
    for (size_t k = 0; k < place->n_items; k++) {
        const suite_place_item *own = &place->item[k];
        const suite_item *item = suite_items_find(&page->items, own->owner, own->key);
        if (item && item->kind == SUITE_ITEM_NUMBER && item->number != 0) continue;
        suite_say("report: clusters/simulated/%s.place: item: '%s:%s': expected a number of a "
                  "paper, not 0",
                  place->name, own->owner, own->key);
        return false;
    }
    return true;
}

bool page_place_check(const suite_page *page)
{
    return check(page, page->place) && check(page, &page->beside->place);
}

/* What the simulation says, and how far that is from the paper's number in per cent; NAN: it says
   nothing. */
static suite_value find(const suite_page *page, const suite_place_item *own, double theirs,
                        double *percent)
{
    double ours;
    suite_value value = suite_expression_value(&own->expression, own->owner, &page->shown.results);
    *percent = NAN;
    if (value.text && cm_record_number(value.text, &ours)) *percent = 100 * (ours / theirs - 1);
    return value;
}

static void print_item(const suite_page *page, const suite_place_item *own)
{
    const suite_item *item = suite_items_find(&page->items, own->owner, own->key);
    FILE *out = page->out;
    double percent;
    suite_value value = find(page, own, item->number, &percent);
    html_print(
        out,
        "<tr><th scope=\"row\">%h</th><td class=\"place\">%h</td><td class=\"number\">%h</td>"
        "<td class=\"number\">",
        item->what, item->place, item->value);
    if (value.problem) html_print(out, "<span class=\"none\">%s</span>", value.problem);
    else html_print(out, "%h", value.text);
    html_print(out, "</td><td class=\"unit\">%h</td><td class=\"number\">", item->unit);
    if (isfinite(percent)) {
        char *text = suite_text("%+.1f", percent);
        html_print(out, "%h", text);
        free(text);
    }
    html_print(out, "</td><td>%s</td></tr>\n", own->fitted ? "fitted" : "predicted");
    free(value.text);
}

/* "12 predicted numbers: median deviation 1.2 %, largest 5.0 %." */
static void print_summary(const suite_page *page, bool fitted)
{
    const suite_place *place = page->place;
    cm_samples sizes = CM_SAMPLES_EMPTY;
    size_t missing = 0;
    for (size_t k = 0; k < place->n_items; k++) {
        const suite_place_item *own = &place->item[k];
        double percent;
        if (own->fitted != fitted) continue;
        suite_value value =
            find(page, own, suite_items_find(&page->items, own->owner, own->key)->number, &percent);
        if (isfinite(percent)) suite_over_add_number(&sizes, fabs(percent));
        else missing++;
        free(value.text);
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

static void print_table(const suite_page *page)
{
    const suite_place *place = page->place;
    FILE *out = page->out;
    print_summary(page, true);
    print_summary(page, false);
    html_print(out,
               "<div class=\"wide\"><table><caption>The numbers of %h, and what the simulation "
               "says</caption>\n<thead><tr><th scope=\"col\">What</th>"
               "<th scope=\"col\">Place</th><th scope=\"col\" class=\"number\">Paper</th>"
               "<th scope=\"col\" class=\"number\">Simulated %h</th><th scope=\"col\">Unit</th>"
               "<th scope=\"col\" class=\"number\">Deviation, %%</th><th scope=\"col\">Fitted or "
               "predicted</th></tr></thead>\n<tbody>\n",
               place->paper, place->name);
    for (size_t k = 0; k < place->n_items; k++) print_item(page, &place->item[k]);
    html_print(out, "</tbody></table></div>\n");
}

static void print_setting(const suite_page *page, const char *what, const char *key)
{
    const char *value = page->first ? cm_record_meta(page->first, key) : NULL;
    if (value)
        html_print(page->out, "<tr><th scope=\"row\">%s</th><td>%h</td></tr>\n", what, value);
}

static void print_virtual(const suite_page *page, const char *id)
{
    html_print(page->out,
               "<section id=\"%h\">\n<h2>The virtual hosts %h</h2>\n<p>The hosts are network "
               "namespaces of one machine, whose cores and memory they share; virtual-cluster made "
               "them for this run. What is measured between them is their network's settings and "
               "this machine's TCP.</p>\n<table>\n<tbody>\n",
               id, page->place->name);
    print_setting(page, "Rate", "virtual_rate");
    print_setting(page, "Delay", "virtual_delay");
    print_setting(page, "MTU, bytes", "virtual_mtu");
    html_print(page->out, "</tbody>\n</table>\n</section>\n");
}

static void print_place(const suite_page *page, const char *id)
{
    const suite_place *place = page->place;
    FILE *out = page->out;
    if (place->is_virtual) {
        print_virtual(page, id);
        return;
    }
    html_print(out,
               "<section id=\"%h\">\n<h2>The simulated cluster %h</h2>\n<p>%h. SimGrid simulates "
               "it; clusters/simulated/%h.xml has its parameters, each with its source. %s</p>\n",
               id, place->name, place->about, place->name,
               place->n_items
                   ? "They were fitted to the numbers marked so; all others are predictions."
                   : "No paper has a number of it: everything is a prediction.");
    if (place->n_items) print_table(page);
    html_print(out, "</section>\n");
}

void page_place(suite_page *page)
{
    if (page->place->name) print_place(page, "place");
}

/* There the results of this page are those that stand beside. */
void page_beside(suite_page *page)
{
    const suite_beside *beside = page->beside;
    if (!beside->dir) return;
    html_print(page->out, "<p>In green in the figures: %h, the results of %h.</p>\n", beside->title,
               beside->dir);
    if (!beside->place.name) return;
    suite_page other = *page;
    suite_results *results = &other.shown.results;
    size_t own = page->shown.results.n - beside->prefixed.n;
    char **name = suite_array(own, sizeof name[0]);
    *results =
        (suite_results){.result = suite_array(beside->results.n + own, sizeof results->result[0])};
    for (size_t k = 0; k < beside->results.n; k++)
        results->result[results->n++] = beside->results.result[k];
    for (size_t k = 0; k < own; k++) {
        const suite_result *result = &page->shown.results.result[k];
        name[k] = suite_text("beside/%s", result->name);
        results->result[results->n++] = (suite_result){name[k], result->record};
    }
    other.place = &beside->place;
    other.first = beside->results.n ? beside->results.result[0].record : NULL;
    print_place(&other, "beside");
    for (size_t k = 0; k < own; k++) free(name[k]);
    free(name);
    free(results->result);
}
