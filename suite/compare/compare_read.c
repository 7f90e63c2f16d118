/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_read.c: the launches of a folder of results, or of one result. */
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "comm/comm.h"
#include "compare.h"
#include "results/folder.h"
#include "results/launches.h"
#include "common/memory.h"
#include "pages.h"
#include "results/over.h"
#include "result/result_internal.h" /* cm_result_clean: names of files may have any bytes */
#include "common/say.h"
#include "results/united.h"

static void note(compare_side *side, char *sentence)
{
    cm_result_clean(sentence);
    suite_words_add(&side->notes, sentence);
    free(sentence);
}

static compare_bench *bench_of(compare_side *side, const char *name)
{
    for (size_t k = 0; k < side->n; k++)
        if (strcmp(side->bench[k].name, name) == 0) return &side->bench[k];
    side->bench = suite_longer(side->bench, side->n + 1, sizeof *side->bench);
    side->bench[side->n] = (compare_bench){.name = suite_copy(name)};
    cm_result_clean(side->bench[side->n].name);
    return &side->bench[side->n++];
}

/* The path below the side's folder, as one line of UTF-8; the caller frees. */
static char *file_name(const compare_side *side, const char *path)
{
    size_t length = strlen(side->path);
    bool below = side->folder && strncmp(path, side->path, length) == 0 && path[length] == '/';
    char *name = suite_copy(below ? path + length + 1 : path);
    cm_result_clean(name);
    return name;
}

/* Adds a launch, or a note that says why it is left out. */
static void add_launch(compare_side *side, const char *name, const char *path)
{
    char why[4096];
    cm_record record = {0};
    const char *refused = NULL;
    compare_bench *bench = bench_of(side, name);
    if (!cm_record_read(path, &record, why, sizeof why)) {
        note(side, suite_text("%s", why));
        return;
    }
    if (!cm_record_complete(&record)) refused = SAID_COMPARE_NOT_ENDED;
    else if (cm_record_wrong(&record)) refused = SAID_COMPARE_FAILED;
    else if (bench->n == CM_RANK_MOST) refused = SAID_COMPARE_TOO_MANY;
    if (refused) {
        note(side, said_compare_left_out(path, refused));
        cm_record_free(&record);
        return;
    }
    bench->launch = suite_longer(bench->launch, bench->n + 1, sizeof record);
    bench->file = suite_longer(bench->file, bench->n + 1, sizeof *bench->file);
    bench->file[bench->n] = file_name(side, path);
    bench->launch[bench->n++] = record;
    if (!bench->figure) bench->figure = suite_copy(path);
}

/* The text without its suffix, in place; false if it has another. */
static bool cut(char *text, const char *suffix)
{
    size_t length = strlen(text), end = strlen(suffix);
    if (length <= end || strcmp(text + length - end, suffix) != 0) return false;
    text[length - end] = '\0';
    return true;
}

/* The name of a record without its suffix, in place. false: another file, or a text beside its
   JSON, which is the record. */
static bool cut_record(char *name, const char *path)
{
    char *record = suite_record_path(path);
    const bool own = strcmp(record, path) == 0;
    free(record);
    return own && (cut(name, ".txt") || cut(name, ".json"));
}

/* The names of the files in a folder, sorted; those of launches by their numbers. */
static int by_version(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static suite_words files_of(const char *path)
{
    suite_words files = {0};
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        suite_words_add(&files, entry->d_name);
    if (folder) closedir(folder);
    if (files.n > 0) qsort(files.word, files.n, sizeof *files.word, by_version);
    return files;
}

/* The launch that was read last. */
typedef struct {
    char *name;
    unsigned long number;
} launch_gap;

/* Notes launches between the last one and this one, whose files are not there. */
static void find_gap(compare_side *side, const char *name, unsigned long number, launch_gap *last)
{
    unsigned long next = last->name && strcmp(last->name, name) == 0 ? last->number + 1 : 1;
    if (number > next)
        note(side, said_compare_gap(side->path, number - next, next, number - 1, name));
    free(last->name);
    *last = (launch_gap){suite_copy(name), number};
}

/* DIR/launches/NAME.K.json or .txt of all benchmarks. */
static void read_launches(compare_side *side)
{
    char *folder = suite_text("%s/launches", side->path);
    suite_words files = files_of(folder);
    launch_gap gap = {0};
    for (size_t k = 0; k < files.n; k++) {
        char *path = suite_text("%s/%s", folder, files.word[k]), *name = files.word[k];
        char *dot = cut_record(name, path) ? strrchr(name, '.') : NULL;
        if (dot && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1)) {
            *dot = '\0';
            find_gap(side, name, strtoul(dot + 1, NULL, 10), &gap);
            add_launch(side, name, path);
        }
        free(path);
    }
    free(gap.name);
    suite_words_free(&files);
    free(folder);
}

