/* SPDX-License-Identifier: BSD-3-Clause */
/* page_disturbed.c: which results were disturbed, and why. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "common/words.h"
#include "pages.h"

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
    char *reason = suite_copy(words->n > 0 ? words->word[0] : SAID_DISTURBED_UNEXPLAINED);
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
    for (size_t k = 0; k < record->n_metrics; k++) n += record->metric[k].disturbed;
    return n;
}

static bool is_disturbed(const suite_page *page, size_t r)
{
    const suite_entry *entry = &page->entry[r];
    return entry->state == SUITE_COMPLETE
           && (disturbed_metrics(&entry->record) || suite_result_disturbed_rows(&entry->record));
}

/* "netpipe (2 of 3 metrics, 5 of 117 rows)" */
static void print_one(const suite_page *page, size_t r, bool more)
{
    const cm_record *record = &page->entry[r].record;
    piece_disturbed_run(page->out, more, page->table->run[r].name, disturbed_metrics(record),
                        record->n_metrics, suite_result_disturbed_rows(record), record->n_rows);
}

/* ---- The line above the headlines ------------------------------------------------------------ */

/* Returns the cause of most disturbed samples in all disturbed results, such as "steal"; the caller
   frees it. */
static char *main_cause(const suite_page *page)
{
    causes sum = {0};
    size_t most = 0;
    for (size_t r = 0; r < page->table->n; r++) {
        if (is_disturbed(page, r)) add_record(&sum, &page->entry[r].record);
    }
    for (size_t k = 1; k < sum.words.n; k++)
        if (sum.samples[k] > sum.samples[most]) most = k;
    char *text = suite_copy(sum.words.n > 0 ? sum.words.word[most] : "");
    free_causes(&sum);
    return text;
}

/* Returns true if the metric that answers the program's question was disturbed. */
static bool headline_is_disturbed(const suite_page *page, size_t r)
{
    const char *headline = page->table->run[r].headline;
    const cm_record *record = &page->entry[r].record;
    if (!headline || page->entry[r].state != SUITE_COMPLETE) return false;
    for (size_t k = 0; k < record->n_metrics; k++)
        if (strcmp(record->metric[k].name, headline) == 0 && record->metric[k].disturbed)
            return true;
    return false;
}

static void print_headlines(const suite_page *page)
{
    size_t n = 0;
    for (size_t r = 0; r < page->table->n; r++) {
        if (!headline_is_disturbed(page, r)) continue;
        const suite_run *run = &page->table->run[r];
        piece_disturbed_headline(page->out, n++ > 0, run->name, run->headline);
    }
    piece_disturbed_line_end(page->out, n == 0);
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
    piece_disturbed_line(page->out, benches, complete, disturbed_rows, rows, cause);
    print_headlines(page);
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
    if (disturbed > 0) piece_disturbed_begin(page->out, disturbed);
    for (size_t r = 0; r < n; r++) {
        if (!reason[r]) continue;
        piece_disturbed_reason(page->out, reason[r]);
        print_one(page, r, false);
        for (size_t other = r + 1; other < n; other++) {
            if (!reason[other] || strcmp(reason[r], reason[other]) != 0) continue;
            print_one(page, other, true);
            free(reason[other]);
            reason[other] = NULL;
        }
        piece_item_end(page->out);
        free(reason[r]);
    }
    if (disturbed > 0) piece_disturbed_end(page->out);
    free(reason);
}
