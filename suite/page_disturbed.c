/* SPDX-License-Identifier: BSD-3-Clause */
/* page_disturbed.c: which results could not be had undisturbed, and why. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "launches.h"
#include "memory.h"
#include "page.h"
#include "words.h"

/* ---- Why ------------------------------------------------------------------------------------- */

/* The causes in "disturbed: 12 of 340 samples: waited for a core (8), steal (4)". */
static void add_causes(suite_words *causes, const char *comment)
{
    static const char begin[] = "disturbed: ", middle[] = " samples: ";
    const char *list = strstr(comment, middle);
    if (strncmp(comment, begin, strlen(begin)) != 0 || !list) return;
    char *copy = suite_copy(list + strlen(middle)), *rest = copy;
    for (char *cause; (cause = strsep(&rest, ","));) {
        cause += strspn(cause, " ");
        char *count = strstr(cause, " (");
        if (count) *count = '\0';
        if (*cause && !suite_words_have(causes, cause)) suite_words_add(causes, cause);
    }
    free(copy);
}

static void add_causes_of(suite_words *causes, const cm_record *record)
{
    for (size_t k = 0; k < record->n_comments; k++) add_causes(causes, record->comment[k]);
}

/* Comments of several launches are those of one of them, so the launches themselves are asked. */
static suite_words causes_of(const suite_page *page, size_t r)
{
    const cm_record *record = &page->entry[r].record;
    suite_words causes = {0};
    double launches;
    const char *text = cm_record_meta(record, "launches");
    if (!text || !cm_record_number(text, &launches)) launches = 0;
    for (size_t k = 1; k <= (size_t)launches; k++) {
        cm_record launch;
        char why[512], *path = suite_launch_path(page->dir, page->table->run[r].name, k, "txt");
        if (cm_record_read(path, &launch, why, sizeof why)) {
            add_causes_of(&causes, &launch);
            cm_record_free(&launch);
        }
        free(path);
    }
    if (causes.n == 0) add_causes_of(&causes, record);
    return causes;
}

/* "waited for a core, steal"; the caller frees. */
static char *reason_of(const suite_page *page, size_t r)
{
    suite_words causes = causes_of(page, r);
    char *reason = suite_copy(causes.n > 0 ? causes.word[0] : "the result does not say why");
    for (size_t k = 1; k < causes.n; k++) {
        char *longer = suite_text("%s, %s", reason, causes.word[k]);
        free(reason);
        reason = longer;
    }
    suite_words_free(&causes);
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

void page_disturbed(const suite_page *page)
{
    size_t n = page->table->n, disturbed = 0;
    char **reason = suite_array(n, sizeof *reason); /* NULL: undisturbed, or told already */
    for (size_t r = 0; r < n; r++) {
        reason[r] = is_disturbed(page, r) ? reason_of(page, r) : NULL;
        disturbed += reason[r] != NULL;
    }
    if (disturbed > 0)
        html_print(
            page->out,
            "<p class=\"note\">Other activity of the machine disturbed %u %s. These metrics and "
            "rows could not be had undisturbed:</p>\n<ul>\n",
            disturbed, disturbed == 1 ? "benchmark" : "benchmarks");
    for (size_t r = 0; r < n; r++) {
        if (!reason[r]) continue;
        html_print(page->out, "<li class=\"note\">%h: ", reason[r]);
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
    if (disturbed > 0) html_print(page->out, "</ul>\n");
    free(reason);
}
