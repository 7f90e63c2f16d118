/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.c: gnuplot draws a figure of a result. It works in DIR, so that names in its scripts have no
   characters of the user's. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "draw.h"
#include "folder.h"
#include "memory.h"
#include "say.h"
#include "words.h"

static const double limit_s = 120;

bool suite_draw_possible(void) { return suite_can_be_found("gnuplot"); }

/* Draws dir/name.txt into dir/file, whole or not at all. */
static bool draw(suite_children *children, const char *dir, const char *name, const char *script,
                 const char *file, const char *kind)
{
    char *part = suite_text("%s.part.%s", file, kind);
    char *setting = suite_text("result='%s.txt'; figure='%s'", name, part);
    const char *argv[] = {"gnuplot", "-e", setting, script, NULL};
    suite_child child = {.argv = (char *const *)argv, .folder = dir, .limit_s = limit_s};
    int status;
    suite_child_end end = suite_child_run(children, &child, &status);
    bool drawn = end == SUITE_CHILD_EXITED && status == 0;
    char *from = suite_text("%s/%s", dir, part), *to = suite_text("%s/%s", dir, file);
    if (drawn && rename(from, to) < 0) drawn = false;
    if (!drawn) unlink(from);
    if (!drawn && !children->interrupted) suite_say("gnuplot could not draw %s", to);
    free(to);
    free(from);
    free(setting);
    free(part);
    return drawn;
}

static bool draw_figure(suite_children *children, const suite_home *home, const suite_run *run,
                        const char *dir, const char *figure, const char *kind)
{
    char *script = suite_figure_script(home, run, figure), *whole = realpath(script, NULL);
    char *file = suite_text("%s-%s.%s", run->name, figure, kind);
    char *old = suite_text("%s/%s", dir, file);
    unlink(old);
    bool drawn = whole && draw(children, dir, run->name, whole, file, kind);
    if (!whole) suite_say("cannot read %s: %s", script, strerror(errno));
    free(old);
    free(file);
    free(whole);
    free(script);
    return drawn;
}

bool suite_draw_all(suite_children *children, const suite_home *home, const suite_table *table,
                    const char *dir, const char *const *kinds)
{
    bool all = true;
    for (size_t r = 0; r < table->n; r++) {
        const suite_run *run = &table->run[r];
        char *result = suite_folder_path(dir, run->name, "txt");
        bool there = access(result, F_OK) == 0;
        free(result);
        for (size_t f = 0; there && f < run->n_figures; f++)
            for (const char *const *kind = kinds; *kind; kind++) {
                if (children->interrupted) return false;
                if (!draw_figure(children, home, run, dir, run->figure[f], *kind)) all = false;
            }
    }
    return all;
}
