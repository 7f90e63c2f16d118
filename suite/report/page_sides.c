/* SPDX-License-Identifier: BSD-3-Clause */
/* page_sides.c: the two folders whose results answer to the papers, each as seen from itself. */
#include "config.h"
#include <stdlib.h>
#include "common/memory.h"
#include "page.h"
#include "pages.h"

/* Under their own names those beside, under beside/NAME those of this page. */
static void turn(suite_page *page)
{
    const suite_beside *beside = page->beside;
    const suite_results *all = &page->shown.results;
    size_t own = all->n - beside->prefixed.n;
    suite_results *seen = &page->seen_from_beside;
    page->own_name = suite_array(own + 1, sizeof page->own_name[0]);
    seen->result = suite_array(beside->results.n + own, sizeof seen->result[0]);
    for (size_t k = 0; k < beside->results.n; k++)
        seen->result[seen->n++] = beside->results.result[k];
    for (size_t k = 0; k < own; k++) {
        page->own_name[k] = suite_text("beside/%s", all->result[k].name);
        seen->result[seen->n++] = (suite_result){page->own_name[k], all->result[k].record};
    }
}

void page_sides_open(suite_page *page)
{
    const suite_beside *beside = page->beside;
    page->side[0] = (suite_side){SAID_PAPERS_HERE, page->place, beside->place.name, page->shown};
    page->n_sides = 1;
    if (!beside->dir) return;
    turn(page);
    page->side[1] = (suite_side){beside->title, &beside->place, page->place->name, page->shown};
    page->side[1].shown.results = page->seen_from_beside;
    page->n_sides = 2;
}

void page_sides_close(suite_page *page)
{
    for (size_t k = 0; page->own_name && page->own_name[k]; k++) free(page->own_name[k]);
    free(page->own_name);
    free(page->seen_from_beside.result);
}
