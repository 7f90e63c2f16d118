# SPDX-License-Identifier: BSD-3-Clause
# cm-collective, and the same program with operations that go wrong on purpose.
check_PROGRAMS += collective_faulty
TESTS += collective.sh
dist_check_SCRIPTS += collective.sh
collective_faulty_SOURCES = collective_faulty.c ../netpipe/collective.c ../netpipe/collective_clock.c \
    ../netpipe/collective_measure.c ../netpipe/collective_operation.c ../netpipe/collective_plan.c \
    ../netpipe/collective_report.c ../netpipe/collective_verify.c ../netpipe/collective_window.c
collective_faulty_CPPFLAGS = $(AM_CPPFLAGS) -Dcm_bcast=collective_faulty_bcast \
    -Dcm_allreduce=collective_faulty_allreduce -Dcm_alltoall=collective_faulty_alltoall \
    -Dcm_barrier=collective_faulty_barrier
collective_faulty_LDADD = ../netpipe/libnetpipe.la $(LDADD)
RANKS_TESTS += collective_clock.ranks
collective_clock_ranks_SOURCES = collective_clock.c ../netpipe/collective_clock.c
collective.log: collective_faulty$(EXEEXT) run-ranks
