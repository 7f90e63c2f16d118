/* SPDX-License-Identifier: BSD-3-Clause */
/* page_contents.c: the page's contents, and its parts: one for each question about a cluster, with
   the benchmarks that answer it. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "pages.h"

/* The words of group in the manifests. The last one has the runs of tables without groups. */
static const struct {
    const char *name, *contents, *heading;
} groups[] = {
    {"node", SAID_NODE_CONTENTS, SAID_NODE_HEADING},
    {"network", SAID_NETWORK_CONTENTS, SAID_NETWORK_HEADING},
    {"collectives", SAID_COLLECTIVES_CONTENTS, SAID_COLLECTIVES_HEADING},
    {"programs", SAID_PROGRAMS_CONTENTS, SAID_PROGRAMS_HEADING},
    {"", SAID_FURTHER_CONTENTS, SAID_FURTHER_HEADING},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

static const char *id_of(size_t group)
{
    return *groups[group].name ? groups[group].name : "other";
}

/* The table's run r, if it is in the group; otherwise NULL. */
static const suite_run *run_in(const suite_page *page, size_t r, size_t group)
{
    const suite_run *run = &page->table->run[r];
    return strcmp(run->group, groups[group].name) == 0 ? run : NULL;
}

static bool has_runs(const suite_page *page, size_t group)
{
    for (size_t r = 0; r < page->table->n; r++)
        if (run_in(page, r, group)) return true;
    return false;
}

/* Returns what distinguishes a run from others with the same heading: the number of ranks of a
   place. */
static const char *further(const suite_page *page, const suite_run *run)
{
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *other = &page->table->run[r];
        if (other != run && strcmp(other->heading, run->heading) == 0) return run->variant;
    }
    return NULL;
}

static void print_runs(const suite_page *page, size_t group)
{
    FILE *out = page->out;
    size_t n = 0;
    for (size_t r = 0; r < page->table->n; r++)
        n += run_in(page, r, group) && page->entry[r].state != SUITE_SKIPPED;
    piece_contents_group(out, id_of(group), groups[group].contents, n > 0);
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *run = run_in(page, r, group);
        if (!run || page->entry[r].state == SUITE_SKIPPED) continue;
        const char *more = further(page, run);
        char *text = suite_text("%s%s%s", run->heading, more ? ", " : "", more ? more : "");
        piece_contents_entry(out, run->name, text);
        free(text);
    }
    piece_contents_group_end(out, n > 0);
}

void page_contents(const suite_page *page)
{
    FILE *out = page->out;
    piece_contents_begin(out);
    piece_contents_entry(out, "first", SAID_CONTENTS_FIRST);
    if (page->compared) piece_contents_entry(out, "compared", SAID_CONTENTS_COMPARED);
    if (page->backends) piece_contents_entry(out, "backends", SAID_CONTENTS_BACKENDS);
    piece_contents_entry(out, "headlines", SAID_CONTENTS_HEADLINES);
    if (page->place->name) piece_contents_entry(out, "place", SAID_CONTENTS_PLACE);
    if (page_has_hosts_table(page)) piece_contents_entry(out, "hosts", SAID_CONTENTS_HOSTS);
    for (size_t g = 0; g < GROUPS; g++)
        if (has_runs(page, g)) print_runs(page, g);
    piece_contents_entry(out, "papers", SAID_CONTENTS_PAPERS);
    piece_contents_entry(out, "measured", SAID_CONTENTS_MEASURED);
    piece_contents_end(out);
}

/* ---- The parts ------------------------------------------------------------------------------- */

static void print_skipped(const suite_page *page, size_t group)
{
    size_t n = 0;
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *run = run_in(page, r, group);
        const suite_entry *entry = &page->entry[r];
        if (!run || entry->state != SUITE_SKIPPED) continue;
        char *line = suite_text("%.*s", (int)strcspn(entry->text, "\n"), entry->text);
        char *title = suite_table_title(page->table, run->name);
        if (n++ == 0) piece_not_run_begin(page->out);
        piece_not_run(page->out, run->name, run->heading, title, line);
        free(title);
        free(line);
    }
    if (n > 0) piece_list_end(page->out);
}

/* ---- The same on fewer ranks ----------------------------------------------------------------- */

/* Returns true if a place runs the same on several numbers of ranks: heat-16, heat-1024. */
static bool is_scaled(const suite_page *page, const suite_run *run)
{
    return page->place->name && !page->place->is_virtual
           && (!run->variant || run->variant[strspn(run->variant, "0123456789")] == '\0');
}

static bool is_same_on(const suite_page *page, size_t r, size_t more)
{
    const suite_run *run = &page->table->run[r], *other = &page->table->run[more];
    return page->entry[more].state == SUITE_COMPLETE && is_scaled(page, run)
           && is_scaled(page, other) && strcmp(run->base, other->base) == 0
           && other->number > run->number;
}

/* Returns true if the page has the same run on more ranks. */
static bool is_smaller(const suite_page *page, size_t r)
{
    for (size_t more = 0; more < page->table->n; more++)
        if (is_same_on(page, r, more)) return true;
    return false;
}

static void print_smaller(suite_page *page, size_t r)
{
    size_t n = 0;
    for (size_t less = 0; less < page->table->n; less++)
        n += page->entry[less].state == SUITE_COMPLETE && is_same_on(page, less, r);
    if (n == 0) return;
    piece_fewer_begin(page->out, page->table->run[r].heading);
    for (size_t less = 0; less < page->table->n; less++) {
        if (page->entry[less].state != SUITE_COMPLETE || !is_same_on(page, less, r)) continue;
        piece_fewer_ranks(page->out, (size_t)page->table->run[less].number, --n > 0);
    }
    piece_summary_end(page->out);
    for (size_t less = 0; less < page->table->n; less++)
        if (page->entry[less].state == SUITE_COMPLETE && is_same_on(page, less, r))
            page_benchmark(page, less);
    piece_details_end(page->out);
}

/* ---- All parts ------------------------------------------------------------------------------- */

static void print_benchmarks(suite_page *page, size_t group)
{
    for (size_t r = 0; r < page->table->n; r++) {
        suite_state state = page->entry[r].state;
        if (!run_in(page, r, group) || state == SUITE_SKIPPED) continue;
        if (state == SUITE_COMPLETE && is_smaller(page, r)) continue;
        page_benchmark(page, r);
        if (state == SUITE_COMPLETE) print_smaller(page, r);
    }
}

void page_groups(suite_page *page)
{
    for (size_t g = 0; g < GROUPS; g++) {
        if (!has_runs(page, g)) continue;
        piece_group_begin(page->out, id_of(g), groups[g].heading);
        if (strcmp(groups[g].name, "programs") == 0) page_together(page);
        print_benchmarks(page, g);
        print_skipped(page, g);
        piece_section_end(page->out);
    }
}
