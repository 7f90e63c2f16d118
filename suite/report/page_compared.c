/* SPDX-License-Identifier: BSD-3-Clause */
/* page_compared.c: another folder's values beside these: `clustermark report A B`. */
#include "config.h"
#include <stdlib.h>
#include "page.h"
#include "pages.h"

/* "Of 14 headline metrics: 1 slower, 3 faster, 10 the same." */
static void print_counts(FILE *out, const compare_items *items)
{
    static const compare_verdict order[] = {COMPARE_SLOWER,  COMPARE_FASTER, COMPARE_HIGHER,
                                            COMPARE_LOWER,   COMPARE_SAME,   COMPARE_UNKNOWN,
                                            COMPARE_UNTESTED};
    size_t kinds = 0;
    piece_compared_counts_begin(out, items->n);
    for (size_t v = 0; v < sizeof order / sizeof order[0]; v++) {
        size_t n = 0;
        for (size_t k = 0; k < items->n; k++) n += items->item[k].verdict == order[v];
        if (n == 0) continue;
        piece_compared_count(out, kinds++ > 0, n, compare_verdict_names[order[v]]);
    }
    piece_compared_counts_end(out, kinds == 0);
}

void page_compared(const suite_page *page)
{
    const comparison *all = page->compared;
    FILE *out = page->out;
    if (!all) return;
    const compare_pair *pair = &all->pair[0];
    char *method = compare_method(all), *few = compare_shortage(all);
    piece_compared_begin(out, pair->new->label, pair->base->label);
    print_counts(out, &pair->headline);
    if (*few) piece_compared_note(out, few);
    compare_page_metrics(pair, NULL, out);
    compare_page_differences(pair, NULL, out);
    piece_compared_end(out, method);
    free(method);
    free(few);
}
