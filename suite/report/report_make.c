/* SPDX-License-Identifier: BSD-3-Clause */
/* report_make.c: the page of a folder, from the figures to its last line. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "figures/draw.h"
#include "results/folder.h"
#include "common/open.h"
#include "places/place.h"
#include "report.h"
#include "results/united.h"
#include "common/memory.h"
#include "common/say.h"
#include "seal/anonymous.h"

/* Draws the figures if it can. Returns the exit status, 0 also if figures are missing. */
static int draw(const suite_home *home, const suite_table *table, const char *dir,
                const suite_beside *beside, bool *drawn)
{
    static const char *const kinds[] = {"svg", NULL};
    suite_children children;
    *drawn = suite_draw_possible();
    if (!*drawn) {
        suite_say("report: gnuplot is not there: the page has tables and no figures");
        return CM_EXIT_PASS;
    }
    if (!suite_children_open(&children)) return CM_EXIT_SYSTEM;
    bool all = suite_draw_all(&children, home, table, dir, beside, kinds);
    all &= suite_draw_together(&children, home, table, dir, beside, kinds);
    int interrupted = children.interrupted;
    suite_children_close(&children);
    if (interrupted) return 128 + interrupted;
    if (!all) suite_say("report: gnuplot could not draw all figures");
    return CM_EXIT_PASS;
}

/* Compares the results of dir with those of other, and writes the comparison's page. */
static int compare_with(const suite_home *home, const char *dir, const char *typed,
                        const char *other, comparison *all)
{
    static const suite_compare_options options = {.margin_percent = 5, .fail_on = -1};
    char *const paths[] = {(char *)typed, (char *)other};
    int status = compare_open(home, &options, 2, paths, all);
    if (status) return status;
    char *path = suite_folder_path(dir, "compare", "html");
    all->report = "report.html";
    if (!compare_page_write(all, path)) status = CM_EXIT_SYSTEM;
    free(path);
    return status;
}

/* Writes DIR/report.html. Returns the exit status. */
static int make(const suite_home *home, const suite_report_options *options, const char *dir)
{
    suite_table table;
    suite_place place;
    suite_beside beside = {0};
    comparison compared = {0};
    const char *other = options->other ? options->other : options->beside;
    bool drawn;
    if (other && !suite_folder_require("report", other)) return CM_EXIT_USAGE;
    char *whole = realpath(dir, NULL);
    if (!whole) return suite_fail(CM_EXIT_SYSTEM, "report: %s: %s", dir, strerror(errno));
    if (!suite_table_of_folder(home, whole, &table, &place)) {
        suite_place_free(&place);
        free(whole);
        return CM_EXIT_SYSTEM;
    }
    int status = suite_united_check("report", dir, &table, SUITE_UNITED_RENEW);
    if (!status) status = suite_beside_open("report", home, other, &beside);
    if (!status && options->other) status = compare_with(home, whole, dir, other, &compared);
    if (!status) status = draw(home, &table, whole, &beside, &drawn);
    if (!status)
        status = suite_report_write(home, &table, &place, whole, &beside, options,
                                    options->other ? &compared : NULL, drawn);
    compare_close(&compared);
    suite_beside_close(&beside);
    suite_table_free(&table);
    suite_place_free(&place);
    free(whole);
    return status;
}

/* The page of a copy without names, beside the results. */
static int make_anonymous(const suite_home *home, const suite_report_options *options,
                          const char *dir)
{
    char *copy = suite_anonymous_temporary("report", dir);
    int status = copy ? make(home, options, copy) : CM_EXIT_SYSTEM;
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
    if (!suite_folder_require("report", dir) || !suite_folder_writable("report", dir))
        return CM_EXIT_USAGE;
    int status = (options->anonymous ? make_anonymous : make)(home, options, dir);
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
