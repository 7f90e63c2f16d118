/* SPDX-License-Identifier: BSD-3-Clause */
/* combine_findings.c: the findings of all launches: a host that is slow in one of three must not be
   lost because another launch is the middle one. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "launches.h"
#include "common/memory.h"

static bool is_a(const cm_record_finding *f, const char *what)
{
    return strcmp(f->what, what) == 0;
}

/* Others say how one launch was. */
static bool is_united(const cm_record_finding *f)
{
    return is_a(f, CM_FINDING_STANDS_OUT) || is_a(f, CM_FINDING_CANNOT_TELL);
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

/* Launches differ in the values and in the words. A quantity has a name unless the result is older
   than that. */
static bool same_finding(const cm_record_finding *a, const cm_record_finding *b)
{
    return is_a(a, b->what) && same_text(a->who, b->who) && same_text(a->quantity, b->quantity)
           && (a->quantity || same_text(a->words, b->words));
}

static bool has(const cm_record *record, const cm_record_finding *finding)
{
    for (size_t k = 0; k < record->n_findings; k++)
        if (same_finding(&record->finding[k], finding)) return true;
    return false;
}

static cm_record_finding *add(cm_record *combined, const cm_record_finding *finding)
{
    combined->finding =
        suite_longer(combined->finding, combined->n_findings + 1, sizeof *combined->finding);
    cm_record_finding *own = &combined->finding[combined->n_findings++];
    if (!cm_finding_copy(finding, own)) suite_there(NULL);
    return own;
}

static void add_united(const suite_launches *l, const cm_record_finding *finding,
                       cm_record *combined)
{
    if (has(combined, finding)) return;
    cm_record_finding *own = add(combined, finding);
    if (l->n < 2) return;
    own->of_launches = l->n;
    for (size_t k = 0; k < l->n; k++) own->launches += has(&l->record[k], finding);
}

void suite_combine_findings(const suite_launches *l, cm_record *combined)
{
    const cm_record *middle = &l->record[l->middle];
    for (size_t at = 0; at < l->n; at++) { /* the middle one's values first */
        const cm_record *record = &l->record[(l->middle + at) % l->n];
        for (size_t k = 0; k < record->n_findings; k++)
            if (is_united(&record->finding[k])) add_united(l, &record->finding[k], combined);
    }
    const bool found = combined->n_findings > 0;
    for (size_t k = 0; k < middle->n_findings; k++) {
        const cm_record_finding *f = &middle->finding[k];
        if (!is_united(f) && !(found && is_a(f, CM_FINDING_NONE))) add(combined, f);
    }
}
