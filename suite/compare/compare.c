/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.c: reads results, compares and judges them, and writes what it finds. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "comm/comm.h"
#include "compare.h"
#include "results/folder.h"
#include "common/memory.h"
#include "result/result_internal.h"
#include "common/say.h"

/* ---- Files that are written ------------------------------------------------------------------ */

enum { TEXT, HTML, JSON, FILES };
static const char *const options_of[FILES] = {"--output", "--html", "--json"};

static bool is_same(const cm_result_target *a, const cm_result_target *b)
{
    return a->path && b->path && strcmp(a->path, b->path) == 0;
}

/* --force is for what an earlier comparison wrote, not for what this one reads. */
static bool is_read(const cm_result_target *target, const char *path)
{
    struct stat there;
    return path && target->path && target->exists && stat(path, &there) == 0
           && there.st_dev == target->file.st_dev && there.st_ino == target->file.st_ino;
}

/* Can they be written? Asked before anything is read. */
static int find_targets(const suite_compare_options *options, int n, char *const *path,
                        cm_result_target target[FILES])
{
    const char *const names[FILES] = {options->output, options->html, options->json};
    char why[512];
    for (int k = 0; k < FILES; k++) {
        if (names[k]
            && !cm_result_target_find(names[k], options->force, &target[k], why, sizeof why))
            return suite_fail(CM_EXIT_USAGE, "compare: %s %s %s", options_of[k],
                              cm_result_name_shown(names[k]), why);
        bool read = is_read(&target[k], options->expect);
        for (int i = 0; i < n && !read; i++) read = is_read(&target[k], path[i]);
        if (read)
            return suite_fail(CM_EXIT_USAGE, "compare: %s %s is what is read; choose another name",
                              options_of[k], cm_result_name_shown(names[k]));
        for (int j = 0; j < k; j++)
            if (is_same(&target[j], &target[k]))
                return suite_fail(CM_EXIT_USAGE, "compare: %s and %s are the same file; give two",
                                  options_of[j], options_of[k]);
    }
    return 0;
}

/* One of the three, to standard output as well if it is the text. */
static bool write_one(const comparison *all, int kind, const char *path, bool force)
{
    char *text = NULL;
    size_t length = 0;
    bool written = true;
    FILE *out = open_memstream(&text, &length);
    if (!out) return false;
    if (kind == TEXT) compare_text(all, out);
    else if (kind == HTML) compare_page(all, out);
    else written = compare_json(all, out);
    if (fclose(out) != 0) written = false;
    if (!written) suite_say("compare: out of memory");
    if (written && kind == TEXT) fwrite(text, 1, length, stdout);
    if (written && path) written = suite_file_write("compare", path, force, text, length);
    free(text);
    return written;
}

static int write_all(comparison *all, const cm_result_target target[FILES])
{
    suite_children children = {.signals.fd = -1};
    char *figures = NULL;
    int status = 0;
    if (target[HTML].path) {
        if (!suite_children_open(&children)) return CM_EXIT_SYSTEM;
        status = compare_figures_draw(all, &children, &figures);
    }
    all->figures = figures;
    for (int kind = 0; kind < FILES && !status; kind++)
        if ((kind == TEXT || target[kind].path)
            && !write_one(all, kind, target[kind].path, all->options->force))
            status = CM_EXIT_SYSTEM;
    compare_figures_remove(figures);
    if (target[HTML].path) suite_children_close(&children);
    return status;
}

/* ---- What is compared ------------------------------------------------------------------------ */

/* Two single results of one program are of one benchmark, whatever their files are called. */
static void call_alike(const compare_side *base, compare_side *new)
{
    if (base->folder || new->folder) return;
    const char *a = cm_record_meta(&base->bench[0].launch[0], "program");
    const char *b = cm_record_meta(&new->bench[0].launch[0], "program");
    if (!a || !b || strcmp(a, b) != 0) return;
    free(new->bench[0].name);
    new->bench[0].name = suite_copy(base->bench[0].name);
}

static int read_sides(comparison *all, char *const *path)
{
    all->side = suite_array(all->n_sides, sizeof *all->side);
    for (size_t k = 0; k < all->n_sides; k++) {
        int status = compare_side_read(path[k], &all->table, &all->side[k]);
        if (status) return status;
        if (k > 0) call_alike(&all->side[0], &all->side[k]);
    }
    return 0;
}

static int join_pairs(comparison *all)
{
    all->pair = suite_array(all->n_sides, sizeof *all->pair);
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        compare_pair *pair = &all->pair[k];
        pair->base = &all->side[0];
        pair->new = &all->side[k + 1];
        compare_join(all, pair);
        if (pair->headline.n + pair->further.n + pair->metrics.n + pair->rows.n == 0)
            return suite_fail(CM_EXIT_USAGE, "compare: %s and %s have nothing in common",
                              pair->base->path, pair->new->path);
        compare_metadata(pair);
    }
    return 0;
}

/* A test that can find nothing must not look passed. */
static int conclude(const comparison *all)
{
    return compare_expect_all_met(all) ? compare_fail_status(all) : CM_EXIT_WRONG;
}

int compare_open(const suite_home *home, const suite_compare_options *options, int n,
                 char *const *path, comparison *all)
{
    *all = (comparison){.home = home, .options = options, .n_sides = (size_t)n};
    if (!suite_table_read(home, &all->table)) return CM_EXIT_SYSTEM;
    int status = read_sides(all, path);
    if (!status) status = join_pairs(all);
    if (status) return status;
    compare_judge(all);
    compare_judge_further(all);
    compare_tell_few(all);
    return 0;
}

void compare_close(comparison *all)
{
    for (size_t k = 0; all->pair && k + 1 < all->n_sides; k++) compare_pair_free(&all->pair[k]);
    for (size_t k = 0; all->side && k < all->n_sides; k++) compare_side_free(&all->side[k]);
    free(all->pair);
    free(all->side);
    suite_metrics_free(&all->metrics);
    suite_table_free(&all->table);
    *all = (comparison){0};
}

int compare_page_write(comparison *all, suite_children *children, const char *path)
{
    char *figures = NULL;
    int status = compare_figures_draw(all, children, &figures);
    all->figures = figures;
    if (!status && !write_one(all, HTML, path, true)) status = CM_EXIT_SYSTEM;
    compare_figures_remove(figures);
    all->figures = NULL;
    return status;
}

int compare_results(const suite_home *home, const suite_compare_options *options, int n,
                    char *const *path)
{
    comparison all = {0};
    compare_expectations expectations = {0};
    cm_result_target target[FILES] = {{0}};
    if (n == 1 && !options->expect)
        return suite_fail(CM_EXIT_USAGE,
                          "compare: only %s; give a second RESULT to compare with it, or --expect",
                          path[0]);
    if (n == 1 && options->fail_on >= 0)
        return suite_fail(CM_EXIT_USAGE, "compare: --fail-on %s needs a second RESULT",
                          compare_fail_words[options->fail_on]);
    int status = find_targets(options, n, path, target);
    if (!status && options->expect) status = compare_expect_read(options->expect, &expectations);
    if (!status) status = compare_open(home, options, n, path, &all);
    if (options->expect) all.expectations = &expectations;
    if (!status) status = write_all(&all, target);
    if (!status) status = conclude(&all);
    compare_close(&all);
    compare_expect_free(&expectations);
    for (int k = 0; k < FILES; k++) cm_result_target_free(&target[k]);
    return status;
}
