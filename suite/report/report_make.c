/* SPDX-License-Identifier: BSD-3-Clause */
/* report_make.c: the page of a folder, from the figures to its last line. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "backends.h"
#include "figures/draw.h"
#include "results/folder.h"
#include "common/open.h"
#include "places/place.h"
#include "report.h"
#include "results/backends.h"
#include "results/united.h"
#include "common/memory.h"
#include "common/say.h"
#include "seal/anonymous.h"

/* The folders whose results a page shows. */
typedef struct {
    suite_words dir;  /* of the results; the first one's stand on the page as they are */
    suite_words name; /* of the backends; empty: there is one folder */
    char *page;       /* the folder of the page */
} suite_folders;

/* Draws the figures if it can; backends: NULL, or those whose figures are drawn, too. Returns the
   exit status, 0 also if figures are missing. */
static int draw(const suite_home *home, suite_children *children, const suite_table *table,
                const char *dir, const suite_beside *beside, const suite_backends *backends,
                bool *drawn)
{
    static const char *const kinds[] = {"svg", NULL};
    *drawn = suite_draw_possible();
    if (!*drawn) {
        suite_say("report: gnuplot is not there: the page has tables and no figures");
        return CM_EXIT_PASS;
    }
    bool all = suite_draw_all(children, home, table, dir, beside, kinds);
    all &= suite_draw_together(children, home, table, dir, beside, kinds);
    if (backends && !children->interrupted) all &= suite_backends_draw(children, backends, dir);
    if (children->interrupted) return 128 + children->interrupted;
    if (!all) suite_say("report: gnuplot could not draw all figures");
    return CM_EXIT_PASS;
}

/* Compares the results of dir with those of other, and writes the comparison's page. */
static int compare_with(const suite_home *home, suite_children *children, const char *dir,
                        const char *typed, const char *other, comparison *all)
{
    static const suite_compare_options options = {.margin_percent = 5, .fail_on = -1};
    char *const paths[] = {(char *)typed, (char *)other};
    int status = compare_open(home, &options, 2, paths, all);
    if (status) return status;
    char *path = suite_folder_path(dir, "compare", "html");
    all->report = "report.html";
    status = compare_page_write(all, children, path);
    free(path);
    return status;
}

/* What make has open. */
typedef struct {
    suite_table table;
    suite_place place;
    suite_beside beside;
    comparison compared;
    suite_backends backends;
} opened;

static void close_all(opened *o)
{
    suite_backends_free(&o->backends);
    compare_close(&o->compared);
    suite_beside_close(&o->beside);
    suite_table_free(&o->table);
    suite_place_free(&o->place);
}

/* Compares what was measured over the first backend with what was over each other one. */
static int compare_backends(const suite_home *home, const suite_folders *folders, opened *o)
{
    static const suite_compare_options options = {.margin_percent = 5, .fail_on = -1};
    const suite_words *dirs = &folders->dir;
    int status = 0;
    for (size_t k = 0; k < dirs->n && !status; k++)
        status = suite_united_check("report", dirs->word[k], &o->table, SUITE_UNITED_RENEW);
    if (!status) status = compare_open(home, &options, (int)dirs->n, dirs->word, &o->compared);
    if (!status) o->backends = suite_backends_choose(&o->compared, &folders->name);
    return status;
}

/* Writes the page of the folder, or of the folders of several backends, of which the first has the
   figures. Returns the exit status. */
static int make(const suite_home *home, suite_children *children,
                const suite_report_options *options, const suite_folders *folders)
{
    opened o = {0};
    const bool several = folders->name.n > 0;
    const char *dir = folders->dir.word[0];
    const char *other = several          ? folders->dir.word[1]
                        : options->other ? options->other
                                         : options->beside;
    const comparison *compared = options->other ? &o.compared : NULL;
    bool drawn;
    if (other && !suite_folder_require("report", other)) return CM_EXIT_USAGE;
    char *whole = realpath(dir, NULL);
    if (!whole) return suite_fail(CM_EXIT_SYSTEM, "report: %s: %s", dir, strerror(errno));
    int status = suite_table_of_folder(home, whole, &o.table, &o.place) ? 0 : CM_EXIT_SYSTEM;
    if (!status) status = suite_united_check("report", dir, &o.table, SUITE_UNITED_RENEW);
    if (!status) status = suite_beside_open("report", home, other, &o.beside);
    if (!status && options->other)
        status = compare_with(home, children, whole, dir, other, &o.compared);
    if (!status && several) status = compare_backends(home, folders, &o);
    if (!status)
        status =
            draw(home, children, &o.table, whole, &o.beside, several ? &o.backends : NULL, &drawn);
    if (!status) {
        const suite_report_of of = {.table = &o.table,
                                    .place = &o.place,
                                    .dir = whole,
                                    .page = folders->page,
                                    .beside = &o.beside,
                                    .compared = compared,
                                    .backends = several ? &o.backends : NULL,
                                    .drawn = drawn};
        status = suite_report_write(home, &of, options);
    }
    close_all(&o);
    free(whole);
    return status;
}

