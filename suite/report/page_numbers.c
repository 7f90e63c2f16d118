/* SPDX-License-Identifier: BSD-3-Clause */
/* page_numbers.c: the RESULT lines of a benchmark, with names for people. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "pages.h"

/* Long names may break behind a low line, and leave room for the other columns. */
static void print_technical(FILE *out, const char *metric)
{
    for (size_t n; *metric; metric += n) {
        n = strcspn(metric, "_");
        bool breaks = metric[n] == '_';
        n += breaks;
        char *part = suite_text("%.*s", (int)n, metric);
        piece_metric_part(out, part, breaks);
        free(part);
    }
}

static void print_label(suite_page *page, const char *program, const char *metric)
{
    char *label = suite_metrics_label(&page->metrics, program, metric);
    piece_metric(page->out, strcmp(label, metric) != 0 ? label : NULL);
    print_technical(page->out, metric);
    free(label);
}

/* Said once for metrics that follow each other and mean the same. */
static void print_meaning(suite_page *page, const char *program, const cm_record *record, size_t k)
{
    const cm_record_metric *metric = record->metric;
    const char *text = suite_metrics_meaning(&page->metrics, program, metric[k].name);
    const char *above =
        k > 0 ? suite_metrics_meaning(&page->metrics, program, metric[k - 1].name) : "";
    piece_metric_meaning(page->out, *text && strcmp(text, above) == 0, text);
}

static void print_rows(suite_page *page, const suite_run *run, const cm_record *record)
{
    FILE *out = page->out;
    char *program = suite_home_program(page->home, run->folder, run->program);
    for (size_t k = 0; k < record->n_metrics; k++) {
        const cm_record_metric *metric = &record->metric[k];
        print_label(page, program, metric->name);
        piece_metric_value(out);
        page_value(out, metric);
        piece_metric_interval(out, !metric->pass);
        page_interval(out, record, metric);
        print_meaning(page, program, record, k);
    }
    free(program);
}

static void print_table(suite_page *page, const suite_run *run, const cm_record *record)
{
    piece_metrics_begin(page->out, run->heading);
    print_rows(page, run, record);
    piece_table_end(page->out);
}

void page_numbers(suite_page *page, const suite_run *run, const cm_record *record)
{
    enum { FEW = 12 };
    bool table = page_matrix(page, run, record) || page_distances(page, record);
    bool folded = table || record->n_metrics > FEW;
    if (folded) piece_metrics_folded(page->out, record->n_metrics);
    print_table(page, run, record);
    if (folded) piece_details_end(page->out);
}
