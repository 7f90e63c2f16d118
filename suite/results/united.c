/* SPDX-License-Identifier: BSD-3-Clause */
/* united.c: compares the results at the top of a folder with those of its launches. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "comm/comm.h"
#include "differs.h"
#include "folder.h"
#include "launches.h"
#include "common/memory.h"
#include "common/say.h"
#include "result/result_internal.h" /* cm_record_open */
#include "united.h"

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
            status = suite_fail(CM_EXIT_USAGE, "%s: %s has no metric: it was cut short; %s",
                                u->command, path, remedy);
    } else if (right && (what = suite_record_differs(is, right)))
        status = suite_fail(CM_EXIT_USAGE,
                            "%s: %s does not agree with its launches: %s; it was edited or made by "
                            "another version: %s",
                            u->command, path, what, remedy);
    free(what);
    return status;
}

/* Combines the launches of the result. Returns false if any is missing or damaged; why says how one
   is damaged, and is otherwise empty. */
static bool unite(const united *u, const suite_run *run, const cm_record *top,
                  suite_launches *launches, cm_record *right, char *why, size_t why_size)
{
    double n = 1;
    const char *told = cm_record_meta(top, "launches");
    if (told && !(cm_record_number(told, &n) && n >= 1 && n <= SUITE_LAUNCHES_MOST)) n = 1;
    *why = '\0';
    if (!suite_launches_read(u->dir, run->name, (size_t)n, launches, why, why_size)) {
        struct stat there;
        char *path = suite_launch_record(u->dir, run->name, launches->n);
        if (lstat(path, &there) != 0) *why = '\0';
        free(path);
        return false;
    }
    if (told) suite_combine(launches, run->rows, right);
    return true;
}

/* Writes the text of the record if the one that is there does not say the same. */
static int renew(const united *u, const suite_run *run, const char *path, const cm_record *record)
{
    char *right = suite_there(cm_record_text(record)), *is = suite_file_text(path), *what = NULL;
    char why[4096];
    cm_record text = {0};
    bool fine = is && strcmp(is, right) == 0; /* nearly always */
    if (!fine && is) {
        if (!cm_record_read(path, &text, why, sizeof why)) what = suite_copy(why);
        else what = suite_record_differs(&text, record);
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

/* Returns true if both files are there and have the same bytes. */
static bool same_bytes(const char *a, const char *b)
{
    FILE *one = cm_record_open(a), *other = cm_record_open(b);
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

/* Returns true if the result is a copy of its only launch. The launch then need not be read. */
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
    const bool all = unite(u, run, &top, &launches, &combined, why, sizeof why);
    const cm_record *right = !all                               ? NULL
                             : cm_record_meta(&top, "launches") ? &combined
                                                                : &launches.record[0];
    /* An unfinished text is a failure of its run, which is shown as one. */
    int status = json || right ? check_record(u, path, &top, right) : 0;
    if (!status && *why && u->how != SUITE_UNITED_REMAKE)
        status =
            suite_fail(CM_EXIT_USAGE, "%s: %s; remove the launch, with which %s cannot be checked",
                       u->command, why, path);
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
        struct stat there;
        /* Beside a failure a result is of another time than the launches, and is not shown. */
        if (lstat(path, &there) == 0 && access(failed, F_OK) != 0)
            status = check_run(&u, run, path, text);
        free(failed);
        free(path);
        free(text);
    }
    return status;
}
