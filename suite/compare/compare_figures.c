/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_figures.c: draws the figures of the results that are compared, in a folder of its own:
   K/NAME.txt is the text of side K's result, so that gnuplot reads no names of the user's. */
#include "config.h"
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "comm/comm.h"
#include "compare.h"
#include "figures/draw.h"
#include "results/folder.h"
#include "common/memory.h"
#include "common/say.h"

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

void compare_figures_remove(char *folder)
{
    if (folder) nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(folder);
}

/* Returns true if the base and some other side have a result of it. */
static bool is_wanted(const comparison *all, size_t side, const compare_bench *bench)
{
    if (side > 0) return compare_side_find(&all->side[0], bench->name) != NULL;
    for (size_t s = 1; s < all->n_sides; s++)
        if (compare_side_find(&all->side[s], bench->name)) return true;
    return false;
}

static bool write_text(const char *dir, const compare_bench *bench)
{
    cm_record record;
    char why[1024];
    if (!cm_record_read(bench->figure, &record, why, sizeof why)) {
        suite_say("compare: %s", why);
        return false;
    }
    char *text = suite_there(cm_record_text(&record));
    const bool written = suite_folder_write(dir, bench->name, "txt", text);
    free(text);
    cm_record_free(&record);
    return written;
}

static bool write_results(const comparison *all, const char *folder, size_t side)
{
    char *dir = suite_text("%s/%zu", folder, side);
    bool written = mkdir(dir, 0700) == 0;
    for (size_t k = 0; written && k < all->side[side].n; k++) {
        const compare_bench *bench = &all->side[side].bench[k];
        if (bench->figure && suite_table_find(&all->table, bench->name)
            && is_wanted(all, side, bench))
            written = write_text(dir, bench);
    }
    free(dir);
    return written;
}

/* ---- Figures of several results -------------------------------------------------------------- */

/* A side's name as a word of gnuplot, which stands in single quotes. The caller frees. */
static char *title_of(const comparison *all, size_t side)
{
    char *name = compare_side_name(all, side), *title = suite_text("\"%s\"", name);
    for (char *c = title + 1; c[1]; c++)
        if (strchr("'\"\\`", *c)) *c = '_';
    free(name);
    return title;
}

/* The results of a run, and their titles, with blanks. The caller frees. */
static size_t list_results(const comparison *all, const char *folder, const suite_run *run,
                           char **results, char **titles)
{
    suite_words found = {0}, named = {0};
    for (size_t s = 0; s < all->n_sides; s++) {
        char *result = suite_text("%zu/%s.txt", s, run->name), *title = title_of(all, s);
        char *path = suite_text("%s/%s", folder, result);
        if (access(path, F_OK) == 0) {
            suite_words_add(&found, result);
            suite_words_add(&named, title);
        }
        free(path);
        free(title);
        free(result);
    }
    const size_t n = found.n;
    *results = suite_words_joined(&found, " ", " ");
    *titles = suite_words_joined(&named, " ", " ");
    suite_words_free(&found);
    suite_words_free(&named);
    return n;
}

/* gnuplot doubles a single quote in text that stands in such. The caller frees. */
static char *quoted(const char *text)
{
    char *copy = suite_copy("");
    for (size_t n; *text; text += n) {
        n = *text == '\'' ? 1 : strcspn(text, "'");
        char *longer =
            *text == '\'' ? suite_text("%s''", copy) : suite_text("%s%.*s", copy, (int)n, text);
        free(copy);
        copy = longer;
    }
    return copy;
}

/* Draws all results in one figure, with the benchmark's own script compare.gp if it has one,
   otherwise with the suite's curves.gp as the manifest says. */
static void draw_overlay(suite_children *children, const comparison *all, const char *folder,
                         const suite_run *run)
{
    char *results, *titles;
    char *script = suite_figure_script(all->home, run, "compare"), *whole = realpath(script, NULL);
    if (!whole && run->curves) {
        free(script);
        script = suite_home_file(all->home, "suite/curves.gp");
        whole = realpath(script, NULL);
    }
    if (list_results(all, folder, run, &results, &titles) > 0 && whole) {
        char *heading = quoted(run->heading);
        char *setting = suite_text("results='%s'; titles='%s'; heading='%s'; curves='%s'", results,
                                   titles, heading, run->curves ? run->curves : "");
        char *file = suite_text("%s-compare.svg", run->name);
        suite_draw_script(children, folder, setting, whole, file, "svg");
        free(file);
        free(setting);
        free(heading);
    }
    free(whole);
    free(script);
    free(results);
    free(titles);
}

/* The new side beside the base, by the run's figure of two results. */
static void draw_pair(suite_children *children, const comparison *all, const char *folder,
                      const suite_run *run)
{
    char *results, *titles;
    if (!run->pair || all->n_sides != 2) return;
    char *script = suite_figure_script(all->home, run, run->pair), *whole = realpath(script, NULL);
    if (list_results(all, folder, run, &results, &titles) == 2 && whole) {
        char *new = title_of(all, 1), *base = title_of(all, 0);
        char *setting = suite_text("results='1/%s.txt'; others='0/%s.txt'; titles='%s %s'",
                                   run->name, run->name, new, base);
        char *file = suite_text("%s-pair.svg", run->name);
        suite_draw_script(children, folder, setting, whole, file, "svg");
        free(file);
        free(setting);
        free(base);
        free(new);
    }
    free(whole);
    free(script);
    free(results);
    free(titles);
}

static bool draw_sides(suite_children *children, const comparison *all, const char *folder)
{
    static const char *const kinds[] = {"svg", NULL};
    static const suite_beside none = {0};
    bool drawn = true;
    for (size_t s = 0; s < all->n_sides && !children->interrupted; s++) {
        char *dir = suite_text("%s/%zu", folder, s);
        drawn &= suite_draw_all(children, all->home, &all->table, dir, &none, kinds);
        free(dir);
    }
    for (size_t r = 0; r < all->table.n && !children->interrupted; r++) {
        draw_overlay(children, all, folder, &all->table.run[r]);
        draw_pair(children, all, folder, &all->table.run[r]);
    }
    return drawn;
}

int compare_figures_draw(const comparison *all, suite_children *children, char **folder)
{
    *folder = NULL;
    if (!suite_draw_possible()) {
        suite_say("compare: gnuplot is not there: the page has tables and no figures");
        return 0;
    }
    char *place = suite_folder_temporary("clustermark-XXXXXX");
    if (!mkdtemp(place)) {
        int status = suite_fail(CM_EXIT_SYSTEM, "compare: %s: %s", place, strerror(errno));
        free(place);
        return status;
    }
    bool linked = true;
    for (size_t s = 0; s < all->n_sides && linked; s++) linked = write_results(all, place, s);
    if (!linked) {
        suite_say("compare: %s: cannot prepare figures: %s", place, strerror(errno));
        compare_figures_remove(place);
        return CM_EXIT_SYSTEM;
    }
    if (!draw_sides(children, all, place) && !children->interrupted)
        suite_say("compare: gnuplot could not draw all figures");
    if (children->interrupted) compare_figures_remove(place);
    else *folder = place;
    return children->interrupted ? 128 + children->interrupted : 0;
}
