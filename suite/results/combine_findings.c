/* SPDX-License-Identifier: BSD-3-Clause */
/* combine_findings.c: the findings of all launches: a host that is slow in one of three must not be
   lost because another launch is the middle one. */
#include "config.h"
#include <math.h>
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

/* ---- Disturbed samples ----------------------------------------------------------------------- */

static bool is_disturbed(const cm_record_finding *f)
{
    return is_a(f, CM_FINDING_DISTURBED_BY)
           || (is_a(f, CM_FINDING_DISTURBED) && f->quantity && strcmp(f->quantity, "samples") == 0);
}

/* Adds the finding's samples to those of its kind and cause, from the given finding on. */
static void sum(cm_record *combined, size_t from, const cm_record_finding *f)
{
    size_t k = from;
    while (k < combined->n_findings && !same_finding(&combined->finding[k], f)) k++;
    cm_record_finding *own = &combined->finding[k];
    if (k < combined->n_findings) own->value += f->value;
    else own = add(combined, f);
    own->launches += is_a(f, CM_FINDING_DISTURBED);
}

/* The samples that were disturbed in all launches, and how many by each cause: the words count them
   as disturbed.c does. Returns false if none was. */
static bool add_disturbed(const suite_launches *l, cm_record *combined)
{
    const size_t from = combined->n_findings;
    double samples = 0;                         /* of all launches, also of those that were calm */
    for (int causes = 0; causes <= 1; causes++) /* their number first */
        for (size_t k = 0; k < l->n; k++)
            for (size_t j = 0; j < l->record[k].n_findings; j++) {
                const cm_record_finding *f = &l->record[k].finding[j];
                if (causes == 0 && is_disturbed(f) && is_a(f, CM_FINDING_DISTURBED))
                    samples += f->bound;
                if (is_disturbed(f) && causes == is_a(f, CM_FINDING_DISTURBED_BY) && f->value > 0)
                    sum(combined, from, f);
            }
    if (combined->n_findings == from) return false;
    cm_record_finding *all = &combined->finding[from];
    all->bound = samples;
    char *words = isfinite(samples) ? suite_text("%.0f of %.0f samples", all->value, samples)
                                    : suite_text("%.0f samples", all->value);
    for (size_t k = from + 1; k < combined->n_findings; k++) {
        const cm_record_finding *f = &combined->finding[k];
        char *longer =
            suite_text("%s%s %s (%.0f)", words, k == from + 1 ? ":" : ",", f->quantity, f->value);
        free(words);
        words = longer;
    }
    free(all->words);
    all->words = words;
    all->of_launches = l->n;
    return true;
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
    const bool disturbed = l->n > 1 && add_disturbed(l, combined);
    for (size_t k = 0; k < middle->n_findings; k++) {
        const cm_record_finding *f = &middle->finding[k];
        if (!is_united(f) && !(found && is_a(f, CM_FINDING_NONE))
            && !(disturbed && is_disturbed(f)))
            add(combined, f);
    }
}
