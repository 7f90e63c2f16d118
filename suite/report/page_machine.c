/* SPDX-License-Identifier: BSD-3-Clause */
/* page_machine.c: what the metadata say of the machine and of how it was measured; the page's
   end. */
#include "config.h"
#include <fnmatch.h>
#include "page.h"
#include "figures/svg.h"
#include "pages.h"

/* Keys that describe the computer; everything else says how this was measured. */
static const char *const machine_keys[] = {
    "host",         "cpu",      "cores",      "threads", "l[0-9]_*",   "l[0-9][a-z]_*",
    "numa_nodes",   "memory_*", "clock_*",    "tsc_hz",  "kernel",     "virtualization",
    "container",    "governor", "huge_pages", "nic",     "infiniband", "cpu_quota",
    "hosts_differ", "topology"};

static bool is_machine(const char *key)
{
    for (size_t k = 0; k < sizeof machine_keys / sizeof machine_keys[0]; k++)
        if (fnmatch(machine_keys[k], key, 0) == 0) return true;
    return false;
}

void page_metadata(suite_page *page, const cm_record *record, bool machine, const char *caption)
{
    size_t n = 0;
    for (size_t k = 0; k < record->n_meta; k++) {
        if (is_machine(record->meta[k].key) != machine) continue;
        if (n++ == 0) piece_keys_begin(page->out, caption);
        piece_key(page->out, record->meta[k].key, record->meta[k].value);
    }
    if (n > 0) piece_table_end(page->out);
}

void page_machine(suite_page *page)
{
    piece_machine_begin(page->out);
    if (page->first) page_metadata(page, page->first, true, SAID_MACHINE_KEYS);
    else piece_machine_unknown(page->out);
    piece_machine_end(page->out);
}

void page_foot(suite_page *page)
{
    piece_report_end(page->out, PACKAGE_VERSION);
    svg_scripts(page->out, page->home);
    piece_page_end(page->out);
}
