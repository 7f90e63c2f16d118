# SPDX-License-Identifier: BSD-3-Clause
# blas: what the benchmarks need of the BLAS. A library of
# its own: libclustermark is linked without one.
if HAVE_BLAS
noinst_LTLIBRARIES += libcmblas.la
endif
libcmblas_la_SOURCES = blas/blas.h blas/gemm.c blas/kernel.c blas/suited.c
