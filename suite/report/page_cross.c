/* SPDX-License-Identifier: BSD-3-Clause */
/* page_cross.c: the cross-checks: what several benchmarks measured of the same thing. */
#include "config.h"
#include <stdlib.h>
#include "common/html.h"
#include "common/memory.h"
#include "page.h"

/* ---- the line above the verdicts ------------------------------------------------------------- */

void page_cross_line(suite_page *page)
{
    const suite_crosses *crosses = &page->crosses;
    bool any = false;
    if (crosses->disagree == 0) return;
    html_print(page->out,
               "<p class=\"note\"><a href=\"#cross-checks\">%u of %u cross-checks</a> disagree: ",
               crosses->disagree, crosses->n);
    for (size_t c = 0; c < crosses->n; c++) {
        const suite_cross *cross = &crosses->cross[c];
        if (!cross->differs && cross->odd == 0) continue;
        html_print(page->out, "%s%h", any ? "; " : "", cross->agreement->title);
        any = true;
    }
    html_print(page->out, ".</p>\n");
}

/* ---- the section ----------------------------------------------------------------------------- */

static const char section_head[] =
    "<section id=\"cross-checks\">\n<h3>Cross-checks</h3>\n<p>Several benchmarks measure the same, "
    "each in a launch of its own. A value is odd if its ratio to the median is beyond the "
    "tolerance and its interval does not meet those of half of the others. Either the benchmark "
    "was disturbed or the machine was in another state at that launch; repeat it.</p>\n";
static const char table_head[] =
    "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">What</th>"
    "<th scope=\"col\">Benchmark</th><th scope=\"col\" class=\"number\">Value</th>"
    "<th scope=\"col\" class=\"number\">Interval</th><th scope=\"col\">Unit</th>"
    "<th scope=\"col\" class=\"number\">To the median</th><th scope=\"col\">Remark</th></tr>"
    "</thead>\n";

static void print_remark(FILE *out, suite_cross_remark remark)
{
    static const char *const remarks[] = {
        [SUITE_CROSS_AGREES] = "<td class=\"pass\">agrees</td>",
        [SUITE_CROSS_OVERLAPS] = "<td class=\"none\">not told apart: the intervals meet</td>",
        [SUITE_CROSS_ODD] = "<td class=\"note\">odd</td>",
        [SUITE_CROSS_DIFFERS] = "<td class=\"note\">disagrees</td>",
        [SUITE_CROSS_OVERSUBSCRIBED] =
            "<td class=\"none\">not compared: more ranks than cores</td>"};
    html_print(out, "%s", remarks[remark]);
}

static void print_value(suite_page *page, const suite_cross *cross, const suite_cross_value *value)
{
    char *title = suite_table_title(page->table, value->bench);
    char *number = suite_cross_number(value->value);
    char *low = suite_cross_number(value->low), *high = suite_cross_number(value->high);
    char *ratio = value->ratio > 0 ? suite_text("%.2f", value->ratio) : suite_copy("");
    FILE *out = page->out;
    html_print(out, "<td><a href=\"#%h\">%h</a></td><td class=\"number\">%h</td>", value->bench,
               title, number);
    if (value->low < value->high) html_print(out, "<td class=\"number\">%h to %h</td>", low, high);
    else html_print(out, "<td class=\"number\"></td>");
    html_print(out, "<td class=\"unit\">%h</td><td class=\"number\">%h</td>",
               cross->agreement->unit, ratio);
    print_remark(out, value->remark);
    html_print(out, "</tr>\n");
    free(title);
    free(number);
    free(low);
    free(high);
    free(ratio);
}

static void print_cross(suite_page *page, const suite_cross *cross)
{
    const suite_agreement *agreement = cross->agreement;
    char *percent = suite_cross_number(agreement->tolerance_percent);
    html_print(page->out,
               "<tbody>\n<tr><th scope=\"rowgroup\" rowspan=\"%u\">%h<br /><span class=\"why\">"
               "Tolerance %h&#160;%%: %h.</span></th>",
               cross->n, agreement->title, percent, agreement->reason);
    for (size_t k = 0; k < cross->n; k++) {
        if (k > 0) html_print(page->out, "<tr>");
        print_value(page, cross, &cross->value[k]);
    }
    html_print(page->out, "</tbody>\n");
    free(percent);
}

void page_cross(suite_page *page)
{
    const suite_crosses *crosses = &page->crosses;
    if (crosses->n == 0) return;
    html_print(page->out, section_head);
    html_print(page->out, table_head);
    for (size_t c = 0; c < crosses->n; c++) print_cross(page, &crosses->cross[c]);
    html_print(page->out, "</table></div>\n</section>\n");
}
