/* SPDX-License-Identifier: BSD-3-Clause */
/* page_links.c: the other pages of the folder. */
#include "config.h"
#include <stdlib.h>
#include <unistd.h>
#include "common/memory.h"
#include "page.h"
#include "pages.h"

void page_links(const suite_page *page)
{
    static const struct {
        const char *file, *what;
    } others[] = {{"nodes.html", SAID_NODES_PAGE}, {"compare.html", SAID_COMPARE_PAGE}};
    size_t n = 0;
    if (page->alone) return;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        char *path = suite_text("%s/%s", page->dir, others[k].file);
        char *link = suite_text("%s%s", page->below, others[k].file);
        if (access(path, R_OK) == 0) piece_other_pages(page->out, n++ > 0, link, others[k].what);
        free(link);
        free(path);
    }
    if (n > 0) piece_other_pages_end(page->out);
}
