/* SPDX-License-Identifier: BSD-3-Clause */
/* differs.c: what two records that should say the same do not. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "differs.h"

/* Numbers are alike that differ behind their last digit. */
static bool same_text(const char *a, const char *b)
{
    double x, y;
    if (strcmp(a, b) == 0) return true;
    return cm_record_number(a, &x) && cm_record_number(b, &y)
           && fabs(x - y) <= 1e-6 * fmax(fabs(x), fabs(y));
}

/* Compares numbers with six digits. */
static bool same_end(double a, double b)
{
    char one[32], other[32];
    snprintf(one, sizeof one, "%.6g", a);
    snprintf(other, sizeof other, "%.6g", b);
    return same_text(one, other) || (!isfinite(a) && !isfinite(b));
}

static char *differs_in_metric(const cm_record_metric *is, const cm_record_metric *right)
{
    if (strcmp(is->name, right->name) != 0)
        return suite_text("metric %s where they have %s", is->name, right->name);
    if (!same_text(is->value, right->value) || strcmp(is->unit, right->unit) != 0)
        return suite_text("%s is %s %s, not %s %s", is->name, is->value, is->unit, right->value,
                          right->unit);
    if (!same_end(is->low, right->low) || !same_end(is->high, right->high))
        return suite_text("%s is from %.6g to %.6g %s, not from %.6g to %.6g", is->name, is->low,
                          is->high, is->unit, right->low, right->high);
    if (is->pass != right->pass)
        return suite_text("%s says %s, not %s", is->name, is->pass ? "PASS" : "FAIL",
                          right->pass ? "PASS" : "FAIL");
    if (is->n != right->n)
        return suite_text("%s is of %zu values, not %zu", is->name, is->n, right->n);
    if (is->disturbed != right->disturbed)
        return suite_text("%s says disturbed=%s", is->name, is->disturbed ? "yes" : "no");
    return NULL;
}

/* Returns the value of one unit in the last digit of the number: 0.001 for "0.712", 1e-8 for
   "1.25e-06". */
static double last_digit(const char *number)
{
    const char *point = strchr(number, '.'), *e = strpbrk(number, "eE");
    double decimals = point ? (double)strspn(point + 1, "0123456789") : 0;
    return pow(10, (e ? atof(e + 1) : 0) - decimals);
}

/* Read from JSON, cells have the digits of their column's format: medians over launches may have
   more. */
static bool same_cell(const char *is, const char *right)
{
    double x, y;
    if (same_text(is, right)) return true;
    return cm_record_number(is, &x) && cm_record_number(right, &y)
           && fabs(x - y) <= 0.501 * last_digit(is);
}

static char *differs_in_rows(const cm_record *is, const cm_record *right)
{
    if (is->n_columns != right->n_columns)
        return suite_text("%zu columns, not %zu", is->n_columns, right->n_columns);
    if (is->n_rows != right->n_rows)
        return suite_text("%zu rows, not %zu", is->n_rows, right->n_rows);
    for (size_t c = 0; c < is->n_columns; c++) {
        if (strcmp(is->column[c], right->column[c]) != 0)
            return suite_text("column %s, not %s", is->column[c], right->column[c]);
        for (size_t r = 0; r < is->n_rows; r++) {
            const char *own = cm_record_cell(is, r, c), *other = cm_record_cell(right, r, c);
            if (!same_cell(own, other))
                return suite_text("row %zu has %s %s, not %s", r + 1, is->column[c], own, other);
        }
    }
    return NULL;
}

/* Value number k of a key, counted from 0; NULL: it has fewer. */
static const char *meta_again(const cm_record *record, const char *key, size_t k)
{
    for (size_t m = 0; m < record->n_meta; m++)
        if (strcmp(record->meta[m].key, key) == 0 && k-- == 0) return record->meta[m].value;
    return NULL;
}

