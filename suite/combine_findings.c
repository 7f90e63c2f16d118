/* SPDX-License-Identifier: BSD-3-Clause */
/* combine_findings.c: the findings of all launches: a host that is slow in one of three must not be
   lost because another launch is the middle one. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "launches.h"
#include "memory.h"

static const char finding[] = "finding: ", none[] = "no finding: ";

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

bool suite_is_about_findings(const char *comment)
{
    return begins(comment, finding) || begins(comment, none);
}

/* Behind a number that is a word of its own, or where it stands. */
static const char *behind_number(const char *text, char before)
{
    size_t length = before == ' ' ? strspn(text, "0123456789.+-e") : 0;
    return length > 0 && *text >= '0' && *text <= '9' ? text + length : text;
}

static bool ends(const char *text)
{
    return *text == '\0' || *text == '(' || (*text == ' ' && text[1] == '(');
}

/* Launches differ in the numbers, and in what stands in parentheses. */
static bool same_finding(const char *a, const char *b)
{
    for (char before = 0;; before = *a, a++, b++) {
        const char *x = behind_number(a, before), *y = behind_number(b, before);
        if ((x == a) != (y == b)) return false;
        a = x, b = y;
        if (ends(a) || ends(b)) return ends(a) && ends(b);
        if (*a != *b) return false;
    }
}

static bool has(const cm_record *record, const char *text)
{
    for (size_t k = 0; k < record->n_comments; k++)
        if (begins(record->comment[k], finding) && same_finding(record->comment[k], text))
            return true;
    return false;
}

static void add(cm_record *combined, char *text)
{
    combined->comment =
        suite_longer(combined->comment, combined->n_comments + 1, sizeof *combined->comment);
    combined->comment[combined->n_comments++] = text;
}

static void add_finding(const suite_launches *l, const char *text, cm_record *combined)
{
    size_t times = 0;
    if (has(combined, text)) return;
    for (size_t k = 0; k < l->n; k++) times += has(&l->record[k], text);
    add(combined,
        l->n > 1 ? suite_text("%s (in %zu of %zu launches)", text, times, l->n) : suite_copy(text));
}

void suite_combine_findings(const suite_launches *l, cm_record *combined)
{
    const cm_record *middle = &l->record[l->middle];
    bool found = false;
    for (size_t at = 0; at < l->n; at++) { /* the middle one's words first */
        const cm_record *record = &l->record[(l->middle + at) % l->n];
        for (size_t k = 0; k < record->n_comments; k++)
            if (begins(record->comment[k], finding)) {
                add_finding(l, record->comment[k], combined);
                found = true;
            }
    }
    for (size_t k = 0; k < middle->n_comments; k++)
        if (!begins(middle->comment[k], finding) && !(found && begins(middle->comment[k], none)))
            add(combined, suite_copy(middle->comment[k]));
}
