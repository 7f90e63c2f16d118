/* SPDX-License-Identifier: BSD-3-Clause */
/* finding.c: findings as lines of text, which finding_read.c reads:
       finding: n17: triad at 0.7 of the others (...) (in 2 of 3 launches) [value=0.7 ...] */
#include <config.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "result/finding.h"
#include "result/result_internal.h"

const cm_finding_lead cm_finding_leads[CM_FINDING_LEADS] = {
    {CM_FINDING_STANDS_OUT, "finding: ", true},
    {CM_FINDING_FEW, "in a few launches: ", true},
    {CM_FINDING_SPLIT, "hosts differ: ", false},
    {CM_FINDING_LOOKED, "looked slow: ", true},
    {CM_FINDING_SENT_AGAIN, "sent again: ", true},
    {CM_FINDING_NONE, "no finding: ", false},
    {CM_FINDING_CANNOT_TELL, "could not tell: ", false},
    {CM_FINDING_LIMIT, "would have been named: ", false},
    {CM_FINDING_FALSE_ALARMS, "false alarms: ", false},
    {CM_FINDING_COVERED, "pairs: ", false},
    {CM_FINDING_BURN_IN, "burn-in: ", false},
    {CM_FINDING_COUNTERS, "counters: ", true},
    {CM_FINDING_DISTURBED, "disturbed: ", false},
    {CM_FINDING_DISTANCE, "distance: ", false},
    {CM_FINDING_DISTANCE_CHANGED, "moved: ", true},
};

/* NULL: none. */
static const cm_finding_lead *lead_of(const char *what)
{
    for (size_t k = 0; k < CM_FINDING_LEADS; k++)
        if (strcmp(cm_finding_leads[k].what, what) == 0) return &cm_finding_leads[k];
    return NULL;
}

void cm_finding_free(cm_record_finding *finding)
{
    free(finding->who), free(finding->what), free(finding->quantity);
    free(finding->unit), free(finding->words);
    *finding = (cm_record_finding){0};
}

static bool copy(const char *text, char **own)
{
    *own = text ? strdup(text) : NULL;
    if (*own) cm_result_clean(*own);
    return !text || *own;
}

bool cm_finding_copy(const cm_record_finding *finding, cm_record_finding *own)
{
    *own = *finding;
    bool fine = copy(finding->who, &own->who);
    fine &= copy(finding->what, &own->what);
    fine &= copy(finding->quantity, &own->quantity);
    fine &= copy(finding->unit, &own->unit);
    fine &= copy(finding->words, &own->words);
    return fine;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void put_said(FILE *out, const cm_record_finding *f)
{
    const cm_finding_lead *lead = lead_of(f->what);
    if (lead) fputs(lead->lead, out);
    if (lead && lead->of_somebody && f->who) fprintf(out, "%s: ", f->who);
    fputs(f->words, out);
    if (f->of_launches > 1) fprintf(out, " (in %zu of %zu launches)", f->launches, f->of_launches);
}

static void put_number(FILE *out, const char **before, const char *key, double value)
{
    if (!isfinite(value)) return;
    fprintf(out, "%s%s=%.6g", *before, key, value);
    *before = " ";
}

static void put_word(FILE *out, const char **before, const char *key, const char *word)
{
    if (!word) return;
    fprintf(out, "%s%s=%s", *before, key, word);
    *before = " ";
}

/* The quantity is the last: its name may have blanks ("nic eth0 mtu_bytes"). */
static void put_data(FILE *out, const cm_record_finding *f)
{
    const char *before = " [";
    const cm_finding_lead *lead = lead_of(f->what);
    if (!lead) put_word(out, &before, "what", f->what);
    if (!lead || !lead->of_somebody) put_word(out, &before, "who", f->who);
    put_number(out, &before, "value", f->value);
    put_number(out, &before, "low", f->low);
    put_number(out, &before, "high", f->high);
    put_word(out, &before, "unit", f->unit);
    put_number(out, &before, "bound", f->bound);
    put_word(out, &before, "quantity", f->quantity);
    if (strcmp(before, " ") == 0) fputc(']', out);
}

/* n findings, with their data, or none without. */
static char *text_of(const cm_record_finding *finding, size_t n)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    put_said(out, finding);
    for (size_t k = 0; k < n; k++) put_data(out, &finding[k]);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

char *cm_record_finding_line(const cm_record_finding *finding, size_t n)
{
    /* The sentence itself counts the samples of each cause. */
    return text_of(finding, strcmp(finding->what, CM_FINDING_DISTURBED) == 0 ? 0 : n);
}

char *cm_record_finding_said(const cm_record_finding *finding) { return text_of(finding, 0); }