/* The folder itself, or those of its backends. Returns 0, or prints one line and returns
   CM_EXIT_USAGE. */
static int find_folders(const suite_report_options *options, const char *dir,
                        suite_folders *folders)
{
    folders->page = suite_copy(dir);
    const char *other = options->other ? options->other : options->beside ? options->beside : NULL;
    if (suite_backends_read(dir, &folders->name) && (options->anonymous || other))
        return suite_fail(
            CM_EXIT_USAGE,
            "report: %s has the results of %zu backends, which %s does not take; give "
            "one of them, as %s/%s",
            dir, folders->name.n,
            options->anonymous ? "--anonymous"
            : options->beside  ? "--beside"
                               : "a second DIR",
            dir, folders->name.word[0]);
    for (size_t k = 0; k < folders->name.n; k++) {
        char *one = suite_text("%s/%s", dir, folders->name.word[k]);
        suite_words_add(&folders->dir, one);
        free(one);
    }
    if (folders->name.n == 0) suite_words_add(&folders->dir, dir);
    for (size_t k = 0; k < folders->dir.n; k++) {
        const char *one = folders->dir.word[k];
        if (folders->name.n > 0 && !suite_folder_holds(one))
            return suite_fail(CM_EXIT_USAGE,
                              "report: %s holds no results yet; the same clustermark run --backend "
                              "with %s goes on",
                              one, dir);
        if (!suite_folder_require("report", one)) return CM_EXIT_USAGE;
    }
    return suite_folder_writable("report", dir)
                   && suite_folder_writable("report", folders->dir.word[0])
               ? 0
               : CM_EXIT_USAGE;
}

static void free_folders(suite_folders *folders)
{
    suite_words_free(&folders->name);
    suite_words_free(&folders->dir);
    free(folders->page);
}

/* The page of a copy without names, beside the results. The copy is removed while signals still
   wait. */
static int make_anonymous(const suite_home *home, suite_children *children,
                          const suite_report_options *options, const suite_folders *folders)
{
    const char *dir = folders->page;
    char *copy = suite_anonymous_temporary("report", dir);
    int status = CM_EXIT_SYSTEM;
    if (copy) {
        suite_folders of_copy = {.page = suite_copy(copy)};
        suite_words_add(&of_copy.dir, copy);
        status = make(home, children, options, &of_copy);
        free_folders(&of_copy);
    }
    if (!status) {
        char *page = suite_folder_path(copy, "report", "html");
        char *text = suite_there(suite_file_text(page));
        if (!suite_folder_write(dir, "report-anonymous", "html", text)) status = CM_EXIT_SYSTEM;
        free(text);
        free(page);
    }
    suite_anonymous_remove(copy);
    return status;
}

int suite_report_make(const suite_home *home, const suite_report_options *options, const char *dir)
{
    suite_folders folders = {0};
    suite_children children;
    int status = find_folders(options, dir, &folders);
    if (!status && !suite_children_open(&children)) status = CM_EXIT_SYSTEM;
    else if (!status) {
        status = (options->anonymous ? make_anonymous : make)(home, &children, options, &folders);
        suite_children_close(&children);
    }
    free_folders(&folders);
    if (status) return status;
    char *whole = suite_there(realpath(dir, NULL));
    char *page =
        suite_folder_path(whole, options->anonymous ? "report-anonymous" : "report", "html");
    puts(page);
    if (options->open) suite_open_page("report", page);
    free(page);
    free(whole);
    return CM_EXIT_PASS;
}
