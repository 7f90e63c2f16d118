/* SPDX-License-Identifier: BSD-3-Clause */
/* page_hosts.c: what the results say of hosts that differ, in words on the first screen. */
#include "config.h"
#include <string.h>
#include "page.h"
#include "pages.h"

/* The metadata "KEY: VALUE (HOSTS); VALUE (HOSTS)". One page has several results of the same hosts,
   whose lines are the same. */
static bool is_new(const suite_page *page, size_t run, size_t entry)
{
    const char *text = page->entry[run].record.meta[entry].value;
    for (size_t r = 0; r <= run; r++) {
        const cm_record *record = &page->entry[r].record;
        for (size_t m = 0; m < record->n_meta && (r < run || m < entry); m++)
            if (strcmp(record->meta[m].key, "hosts_differ") == 0
                && strcmp(record->meta[m].value, text) == 0)
                return false;
    }
    return true;
}

void page_hosts(suite_page *page)
{
    enum { SHOWN = 8 };
    size_t n = 0;
    for (size_t r = 0; r < page->table->n; r++) {
        const cm_record *record = &page->entry[r].record;
        for (size_t m = 0; m < record->n_meta; m++) {
            if (strcmp(record->meta[m].key, "hosts_differ") != 0 || !is_new(page, r, m)) continue;
            if (n == 0) piece_hosts_differ_begin(page->out);
            if (n++ < SHOWN) piece_item(page->out, record->meta[m].value);
        }
    }
    if (n > SHOWN) piece_hosts_differ_more(page->out, n - SHOWN);
    if (n > 0) piece_list_end(page->out);
}
