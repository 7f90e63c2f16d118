/* SPDX-License-Identifier: BSD-3-Clause */
/* page_benchmark.c: a benchmark: its figure, what that shows, its numbers; all else folded. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/html.h"
#include "common/memory.h"
#include "page.h"

/* Prints the reason why there is no result. */
static void print_problem(FILE *out, const suite_entry *entry)
{
    size_t length = strlen(entry->text);
    while (length > 0 && entry->text[length - 1] == '\n') length--;
    char *text = suite_text("%.*s", (int)length, entry->text);
    html_print(out, "<p class=\"fail\">This benchmark did not run to its end.</p>\n<pre>%h</pre>\n",
               text);
    free(text);
}

static void print_question(FILE *out, const suite_run *run)
{
    html_print(out,
               *run->shows ? "<p><strong>%h</strong> %h</p>\n" : "<p><strong>%h</strong>%h</p>\n",
               run->question, run->shows);
}

static void print_more_figures(suite_page *page, const suite_run *run)
{
    if (!page->drawn || run->n_figures < 2) return;
    html_print(page->out, "<details class=\"printed\"><summary>More figures:");
    for (size_t f = 1; f < run->n_figures; f++) {
        char *name = suite_replace(run->figure[f], "_", " ");
        html_print(page->out, "%s %h", f > 1 ? "," : "", name);
        free(name);
    }
    html_print(page->out, "</summary>\n");
    page_figures(page, run, 1, run->n_figures);
    html_print(page->out, "</details>\n");
}

static void print_result(suite_page *page, size_t r)
{
    const suite_run *run = &page->table->run[r];
    const cm_record *record = &page->entry[r].record;
    if (page->drawn && run->n_figures > 0) page_figures(page, run, 0, 1);
    print_question(page->out, run);
    page_shape_of(page, r);
    if (suite_result_oversubscribed(record))
        html_print(page->out,
                   "<p class=\"note\">There were more ranks than cores (oversubscribed): the "
                   "numbers are no measure of performance, and the figures show none.</p>\n");
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
    html_print(page->out, "<section id=\"%h\" class=\"benchmark\">\n<h3>%h <code>%h</code></h3>\n",
               run->name, run->heading, title);
    free(title);
    if (page->entry[r].state == SUITE_COMPLETE) print_result(page, r);
    else {
        print_question(page->out, run);
        print_problem(page->out, &page->entry[r]);
    }
    html_print(page->out, "</section>\n");
}
