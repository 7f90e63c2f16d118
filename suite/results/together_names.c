/* SPDX-License-Identifier: BSD-3-Clause */
/* together_names.c: the names of hosts and of pairs in cm-nodes' records. */
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
