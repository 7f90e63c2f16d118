/* SPDX-License-Identifier: BSD-3-Clause */
/* tuning.h: tables of measured choices: which algorithm auto takes for an operation, a place, a
   number of ranks and a size. cm-collective --write-tuning writes such a table; CM_TUNING names the
   one to use in place of the built-in ones, which are tuning/NAME.tab.

   A table is text. Its first line is CM_TUNING_FIRST, then come lines "key: value" (cm_tuning_keys;
   backend is required), a line with the names of the columns, rows, and the line "end", which a
   truncated file lacks. A line that begins with # is a comment; after end lines may also be empty.
   Lines may end with CR LF. A row applies to sizes from its from_bytes up to the from_bytes of the
   next row of the same operation, place and ranks. */
#ifndef CM_TUNING_H
#define CM_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "comm/comm.h"

#define CM_TUNING_FIRST "clustermark-tuning 1"
#define CM_TUNING_COLUMNS "operation place ranks from_bytes algorithm"

/* Where the ranks of an operation are. */
typedef enum {
    CM_TUNING_OWN,     /* on one host, a core for each rank of the job */
    CM_TUNING_SHARED,  /* on one host, more ranks of the job than cores */
    CM_TUNING_BETWEEN, /* on several hosts */
    CM_TUNING_PLACES
} cm_tuning_place;
extern const char *const cm_tuning_places[CM_TUNING_PLACES];

typedef struct {
    cm_collective collective;
    cm_tuning_place place;
    int ranks;
    size_t from_bytes; /* what cm-collective calls size_bytes */
    cm_algorithm algorithm;
} cm_tuning_row;

/* The rows of an operation in a place follow each other, as do those of a number of ranks. */
typedef struct {
    cm_tuning_row *row;
    size_t n;
    size_t first[CM_TUNING_PLACES][CM_COLLECTIVES], count[CM_TUNING_PLACES][CM_COLLECTIVES];
    char backend[16];
} cm_tuning_table;

/* Parses a table; text ends with 0. Returns false if a line is wrong; why then names the line and
   what was expected ("line 7: ..."). cm_tuning_free releases the table in both cases. */
bool cm_tuning_parse(const char *text, cm_tuning_table *table, char *why, size_t capacity);
void cm_tuning_free(cm_tuning_table *table);

/* Returns true if the size of this operation is known to all ranks, so that a choice may depend on
   it. In operations with a length for each rank, only some ranks know all lengths (in allgatherv,
   all do). */
bool cm_tuning_sized(cm_collective collective);

/* Finds the rows of an operation, a place, and the table's number of ranks nearest to ranks in
   ratio (the smaller one if two are equally near). Returns the first row, and the number of rows in
   *n. Returns NULL if there are none. Unless beyond is true, also returns NULL if ranks is at least
   twice the table's highest number of ranks or at most half of its lowest, because what is fast on
   two ranks is slow on sixty. */
const cm_tuning_row *cm_tuning_rows(const cm_tuning_table *table, cm_collective collective,
                                    cm_tuning_place place, int ranks, bool beyond, size_t *n);

/* ---- The tables in use ----------------------------------------------------------------------- */

/* Reads the table of CM_TUNING for this backend; path is NULL: only the built-in ones are used.
   Returns 0, or, on launch rank 0 after one line, CM_EXIT_USAGE. Other ranks then keep the built-in
   tables, whose checksum differs from that of a rank 0 that could read its file. The functions
   below open the built-in tables if this was not called; a program with threads calls it first. */
int cm_tuning_open(const char *path);

/* Returns a checksum of the rows of the tables in use, the same on all ranks that choose alike. */
uint64_t cm_tuning_checksum(void);

/* Where the table in use is from: a path, or "built in: sockets; from 4 ranks on: paper", because a
   table is used for less than twice as many ranks of a host as it has. With several hosts it is
   "from 4 ranks on and between hosts". */
const char *cm_tuning_source(cm_group *world);

/* Finds rows as cm_tuning_rows does: in the table of CM_TUNING, the built-in one of this backend,
   or that of the paper, which has every operation, inside hosts and between them. */
const cm_tuning_row *cm_tuning_find(cm_collective collective, cm_tuning_place place, int ranks,
                                    size_t *n);

/* Returns where the ranks of this group are. All of them get the same answer. */
cm_tuning_place cm_tuning_place_of(cm_group *group);

#endif
