/* SPDX-License-Identifier: BSD-3-Clause */
/* page_measured.c: how to read the numbers, and under which circumstances they were measured. */
#include "config.h"
#include "page.h"
#include "pages.h"

void page_measured(suite_page *page)
{
    piece_measured_begin(page->out);
    page_shapes(page);
    if (!page->place->name) page_cross(page);
    page_disturbed(page);
    page_machine(page);
    piece_section_end(page->out);
}
