/* SPDX-License-Identifier: BSD-3-Clause */
/* reference.h: results of other computers, and bounds of this one, from suite/references.tab and
   from the user's own file, which has the same form:
       quantity | value | unit | machine | source
       quantity bound | value | unit | machine | source
   The user's file is that of CM_REFERENCES, otherwise clustermark/references.tab in
   XDG_CONFIG_HOME or ~/.config, if there is one. */
#ifndef SUITE_REFERENCE_H
#define SUITE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "common/home.h"
#include "tile_kind.h"

typedef struct {
    const suite_tile_kind *kind; /* of which tile */
    double value;                /* in its unit */
    char *machine, *source;
    bool bound; /* what machines of this name can do at most, not what one did */
    bool own;   /* from the user's file */
} suite_reference;

typedef struct {
    suite_reference *reference;
    size_t n;
} suite_references;

/* Reads the package's file and, if asked, the user's. Returns true, or prints one line and returns
   false: a line is wrong, or a file that must be there cannot be read. Free with
   suite_references_free in any case. */
bool suite_references_read(const suite_home *home, bool with_own, suite_references *references);
void suite_references_free(suite_references *references);

/* The reference nearest to the value among those that are better (or as good), or among those that
   are worse; one of the user's own before others. NULL: there is none. */
const suite_reference *suite_references_nearest(const suite_references *references,
                                                const suite_tile_kind *kind, double value,
                                                bool better);

/* The bound for a processor of this name (NULL: not known): that of a machine whose text is in the
   name, or is "any"; one of the user's own before others. NULL: there is none. */
const suite_reference *suite_references_bound(const suite_references *references,
                                              const suite_tile_kind *kind, const char *cpu);

/* Writes a line of that form. */
void suite_reference_write(FILE *out, const suite_reference *reference);

#endif
