/* SPDX-License-Identifier: BSD-3-Clause */
/* page_verdicts.c: all benchmarks at a glance: a line for each run, with its verdict and the metric
   that answers its question, or why it was not run. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/html.h"
#include "common/memory.h"
#include "page.h"

static void print_run_name(suite_page *page, const suite_run *run)
{
    char *title = suite_table_title(page->table, run->name);
    html_print(page->out, "<tr><th scope=\"row\"><a href=\"#%h\">%h</a> <code>%h</code></th>",
               run->name, run->heading, title);
    free(title);
}

/* Returns the first line of the text that replaces a missing result; the caller frees it. */
static char *reason_of(const suite_entry *entry)
{
    return suite_text("%.*s", (int)strcspn(entry->text, "\n"), entry->text);
}

static void print_failure(FILE *out, const suite_entry *entry)
{
    char *reason = reason_of(entry);
    html_print(out, "<td class=\"fail\">failed</td><td colspan=\"3\">%h</td></tr>\n", reason);
    free(reason);
}

const cm_record_verdict *page_headline(const suite_page *page, const suite_run *run,
                                       const cm_record *record)
{
    for (size_t k = 0; k < record->n_verdicts; k++)
        if (!record->verdict[k].pass) return &record->verdict[k];
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *other = &page->table->run[r];
        if (!other->headline || strcmp(other->program, run->program) != 0) continue;
        const cm_record_verdict *verdict = cm_record_verdict_of(record, other->headline);
        if (verdict) return verdict;
    }
    return &record->verdict[0];
}

static void print_label(suite_page *page, const suite_run *run, const char *metric)
{
    char *program = suite_home_program(page->home, run->folder, run->program);
    char *label = suite_metrics_label(&page->metrics, program, metric);
    html_print(page->out, "<span title=\"%h\">%h</span>", metric, label);
    free(label);
    free(program);
}

static void print_result(suite_page *page, const suite_run *run, const cm_record *record)
{
    const cm_record_verdict *verdict = page_headline(page, run, record);
    FILE *out = page->out;
    html_print(out, verdict->pass ? "<td class=\"pass\">PASS</td><td>"
                                  : "<td class=\"fail\">FAIL</td><td>");
    print_label(page, run, verdict->metric);
    html_print(out, "</td><td class=\"value\">");
    page_value(out, verdict);
    html_print(out, "</td><td class=\"interval\">");
    page_interval(out, record, verdict);
    html_print(out, "</td></tr>\n");
}

/* ---- What was not run ------------------------------------------------------------------------ */

/* Returns true if an earlier run was skipped for the same reason. */
static bool is_told(const suite_page *page, size_t r)
{
    bool told = false;
    char *reason = reason_of(&page->entry[r]);
    for (size_t earlier = 0; earlier < r && !told; earlier++) {
        if (page->entry[earlier].state != SUITE_SKIPPED) continue;
        char *other = reason_of(&page->entry[earlier]);
        told = strcmp(other, reason) == 0;
        free(other);
    }
    free(reason);
    return told;
}

/* "not in profile quick: HINT, tuned kernels; Messages one way", from run r on. */
static void print_reason(suite_page *page, size_t r)
{
    char *reason = reason_of(&page->entry[r]);
    const char *between = ": ";
    html_print(page->out, "<li><span class=\"note\">%h</span>", reason);
    for (; r < page->table->n; r++) {
        const suite_run *run = &page->table->run[r];
        if (page->entry[r].state != SUITE_SKIPPED) continue;
        char *other = reason_of(&page->entry[r]),
             *title = suite_table_title(page->table, run->name);
        if (strcmp(other, reason) == 0) {
            html_print(page->out, "%s<a href=\"#%h\">%h</a>", between, run->name, title);
            between = ", ";
        }
        free(title);
        free(other);
    }
    html_print(page->out, "</li>\n");
    free(reason);
}

static void print_skipped(suite_page *page)
{
    size_t n = 0;
    for (size_t r = 0; r < page->table->n; r++) n += page->entry[r].state == SUITE_SKIPPED;
    if (n == 0) return;
    html_print(page->out, "<p>%u skipped, with the reason:</p>\n<ul>\n", n);
    for (size_t r = 0; r < page->table->n; r++)
        if (page->entry[r].state == SUITE_SKIPPED && !is_told(page, r)) print_reason(page, r);
    html_print(page->out, "</ul>\n");
}

void page_verdicts(suite_page *page)
{
    html_print(page->out, "<section id=\"verdicts\">\n<h2>All benchmarks</h2>\n");
    html_print(page->out,
               "<div class=\"wide\"><table class=\"glance\"><caption>Each benchmark checks its "
               "answer; its verdict, and the metric that answers its question.</caption>\n"
               "<thead><tr><th scope=\"col\">Benchmark</th><th scope=\"col\">Verdict</th>"
               "<th scope=\"col\">Metric</th><th scope=\"col\">Value</th>"
               "<th scope=\"col\">Interval</th></tr></thead>\n<tbody>\n");
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *run = &page->table->run[r];
        const suite_entry *entry = &page->entry[r];
        if (entry->state == SUITE_SKIPPED) continue;
        print_run_name(page, run);
        if (entry->state == SUITE_COMPLETE) print_result(page, run, &entry->record);
        else print_failure(page->out, entry);
    }
    html_print(page->out, "</tbody></table></div>\n");
    print_skipped(page);
    if (!page->drawn)
        html_print(page->out, "<p class=\"note\">gnuplot was not there when this page was made: "
                              "it has the tables and no figures.</p>\n");
    html_print(page->out, "</section>\n");
}
