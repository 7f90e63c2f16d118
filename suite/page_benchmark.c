/* SPDX-License-Identifier: BSD-3-Clause */
/* page_benchmark.c: the section of a benchmark. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "memory.h"
#include "page.h"

/* Why there is no result. */
static void print_problem(FILE *out, const suite_entry *entry)
{
    size_t length = strlen(entry->text);
    while (length > 0 && entry->text[length - 1] == '\n') length--;
    char *text = suite_text("%.*s", (int)length, entry->text);
    if (entry->state == SUITE_SKIPPED) html_print(out, "<p class=\"note\">Skipped: %h</p>\n", text);
    else
        html_print(out,
                   "<p class=\"fail\">This benchmark did not run to its end.</p>\n"
                   "<pre>%h</pre>\n",
                   text);
    free(text);
}

void page_benchmark(suite_page *page, size_t r)
{
    const suite_run *run = &page->table->run[r];
    const suite_entry *entry = &page->entry[r];
    html_print(page->out, "<section id=\"%h\">\n<h2>%h</h2>\n<p>%h</p>\n", run->name, run->heading,
               run->question);
    if (entry->state != SUITE_COMPLETE) print_problem(page->out, entry);
    else {
        page_shape_of(page, r);
        if (suite_result_crowded(&entry->record))
            html_print(page->out,
                       "<p class=\"note\">There were more ranks than cores (oversubscribed): the "
                       "numbers are no measure of performance, and the figures show none.</p>\n");
        if (page->drawn) page_figures(page, run, &entry->record);
        page_result_answers(page, &entry->record);
        page_papers_of(page, run->name);
        page_result_rows(page, run->name, &entry->record);
    }
    html_print(page->out, "</section>\n");
}
