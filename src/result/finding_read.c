/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_read.c: findings from the lines that finding.c and disturbed.c write, and from those of
   results before schema 3, which had them only in words. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/read_internal.h"
#include "result/result_internal.h"

/* Returns what follows the beginning, or NULL. */
static char *behind(char *text, const char *beginning)
{
    const size_t length = strlen(beginning);
    return strncmp(text, beginning, length) == 0 ? text + length : NULL;
}

/* ---- The brackets ---------------------------------------------------------------------------- */

/* A field KEY=VALUE. */
static bool take(cm_record_finding *f, const char *key, char *value)
{
    const struct {
        const char *key;
        double *number;
        char **text;
    } known[] = {{"what", NULL, &f->what},   {"who", NULL, &f->who},
                 {"unit", NULL, &f->unit},   {"value", &f->value, NULL},
                 {"low", &f->low, NULL},     {"high", &f->high, NULL},
                 {"bound", &f->bound, NULL}, {"quantity", NULL, &f->quantity}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strcmp(key, known[k].key) != 0) continue;
        if (known[k].number) return cm_record_number(value, known[k].number);
        *known[k].text = value;
        return *value != '\0';
    }
    return false;
}

/* Splits the text into its fields, in place. The quantity, which may contain blanks, comes last. */
static bool take_fields(char *fields, cm_record_finding *f)
{
    while (fields) {
        char *value = strchr(fields, '=');
        if (!value) return false;
        *value++ = '\0';
        char *end = strcmp(fields, "quantity") == 0 ? NULL : strchr(value, ' ');
        if (end) *end++ = '\0';
        if (!take(f, fields, value)) return false;
        fields = end;
    }
    return true;
}

/* The beginning of the last brackets, " [", if the line ends with them; else NULL. */
static char *brackets_of(char *line)
{
    const size_t length = strlen(line);
    if (length == 0 || line[length - 1] != ']') return NULL;
    char *found = NULL;
    for (char *at = line; (at = strstr(at, " [")); at++) found = at;
    return found;
}

/* ---- " (in 2 of 3 launches)" ----------------------------------------------------------------- */

static void take_launches(char *words, cm_record_finding *f)
{
    size_t launches, of;
    int end = 0;
    char *found = NULL;
    for (char *at = words; (at = strstr(at, " (in ")); at++) found = at;
    if (!found || sscanf(found, " (in %4zu of %4zu launches)%n", &launches, &of, &end) != 2
        || end == 0 || found[end] != '\0' || of < 2 || launches == 0)
        return;
    f->launches = launches;
    f->of_launches = of;
    *found = '\0';
}

/* ---- Before schema 3 ------------------------------------------------------------------------- */

/* The words of cm-nodes at that time; they do not change any more. */
static const struct {
    const char *words, *quantity;
} old[] = {{"triad at ", "triad"},        {"matrix product at ", "gemm"},
           {"fixed work gets ", "quiet"}, {"sends at ", "send"},
           {"receives at ", "receive"},   {"its clock is ", "clock"},
           {" sends to ", "pair_send"}};

static bool add_old(cm_reader *reader, cm_record_finding *f, const char *quantity, double value)
{
    f->quantity = (char *)quantity;
    f->value = value;
    f->unit = isnan(value) ? NULL : (char *)(strcmp(quantity, "clock") == 0 ? "s" : "1");
    return cm_reader_finding(reader, f);
}

/* Returns the first number at or after the text; NaN: none. */
static double number_at(const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    return end == text || !isfinite(value) ? NAN : value;
}

/* "latency 1.4 times": of a host, or of the pair whose two hosts reach less with others. */
static bool read_old_latency(cm_reader *reader, cm_record_finding *f, bool *known)
{
    const char *at = strstr(f->words, "latency ");
    if (!at || (at != f->words && strncmp(at - 2, "; ", 2) != 0)) return true;
    *known = true;
    const bool pair = strstr(at, " what the two reach with others");
    return add_old(reader, f, pair ? "pair_latency" : "latency",
                   number_at(at + strlen("latency ")));
}

/* A host could have several quantities in one line. */
static bool read_old(cm_reader *reader, cm_record_finding *f)
{
    bool known = false;
    for (size_t k = 0; k < sizeof old / sizeof old[0]; k++) {
        const char *at = strstr(f->words, old[k].words);
        if (!at) continue;
        known = true;
        const char *number = at + strlen(old[k].words);
        if (strcmp(old[k].quantity, "pair_send") == 0) {
            number = strstr(at, " at ");
            number = number ? number + strlen(" at ") : "";
        }
        if (!add_old(reader, f, old[k].quantity, number_at(number))) return false;
    }
    if (!read_old_latency(reader, f, &known)) return false;
    if (known) return true;
    /* "nic eth0 mtu_bytes 1500; 63 others: 9000": what differs, as its key was not marked. */
    f->quantity = f->unit = NULL;
    f->value = NAN;
    return cm_reader_finding(reader, f);
}

/* ---- Disturbances ---------------------------------------------------------------------------- */

