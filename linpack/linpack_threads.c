/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_threads.c: on how many threads the BLAS runs. */
#include "config.h"
#include "linpack.h"

#ifdef HAVE_OPENBLAS
void openblas_set_num_threads(int threads);
void linpack_threads(int threads) { openblas_set_num_threads(threads); }
#else
void linpack_threads(int threads) { (void)threads; }
#endif
