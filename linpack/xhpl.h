/* SPDX-License-Identifier: BSD-3-Clause */
/* xhpl.h: cm-xhpl: cm-linpack's solver under HPL's input and output. */
#ifndef XHPL_H
#define XHPL_H

#include <stdio.h>
#include <time.h>
#include "linpack_options.h"
#include "linpack_verify.h"

#define XHPL_FILE "HPL.dat"

/* What --write-dat must know of the hosts. */
typedef struct {
    int hosts, ranks;
    char least[256];                 /* the host with the least memory for each of its ranks */
    double least_bytes, share_bytes; /* of that host; of one of its ranks */
    int least_ranks;
    int32_t limited;          /* the memory is what each process may take (ulimit -v) */
    linpack_cost_range costs; /* with --from */
} xhpl_hosts;

typedef struct {
    linpack_options linpack;
    bool strict, write;
    const char *from; /* a result of clustermark nodes */
    xhpl_hosts hosts; /* of it; rank 0 */
    double part;      /* of --fit */
} xhpl_options;

/* ---- xhpl_check.c ---------------------------------------------------------------------------- */
/* Reads HPL.dat on rank 0, and tells on stderr how things were mapped. */
int xhpl_check(const cm_program *program, void *options);

/* ---- xhpl_run.c ------------------------------------------------------------------------------ */
/* Runs the tests of the file. Returns CM_EXIT_WRONG on rank 0 if a residual failed. */
int xhpl_run(const cm_benchmark *benchmark);

/* ---- xhpl_text.c: what HPL 2.3 prints, beside linpack_hpl_text.c ----------------------------- */
/* Prints the heading and the parameters. solver: a line that says by what is solved. */
void xhpl_print_begin(FILE *out, const linpack_hpl *hpl, const char *solver);
/* When the solution began and ended. */
void xhpl_print_clock(FILE *out, time_t began, time_t ended);
/* Why a test was skipped. */
void xhpl_print_skipped(FILE *out, const char *why);
/* The norms of a residual that failed. one: the sums of a column of A and of x. */
typedef struct {
    double a, x;
} xhpl_norms;
void xhpl_print_norms(FILE *out, const linpack_residual *residual, const xhpl_norms *one);

/* ---- xhpl_from.c: --from --------------------------------------------------------------------- */
/* Reads the hosts of the result, on rank 0. Returns 0, or prints one line and returns the exit
   status. */
int xhpl_from_check(const cm_program *program, xhpl_options *options);

/* ---- xhpl_write.c: --write-dat --------------------------------------------------------------- */
int xhpl_write(const cm_benchmark *benchmark);

#endif
