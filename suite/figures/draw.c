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
#include "results/folder.h"
#include "common/memory.h"
#include "common/say.h"
#include "svg.h"
#include "common/words.h"

static const double limit_s = 120;

bool suite_draw_possible(void) { return suite_can_be_found("gnuplot"); }

bool suite_draw_beside(const char *dir, const char *name, const suite_beside *beside)
{
    if (!beside->dir || !suite_beside_has(beside, name)) return false;
    char *text = suite_there(cm_record_text(suite_results_find(&beside->results, name)));
    const bool written = suite_folder_write(dir, name, "beside", text);
    free(text);
    return written;
}

static bool draw(suite_children *children, const char *dir, const char *settings,
                 const char *script, const char *part, bool for_page)
{
    char *setting =
        suite_text("%s; for_page=%s; figure='%s'", settings, for_page ? "1" : "0", part);
    const char *argv[] = {"gnuplot", "-d", "-e", setting, script, NULL};
    suite_child child = {.argv = (char *const *)argv, .folder = dir, .limit_s = limit_s};
    int status;
    suite_child_end end = suite_child_run(children, &child, &status);
    free(setting);
    return end == SUITE_CHILD_EXITED && status == 0;
}

/* gnuplot may crash over the texts for the mouse (clustermark.gp): then without them. */
bool suite_draw_script(suite_children *children, const char *dir, const char *settings,
                       const char *script, const char *file, const char *kind)
{
    char *part = suite_text("%s.part.%s", file, kind);
    char *from = suite_text("%s/%s", dir, part), *to = suite_text("%s/%s", dir, file);
    bool is_svg = strcmp(kind, "svg") == 0;
    unlink(from); /* gnuplot would follow a link */
    bool drawn = is_svg && draw(children, dir, settings, script, part, true);
    if (!drawn && !children->interrupted)
        drawn = draw(children, dir, settings, script, part, false);
    if (drawn && is_svg) drawn = svg_finish(from);
    if (drawn && rename(from, to) < 0) drawn = false;
    if (!drawn) unlink(from);
    if (!drawn && !children->interrupted) suite_say("gnuplot could not draw %s", to);
    free(to);
    free(from);
    free(part);
    return drawn;
}

static bool draw_figure(suite_children *children, const suite_home *home, const suite_run *run,
                        const char *dir, const suite_beside *beside, const char *figure,
                        const char *kind)
{
    char *script = suite_figure_script(home, run, figure), *whole = realpath(script, NULL);
    char *file = suite_text("%s-%s.%s", run->name, figure, kind);
    char *old = suite_text("%s/%s", dir, file);
    bool second = suite_draw_beside(dir, run->name, beside);
    char *settings = second ? suite_text("result='%s.txt'; second='%s.beside'; second_title='%s'",
                                         run->name, run->name, beside->title)
                            : suite_text("result='%s.txt'", run->name);
    unlink(old);
    bool drawn = whole && suite_draw_script(children, dir, settings, whole, file, kind);
    if (second) suite_folder_remove(dir, run->name, "beside");
    if (!whole) suite_say("cannot read %s: %s", script, strerror(errno));
    free(settings);
    free(old);
    free(file);
    free(whole);
    free(script);
    return drawn;
}

bool suite_draw_all(suite_children *children, const suite_home *home, const suite_table *table,
                    const char *dir, const suite_beside *beside, const char *const *kinds)
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
                if (!draw_figure(children, home, run, dir, beside, run->figure[f], *kind))
                    all = false;
            }
    }
    return all;
}
