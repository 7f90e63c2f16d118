/* SPDX-License-Identifier: BSD-3-Clause */
/* page_disturbed.c: which results could not be had undisturbed, and why. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/html.h"
#include "common/memory.h"
#include "page.h"
#include "common/words.h"

/* ---- Why ------------------------------------------------------------------------------------- */

typedef struct {
    suite_words words; /* "waited for a core" */
    double *samples;   /* [words.n]: that it disturbed */
} causes;

static void add_cause(causes *all, const char *word, double samples)
{
    size_t k = 0;
    while (k < all->words.n && strcmp(all->words.word[k], word) != 0) k++;
    if (k == all->words.n) {
        suite_words_add(&all->words, word);
        all->samples = suite_longer(all->samples, k + 1, sizeof all->samples[0]);
        all->samples[k] = 0;
    }
    all->samples[k] += samples;
}

static void free_causes(causes *all)
{
    suite_words_free(&all->words);
    free(all->samples);
}

static void add_record(causes *all, const cm_record *record)
{
    const cm_record_finding *f;
    for (size_t k = 0; (f = cm_record_finding_of(record, CM_FINDING_DISTURBED_BY, k)); k++)
        add_cause(all, f->quantity, f->value > 0 ? f->value : 0);
}

/* "waited for a core, steal"; the caller frees. */
static char *reason_of(const suite_page *page, size_t r)
{
    causes all = {0};
    add_record(&all, &page->entry[r].record);
    const suite_words *words = &all.words;
    char *reason = suite_copy(words->n > 0 ? words->word[0] : "the result does not say why");
    for (size_t k = 1; k < words->n; k++) {
        char *longer = suite_text("%s, %s", reason, words->word[k]);
        free(reason);
        reason = longer;
    }
    free_causes(&all);
    return reason;
}

/* ---- Which ----------------------------------------------------------------------------------- */

static size_t disturbed_metrics(const cm_record *record)
{
    size_t n = 0;
    for (size_t k = 0; k < record->n_verdicts; k++) n += record->verdict[k].disturbed;
    return n;
}

static bool is_disturbed(const suite_page *page, size_t r)
{
    const suite_entry *entry = &page->entry[r];
    return entry->state == SUITE_COMPLETE
           && (disturbed_metrics(&entry->record) || suite_result_disturbed_rows(&entry->record));
}

/* "netpipe (2 of 3 metrics, 5 of 117 rows)" */
static void print_one(const suite_page *page, size_t r)
{
    const cm_record *record = &page->entry[r].record;
    const char *name = page->table->run[r].name;
    html_print(page->out, "<a href=\"#%h\">%h</a> (%u of %u metrics", name, name,
               disturbed_metrics(record), record->n_verdicts);
    if (record->n_rows > 0)
        html_print(page->out, ", %u of %u rows", suite_result_disturbed_rows(record),
                   record->n_rows);
    html_print(page->out, ")");
}

/* ---- The line above the verdicts ------------------------------------------------------------- */

/* Returns the cause of most disturbed samples in all disturbed results, as "mostly: steal"; the
   caller frees it. */
static char *main_cause(const suite_page *page)
{
    causes sum = {0};
    size_t most = 0;
    for (size_t r = 0; r < page->table->n; r++) {
        if (is_disturbed(page, r)) add_record(&sum, &page->entry[r].record);
    }
    for (size_t k = 1; k < sum.words.n; k++)
        if (sum.samples[k] > sum.samples[most]) most = k;
    char *text = suite_text(sum.words.n > 0 ? ", mostly: %s" : "%s",
                            sum.words.n > 0 ? sum.words.word[most] : "");
    free_causes(&sum);
    return text;
}

/* Returns true if the metric that answers the program's question could not be had undisturbed. */
static bool headline_is_disturbed(const suite_page *page, size_t r)
{
    const char *headline = page->table->run[r].headline;
    const cm_record *record = &page->entry[r].record;
    if (!headline || page->entry[r].state != SUITE_COMPLETE) return false;
    for (size_t k = 0; k < record->n_verdicts; k++)
        if (strcmp(record->verdict[k].metric, headline) == 0 && record->verdict[k].disturbed)
            return true;
    return false;
}

static void print_headlines(const suite_page *page)
{
    size_t n = 0;
    for (size_t r = 0; r < page->table->n; r++) {
        if (!headline_is_disturbed(page, r)) continue;
        const suite_run *run = &page->table->run[r];
        html_print(page->out, "%s<a href=\"#%h\">%h</a> (%h)",
                   n++ ? ", " : " These headline metrics could not be had undisturbed: ", run->name,
                   run->name, run->headline);
    }
    html_print(page->out, n > 0 ? "." : " All headline metrics could be had undisturbed.");
}

void page_disturbed_line(const suite_page *page)
{
    size_t benches = 0, complete = 0, disturbed_rows = 0, rows = 0;
    for (size_t r = 0; r < page->table->n; r++) {
        const cm_record *record = &page->entry[r].record;
        if (page->entry[r].state != SUITE_COMPLETE) continue;
        complete++;
        benches += is_disturbed(page, r);
        disturbed_rows += suite_result_disturbed_rows(record);
        rows += record->n_rows;
    }
    if (benches == 0) return;
    char *cause = main_cause(page);
    html_print(
        page->out,
        "<p class=\"note\">Other activity of the machine <a href=\"#disturbed\">disturbed</a> "
        "%u of %u benchmarks and %u of %u rows%h.",
        benches, complete, disturbed_rows, rows, cause);
    print_headlines(page);
    html_print(page->out, "</p>\n");
    free(cause);
}

/* ---- The section ----------------------------------------------------------------------------- */

void page_disturbed(const suite_page *page)
{
    size_t n = page->table->n, disturbed = 0;
    char **reason = suite_array(n, sizeof *reason); /* NULL: undisturbed, or told already */
    for (size_t r = 0; r < n; r++) {
        reason[r] = is_disturbed(page, r) ? reason_of(page, r) : NULL;
        disturbed += reason[r] != NULL;
    }
    if (disturbed > 0)
        html_print(page->out,
                   "<section id=\"disturbed\">\n<h3>Disturbance</h3>\n<p>Other activity of the "
                   "machine disturbed these metrics and rows: too few of their samples were free "
                   "of it, so they are summarized over all samples. A reason stands before the "
                   "benchmarks that have it.</p>\n<ul>\n");
    for (size_t r = 0; r < n; r++) {
        if (!reason[r]) continue;
        html_print(page->out, "<li>%h: ", reason[r]);
        print_one(page, r);
        for (size_t other = r + 1; other < n; other++) {
            if (!reason[other] || strcmp(reason[r], reason[other]) != 0) continue;
            html_print(page->out, ", ");
            print_one(page, other);
            free(reason[other]);
            reason[other] = NULL;
        }
        html_print(page->out, "</li>\n");
        free(reason[r]);
    }
    if (disturbed > 0) html_print(page->out, "</ul>\n</section>\n");
    free(reason);
}
