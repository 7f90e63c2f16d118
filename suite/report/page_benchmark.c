/* SPDX-License-Identifier: BSD-3-Clause */
/* page_benchmark.c: a benchmark: its question, one figure or table and three numbers; all else is
   folded. */
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

/* Returns the HTML of the result's table by algorithm or by distance; the caller frees it. NULL: it
   has no such table. */
static char *table_of(suite_page *page, const suite_run *run, const cm_record *record)
{
    FILE *out = page->out;
    char *table = NULL;
    size_t length;
    page->out = suite_there(open_memstream(&table, &length));
    bool any = page_matrix(page, run, record) || page_distances(page, record);
    if (fclose(page->out) != 0) suite_there(NULL);
    page->out = out;
    if (any) return table;
    free(table);
    return NULL;
}

static void print_more_figures(suite_page *page, const suite_run *run)
{
    if (!page->drawn || run->n_figures < 2) return;
    piece_more_figures_begin(page->out, run->name, run->n_figures - 1);
    page_figures(page, run, 1, run->n_figures);
    piece_part_end(page->out);
}

static void print_result(suite_page *page, size_t r)
{
    const suite_run *run = &page->table->run[r];
    const cm_record *record = &page->entry[r].record;
    const bool figure = page->drawn && run->n_figures > 0;
    char *table = table_of(page, run, record);
    if (suite_result_oversubscribed(record)) piece_benchmark_oversubscribed(page->out);
    if (figure) page_figures(page, run, 0, 1);
    else if (table) piece_html(page->out, table);
    page_three(page, run, record);
    piece_rest_begin(page->out);
    piece_about_benchmark(page->out, run->name, run->shows, page_shape_of(page, r));
    if (figure && table) piece_table_folded(page->out, run->name, table);
    page_numbers(page, run, record);
    print_more_figures(page, run);
    page_result_answers(page, run->name, record);
    page_papers_of(page, run->name);
    page_result_rows(page, run->name, record);
    piece_rest_end(page->out);
    free(table);
}

void page_benchmark(suite_page *page, size_t r)
{
    const suite_run *run = &page->table->run[r];
    char *title = suite_table_title(page->table, run->name);
    piece_benchmark_begin(page->out, run->name, run->heading, title);
    free(title);
    piece_benchmark_question(page->out, run->question);
    if (page->entry[r].state == SUITE_COMPLETE) print_result(page, r);
    else print_problem(page->out, &page->entry[r]);
    piece_section_end(page->out);
}
