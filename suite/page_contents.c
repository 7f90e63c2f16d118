/* SPDX-License-Identifier: BSD-3-Clause */
/* page_contents.c: the page's contents, and its parts: one for each question about a cluster, with
   the benchmarks that answer it. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "memory.h"
#include "page.h"

/* The words of group in the manifests. The last one has the runs of tables without groups. */
static const struct {
    const char *name, *contents, *heading;
} groups[] = {
    {"node", "The nodes", "The nodes: how fast do they compute?"},
    {"network", "The network", "The network: how fast do the nodes talk?"},
    {"collectives", "Collective operations",
     "Collective operations: which algorithm is the fastest?"},
    {"programs", "Programs", "Programs: what do real programs make of nodes and network?"},
    {"", "Further benchmarks", "Further benchmarks"},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

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

/* ---- The contents ---------------------------------------------------------------------------- */

static void print_entry(FILE *out, const char *id, const char *text)
{
    html_print(out, "<li>");
    html_link(out, id, text);
    html_print(out, "</li>\n");
}

/* What tells a run from others with the same heading: the number of ranks of a place. */
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
    html_print(out, "<li><a href=\"#group-%s\">%s</a>",
               *groups[group].name ? groups[group].name : "other", groups[group].contents);
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *run = run_in(page, r, group);
        if (!run || page->entry[r].state == SUITE_SKIPPED) continue;
        const char *more = further(page, run);
        char *text = suite_text("%s%s%s", run->heading, more ? ", " : "", more ? more : "");
        if (n++ == 0) html_print(out, "\n<ul>\n");
        print_entry(out, run->name, text);
        free(text);
    }
    html_print(out, n > 0 ? "</ul></li>\n" : "</li>\n");
}

void page_contents(const suite_page *page)
{
    FILE *out = page->out;
    html_print(out, "<nav id=\"contents\" aria-label=\"Contents\">\n<details>"
                    "<summary>Contents</summary>\n<ul>\n");
    print_entry(out, "verdicts", "All benchmarks at a glance");
    if (page->place->name) print_entry(out, "place", "The place");
    for (size_t g = 0; g < GROUPS; g++)
        if (has_runs(page, g)) print_runs(page, g);
    print_entry(out, "papers", "The papers");
    print_entry(out, "measured", "How it was measured");
    html_print(out, "</ul>\n</details>\n</nav>\n");
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
        if (n++ == 0) html_print(page->out, "<h3>Not run</h3>\n<ul class=\"skipped\">\n");
        html_print(page->out,
                   "<li id=\"%h\">%h <code>%h</code>: <span class=\"note\">%h</span></li>\n",
                   run->name, run->heading, title, line);
        free(title);
        free(line);
    }
    if (n > 0) html_print(page->out, "</ul>\n");
}

void page_groups(suite_page *page)
{
    for (size_t g = 0; g < GROUPS; g++) {
        if (!has_runs(page, g)) continue;
        html_print(page->out, "<section id=\"group-%s\" class=\"group\">\n<h2>%s</h2>\n",
                   *groups[g].name ? groups[g].name : "other", groups[g].heading);
        if (strcmp(groups[g].name, "programs") == 0) page_together(page);
        for (size_t r = 0; r < page->table->n; r++)
            if (run_in(page, r, g) && page->entry[r].state != SUITE_SKIPPED)
                page_benchmark(page, r);
        print_skipped(page, g);
        html_print(page->out, "</section>\n");
    }
}
