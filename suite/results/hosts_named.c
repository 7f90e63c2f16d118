/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts_named.c: the hosts that a result names as standing out. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "hosts_named.h"

/* One of a list: a host, or a pair "n3-n9". Names may have hyphens, too, so that all parts between
   them are names. */
static void add_parts(suite_index *named, char *one)
{
    for (char *begin = one; begin; begin = strchr(begin, '-')) {
        begin += *begin == '-';
        for (char *end = begin; end;) {
            end = strchr(end, '-');
            if (end) *end = '\0';
            if (*begin) suite_index_add(named, begin);
            if (end) *end++ = '-';
        }
    }
}

static bool takes_all(const cm_record_finding *finding)
{
    (void)finding;
    return true;
}

suite_index suite_hosts_named(const cm_record *record)
{
    return suite_hosts_named_by(record, takes_all);
}

suite_index suite_hosts_named_by(const cm_record *record, bool (*takes)(const cm_record_finding *))
{
    suite_index named = {0};
    for (size_t f = 0; f < record->n_findings; f++) {
        const cm_record_finding *finding = &record->finding[f];
        if (!finding->who || strcmp(finding->what, CM_FINDING_STANDS_OUT) != 0 || !takes(finding))
            continue;
        char *list = suite_copy(finding->who), *rest = list, *one;
        while ((one = strsep(&rest, ", "))) add_parts(&named, one);
        free(list);
    }
    return named;
}

char *suite_hosts_shown(const char *who)
{
    enum { NAMES = 32 };
    size_t n = 1, end = 0;
    for (const char *at = who; (at = strstr(at, ", ")); at += 2)
        if (n++ == NAMES) end = (size_t)(at - who);
    if (n <= NAMES + 1) return suite_copy(who);
    return suite_text("%.*s and %zu others", (int)end, who, n - NAMES);
}

bool suite_hosts_is_named(const suite_index *named, const char *host)
{
    return suite_index_find(named, host) < named->n;
}

/* "n1:4 n2:4": a name may have colons. */
void suite_hosts_of_rows(const cm_record *record, suite_words *names)
{
    const char *text = cm_record_meta(record, "ranks_per_host");
    if (!text) return;
    suite_words_split(names, text);
    for (size_t k = 0; k < names->n; k++) {
        char *colon = strrchr(names->word[k], ':');
        if (colon) *colon = '\0';
    }
}
