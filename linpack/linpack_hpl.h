/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_hpl.h: HPL.dat, the input of HPL 2.3, and the tests that it describes. */
#ifndef LINPACK_HPL_H
#define LINPACK_HPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { LINPACK_HPL_MOST = 20, LINPACK_HPL_WORD = 256 };

typedef struct {
    int n, value[LINPACK_HPL_MOST];
} linpack_hpl_list;

/* The file, in the order of its lines. */
typedef struct {
    char output[LINPACK_HPL_WORD];
    int device; /* 6: standard output, 7: standard error, others: the file `output` */
    linpack_hpl_list order, block;
    int column_major; /* 1: ranks go down the columns of the grid first */
    linpack_hpl_list rows, columns;
    double threshold; /* 0 or less: solutions are not checked */
    linpack_hpl_list panel_fact, stop, divisions, recursive_fact, broadcast, depth;
    int swap, swap_threshold, l1, u, equilibrate, align;
} linpack_hpl;

/* Reads the file. Returns false if it is wrong; why is then one line that begins with the number of
   the line. orders, blocks: the largest N and NB. */
bool linpack_hpl_read(FILE *file, int orders, int blocks, linpack_hpl *hpl, char *why,
                      size_t why_size);

/* The same, but as HPL 2.3 reads: a word counts as the number that it begins with, and values out
   of range as HPL's own for them; the last line may be missing. tell is called for each thing that
   was so mapped, with a line that begins with the number of the file's line. */
typedef void linpack_hpl_tell(const char *line, void *context);
bool linpack_hpl_read_as_hpl(FILE *file, int orders, int blocks, linpack_hpl_tell *tell,
                             void *context, linpack_hpl *hpl, char *why, size_t why_size);

/* One combination of the file's values. */
typedef struct {
    int order, block, rows, columns;
    int panel_fact, stop, divisions, recursive_fact, broadcast, depth;
} linpack_hpl_test;

/* Returns the number of tests, and test k, from 0, in the order in which HPL runs them. */
int64_t linpack_hpl_tests(const linpack_hpl *hpl);
linpack_hpl_test linpack_hpl_test_of(const linpack_hpl *hpl, int64_t k);

/* ---- linpack_hpl_text.c: what HPL prints ----------------------------------------------------- */
typedef struct {
    int64_t passed, failed, skipped;
    int64_t empty;    /* of those skipped: N = 0, which HPL runs and passes */
    int64_t unsolved; /* HPL counts these as skipped, or as passed where it does not check */
} linpack_hpl_counts;

/* Writes HPL's name of the test: "WR01R2C4". */
void linpack_hpl_name(const linpack_hpl *hpl, const linpack_hpl_test *test, char *text,
                      size_t size);
void linpack_hpl_print_rule(FILE *out, char of); /* as wide as the table */
void linpack_hpl_print_heading(FILE *out);       /* of the table */
/* Prints the test's line of it. */
void linpack_hpl_print_time(FILE *out, const linpack_hpl *hpl, const linpack_hpl_test *test,
                            double time_s);
/* Prints HPL's scaled residual, with its verdict. */
void linpack_hpl_print_residual(FILE *out, const linpack_hpl *hpl, double residual);
/* Calls tell with a line for each setting of the file that does nothing here, and why. */
void linpack_hpl_unused(const linpack_hpl *hpl, linpack_hpl_tell *tell, void *context);
void linpack_hpl_print_end(FILE *out, const linpack_hpl *hpl, const linpack_hpl_counts *counts);

#endif
