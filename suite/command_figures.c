/* SPDX-License-Identifier: BSD-3-Clause */
/* command_figures.c: `clustermark figures`. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include "comm/comm.h"
#include "commands.h"
#include "figures/draw.h"
#include "results/folder.h"
#include "results/united.h"
#include "places/place.h"
#include "common/say.h"

const char *suite_beside_given;

const cm_option suite_beside_options[] = {
    CM_TEXT("beside", 0, "FOLDER", &suite_beside_given,
            "also show the results of another folder: those of a simulated cluster, or of "
            "another network. The figures have them in green"),
    {0},
};

static int draw(const suite_home *home, const char *dir, const char *other)
{
    static const char *const kinds[] = {"svg", "png", NULL};
    suite_table table;
    suite_beside beside = {0};
    suite_children children;
    if (!suite_folder_require("figures", dir) || !suite_folder_writable("figures", dir))
        return CM_EXIT_USAGE;
    if (!suite_draw_possible()) return suite_fail(CM_EXIT_SYSTEM, "figures: gnuplot is not there");
    char *whole = realpath(dir, NULL);
    if (!whole || !suite_table_of_folder(home, whole, &table, NULL)) return CM_EXIT_SYSTEM;
    int status = suite_united_check("figures", whole, &table, SUITE_UNITED_RENEW);
    if (!status) status = suite_beside_open("figures", home, other, &beside);
    if (!status) status = suite_children_open(&children) ? CM_EXIT_PASS : CM_EXIT_SYSTEM;
    if (!status) {
        status = CM_EXIT_SYSTEM;
        bool drawn = suite_draw_all(&children, home, &table, whole, &beside, kinds);
        drawn &= suite_draw_together(&children, home, &table, whole, &beside, kinds);
        if (drawn) {
            status = CM_EXIT_PASS;
            puts(whole);
        } else if (children.interrupted) status = 128 + children.interrupted;
        else suite_say("figures: gnuplot could not draw all of them");
        suite_children_close(&children);
    }
    suite_beside_close(&beside);
    suite_table_free(&table);
    free(whole);
    return status;
}

static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    const char *dir = NULL;
    int status = suite_command_dir(program, n, operand, &dir);
    return status == CM_OPTION_RUN ? draw(home, dir, suite_beside_given) : status;
}

static const cm_exit_status statuses[] = {
    {CM_EXIT_PASS, "the figures are drawn"},
    {CM_EXIT_USAGE, "wrong usage, DIR is no folder of results, or a result in it is damaged"},
    {CM_EXIT_SYSTEM, "gnuplot is not there, or could not draw all of them"},
    {0, NULL}};

const suite_command suite_command_figures = {
    .program =
        {
            .name = "clustermark figures",
            .purpose = "Draw the figures of the results in a folder.",
            .description = "Each figure becomes DIR/NAME-FIGURE.svg and DIR/NAME-FIGURE.png. The "
                           "command needs gnuplot.",
            .operands = "DIR",
            .options = suite_beside_options,
            .exit_statuses = statuses,
            .mixed = true,
        },
    .work = work,
};
