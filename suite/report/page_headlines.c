/* SPDX-License-Identifier: BSD-3-Clause */
/* page_headlines.c: all benchmarks: a line for each run, whether its answer is right and the metric
   that answers its question, or why it failed. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/unit.h"
#include "page.h"
#include "pages.h"
#include "results/took.h"

static void print_run_name(suite_page *page, const suite_run *run)
{
    char *title = suite_table_title(page->table, run->name);
    piece_headline_run(page->out, run->name, run->heading, title);
    free(title);
}

/* Returns the first line of the text that replaces a missing result; the caller frees it. */
static char *reason_of(const suite_entry *entry)
{
    return suite_text("%.*s", (int)strcspn(entry->text, "\n"), entry->text);
}

static void print_failure(FILE *out, const suite_entry *entry, bool took)
{
    char *reason = reason_of(entry);
    piece_headline_failed(out, reason, took);
    free(reason);
}

const cm_record_metric *page_headline(const suite_page *page, const suite_run *run,
                                      const cm_record *record)
{
    for (size_t k = 0; k < record->n_metrics; k++)
        if (!record->metric[k].pass) return &record->metric[k];
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *other = &page->table->run[r];
        if (!other->headline || strcmp(other->program, run->program) != 0) continue;
        const cm_record_metric *metric = cm_record_metric_of(record, other->headline);
        if (metric) return metric;
    }
    return &record->metric[0];
}

/* Does any result say how long its launches took? */
static bool any_took(const suite_page *page)
{
    for (size_t r = 0; r < page->table->n; r++)
        if (page->entry[r].state == SUITE_COMPLETE && !isnan(suite_took_s(&page->entry[r].record)))
            return true;
    return false;
}

static void print_result(suite_page *page, const suite_run *run, const cm_record *record, bool took)
{
    char how_long[SUITE_DURATION] = "";
    const char *began = suite_took_begun(record);
    const cm_record_metric *metric = page_headline(page, run, record);
    char *program = suite_home_program(page->home, run->folder, run->program);
    char *label = suite_metrics_label(&page->metrics, program, metric->name);
    piece_headline(page->out, metric->pass, metric->name, label);
    page_value(page->out, metric);
    piece_headline_interval(page->out);
    page_interval(page->out, record, metric);
    if (!isnan(suite_took_s(record))) suite_duration(suite_took_s(record), how_long);
    piece_headline_end(page->out, took, how_long, began ? began : "");
    free(label);
    free(program);
}

void page_headlines(suite_page *page)
{
    const bool took = any_took(page);
    size_t n = 0;
    for (size_t r = 0; r < page->table->n; r++) n += page->entry[r].state != SUITE_SKIPPED;
    piece_headlines_begin(page->out, n, took);
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *run = &page->table->run[r];
        const suite_entry *entry = &page->entry[r];
        if (entry->state == SUITE_SKIPPED) continue;
        print_run_name(page, run);
        if (entry->state == SUITE_COMPLETE) print_result(page, run, &entry->record, took);
        else print_failure(page->out, entry, took);
    }
    piece_part_of_tables_end(page->out);
    if (!page->drawn) piece_no_gnuplot(page->out);
    piece_section_end(page->out);
}
