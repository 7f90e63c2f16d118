# SPDX-License-Identifier: BSD-3-Clause
# cm-linpack, and its solvers against LAPACK's.
EXTRA_DIST += linpack_factor.inc
dist_check_SCRIPTS += linpack.sh
if HAVE_BLAS
TESTS += unit_linpack linpack.sh
check_PROGRAMS += unit_linpack
unit_linpack_LDADD = ../linpack/liblinpack.la $(LDADD) $(BLAS_LIBS) $(FCLIBS) -lm
RANKS_TESTS += linpack_factor.ranks linpack_answer.ranks
linpack_answer_ranks_SOURCES = linpack_answer.c
linpack_answer_ranks_LDADD = ../linpack/liblinpack.la $(LDADD) $(BLAS_LIBS) $(FCLIBS) -lm
linpack_factor_ranks_SOURCES = linpack_factor.c
linpack_factor_ranks_LDADD = ../linpack/liblinpack.la $(LDADD) $(BLAS_LIBS) $(FCLIBS) -lm
linpack.log: run-ranks
endif
