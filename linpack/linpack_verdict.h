/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_verdict.h: why a system has no solution in its precision: singular, or only the
   precision's fault. */
#ifndef LINPACK_VERDICT_H
#define LINPACK_VERDICT_H

#include "linpack_verify.h"

/* Properties of the elements: of the matrix before it was rounded to the precision of its factors,
   and of U. */
typedef struct {
    double a_max, a_min; /* largest; least that is not zero (0: all are) */
    double u_max;        /* INFINITY if one is not finite */
    int u_row;           /* the uppermost row of U that has the largest */
} linpack_elements;

typedef enum {
    LINPACK_SOLVED,    /* also with a residual that is too large, if growth does not explain it */
    LINPACK_SINGULAR,  /* all candidates for a pivot are zero */
    LINPACK_UNDERFLOW, /* so they are, but elements of the matrix were rounded to zero */
    LINPACK_GROWTH,    /* elements grow so much that no pivot or no correct digit is left */
    LINPACK_OVERFLOW   /* elements of the matrix, of the factors or of the solution */
} linpack_outcome;
extern const char *const linpack_outcomes[]; /* a word for each */

typedef struct linpack_verdict {
    linpack_outcome outcome;
    int order, column; /* where there is no pivot, or where elements are largest */
    bool single;       /* precision of the factors */
    linpack_elements elements;
    double growth;             /* of the elements */
    linpack_residual residual; /* of the solution; unused if there is none */
    bool solved;               /* there is a solution */
} linpack_verdict;

/* Looks at the matrix that by_rows deals out, and at U in a, as far as the factors go. failed: as
   in linpack_system. All ranks call it. */
linpack_elements linpack_elements_of(const linpack_layout *by_rows, const linpack_matrix *matrix,
                                     const linpack_layout *map, const linpack_solvers *solvers,
                                     const void *a, int failed);
/* residual: of the solution, unless failed is not 0; epsilon: that of its check. */
linpack_verdict linpack_verdict_of(int order, int failed, const linpack_solvers *solvers,
                                   const linpack_elements *elements,
                                   const linpack_residual *residual, double epsilon);
/* Prints one line on stderr and adds a comment to the result. The outcome is not LINPACK_SOLVED.
   Rank 0 calls it. */
void linpack_verdict_tell(const linpack_verdict *verdict, cm_result *result);

#endif
