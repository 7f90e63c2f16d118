/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h: the algorithms of sscrap/sort, listrank and matmul, for who runs them beside one
   another. Each is in the library of its folder; that of matmul is there only with a BLAS. */
#ifndef SSCRAP_ALGORITHMS_H
#define SSCRAP_ALGORITHMS_H

#include "sscrap.h"

typedef struct {
    const char *name;   /* "sort" */
    const char *option; /* of its size, different from those of the others: "--items" */
    const sscrap_problem *problem;
    const void *options; /* its program's, by default; for the problem's calls */
} sscrap_algorithm;

extern const sscrap_algorithm sort_algorithm;     /* sort/sort_run.c */
extern const sscrap_algorithm listrank_algorithm; /* listrank/listrank_run.c */
extern const sscrap_algorithm matmul_algorithm;   /* matmul/matmul_run.c */

#endif
