/* SPDX-License-Identifier: BSD-3-Clause */
/* page_numbers.c: the RESULT lines of a benchmark, with names for people. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/html.h"
#include "common/memory.h"
#include "page.h"

/* Long names may break behind a low line, and leave room for the other columns. */
static void print_technical(FILE *out, const char *metric)
{
    html_print(out, "<code>");
    for (size_t n; *metric; metric += n) {
        n = strcspn(metric, "_");
        bool breaks = metric[n] == '_';
        n += breaks;
        char *part = suite_text("%.*s", (int)n, metric);
        html_print(out, breaks ? "%h<wbr />" : "%h", part);
        free(part);
    }
    html_print(out, "</code>");
}

static void print_label(suite_page *page, const suite_run *run, const char *metric)
{
    char *program = suite_home_program(page->home, run->folder, run->program);
    char *label = suite_metrics_label(&page->metrics, program, metric);
    if (strcmp(label, metric) != 0) html_print(page->out, "%h ", label);
    print_technical(page->out, metric);
    free(label);
    free(program);
}

/* Said once for metrics that follow each other and mean the same. */
static void print_meaning(suite_page *page, const char *program, const cm_record *record, size_t k)
{
    const cm_record_verdict *verdict = record->verdict;
    const char *text = suite_metrics_meaning(&page->metrics, program, verdict[k].metric);
    const char *above =
        k > 0 ? suite_metrics_meaning(&page->metrics, program, verdict[k - 1].metric) : "";
    html_print(page->out, "<td class=\"meaning\">%h</td>",
               *text && strcmp(text, above) == 0 ? "likewise" : text);
}

static void print_rows(suite_page *page, const suite_run *run, const cm_record *record)
{
    FILE *out = page->out;
    char *program = suite_home_program(page->home, run->folder, run->program);
    for (size_t k = 0; k < record->n_verdicts; k++) {
        const cm_record_verdict *verdict = &record->verdict[k];
        html_print(out, "<tr><th scope=\"row\">");
        print_label(page, run, verdict->metric);
        html_print(out, "</th><td class=\"value\">");
        page_value(out, verdict);
        if (!verdict->pass) html_print(out, " <span class=\"fail\">FAIL</span>");
        html_print(out, "</td><td class=\"interval\">");
        page_interval(out, record, verdict);
        html_print(out, "</td>");
        print_meaning(page, program, record, k);
        html_print(out, "</tr>\n");
    }
    free(program);
}

static void print_table(suite_page *page, const suite_run *run, const cm_record *record)
{
    html_print(page->out,
               "<div class=\"wide\"><table class=\"numbers\"><caption class=\"unseen\">Key numbers "
               "of %h</caption>\n<thead><tr><th scope=\"col\">What</th><th scope=\"col\">Value</th>"
               "<th scope=\"col\">Interval</th><th scope=\"col\">What it means</th></tr></thead>\n"
               "<tbody>\n",
               run->heading);
    print_rows(page, run, record);
    html_print(page->out, "</tbody></table></div>\n");
}

void page_numbers(suite_page *page, const suite_run *run, const cm_record *record)
{
    enum { FEW = 12 };
    bool table = page_matrix(page, run, record) || page_distances(page, record);
    bool folded = table || record->n_verdicts > FEW;
    if (folded)
        html_print(page->out, "<details><summary>All %u metrics</summary>\n", record->n_verdicts);
    print_table(page, run, record);
    if (folded) html_print(page->out, "</details>\n");
}