/* DIR/NAME.failed or DIR/NAME.skipped: the first line of what it says. */
static void read_reason(compare_side *side, const char *name, const char *what)
{
    char *path = suite_folder_path(side->path, name, what), *text = suite_file_text(path);
    if (text)
        note(side,
             suite_text("%s: %s %s: %.*s", side->path, name, what, (int)strcspn(text, "\n"), text));
    free(text);
    free(path);
}

static void read_folder(compare_side *side)
{
    read_launches(side);
    size_t launched = side->n; /* of bench, those that have launches */
    suite_words files = files_of(side->path);
    for (size_t k = 0; k < files.n; k++) {
        char *path = suite_text("%s/%s", side->path, files.word[k]), *name = files.word[k];
        if (cut(name, ".failed")) read_reason(side, name, "failed");
        else if (cut(name, ".skipped")) read_reason(side, name, "skipped");
        else if (cut_record(name, path) && strcmp(name, "run") != 0) {
            compare_bench *bench = bench_of(side, name);
            if ((size_t)(bench - side->bench) >= launched) add_launch(side, name, path);
            else if (bench->n > 0) {
                /* the combined result, over all launches, is what the report draws, too */
                free(bench->figure);
                bench->figure = suite_copy(path);
            }
        }
        free(path);
    }
    suite_words_free(&files);
}

/* The name of a single result: its file's if that is a run of the table, else its program's. */
static char *name_of_file(const char *path, const suite_table *table, const cm_record *record)
{
    const char *slash = strrchr(path, '/'), *program = cm_record_meta(record, "program");
    char *name = suite_copy(slash ? slash + 1 : path);
    name[strcspn(name, ".")] = '\0';
    const suite_run *run = suite_table_find(table, name);
    if (run && (!program || strcmp(run->program, program) == 0)) return name;
    if (!program) return name;
    free(name);
    return suite_copy(strncmp(program, "cm-", 3) == 0 ? program + 3 : program);
}

/* Returns true if each metric of the result is the median over the launches, with as many digits.
   */
static bool made_of(const cm_record *record, const suite_launches *launches)
{
    bool same = true;
    for (size_t v = 0; same && v < record->n_metrics; v++) {
        double own = NAN, over = NAN;
        cm_samples values = CM_SAMPLES_EMPTY;
        for (size_t k = 0; k < launches->n; k++) {
            const cm_record_metric *metric =
                cm_record_metric_of(&launches->record[k], record->metric[v].name);
            if (metric) suite_over_add(&values, metric->value);
        }
        char *median = suite_text("%.6g", suite_over_summary(&values).median);
        cm_record_number(median, &over);
        cm_record_number(record->metric[v].value, &own);
        same = own == over || (isnan(own) && isnan(over));
        free(median);
        cm_samples_free(&values);
    }
    return same;
}

/* Adds the launches of which the result DIR/NAME.txt or .json was made: DIR/launches/NAME.K. A copy
   of another result may stand beside launches, too, so the values are looked at. Returns NULL,
   or why there are none; the caller frees. */
