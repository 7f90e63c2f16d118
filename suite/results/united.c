/* SPDX-License-Identifier: BSD-3-Clause */
/* united.c: compares the results at the top of a folder with those of its launches. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "folder.h"
#include "launches.h"
#include "common/memory.h"
#include "common/say.h"
#include "record_write.h"
#include "united.h"

/* ---- What differs: a text that the caller frees, or NULL ------------------------------------- */

/* Numbers are alike that differ behind their last digit. */
static bool same_text(const char *a, const char *b)
{
    double x, y;
    if (strcmp(a, b) == 0) return true;
    return cm_record_number(a, &x) && cm_record_number(b, &y)
           && fabs(x - y) <= 1e-6 * fmax(fabs(x), fabs(y));
}

/* Of numbers with six digits. */
static bool same_end(double a, double b)
{
    char one[32], other[32];
    snprintf(one, sizeof one, "%.6g", a);
    snprintf(other, sizeof other, "%.6g", b);
    return same_text(one, other) || (!isfinite(a) && !isfinite(b));
}

static char *differs_in_metric(const cm_record_verdict *is, const cm_record_verdict *right)
{
    if (strcmp(is->metric, right->metric) != 0)
        return suite_text("metric %s where they have %s", is->metric, right->metric);
    if (!same_text(is->value, right->value) || strcmp(is->unit, right->unit) != 0)
        return suite_text("%s is %s %s, not %s %s", is->metric, is->value, is->unit, right->value,
                          right->unit);
    if (!same_end(is->low, right->low) || !same_end(is->high, right->high))
        return suite_text("%s is from %.6g to %.6g %s, not from %.6g to %.6g", is->metric, is->low,
                          is->high, is->unit, right->low, right->high);
    if (is->pass != right->pass)
        return suite_text("%s says %s, not %s", is->metric, is->pass ? "PASS" : "FAIL",
                          right->pass ? "PASS" : "FAIL");
    if (is->n != right->n)
        return suite_text("%s is of %zu values, not %zu", is->metric, is->n, right->n);
    if (is->disturbed != right->disturbed)
        return suite_text("%s says disturbed=%s", is->metric, is->disturbed ? "yes" : "no");
    return NULL;
}

/* What one more in the last digit of the number is worth: 0.001 of "0.712", 1e-8 of "1.25e-06". */
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

static char *differs(const cm_record *is, const cm_record *right)
{
    char *what = NULL;
    if (is->n_verdicts != right->n_verdicts)
        return suite_text("%zu metrics, not %zu", is->n_verdicts, right->n_verdicts);
    for (size_t v = 0; v < is->n_verdicts && !what; v++)
        what = differs_in_metric(&is->verdict[v], &right->verdict[v]);
    return what ? what : differs_in_rows(is, right);
}

/* ---- One result ------------------------------------------------------------------------------ */

typedef struct {
    const char *command, *dir;
    suite_united_how how;
} united;

static const char remedy[] = "remove it, and clustermark run makes it again from its launches";

/* is: what the file says; right: what it should say. */
static int check_record(const united *u, const char *path, const cm_record *is,
                        const cm_record *right)
{
    int status = 0;
    char *what = NULL;
    if (!cm_record_complete(is)) {
        if (u->how != SUITE_UNITED_REMAKE)
            status = suite_fail(CM_EXIT_USAGE, "%s: %s has no verdict: it was cut short; %s",
                                u->command, path, remedy);
    } else if (right && (what = differs(is, right)))
        status = suite_fail(CM_EXIT_USAGE,
                            "%s: %s does not agree with its launches: %s; it was edited or made by "
                            "another version: %s",
                            u->command, path, what, remedy);
    free(what);
    return status;
}

/* What the launches of the result give; false: they are not all there. */
static bool unite(const united *u, const suite_run *run, const cm_record *top,
                  suite_launches *launches, cm_record *right)
{
    char why[4096];
    double n = 1;
    const char *told = cm_record_meta(top, "launches");
    if (told && !(cm_record_number(told, &n) && n >= 1 && n <= SUITE_LAUNCHES_MOST)) n = 1;
    if (!suite_launches_read(u->dir, run->name, (size_t)n, launches, why, sizeof why)) return false;
    if (told) suite_combine(launches, run->rows, right);
    return true;
}

