/* SPDX-License-Identifier: BSD-3-Clause */
/* draw_together.c: gnuplot draws the figures of several results. */
#include "config.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "draw.h"
#include "results/folder.h"
#include "common/memory.h"
#include "common/say.h"
#include "together.h"

static void append(char **list, const char *name, const char *suffix)
{
    char *longer = suite_text("%s%s%s.%s", *list, **list ? " " : "", name, suffix);
    free(*list);
    *list = longer;
}

/* The results, and those beside them. The caller frees. */
static char *settings_of(const char *dir, const suite_joint *joint, const suite_beside *beside)
{
    char *results = suite_copy(""), *others = suite_copy("");
    for (size_t k = 0; k < joint->names.n; k++) {
        const char *name = joint->names.word[k];
        append(&results, name, "txt");
        if (suite_draw_beside(dir, name, beside)) append(&others, name, "beside");
    }
    char *settings = *others ? suite_text("results='%s'; others='%s'; others_title='%s'", results,
                                          others, beside->title)
                             : suite_text("results='%s'", results);
    free(others);
    free(results);
    return settings;
}

static bool draw_joint(suite_children *children, const suite_home *home, const char *dir,
                       const suite_joint *joint, const suite_beside *beside, const char *kind)
{
    char *script = suite_figure_script(home, joint->run, joint->figure);
    char *whole = realpath(script, NULL), *file = suite_text("%s.%s", joint->id, kind);
    char *settings = settings_of(dir, joint, beside);
    bool drawn = whole && suite_draw_script(children, dir, settings, whole, file, kind);
    if (!whole) suite_say("cannot read %s: %s", script, strerror(errno));
    if (!drawn) suite_folder_remove(dir, joint->id, kind);
    for (size_t k = 0; k < joint->names.n; k++)
        suite_folder_remove(dir, joint->names.word[k], "beside");
    free(settings);
    free(file);
    free(whole);
    free(script);
    return drawn;
}

/* Figures of results that are no longer there. */
static void remove_old(const suite_table *table, const char *dir, const char *kind)
{
    for (size_t r = 0; r < table->n; r++) {
        char *scale = suite_text("%s-scale", table->run[r].base);
        suite_folder_remove(dir, scale, kind);
        if (table->run[r].pair) suite_folder_remove(dir, table->run[r].pair, kind);
        free(scale);
    }
}

bool suite_draw_together(suite_children *children, const suite_home *home, const suite_table *table,
                         const char *dir, const suite_beside *beside, const char *const *kinds)
{
    suite_entry *entry = suite_array(table->n, sizeof entry[0]);
    suite_results results = {.result = suite_array(table->n, sizeof results.result[0])};
    bool all = true;
    for (size_t r = 0; r < table->n; r++) {
        suite_entry_read(dir, &table->run[r], &entry[r]);
        if (entry[r].state == SUITE_COMPLETE)
            results.result[results.n++] = (suite_result){table->run[r].name, &entry[r].record};
    }
    suite_joints joints = suite_joints_find(table, &results, beside);
    for (const char *const *kind = kinds; *kind; kind++) {
        remove_old(table, dir, *kind);
        for (size_t k = 0; k < joints.n && !children->interrupted; k++)
            all &= draw_joint(children, home, dir, &joints.joint[k], beside, *kind);
    }
    suite_joints_free(&joints);
    for (size_t r = 0; r < table->n; r++) suite_entry_free(&entry[r]);
    free(results.result);
    free(entry);
    return all && !children->interrupted;
}