static char *read_beside(compare_side *side, const char *bench, const cm_record *record)
{
    const char *slash = strrchr(side->path, '/');
    char *dir = slash ? suite_text("%.*s", (int)(slash - side->path), side->path) : suite_copy(".");
    char *name = suite_copy(slash ? slash + 1 : side->path), *problem = NULL, why[4096];
    double n = 0;
    suite_launches launches = {0};
    if (!cut(name, ".txt") && !cut(name, ".json")) problem = suite_copy(SAID_COMPARE_FILE_NAME);
    else if (!cm_record_number(cm_record_meta(record, "launches"), &n)
             || !(n >= 1 && n <= SUITE_LAUNCHES_MOST))
        problem = suite_copy(SAID_COMPARE_FILE_LAUNCHES);
    else if (!suite_launches_read(dir, name, (size_t)n, &launches, why, sizeof why))
        problem = suite_copy(why);
    else if (!made_of(record, &launches)) problem = suite_copy(SAID_COMPARE_FILE_VALUES);
    for (size_t k = 1; !problem && k <= launches.n; k++) {
        char *path = suite_launch_record(dir, name, k);
        add_launch(side, bench, path);
        free(path);
    }
    suite_launches_free(&launches);
    free(name);
    free(dir);
    return problem;
}

static int read_file(compare_side *side, const suite_table *table)
{
    char why[4096];
    cm_record record;
    const char *slash = strrchr(side->path, '/');
    if (strcmp(slash ? slash + 1 : side->path, "run.txt") == 0)
        return suite_fail(CM_EXIT_USAGE, "compare: %s says how a run was made; give its folder",
                          side->path);
    char *path = suite_record_path(side->path);
    if (!cm_record_read(path, &record, why, sizeof why)) {
        free(path);
        return suite_fail(CM_EXIT_USAGE, "compare: %s", why);
    }
    char *name = name_of_file(side->path, table, &record);
    char *alone = cm_record_meta(&record, "launches") ? read_beside(side, name, &record) : NULL;
    if (alone) note(side, said_compare_alone(side->path, alone));
    free(alone);
    if (side->n == 0) add_launch(side, name, path);
    cm_record_free(&record);
    free(name);
    free(side->bench[0].figure);
    side->bench[0].figure = path;
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const compare_bench *)a)->name, ((const compare_bench *)b)->name);
}

int compare_side_read(const char *path, const suite_table *table, compare_side *side)
{
    struct stat status;
    size_t launches = 0;
    *side = (compare_side){.path = path, .label = suite_copy(path)};
    cm_result_clean(side->label);
    if (stat(path, &status) < 0)
        return suite_fail(CM_EXIT_USAGE, "compare: %s: %s", path, strerror(errno));
    side->folder = S_ISDIR(status.st_mode);
    if (side->folder) {
        int problem = suite_folder_has_several("compare", path) ? CM_EXIT_USAGE : 0;
        if (!problem) problem = suite_united_check("compare", path, table, SUITE_UNITED_READ);
        if (problem) return problem;
        read_folder(side);
    } else {
        int problem = read_file(side, table);
        if (problem) return problem;
    }
    for (size_t k = 0; k < side->n; k++) launches += side->bench[k].n;
    if (launches == 0)
        return suite_fail(CM_EXIT_USAGE, "compare: %s has no result that passed%s%s", path,
                          side->notes.n ? ": " : "", side->notes.n ? side->notes.word[0] : "");
    qsort(side->bench, side->n, sizeof *side->bench, by_name);
    return 0;
}

void compare_side_free(compare_side *side)
{
    for (size_t k = 0; k < side->n; k++) {
        compare_bench *bench = &side->bench[k];
        for (size_t j = 0; j < bench->n; j++) {
            cm_record_free(&bench->launch[j]);
            free(bench->file[j]);
        }
        free(bench->file);
        free(bench->launch);
        free(bench->figure);
        free(bench->name);
    }
    free(side->bench);
    suite_words_free(&side->notes);
    free(side->label);
    *side = (compare_side){0};
}

const compare_bench *compare_side_find(const compare_side *side, const char *name)
{
    for (size_t k = 0; k < side->n; k++)
        if (strcmp(side->bench[k].name, name) == 0 && side->bench[k].n > 0) return &side->bench[k];
    return NULL;
}
