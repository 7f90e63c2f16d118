/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.h: draws the figures of results by gnuplot. */
#ifndef SUITE_DRAW_H
#define SUITE_DRAW_H

#include <stdbool.h>
#include "places/beside.h"
#include "common/child.h"
#include "common/table.h"

/* Returns true if gnuplot is found along PATH. */
bool suite_draw_possible(void);

/* Draws DIR/NAME-FIGURE.KIND for each figure of each run with DIR/NAME.txt and each kind ("svg",
   "png"; NULL-terminated). A figure that cannot be drawn leaves no file; gnuplot's words go to
   stderr. If beside has a result of the same name, the scripts get it as second, with its title.
   Returns false if one could not be drawn or if children were interrupted. */
bool suite_draw_all(suite_children *children, const suite_home *home, const suite_table *table,
                    const char *dir, const suite_beside *beside, const char *const *kinds);

/* Draws the figures of several results (together.h) likewise: DIR/ID.KIND. One for which the folder
   no longer has the results is removed. */
bool suite_draw_together(suite_children *children, const suite_home *home, const suite_table *table,
                         const char *dir, const suite_beside *beside, const char *const *kinds);

/* Draws DIR/FILE by the script with gnuplot's settings, whole or not at all. */
bool suite_draw_script(suite_children *children, const char *dir, const char *settings,
                       const char *script, const char *file, const char *kind);
/* Writes the text of the result that stands beside to DIR/NAME.beside, a name without the user's
   characters. Returns false if there is none. */
bool suite_draw_beside(const char *dir, const char *name, const suite_beside *beside);

#endif
