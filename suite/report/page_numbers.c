/* SPDX-License-Identifier: BSD-3-Clause */
/* page_numbers.c: the RESULT lines of a benchmark, with names for people: three, and all of
   them. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/words.h"
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

static void print_label(suite_page *page, const char *name, const char *program, const char *metric)
{
    char *label = suite_metrics_label(&page->metrics, program, metric);
    piece_metric(page->out, name, metric, strcmp(label, metric) != 0 ? label : NULL);
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
        print_label(page, run->name, program, metric->name);
        piece_metric_value(out);
        page_value(out, metric);
        piece_metric_interval(out, !metric->pass);
        page_interval(out, record, metric);
        print_meaning(page, program, record, k);
    }
    free(program);
}

void page_numbers(suite_page *page, const suite_run *run, const cm_record *record)
{
    piece_metrics_folded(page->out, run->name, record->n_metrics);
    piece_metrics_begin(page->out, run->heading);
    print_rows(page, run, record);
    piece_part_of_tables_end(page->out);
}

/* ---- Three of them --------------------------------------------------------------------------- */

enum { THREE = 3 };

/* Adds a metric that is not there yet, while there are fewer than three. */
static void add(const cm_record_metric *three[THREE], size_t *n, const cm_record_metric *metric)
{
    for (size_t k = 0; k < *n; k++)
        if (three[k] == metric) return;
    if (metric && *n < THREE) three[(*n)++] = metric;
}

/* The headline, what compare tests in its second family, then the others in their order. */
static size_t choose(const suite_page *page, const suite_run *run, const cm_record *record,
                     const cm_record_metric *three[THREE])
{
    size_t n = 0;
    suite_words further = {0};
    add(three, &n, page_headline(page, run, record));
    if (run->further && suite_words_split(&further, run->further))
        for (size_t k = 0; k < further.n; k++)
            add(three, &n, cm_record_metric_of(record, further.word[k]));
    for (size_t k = 0; k < record->n_metrics; k++) add(three, &n, &record->metric[k]);
    suite_words_free(&further);
    return n;
}

void page_three(suite_page *page, const suite_run *run, const cm_record *record)
{
    const cm_record_metric *three[THREE];
    const size_t n = choose(page, run, record, three);
    char *program = suite_home_program(page->home, run->folder, run->program);
    piece_three_begin(page->out);
    for (size_t k = 0; k < n; k++) {
        char *label = suite_metrics_label(&page->metrics, program, three[k]->name);
        piece_three(page->out, label);
        page_value(page->out, three[k]);
        piece_three_interval(page->out, !three[k]->pass);
        page_interval(page->out, record, three[k]);
        piece_three_interval_end(page->out);
        free(label);
    }
    piece_three_end(page->out);
    free(program);
}