/* JSON has the values of a key together, a text where they stand. */
static char *differs_in_metadata(const cm_record *is, const cm_record *right)
{
    for (size_t m = 0; m < right->n_meta; m++) {
        const char *key = right->meta[m].key;
        size_t before = 0;
        for (size_t j = 0; j < m; j++) before += strcmp(right->meta[j].key, key) == 0;
        const char *own = meta_again(is, key, before);
        if (!own || !same_cell(own, right->meta[m].value))
            return suite_text("%s is %s, not %s", key, own ? own : "missing", right->meta[m].value);
    }
    if (is->n_meta != right->n_meta)
        return suite_text("%zu metadata, not %zu", is->n_meta, right->n_meta);
    return NULL;
}

static char *differs_in_checks(const cm_record *is, const cm_record *right)
{
    if (is->n_checks != right->n_checks)
        return suite_text("%zu checks, not %zu", is->n_checks, right->n_checks);
    for (size_t c = 0; c < is->n_checks; c++) {
        const cm_record_check *own = &is->check[c], *other = &right->check[c];
        const size_t length = strcspn(own->text, ":");
        if (strncmp(own->text, other->text, length) != 0 || own->pass != other->pass
            || (own->name && other->name && strcmp(own->text, other->text) != 0))
            return suite_text("check %s  %s, not %s  %s", own->text, own->pass ? "PASS" : "FAIL",
                              other->text, other->pass ? "PASS" : "FAIL");
    }
    return NULL;
}

static const char *or_nothing(const char *text) { return text ? text : "nothing"; }

/* Compares findings by their contents, whatever the words. */
static char *differs_in_findings(const cm_record *is, const cm_record *right)
{
    if (is->n_findings != right->n_findings)
        return suite_text("%zu findings, not %zu", is->n_findings, right->n_findings);
    for (size_t f = 0; f < is->n_findings; f++) {
        const cm_record_finding *own = &is->finding[f], *other = &right->finding[f];
        if (strcmp(own->what, other->what) != 0
            || strcmp(or_nothing(own->who), or_nothing(other->who)) != 0
            || strcmp(or_nothing(own->quantity), or_nothing(other->quantity)) != 0
            || !same_end(own->value, other->value) || own->launches != other->launches
            || own->of_launches != other->of_launches)
            return suite_text("finding %zu is another one: %s, %s, %s", f + 1, own->what,
                              or_nothing(own->who), or_nothing(own->quantity));
    }
    return NULL;
}

static char *differs_in_fits(const cm_record *is, const cm_record *right)
{
    if (is->n_fits != right->n_fits)
        return suite_text("%zu fitted values, not %zu", is->n_fits, right->n_fits);
    for (size_t f = 0; f < is->n_fits; f++) {
        const cm_record_fit *own = &is->fit[f], *other = &right->fit[f];
        if (strcmp(own->model, other->model) != 0 || strcmp(own->key, other->key) != 0
            || !same_text(own->value, other->value))
            return suite_text("fit %s has %s=%s, not %s=%s", own->model, own->key, own->value,
                              other->key, other->value);
    }
    return NULL;
}

static char *differs_in_metrics(const cm_record *is, const cm_record *right)
{
    char *what = NULL;
    if (is->n_metrics != right->n_metrics)
        return suite_text("%zu metrics, not %zu", is->n_metrics, right->n_metrics);
    for (size_t v = 0; v < is->n_metrics && !what; v++)
        what = differs_in_metric(&is->metric[v], &right->metric[v]);
    return what;
}

char *suite_record_differs(const cm_record *is, const cm_record *right)
{
    char *(*const in[])(const cm_record *, const cm_record *) = {
        differs_in_metrics,  differs_in_rows, differs_in_checks,
        differs_in_findings, differs_in_fits, differs_in_metadata};
    char *what = NULL;
    for (size_t k = 0; k < sizeof in / sizeof *in && !what; k++) what = in[k](is, right);
    return what;
}
