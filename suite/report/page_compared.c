/* SPDX-License-Identifier: BSD-3-Clause */
/* page_compared.c: another folder's values beside these: `clustermark report A B`. */
#include "config.h"
#include <stdlib.h>
#include "common/html.h"
#include "page.h"

/* "Of 14 headline metrics: 1 slower, 3 faster, 10 the same." */
static void print_counts(FILE *out, const compare_items *items)
{
    static const compare_verdict order[] = {COMPARE_SLOWER,  COMPARE_FASTER, COMPARE_HIGHER,
                                            COMPARE_LOWER,   COMPARE_SAME,   COMPARE_UNKNOWN,
                                            COMPARE_UNTESTED};
    size_t kinds = 0;
    html_print(out, "Of %u headline metrics: ", items->n);
    for (size_t v = 0; v < sizeof order / sizeof order[0]; v++) {
        size_t n = 0;
        for (size_t k = 0; k < items->n; k++) n += items->item[k].verdict == order[v];
        if (n == 0) continue;
        html_print(out, "%s%u %h", kinds++ == 0 ? "" : ", ", n, compare_verdict_names[order[v]]);
    }
    html_print(out, kinds > 0 ? "." : "none is in both.");
}

void page_compared(const suite_page *page)
{
    const comparison *all = page->compared;
    FILE *out = page->out;
    if (!all) return;
    const compare_pair *pair = &all->pair[0];
    char *method = compare_method(all), *few = compare_shortage(all);
    html_print(out,
               "<section id=\"compared\">\n<h2>Beside %h</h2>\n<p>Base: <strong>%h</strong>, the "
               "results of this page. New: <strong>%h</strong>. ",
               pair->new->label, pair->base->label, pair->new->label);
    print_counts(out, &pair->headline);
    html_print(out, "</p>\n");
    html_print(out, *few ? "<p class=\"note\">%h</p>\n" : "%h", few);
    compare_page_metrics(pair, out);
    compare_page_differences(pair, out);
    html_print(out,
               "<details><summary>How this is judged</summary>\n<p>%h</p>\n</details>\n"
               "<p>All rows, and the figures of both: "
               "<a href=\"compare.html\">compare.html</a>.</p>\n</section>\n",
               method);
    free(method);
    free(few);
}
