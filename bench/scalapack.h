/* SPDX-License-Identifier: BSD-3-Clause */
/* scalapack.h: what ScaLAPACK and BLACS bring no header for, and OpenBLAS's threads. */
#ifndef BENCH_SCALAPACK_H
#define BENCH_SCALAPACK_H

#include "config.h"

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_gridexit(int context);
int numroc_(const int *n, const int *block, const int *process, const int *first,
            const int *processes);
void descinit_(int *descriptor, const int *m, const int *n, const int *mb, const int *nb,
               const int *first_row, const int *first_column, const int *context, const int *lda,
               int *info);

#ifdef HAVE_OPENBLAS
void openblas_set_num_threads(int threads);
#else
static inline void openblas_set_num_threads(int threads) { (void)threads; }
#endif

#endif
