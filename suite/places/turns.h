/* SPDX-License-Identifier: BSD-3-Clause */
/* turns.h: builds or installations that are measured in turns, a launch of each a round:
   `clustermark compare --run` and `run --backend`. Runs one after the other differ by the machine's
   states, which come in streaks; launches in turns share them. */
#ifndef SUITE_TURNS_H
#define SUITE_TURNS_H

#include <stddef.h>
#include "common/child.h"
#include "common/words.h"

/* The path of clustermark in a build tree or an installation, or the program itself; NULL: it is
   not there. backend: of which the installation may have several; NULL: its default. The caller
   frees. */
char *suite_turns_program(const char *build, const char *backend);

/* Which of n sides is the kth, from 0, of a round, from 1. Each round begins with another side. */
size_t suite_turns_side(size_t round, size_t k, size_t n);

/* Adds an option with its value; a value of NULL adds nothing. */
void suite_turns_option(suite_words *command, const char *name, const char *value);

/* "exit status 3", "signal 9": how a child ended that was not interrupted. The caller frees. */
char *suite_turns_end(suite_child_end end, int status);

/* What the same command does if it is given again after an interruption. */
typedef enum {
    SUITE_AGAIN_MEASURES_ANEW, /* as it does each time */
    SUITE_AGAIN_BEGINS_ANEW,   /* nothing was measured */
    SUITE_AGAIN_GOES_ON,
    SUITE_AGAIN_GOES_ON_UNLESS_FRESH /* --fresh would throw away what was measured */
} suite_again;

/* Says that this command was interrupted, and what the same does again. Returns its status. */
int suite_turns_interrupted(const suite_children *children, const char *command, suite_again again);

#endif
