/* SPDX-License-Identifier: BSD-3-Clause */
/* together_records.c: hosts, pairs and numbers in cm-nodes' records, and findings that are added to
   the combined one. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/words.h"
#include "together.h"

/* From "n1:4 n2:4". Names may contain colons. */
suite_index suite_together_names(const cm_record *record)
{
    const char *text = cm_record_meta(record, "ranks_per_host");
    suite_words words = {0};
    suite_index names = {0};
    if (text) suite_words_split(&words, text);
    for (size_t k = 0; k < words.n; k++) {
        char *colon = strrchr(words.word[k], ':');
        if (colon) *colon = '\0';
        suite_index_add(&names, words.word[k]);
    }
    suite_words_free(&words);
    return names;
}

bool suite_together_ends(const suite_together *t, const char *who, size_t *from, size_t *to)
{
    for (const char *at = who; (at = strchr(at, '-')); at++) {
        char *first = suite_text("%.*s", (int)(at - who), who);
        *from = suite_index_find(&t->name, first);
        *to = suite_index_find(&t->name, at + 1);
        free(first);
        if (*from < t->hosts && *to < t->hosts) return true;
    }
    return false;
}

bool suite_together_number(const cm_record *record, size_t row, const char *column, double *number)
{
    const int at = cm_record_column(record, column);
    return at >= 0 && cm_record_number(cm_record_cell(record, row, (size_t)at), number);
}

char *suite_together_list(size_t n, const double *value, int digits)
{
    char *list = suite_copy("");
    for (size_t k = 0; k < n; k++) {
        char *longer = suite_text("%s%s%.*g", list, k > 0 ? ", " : "", digits, value[k]);
        free(list);
        list = longer;
    }
    return list;
}

cm_record_finding *suite_together_add(cm_record *combined, const cm_record_finding *finding)
{
    combined->finding =
        suite_longer(combined->finding, combined->n_findings + 1, sizeof *combined->finding);
    cm_record_finding *own = &combined->finding[combined->n_findings++];
    if (!cm_finding_copy(finding, own)) suite_there(NULL);
    return own;
}
