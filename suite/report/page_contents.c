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

/* Returns the heading of a run, and what distinguishes it from others with the same: the number of
   ranks of a place. The caller frees it. */
static char *name_of(const suite_page *page, const suite_run *run)
{
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *other = &page->table->run[r];
        if (other != run && run->variant && strcmp(other->heading, run->heading) == 0)
            return suite_text("%s, %s", run->heading, run->variant);
    }
    return suite_copy(run->heading);
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
        char *name = name_of(page, run);
        piece_contents_entry(out, run->name, name);
        free(name);
    }
    piece_contents_group_end(out, n > 0);
}

void page_contents(const suite_page *page)
{
    FILE *out = page->out;
    piece_contents_begin(out, SAID_REPORT_FIND, SAID_REPORT_FIND_NONE);
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
    for (size_t r = 0; r < page->table->n; r++)
        n += run_in(page, r, group) && page->entry[r].state == SUITE_SKIPPED;
    if (n == 0) return;
    piece_not_run_begin(page->out, n);
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *run = run_in(page, r, group);
        const suite_entry *entry = &page->entry[r];
        if (!run || entry->state != SUITE_SKIPPED) continue;
        char *line = suite_text("%.*s", (int)strcspn(entry->text, "\n"), entry->text);
        char *title = suite_table_title(page->table, run->name);
        piece_not_run(page->out, run->name, run->heading, title, line);
        free(title);
        free(line);
    }
    piece_not_run_end(page->out);
}

/* ---- All parts ------------------------------------------------------------------------------- */

/* Returns true if the page shows the program's run r rather than the other: the one with the
   headline, the one on more ranks, the first. */
static bool is_ahead(const suite_page *page, size_t r, size_t other)
{
    const suite_run *a = &page->table->run[r], *b = &page->table->run[other];
    if (!a->headline != !b->headline) return a->headline;
    return a->number != b->number ? a->number > b->number : r < other;
}

/* Returns the first of the complete runs of r's program in the group. */
static size_t first_of(const suite_page *page, size_t r, size_t group)
{
    size_t first = r;
    for (size_t k = 0; k < page->table->n; k++) {
        const suite_run *run = run_in(page, k, group);
        if (run && page->entry[k].state == SUITE_COMPLETE
            && strcmp(run->program, page->table->run[r].program) == 0 && is_ahead(page, k, first))
            first = k;
    }
    return first;
}

/* A further run of a program: a line with its headline, and the run below it, folded. */
static void print_further(suite_page *page, size_t r)
{
    const suite_run *run = &page->table->run[r];
    const cm_record_metric *metric = page_headline(page, run, &page->entry[r].record);
    char *program = suite_home_program(page->home, run->folder, run->program);
    char *label = suite_metrics_label(&page->metrics, program, metric->name);
    char *name = name_of(page, run);
    piece_further_begin(page->out, name);
    page_value(page->out, metric);
    piece_further_end(page->out, label, !metric->pass);
    page_benchmark(page, r);
    piece_details_end(page->out);
    free(name);
    free(label);
    free(program);
}

/* Each program once, with its further runs below; what failed in its place. */
static void print_benchmarks(suite_page *page, size_t group)
{
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_state state = page->entry[r].state;
        if (!run_in(page, r, group) || state == SUITE_SKIPPED) continue;
        if (state == SUITE_COMPLETE && first_of(page, r, group) != r) continue;
        page_benchmark(page, r);
        for (size_t k = 0; state == SUITE_COMPLETE && k < page->table->n; k++)
            if (k != r && run_in(page, k, group) && page->entry[k].state == SUITE_COMPLETE
                && first_of(page, k, group) == r)
                print_further(page, k);
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
