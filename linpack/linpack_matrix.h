/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_matrix.h: the matrices: generated, or read from a file. */
#ifndef LINPACK_MATRIX_H
#define LINPACK_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "run/run.h"

enum {
    LINPACK_RANDOM,
    LINPACK_MATGEN,
    LINPACK_HPL, /* linpack_hpl_matrix.c */
    /* linpack_hard.c */
    LINPACK_WILKINSON,
    LINPACK_WRIGHT,
    LINPACK_FOSTER,
    LINPACK_KAHAN,
    LINPACK_HILBERT,
    LINPACK_GRADED,
    LINPACK_HUGE,
    LINPACK_MXP
};

/* ---- linpack_matrix.c, linpack_hard.c, linpack_market.c: the matrix -------------------------- */
extern const char *const linpack_generators[]; /* their names; NULL ends them */
/* Returns element (i, j), from 1, of a matrix of order n of linpack_hard.c. random is between -1/2
   and 1/2. */
double linpack_hard_element(int kind, int n, int i, int j, double random);
typedef struct {
    int kind; /* LINPACK_RANDOM ... LINPACK_MXP; unused if row_start is set (a file) */
    int order;
    uint64_t seed;
    bool single;        /* elements are rounded to single precision */
    int64_t *row_start; /* [order + 1] */
    int32_t *column;
    double *value;
} linpack_matrix;

/* Stores element j (from 0) of row `row` (from 1) in a[j], j < order; a[order] is the right-hand
   side. The same for any number of ranks. */
void linpack_matrix_row(const linpack_matrix *matrix, int row, double *a);
/* The same for columns first + 1 ... first + count; a[0] is the first of them. */
void linpack_matrix_part(const linpack_matrix *matrix, int row, int first, int count, double *a);
double linpack_matrix_right(const linpack_matrix *matrix, int row);
/* linpack_hpl_matrix.c: columns first + 1 ... first + count of a row of HPL 2.3's matrix. Column
   order + 1 is its right-hand side. */
void linpack_hpl_part(int order, int row, int first, int count, double *a);
/* Returns true if two columns of matgen's matrix of this order are equal, because its random
   numbers have a period of 16384. */
bool linpack_matgen_repeats(int order);

/* Returns the order of the matrix in a Matrix Market file, and the number of its entries. Returns 0
   after one line if there is no matrix that can be solved. */
int linpack_market_order(const cm_program *program, const char *path, int64_t *entries);
/* Returns the most memory that a rank needs for this number of entries, each of which may stand for
   two elements. */
size_t linpack_market_bytes(int64_t entries);
/* Rank 0 reads the file; all ranks get the matrix. It ends the job if an element is beyond largest,
   the largest number of the precision in which the matrix is factored. */
void linpack_market_read(const char *path, double largest, linpack_matrix *matrix);
void linpack_matrix_free(linpack_matrix *matrix);

#endif
