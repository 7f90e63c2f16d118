# SPDX-License-Identifier: BSD-3-Clause
# blas: what the benchmarks need of the BLAS. It is a library of its own, because libclustermark is
# linked without a BLAS.
if HAVE_BLAS
noinst_LTLIBRARIES += libcmblas.la
endif
libcmblas_la_SOURCES = blas/blas.h blas/busy.c blas/gemm.c blas/library.c blas/low.c \
    blas/suited.c blas/symbols.h