/* Writes the text of the record if the one that is there does not say the same. */
static int renew(const united *u, const suite_run *run, const char *path, const cm_record *record)
{
    char *right = suite_record_text(record), *is = suite_file_text(path), *what = NULL, why[4096];
    cm_record text = {0};
    bool fine = is && strcmp(is, right) == 0; /* nearly always */
    if (!fine && is) {
        if (!cm_record_read(path, &text, why, sizeof why)) what = suite_copy(why);
        else what = differs(&text, record);
        cm_record_free(&text);
        fine = !what;
    }
    if (what)
        suite_say("%s: %s does not agree with its JSON, from which it is written anew: %s",
                  u->command, path, what);
    if (!fine) fine = suite_folder_write(u->dir, run->name, "txt", right);
    free(what);
    free(is);
    free(right);
    return fine ? 0 : CM_EXIT_SYSTEM;
}

/* True if both files are there and have the same bytes. */
static bool same_bytes(const char *a, const char *b)
{
    FILE *one = fopen(a, "re"), *other = fopen(b, "re");
    bool same = one && other;
    for (size_t n = 1; same && n > 0;) {
        char own[BUFSIZ], right[BUFSIZ];
        n = fread(own, 1, sizeof own, one);
        same = fread(right, 1, sizeof right, other) == n && memcmp(own, right, n) == 0;
    }
    if (one) fclose(one);
    if (other) fclose(other);
    return same;
}

/* True if the result is a copy of its only launch, which need not be read to know that. */
static bool is_copy(const united *u, const suite_run *run, const char *path, const char *text)
{
    char *launch = suite_launch_path(u->dir, run->name, 1, "json");
    char *said = suite_launch_path(u->dir, run->name, 1, "txt");
    const bool copy = same_bytes(path, launch) && same_bytes(text, said);
    free(said);
    free(launch);
    return copy;
}

/* path: of the record, which is there; text: of the text. */
static int check_run(const united *u, const suite_run *run, const char *path, const char *text)
{
    char why[4096];
    cm_record top, combined = {0};
    suite_launches launches = {0};
    const bool json = strcmp(path, text) != 0;
    if (json && is_copy(u, run, path, text)) return 0;
    if (!cm_record_read(path, &top, why, sizeof why))
        return u->how == SUITE_UNITED_REMAKE && !(json && suite_json_is_whole(path))
                   ? 0
                   : suite_fail(CM_EXIT_USAGE, "%s: %s; %s", u->command, why, remedy);
    const bool all = unite(u, run, &top, &launches, &combined);
    const cm_record *right = !all                               ? NULL
                             : cm_record_meta(&top, "launches") ? &combined
                                                                : &launches.record[0];
    /* An unfinished text is a failure of its run, which is shown as one. */
    int status = json || right ? check_record(u, path, &top, right) : 0;
    if (!status && json && u->how != SUITE_UNITED_READ && cm_record_complete(&top))
        status = renew(u, run, text, &top);
    cm_record_free(&top);
    cm_record_free(&combined);
    suite_launches_free(&launches);
    return status;
}

int suite_united_check(const char *command, const char *dir, const suite_table *table,
                       suite_united_how how)
{
    const united u = {command, dir, how};
    int status = 0;
    for (size_t r = 0; r < table->n && !status; r++) {
        const suite_run *run = &table->run[r];
        char *text = suite_folder_path(dir, run->name, "txt"), *path = suite_record_path(text);
        char *failed = suite_folder_path(dir, run->name, "failed");
        /* Beside a failure a result is of another time than the launches, and is not shown. */
        if (access(path, F_OK) == 0 && access(failed, F_OK) != 0)
            status = check_run(&u, run, path, text);
        free(failed);
        free(path);
        free(text);
    }
    return status;
}
