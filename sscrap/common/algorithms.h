/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h: the algorithms of sscrap/sort, listrank and matmul, for programs that run several
   of them. Each is in the library of its folder; that of matmul exists only with a BLAS. */
#ifndef SSCRAP_ALGORITHMS_H
#define SSCRAP_ALGORITHMS_H

#include "sscrap.h"

typedef struct {
    const char *name;   /* "sort" */
    const char *option; /* for its size, unlike those of the others: "--items" */
    const sscrap_problem *problem;
    const void *options; /* the defaults of its program, for the problem's functions */
} sscrap_algorithm;

extern const sscrap_algorithm sort_algorithm;     /* sort/sort_run.c */
extern const sscrap_algorithm listrank_algorithm; /* listrank/listrank_run.c */
extern const sscrap_algorithm matmul_algorithm;   /* matmul/matmul_run.c */

#endif
