/* SPDX-License-Identifier: BSD-3-Clause */
/* builds.h: the builds that `clustermark run --backend` measures, and the folder of their results:
   DIR/run.txt lists them, DIR/NAME has the launches of one. */
#ifndef SUITE_BUILDS_H
#define SUITE_BUILDS_H

#include <stdbool.h>
#include <stddef.h>
#include "common/child.h"
#include "common/home.h"

typedef struct {
    char *name, *given; /* as they were typed, NAME=BUILD; given: NULL if NAME stood alone */
    char *program;      /* clustermark of the build */
} suite_build;

typedef struct {
    const char *list, *dir;
    bool fresh; /* launches of before are not kept */
    suite_build *build;
    size_t n;
    char *names; /* as DIR/run.txt has them */
} suite_builds;

/* All return 0, or print one line and return the exit status. */

/* Reads the list: words NAME or NAME=BUILD, with commas. */
int suite_builds_read(suite_builds *builds);
/* Finds the clustermark of each: that of its build, or the one that is installed beside this. */
int suite_builds_find(suite_builds *builds, const suite_home *home);
/* Checks that the clustermark is over the backend of its name and of this version. */
int suite_build_ask(const suite_build *build, suite_children *children);
/* Checks that of each, and that DIR has launches of no others. */
int suite_builds_check(const suite_builds *builds, suite_children *children);
/* Writes DIR/run.txt. begun: not all builds have begun anew, and until then some hold launches from
   before. */
int suite_builds_write(const suite_builds *builds, bool begun);

void suite_builds_free(suite_builds *builds);

#endif
