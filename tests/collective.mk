# SPDX-License-Identifier: BSD-3-Clause
# cm-collective, and the same program with operations that go wrong on purpose.
check_PROGRAMS += collective_faulty
TESTS += collective.sh
dist_check_SCRIPTS += collective.sh
collective_faulty_SOURCES = collective_faulty.c ../network/collective/collective.c ../network/collective/collective_clock.c \
    ../network/collective/collective_measure.c ../network/collective/collective_operation.c ../network/collective/collective_plan.c \
    ../network/collective/collective_report.c ../network/collective/collective_verify.c ../network/collective/collective_window.c
collective_faulty_CPPFLAGS = $(AM_CPPFLAGS) -Dcm_bcast=collective_faulty_bcast \
    -Dcm_allreduce=collective_faulty_allreduce -Dcm_alltoall=collective_faulty_alltoall \
    -Dcm_barrier=collective_faulty_barrier
collective_faulty_LDADD = ../src/libcmpairs.la $(LDADD)
RANKS_TESTS += collective_clock.ranks
collective_clock_ranks_CPPFLAGS = $(AM_CPPFLAGS)
collective_clock_ranks_SOURCES = collective_clock.c ../network/collective/collective_clock.c
collective.log: collective_faulty$(EXEEXT) run-ranks
