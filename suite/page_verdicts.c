/* SPDX-License-Identifier: BSD-3-Clause */
/* page_verdicts.c: the table of all verdicts. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "memory.h"
#include "page.h"

static void print_run_name(FILE *out, const suite_run *run)
{
    html_print(out, "<tr><th scope=\"row\"><a href=\"#%h\">%h", run->name, run->program);
    if (run->variant) html_print(out, " %h", run->variant);
    html_print(out, "</a></th>");
}

static void print_problem(FILE *out, const suite_run *run, const suite_entry *entry)
{
    char *line = suite_text("%.*s", (int)strcspn(entry->text, "\n"), entry->text);
    print_run_name(out, run);
    html_print(out, "<td class=\"note\">%s</td><td colspan=\"5\">%h</td></tr>\n",
               entry->state == SUITE_FAILED ? "failed" : "skipped", line);
    free(line);
}

/* One cell for metrics that follow each other and mean the same. */
static void print_meaning(suite_page *page, const char *program, const cm_record *record, size_t k)
{
    const cm_record_verdict *verdict = record->verdict;
    const char *text = suite_metrics_meaning(&page->metrics, program, verdict[k].metric);
    size_t n = 1;
    if (k > 0) {
        const char *above = suite_metrics_meaning(&page->metrics, program, verdict[k - 1].metric);
        if (strcmp(text, above) == 0) return;
    }
    for (; k + n < record->n_verdicts; n++) {
        const char *below = suite_metrics_meaning(&page->metrics, program, verdict[k + n].metric);
        if (strcmp(text, below) != 0) break;
    }
    if (n > 1) html_print(page->out, "<td class=\"meaning\" rowspan=\"%u\">%h</td>", n, text);
    else html_print(page->out, "<td class=\"meaning\">%h</td>", text);
}

/* "1.2 to 1.4 (95%, 6 launches)" and whether the machine disturbed it. */
static void print_interval(FILE *out, const cm_record_verdict *verdict)
{
    html_print(out, "<td class=\"interval\">");
    if (isfinite(verdict->low) && isfinite(verdict->high)) {
        char *ends = suite_text("%.4g to %.4g", verdict->low, verdict->high);
        html_print(out, "%h", ends);
        free(ends);
        if (verdict->interval && verdict->over)
            html_print(out, " (%h, %u %h)", verdict->interval, verdict->n, verdict->over);
    }
    if (verdict->disturbed) html_print(out, " <span class=\"note\">disturbed</span>");
    html_print(out, "</td>");
}

/* Long names may break behind a low line, and leave room for the other columns. */
static void print_metric(FILE *out, const char *metric)
{
    html_print(out, "<td class=\"metric\">");
    for (size_t n; *metric; metric += n) {
        n = strcspn(metric, "_");
        bool breaks = metric[n] == '_';
        n += breaks;
        char *part = suite_text("%.*s", (int)n, metric);
        html_print(out, breaks ? "%h<wbr />" : "%h", part);
        free(part);
    }
    html_print(out, "</td>");
}

static void print_verdicts(suite_page *page, const suite_run *run, const cm_record *record)
{
    char *program = suite_home_program(page->home, run->folder, run->program);
    FILE *out = page->out;
    for (size_t k = 0; k < record->n_verdicts; k++) {
        const cm_record_verdict *verdict = &record->verdict[k];
        print_run_name(out, run);
        html_print(out,
                   verdict->pass ? "<td class=\"pass\">PASS</td>" : "<td class=\"fail\">FAIL</td>");
        print_metric(out, verdict->metric);
        html_print(out, "<td class=\"number\">%h</td>", verdict->value);
        print_interval(out, verdict);
        html_print(out, "<td class=\"unit\">%h</td>", verdict->unit);
        print_meaning(page, program, record, k);
        html_print(out, "</tr>\n");
    }
    free(program);
}

void page_verdicts(suite_page *page)
{
    html_print(page->out, "<section id=\"verdicts\">\n<h2>Verdicts</h2>\n");
    html_print(page->out,
               "<div class=\"wide\"><table>\n"
               "<thead><tr><th scope=\"col\">Benchmark</th><th scope=\"col\">Verdict</th>"
               "<th scope=\"col\">Metric</th><th scope=\"col\" class=\"number\">Value</th>"
               "<th scope=\"col\">Interval</th>"
               "<th scope=\"col\">Unit</th><th scope=\"col\">What it means</th></tr></thead>\n"
               "<tbody>\n");
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *run = &page->table->run[r];
        const suite_entry *entry = &page->entry[r];
        if (entry->state == SUITE_COMPLETE) print_verdicts(page, run, &entry->record);
        else print_problem(page->out, run, entry);
    }
    html_print(page->out, "</tbody></table></div>\n");
    if (!page->drawn)
        html_print(page->out, "<p class=\"note\">gnuplot was not there when this page was made: "
                              "it has the tables and no figures.</p>\n");
    html_print(page->out, "</section>\n");
}
