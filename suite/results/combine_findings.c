/* SPDX-License-Identifier: BSD-3-Clause */
/* combine_findings.c: the findings of all launches: a host that is slow in one of three must not be
   lost because another launch is the middle one. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "launches.h"
#include "common/memory.h"
#include "together.h"

static bool is_a(const cm_record_finding *f, const char *what)
{
    return strcmp(f->what, what) == 0;
}

/* Others say how one launch was. */
static bool is_united(const cm_record_finding *f)
{
    return is_a(f, CM_FINDING_STANDS_OUT) || is_a(f, CM_FINDING_CANNOT_TELL)
           || is_a(f, CM_FINDING_DISTANCE_CHANGED);
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

static size_t count(const suite_launches *l, const cm_record_finding *finding)
{
    size_t launches = 0;
    for (size_t k = 0; k < l->n; k++) launches += has(&l->record[k], finding);
    return launches;
}

static void add_united(const suite_launches *l, const cm_record_finding *finding,
                       cm_record *combined)
{
    if (has(combined, finding)) return;
    cm_record_finding *own = suite_together_add(combined, finding);
    if (l->n < 2) return;
    own->of_launches = l->n;
    own->launches = count(l, finding);
}

static bool has_any(const cm_record *record, const char *what)
{
    return cm_record_finding_of(record, what, 0) != NULL;
}

/* ---- All launches together ------------------------------------------------------------------- */

static bool is_of(const cm_record_finding *f, const char *prefix)
{
    return f->quantity && strncmp(f->quantity, prefix, strlen(prefix)) == 0;
}

/* What one launch said: does it stand? The inventory of a host does not change, and is no matter of
   chance. */
static bool stands(const suite_launches *l, const suite_together *t, const cm_record_finding *f)
{
    const size_t kind = suite_together_kind(f->quantity), launches = count(l, f);
    size_t from, to;
    if (is_of(f, "pair_") && f->who && suite_together_ends(t, f->who, &from, &to)
        && (t->losses.host[from] || t->losses.host[to]))
        return false; /* it is one of all pairs of a host that loses */
    if (kind < SUITE_TOGETHER_KINDS)
        return 2 * launches > l->n || suite_together_agrees(t, kind, f->who, f->value);
    return !(is_of(f, "pair_") || is_of(f, "clock")) || 2 * launches >= l->n;
}

/* A group that a launch saw in part, or with others, is that of all launches. */
static bool is_part(const suite_together *t, const cm_record_finding *f)
{
    const size_t kind = suite_together_kind(f->quantity);
    return kind < SUITE_TOGETHER_KINDS && !isnan(t->apart[kind]);
}

/* Adds that it was so in a few launches, with the ratios of all. */
static void add_few(const suite_launches *l, const suite_together *t, const cm_record_finding *f,
                    cm_record *combined)
{
    cm_record_finding few = *f;
    few.what = (char *)CM_FINDING_FEW;
    if (has(combined, &few)) return;
    const size_t kind = suite_together_kind(f->quantity);
    char *ratios =
        kind < SUITE_TOGETHER_KINDS ? suite_together_ratios(t, kind, f->who) : suite_copy("");
    few.words =
        *ratios ? suite_text("%s; in the launches %s", f->words, ratios) : suite_copy(f->words);
    cm_record_finding *own = suite_together_add(combined, &few);
    own->of_launches = l->n;
    own->launches = count(l, f);
    free(few.words);
    free(ratios);
}

/* Most launches could not tell, and all together cannot either. */
static bool is_blind(const suite_launches *l, const suite_together *t, const cm_record_finding *f)
{
    const size_t kind = suite_together_kind(f->quantity);
    return 2 * count(l, f) > l->n
           && !(kind < SUITE_TOGETHER_KINDS && t->bound[kind] >= log(CM_FINDING_BLIND));
}

static void judge_one(const suite_launches *l, const suite_together *t, const cm_record_finding *f,
                      bool few, cm_record *combined)
{
    if (is_a(f, CM_FINDING_CANNOT_TELL)) {
        if (few && is_blind(l, t, f)) add_united(l, f, combined);
    } else if (is_a(f, CM_FINDING_STANDS_OUT) && !has(combined, f) && !is_part(t, f)) {
        if (!few && stands(l, t, f)) add_united(l, f, combined);
        if (few && !stands(l, t, f)) add_few(l, t, f, combined);
    }
}

/* Those of the launches that stand, then the pairs, then what was so in a few. */
static void judge_all(const suite_launches *l, const suite_together *t, cm_record *combined)
{
    suite_together_tell(t, combined);
    for (int few = 0; few <= 1; few++) {
        for (size_t at = 0; at < l->n; at++) {
            const cm_record *record = &l->record[(l->middle + at) % l->n];
            for (size_t k = 0; k < record->n_findings; k++)
                judge_one(l, t, &record->finding[k], few, combined);
        }
        if (few) continue;
        suite_together_pairs(l, t, combined);
        suite_losses_tell(t, combined);
    }
}

/* A value needs the quantity's name: a result's file has none without. */
static void add_words(cm_record *combined, const char *what, double value, char *words)
{
    suite_together_add(combined,
                       &(cm_record_finding){.what = (char *)what,
                                            .quantity = isnan(value) ? NULL : (char *)what,
                                            .value = value,
                                            .low = NAN,
                                            .high = NAN,
                                            .bound = NAN,
                                            .unit = isnan(value) ? NULL : (char *)"1",
                                            .words = words});
    free(words);
}

/* How certain that is, in place of what the middle launch says. */
static void tell_limits(const suite_together *t, cm_record *combined)
{
    if (!has_any(combined, CM_FINDING_STANDS_OUT) && !has_any(combined, CM_FINDING_CANNOT_TELL))
        add_words(
            combined, CM_FINDING_NONE, NAN,
            suite_text("no host and no pair stands out in the %zu launches together", t->launches));
    add_words(combined, CM_FINDING_FALSE_ALARMS, t->false_alarms,
              suite_text("in at most %g of runs with hosts that are all alike, by %zu launches "
                         "together",
                         t->false_alarms, t->launches));
}

/* What the launches together say in other words. */
static bool is_judged(const cm_record_finding *f, bool bounds)
{
    return is_a(f, CM_FINDING_NONE) || is_a(f, CM_FINDING_FALSE_ALARMS)
           || (bounds && is_a(f, CM_FINDING_LIMIT)
               && (suite_together_kind(f->quantity) < SUITE_TOGETHER_KINDS || is_of(f, "clock")));
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
    else own = suite_together_add(combined, f);
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

bool suite_combine_findings(const suite_launches *l, cm_record *combined)
{
    const cm_record *middle = &l->record[l->middle];
    suite_together t;
    const bool judged = suite_together_judge(l, &t);
    if (judged) judge_all(l, &t, combined);
    for (size_t at = 0; !judged && at < l->n; at++) { /* the middle one's values first */
        const cm_record *record = &l->record[(l->middle + at) % l->n];
        for (size_t k = 0; k < record->n_findings; k++)
            if (is_united(&record->finding[k])) add_united(l, &record->finding[k], combined);
    }
    const bool found = combined->n_findings > 0;
    if (judged) tell_limits(&t, combined);
    const bool bounds = judged && suite_together_bounds(&t, combined);
    const bool disturbed = l->n > 1 && add_disturbed(l, combined);
    for (size_t k = 0; k < middle->n_findings; k++) {
        const cm_record_finding *f = &middle->finding[k];
        if (!is_united(f) && !(found && is_a(f, CM_FINDING_NONE))
            && !(l->n > 1 && (is_a(f, CM_FINDING_LOOKED) || is_a(f, CM_FINDING_SENT_AGAIN)))
            && !(judged && is_judged(f, bounds)) && !(disturbed && is_disturbed(f)))
            suite_together_add(combined, f);
    }
    if (judged) suite_together_free(&t);
    return judged;
}