/* "12 of 340 samples: waited for a core (8), steal (4)", of several launches without the 340; or "5
   rows had too few ...". */
static bool read_disturbed(cm_reader *reader, cm_record_finding *f)
{
    char *end, *list = strstr(f->words, " samples: "), kind[] = "rows";
    const double n = strtod(f->words, &end);
    const bool samples = strncmp(end, " of ", 4) == 0 || strncmp(end, " samples", 8) == 0;
    f->quantity = f->unit = samples ? "samples" : kind;
    f->value = end == f->words || !isfinite(n) ? NAN : n;
    if (strncmp(end, " of ", 4) == 0) f->bound = number_at(end + 4);
    if (!cm_reader_finding(reader, f)) return false;
    char *copy = list ? strdup(list + strlen(" samples: ")) : NULL, *rest = copy;
    if (list && !copy) return cm_reader_fail(reader, "no memory for it");
    bool fine = true;
    for (char *cause; fine && (cause = strsep(&rest, ","));) {
        cause += strspn(cause, " ");
        char *count = strstr(cause, " (");
        if (count) *count = '\0';
        if (!*cause) continue;
        const cm_record_finding by = {.what = CM_FINDING_DISTURBED_BY,
                                      .quantity = cause,
                                      .value = count ? number_at(count + 2) : NAN,
                                      .low = NAN,
                                      .high = NAN,
                                      .bound = NAN,
                                      .unit = "samples",
                                      .words = ""};
        fine = cm_reader_finding(reader, &by);
    }
    free(copy);
    return fine;
}

/* ---- A line ---------------------------------------------------------------------------------- */

/* Sets what, who and words by the beginning of the line. Returns false if there is none. */
static bool take_lead(char *line, cm_record_finding *f)
{
    for (size_t k = 0; k < CM_FINDING_LEADS; k++) {
        const cm_finding_lead *lead = &cm_finding_leads[k];
        char *rest = behind(line, lead->lead);
        if (!rest) continue;
        f->what = (char *)lead->what;
        f->words = rest;
        char *colon = lead->of_somebody ? strstr(rest, ": ") : NULL;
        if (!colon) return true;
        *colon = '\0';
        f->who = rest;
        f->words = colon + 2;
        return true;
    }
    return false;
}

static const cm_record_finding none = {
    .value = NAN, .low = NAN, .high = NAN, .bound = NAN, .words = ""};

/* Cuts the last brackets off the line, if there are any; *fields are what was in them. Returns
   false if memory is short. */
static bool cut_brackets(char *line, char **fields)
{
    char *brackets = brackets_of(line);
    *fields = NULL;
    if (!brackets) return true;
    char *copy = strndup(brackets + 2, strlen(brackets) - 3);
    char *tried = copy ? strdup(copy) : NULL;
    cm_record_finding f = none;
    if (tried && take_fields(tried, &f)) {
        *brackets = '\0';
        *fields = copy;
    } else free(copy);
    const bool fine = tried != NULL;
    free(tried);
    return fine;
}

/* The finding whose sentence the line is. fields: what was in its first brackets, or NULL. */
static bool read_first(cm_reader *reader, char *line, char *fields, bool *is_finding)
{
    cm_record_finding f = none;
    f.words = line;
    if (fields) take_fields(fields, &f);
    *is_finding = take_lead(line, &f) || f.what;
    if (!*is_finding) return true;
    take_launches(f.words, &f);
    if (strcmp(f.what, CM_FINDING_DISTURBED) == 0) return read_disturbed(reader, &f);
    if (strcmp(f.what, CM_FINDING_STANDS_OUT) == 0 && !fields) return read_old(reader, &f);
    return cm_reader_finding(reader, &f);
}

/* One that the sentence says, too: of the same kind, where its brackets do not say another. */
static bool read_further(cm_reader *reader, char *fields)
{
    const cm_record *record = reader->record;
    const cm_record_finding *first = &record->finding[record->n_findings - 1];
    char *what = strdup(first->what), *who = first->who ? strdup(first->who) : NULL;
    cm_record_finding f = none;
    f.what = what;
    f.who = who;
    take_fields(fields, &f);
    const bool fine = what && (who || !first->who) && cm_reader_finding(reader, &f);
    free(what);
    free(who);
    return fine;
}

bool cm_reader_finding_line(cm_reader *reader, const char *text, bool *is_finding)
{
    enum { MOST = 64 }; /* quantities in one sentence */
    char *fields[MOST], *line = strdup(text);
    size_t n = 0;
    bool fine = line != NULL;
    *is_finding = false;
    while (fine && n < MOST && (fine = cut_brackets(line, &fields[n])) && fields[n]) n++;
    if (!fine) cm_reader_fail(reader, "no memory for it");
    if (fine) fine = read_first(reader, line, n > 0 ? fields[n - 1] : NULL, is_finding);
    for (size_t k = n; fine && *is_finding && k-- > 1;) fine = read_further(reader, fields[k - 1]);
    for (size_t k = 0; k < n; k++) free(fields[k]);
    free(line);
    return fine;
}
