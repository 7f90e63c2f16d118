/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_hpl_run.h: --hpl: the tests of an HPL.dat, one by one. */
#ifndef LINPACK_HPL_RUN_H
#define LINPACK_HPL_RUN_H

#include <stdio.h>
#include "linpack_options.h"

/* ---- linpack_hpl_run.c: --hpl ---------------------------------------------------------------- */
/* Reads the file. Returns 0, or prints one line and returns the exit status. */
int linpack_hpl_check(const cm_program *program, linpack_options *options);
/* All ranks get the file. Ends the job if it has a grid that needs more ranks. */
void linpack_hpl_begin(linpack_options *options);
/* Writes what is the file, and which of its values have no meaning here. */
void linpack_hpl_meta(cm_result *result, const linpack_options *options);

/* The tests one by one; linpack_hpl_run.c has the way through them. */
typedef struct {
    const linpack_options *all;
    cm_result *result; /* rank 0; elsewhere NULL */
    double part;       /* of the free memory that a matrix may take */
    int64_t next;
    linpack_hpl_test test; /* the current one */
    linpack_grid grid;
    cm_group *group; /* its ranks; NULL on others */
    linpack_hpl_counts counts;
    FILE *file_text; /* HPL's lines for its output file */
    char *file;
    size_t file_size;
} linpack_hpl_run;
typedef struct linpack_verdict linpack_verdict; /* linpack_verdict.h */
void linpack_hpl_open(linpack_hpl_run *run, const linpack_options *all, double part,
                      cm_result *result);
/* Sets the options of the next test that this rank takes part in, and says what it is. Collective
   over all ranks until it has returned LINPACK_HPL_END. */
typedef enum {
    LINPACK_HPL_END,   /* there is none left */
    LINPACK_HPL_EMPTY, /* N = 0 */
    LINPACK_HPL_LARGE, /* the matrix does not fit */
    LINPACK_HPL_TEST
} linpack_hpl_kind;
linpack_hpl_kind linpack_hpl_step(linpack_hpl_run *run, linpack_options *own);
/* The same, but tells of tests that are empty or too large, and goes on. Returns false if there is
   no test left. */
bool linpack_hpl_next(linpack_hpl_run *run, linpack_options *own);
/* Tells on stderr why a test is LINPACK_HPL_LARGE. */
void linpack_hpl_tell_large(const linpack_hpl_run *run, const char *program);
/* Tells what the test gave. time_s: on rank 0. */
void linpack_hpl_done(linpack_hpl_run *run, const linpack_verdict *verdict, double time_s);
/* Returns false after one line if the output file cannot be written. */
bool linpack_hpl_close(linpack_hpl_run *run);

#endif
