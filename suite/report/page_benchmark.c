/* SPDX-License-Identifier: BSD-3-Clause */
/* page_benchmark.c: a benchmark: its figure, what that shows, its numbers; all else folded. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "pages.h"

/* Prints the reason why there is no result. */
static void print_problem(FILE *out, const suite_entry *entry)
{
    size_t length = strlen(entry->text);
    while (length > 0 && entry->text[length - 1] == '\n') length--;
    char *text = suite_text("%.*s", (int)length, entry->text);
    piece_benchmark_failed(out, text);
    free(text);
}

static void print_more_figures(suite_page *page, const suite_run *run)
{
    if (!page->drawn || run->n_figures < 2) return;
    piece_more_figures_begin(page->out);
    for (size_t f = 1; f < run->n_figures; f++) {
        char *name = suite_replace(run->figure[f], "_", " ");
        piece_more_figures_name(page->out, f > 1, name);
        free(name);
    }
    piece_summary_end(page->out);
    page_figures(page, run, 1, run->n_figures);
    piece_details_end(page->out);
}

static void print_result(suite_page *page, size_t r)
{
    const suite_run *run = &page->table->run[r];
    const cm_record *record = &page->entry[r].record;
    if (page->drawn && run->n_figures > 0) page_figures(page, run, 0, 1);
    piece_benchmark_question(page->out, run->question, run->shows);
    page_shape_of(page, r);
    if (suite_result_oversubscribed(record)) piece_benchmark_oversubscribed(page->out);
    page_numbers(page, run, record);
    print_more_figures(page, run);
    page_result_answers(page, record);
    page_papers_of(page, run->name);
    page_result_rows(page, run->name, record);
}

void page_benchmark(suite_page *page, size_t r)
{
    const suite_run *run = &page->table->run[r];
    char *title = suite_table_title(page->table, run->name);
    piece_benchmark_begin(page->out, run->name, run->heading, title);
    free(title);
    if (page->entry[r].state == SUITE_COMPLETE) print_result(page, r);
    else {
        piece_benchmark_question(page->out, run->question, run->shows);
        print_problem(page->out, &page->entry[r]);
    }
    piece_section_end(page->out);
}
