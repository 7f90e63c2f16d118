/* SPDX-License-Identifier: BSD-3-Clause */
/* page_shapes.c: how many ranks on how many hosts used how many of their cores, in the head of the
   page and at each benchmark. */
#include "config.h"
#include <string.h>
#include "page.h"
#include "pages.h"

const char *page_shape_of(const suite_page *page, size_t run)
{
    const suite_entry *entry = &page->entry[run];
    const char *shape =
        entry->state == SUITE_COMPLETE ? cm_record_meta(&entry->record, "shape") : NULL;
    return shape && *shape ? shape : NULL;
}

static bool is_first(const suite_page *page, size_t run)
{
    for (size_t r = 0; r < run; r++) {
        const char *earlier = page_shape_of(page, r);
        if (earlier && strcmp(earlier, page_shape_of(page, run)) == 0) return false;
    }
    return true;
}

static void print_runs(const suite_page *page, const char *shape)
{
    bool more = false;
    for (size_t r = 0; r < page->table->n; r++) {
        const char *name = page->table->run[r].name, *its = page_shape_of(page, r);
        if (!its || strcmp(its, shape) != 0) continue;
        piece_next_link(page->out, more, name, name);
        more = true;
    }
}

void page_shapes(suite_page *page)
{
    size_t n = 0;
    for (size_t r = 0; r < page->table->n; r++) {
        if (!page_shape_of(page, r) || !is_first(page, r)) continue;
        if (n++ == 0) piece_shapes_begin(page->out);
        piece_shape(page->out, page_shape_of(page, r));
        print_runs(page, page_shape_of(page, r));
        piece_item_end(page->out);
    }
    if (n > 0) piece_shapes_end(page->out);
}
