/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c: gathers what the report's page shows, and writes the page whole or not at all. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "common/memory.h"
#include "nodes/nodes_page.h"
#include "page.h"
#include "report.h"
#include "common/say.h"

/* ---- what the page shows --------------------------------------------------------------------- */

static void add_figures(suite_page *page, const suite_run *run)
{
    suite_shown *shown = &page->shown;
    for (size_t f = 0; f < run->n_figures; f++) {
        char *id = suite_text("%s-%s", run->name, run->figure[f]);
        char *path = suite_folder_path(page->dir, id, "svg");
        bool there = access(path, R_OK) == 0;
        free(path);
        if (there) {
            shown->figure =
                suite_longer(shown->figure, shown->n_figures + 1, sizeof shown->figure[0]);
            shown->figure[shown->n_figures++] = id;
        } else free(id);
    }
}

/* The complete result whose file has the first name. Files are compared: "hint-ranks.txt" comes
   before "hint.txt". */
static bool is_before(const char *name, const char *other)
{
    char *file = suite_text("%s.txt", name), *other_file = suite_text("%s.txt", other);
    bool before = strcmp(file, other_file) < 0;
    free(file);
    free(other_file);
    return before;
}

static void read_entries(suite_page *page)
{
    const suite_table *table = page->table;
    suite_results *results = &page->shown.results;
    const char *first = NULL;
    page->entry = suite_array(table->n, sizeof page->entry[0]);
    results->result = suite_array(table->n + page->beside->prefixed.n, sizeof results->result[0]);
    for (size_t r = 0; r < table->n; r++) {
        const char *name = table->run[r].name;
        suite_entry *entry = &page->entry[r];
        suite_entry_read(page->dir, &table->run[r], entry);
        if (entry->state != SUITE_COMPLETE) continue;
        results->result[results->n++] = (suite_result){name, &entry->record};
        if (page->drawn) add_figures(page, &table->run[r]);
        if (first && !is_before(name, first)) continue;
        first = name;
        page->first = &entry->record;
    }
    for (size_t k = 0; k < page->beside->prefixed.n; k++)
        results->result[results->n++] = page->beside->prefixed.result[k];
}

/* Reads the style of the whole page, then that of its first screen and that of the second one with
   several backends. */
static bool read_style(suite_page *page)
{
    static const char *const files[] = {"suite/style.css", "suite/first.css", "suite/backends.css"};
    const size_t n = sizeof files / sizeof files[0] - !page->backends;
    page->style = suite_copy("");
    for (size_t k = 0; page->style && k < n; k++) {
        char *path = suite_home_file(page->home, files[k]), *text = suite_file_text(path);
        if (!text) suite_say("cannot read %s: %s", path, strerror(errno));
        char *both = text ? suite_text("%s%s", page->style, text) : NULL;
        free(page->style);
        free(text);
        free(path);
        page->style = both;
    }
    return page->style;
}

/* Reads the items of all benchmarks, even if the results are those of a place, which runs only some
   of them. */
static bool read_items(suite_page *page)
{
    suite_table all;
    if (!suite_table_read(page->home, &all)) return false;
    bool right = suite_items_read(page->home, &all, &page->items);
    suite_table_free(&all);
    return right;
}

static void free_page(suite_page *page)
{
    for (size_t r = 0; r < page->table->n && page->entry; r++) suite_entry_free(&page->entry[r]);
    for (size_t k = 0; k < page->shown.n_figures; k++) free(page->shown.figure[k]);
    free(page->entry);
    free(page->style);
    free(page->below);
    free(page->shown.figure);
    free(page->shown.results.result);
    page_sides_close(page);
    suite_places_free(&page->places);
    suite_items_free(&page->items);
    suite_crosses_free(&page->crosses);
    suite_agreements_free(&page->agreements);
    suite_metrics_free(&page->metrics);
    suite_references_free(&page->references);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_parts(suite_page *page)
{
    page_head(page);
    page_tiles(page);
    page_backends(page);
    page_links(page);
    page_compared(page);
    page_about(page);
    page_headlines(page);
    page_place(page);
    page_beside(page);
    page_hosts_table(page);
    page_groups(page);
    page_rates(page);
    page_papers(page);
    page_measured(page);
    page_foot(page);
}

static bool write_page(suite_page *page)
{
    char *text = NULL;
    size_t length = 0;
    page->out = open_memstream(&text, &length);
    if (page->out) write_parts(page);
    bool whole = page->out && fclose(page->out) == 0;
    if (!whole) suite_say("report: out of memory");
    bool written = whole && suite_folder_write(page->folder, "report", "html", text);
    free(text);
    return written;
}

/* The page of the hosts, if cm-nodes ran. */
static bool write_nodes(const suite_page *page)
{
    const cm_record *record = suite_results_find(&page->shown.results, "nodes");
    if (!record) return true;
    char *path = suite_text("%s/nodes.html", page->dir);
    bool written = suite_nodes_page(page->home, record, path,
                                    page->backends ? "../report.html" : "report.html");
    free(path);
    return written;
}

static void say_disagreement(const char *sentence) { suite_say("report: %s", sentence); }

int suite_report_write(const suite_home *home, const suite_report_of *of,
                       const suite_report_options *options)
{
    const suite_table *table = of->table;
    suite_page page = {.home = home,
                       .table = table,
                       .place = of->place,
                       .beside = of->beside,
                       .price = &options->price,
                       .alone = options->anonymous,
                       .compared = of->compared,
                       .backends = of->backends,
                       .dir = of->dir,
                       .folder = of->page,
                       .below = of->backends ? suite_text("%s/", of->backends->names->word[0])
                                             : suite_copy(""),
                       .drawn = of->drawn};
    bool right = read_style(&page) && read_items(&page) && suite_places_read(home, &page.places)
                 && suite_references_read(home, !options->anonymous, &page.references)
                 && page_place_check(&page)
                 && (of->place->name || suite_agreements_read(home, table, &page.agreements));
    if (right) {
        read_entries(&page);
        page_sides_open(&page);
        page.crosses = suite_crosses_find(&page.agreements, &page.shown.results);
        bool nodes = write_nodes(&page);
        right = write_page(&page);
        right = right && nodes;
        right = right && page_papers_table(&page);
        for (size_t c = 0; right && c < page.crosses.n; c++)
            suite_cross_tell(&page.crosses.cross[c], table, say_disagreement);
    }
    free_page(&page);
    return right ? CM_EXIT_PASS : CM_EXIT_SYSTEM;
}
