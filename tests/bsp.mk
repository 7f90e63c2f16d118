# SPDX-License-Identifier: BSD-3-Clause
# BSPlib on the communication layer, and the programs of sscrap/ on it.
RANKS_TESTS += bsp_conform.ranks bsp_messages.ranks bsp_exchange.ranks bsp_textbook.ranks \
    bsp_textbook_size.ranks bsp_few.ranks bsp_part.ranks
# Programs are linked with the static library, whose calls between its files pass here.
bsp_exchange_ranks_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=cm_send -Wl,--wrap=cm_isend \
    -Wl,--wrap=cm_sendrecv -Wl,--wrap=cm_barrier -Wl,--wrap=cm_allreduce -Wl,--wrap=cm_alltoall
# A program for BSPlib includes bsp.h.
bsp_textbook_ranks_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src/bsp
bsp_textbook_size_ranks_CPPFLAGS = $(bsp_textbook_ranks_CPPFLAGS)
bsp_few_ranks_CPPFLAGS = $(bsp_textbook_ranks_CPPFLAGS)
bsp_part_ranks_CPPFLAGS = $(bsp_textbook_ranks_CPPFLAGS)
# What sizes may be: which programs compile, and two that run as C99 and as C++.
dist_check_SCRIPTS += bsp_sizes.sh
TESTS += bsp_sizes.sh
check_PROGRAMS += bsp_size_c99
bsp_size_c99_SOURCES = bsp_textbook_size.c
bsp_size_c99_CPPFLAGS = $(bsp_textbook_ranks_CPPFLAGS)
bsp_size_c99_CFLAGS = $(AM_CFLAGS) -std=c99
if HAVE_CXX
found_cxx = $(CXX)
bsp_cxx_program = bsp_size_cxx$(EXEEXT)
check_PROGRAMS += bsp_size_cxx
bsp_size_cxx_SOURCES = bsp_size_cxx.cc
bsp_size_cxx_CPPFLAGS = $(bsp_textbook_ranks_CPPFLAGS)
endif
AM_TESTS_ENVIRONMENT += TEST_CXX='$(found_cxx)'; export TEST_CXX;
bsp_sizes.log: run-ranks bsp_size_c99$(EXEEXT) $(bsp_cxx_program)
# From Fortran: module cm_bsp.
RANKS_TESTS += fortran_bsp.ranks fortran_bsp_textbook.ranks
fortran_bsp_ranks_SOURCES = fortran_bsp.f90
fortran_bsp_ranks_FCFLAGS = $(fortran_comm_ranks_FCFLAGS)
fortran_bsp_textbook_ranks_SOURCES = fortran_bsp_textbook.f90
fortran_bsp_textbook_ranks_FCFLAGS = $(fortran_comm_ranks_FCFLAGS)
check_PROGRAMS += bsp_wrong fortran_bsp_wrong
fortran_bsp_wrong_SOURCES = fortran_bsp_wrong.f90
fortran_bsp_wrong_FCFLAGS = $(fortran_comm_ranks_FCFLAGS)
fortran_bsp_ranks-fortran_bsp.$(OBJEXT) fortran_bsp_textbook_ranks-fortran_bsp_textbook.$(OBJEXT) \
    fortran_bsp_wrong-fortran_bsp_wrong.$(OBJEXT): $(top_builddir)/src/cm_bsp.mod
bsp_wrong_CPPFLAGS = $(bsp_textbook_ranks_CPPFLAGS)
dist_check_SCRIPTS += bsp_wrong.sh
TESTS += bsp_wrong.sh
bsp_wrong.log: run-ranks bsp_wrong$(EXEEXT) fortran_bsp_wrong$(EXEEXT) bsp_conform.ranks

dist_check_SCRIPTS += sort.sh listrank.sh
TESTS += sort.sh listrank.sh
sort.log listrank.log: run-ranks
RANKS_TESTS += sort_retry.ranks
sort_retry_ranks_SOURCES = sort_retry.c contract.h ../sscrap/sort/sort_run.c ../sscrap/sort/sort_keys.c \
    ../sscrap/sort/sort_no_vector.c ../sscrap/sort/sort_plan.c ../sscrap/sort/sort_spread.c \
    ../sscrap/sort/sort_two.c
sort_retry_ranks_CPPFLAGS = $(AM_CPPFLAGS)
sort_retry_ranks_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
# The local sort, which sort_retry.ranks and cm-sort use.
check_PROGRAMS += unit_sort_spread
TESTS += unit_sort_spread
unit_sort_spread_SOURCES = unit_sort_spread.c ../sscrap/sort/sort_keys.c ../sscrap/sort/sort_plan.c \
    ../sscrap/sort/sort_spread.c
unit_sort_spread_CPPFLAGS = $(AM_CPPFLAGS)
unit_sort_spread_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
# The same programs, with results that are wrong on purpose.
check_PROGRAMS += sort_faulty listrank_faulty
sort_faulty_SOURCES = sort_faulty.c ../sscrap/sort/sort.c ../sscrap/sort/sort_run.c ../sscrap/sort/sort_keys.c \
    ../sscrap/sort/sort_plan.c ../sscrap/sort/sort_spread.c ../sscrap/sort/sort_two.c
sort_faulty_CPPFLAGS = $(AM_CPPFLAGS)
sort_faulty_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
listrank_faulty_SOURCES = listrank_faulty.c ../sscrap/listrank/listrank.c ../sscrap/listrank/listrank_copy.c \
    ../sscrap/listrank/listrank_list.c ../sscrap/listrank/listrank_level.c ../sscrap/listrank/listrank_pair.c ../sscrap/listrank/listrank_walk.c
listrank_faulty_CPPFLAGS = $(AM_CPPFLAGS)
listrank_faulty_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
sort.log: sort_faulty$(EXEEXT)
listrank.log: listrank_faulty$(EXEEXT)
# What is no list.
check_PROGRAMS += listrank_endless
listrank_endless_SOURCES = listrank_endless.c ../sscrap/listrank/listrank_copy.c ../sscrap/listrank/listrank_level.c \
    ../sscrap/listrank/listrank_pair.c ../sscrap/listrank/listrank_walk.c
listrank_endless_CPPFLAGS = $(AM_CPPFLAGS)
listrank_endless_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
listrank.log: listrank_endless$(EXEEXT)

# cm-matmul, and the same program with products that are wrong on purpose.
check_PROGRAMS += matmul_faulty
dist_check_SCRIPTS += matmul.sh
TESTS += matmul.sh
matmul_faulty_SOURCES = matmul_faulty.c ../sscrap/matmul/matmul.c ../sscrap/matmul/matmul_run.c \
    ../sscrap/matmul/matmul_verify.c ../src/blas/suited.c
matmul_faulty_CPPFLAGS = $(AM_CPPFLAGS)
matmul_faulty_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
matmul.log: matmul_faulty$(EXEEXT) run-ranks
dist_check_SCRIPTS += bspbench.sh
TESTS += bspbench.sh
bspbench.log: run-ranks
