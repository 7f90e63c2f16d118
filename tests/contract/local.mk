# SPDX-License-Identifier: BSD-3-Clause
# The contract of comm.h: a source for each group of calls (contract/subject.h), which use comm.h
# only and run with every backend, and all of them in one program.
RANKS_TESTS += contract/contract.ranks contract/coalesce.ranks contract/delay.ranks
contract_contract_ranks_SOURCES = contract/contract.c contract/subject.h contract/life.c \
    contract/p2p.c contract/requests.c contract/probe.c contract/turns.c contract/groups.c \
    contract/collectives.c contract/reductions.c contract/nonblocking.c contract/overlap.c \
    contract/allocate.c contract/sample.c contract/bsp_conform.c contract/bsp_messages.c \
    contract/bsp_exchange.c contract/bsp_level1.c contract/bsp_standard.c contract/bsp_now.c
# For bsp_exchange.c. Programs are linked with the static library, where calls between its files can
# be intercepted.
contract_contract_ranks_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=cm_send -Wl,--wrap=cm_isend \
    -Wl,--wrap=cm_sendrecv -Wl,--wrap=cm_barrier -Wl,--wrap=cm_allreduce -Wl,--wrap=cm_alltoall
LONG_RANKS_TESTS += contract/large.ranks
check_PROGRAMS += contract/wrong contract/failure contract/survival contract/farm
dist_check_SCRIPTS += contract/wrong.sh contract/failure.sh contract/valgrind.sh contract/rails.sh \
    contract/rails_long.sh
TESTS += contract/wrong.sh contract/failure.sh contract/rails.sh
LONG_TESTS += contract/valgrind.sh contract/rails_long.sh
EXTRA_DIST += contract/algorithms.h contract/failure.h
# Ranks that call each other first at the same moment.
check_PROGRAMS += contract/crossing
TESTS += contract/crossing.sh
dist_check_SCRIPTS += contract/crossing.sh
contract/crossing.log: run-ranks contract/crossing$(EXEEXT)

# Several transports, on several hosts.
TESTS += contract/hosts.sh
dist_check_SCRIPTS += contract/hosts.sh
contract/hosts.log: run-ranks launch/client$(EXEEXT) launch/hosts_program$(EXEEXT) \
    faults/program$(EXEEXT) contract/contract.ranks$(EXEEXT) contract/coalesce.ranks$(EXEEXT)
contract/wrong.log: run-ranks contract/wrong$(EXEEXT) contract/contract.ranks$(EXEEXT)
contract/failure.log: run-ranks contract/failure$(EXEEXT) contract/survival$(EXEEXT) \
    contract/farm$(EXEEXT)
contract/rails.log contract/rails_long.log: run-ranks contract/failure$(EXEEXT) \
    contract/contract.ranks$(EXEEXT)
contract/rails_long.log: contract/large.ranks$(EXEEXT)
contract/valgrind.log: run-ranks contract/contract.ranks$(EXEEXT)

# Long messages inside a host, each way, and where the system forbids one.
check_PROGRAMS += contract/copies contract/forbid
# The engine's calls of the kernel, which a test makes fail. Programs are linked with the static
# library.
contract_copies_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=cm_copy_bytes
TESTS += contract/copies.sh
dist_check_SCRIPTS += contract/copies.sh
contract/copies.log: run-ranks contract/copies$(EXEEXT) contract/forbid$(EXEEXT)

# A third transport.
dist_check_SCRIPTS += contract/transports.sh
EXTRA_DIST += contract/toy/toy.c contract/toy/describe.c
LONG_TESTS += contract/transports.sh
contract/transports.log: run-ranks

# Collectives on several hosts with several ranks each.
dist_check_SCRIPTS += contract/hosts_named.sh
TESTS += contract/hosts_named.sh
contract/hosts_named.log: launch/client$(EXEEXT) contract/contract.ranks$(EXEEXT)

# What is never received or never completed.
check_PROGRAMS += contract/leftover
contract_leftover_SOURCES = contract/leftover.c
TESTS += contract/leftover.sh
dist_check_SCRIPTS += contract/leftover.sh
contract/leftover.log: run-ranks contract/leftover$(EXEEXT)

# How many messages the mpi backend's start takes.
if CM_COMM_MPI
if !CM_SMPI
RANKS_TESTS += contract/start_messages.ranks
endif
endif
EXTRA_DIST += contract/start_messages.c
contract_start_messages_ranks_SOURCES = contract/start_messages.c
contract_start_messages_ranks_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)

# Senders that are faster than their receivers.
check_PROGRAMS += contract/flow
contract_flow_SOURCES = contract/flow.c
TESTS += contract/flow.sh
LONG_TESTS += contract/flow_long.sh
dist_check_SCRIPTS += contract/flow.sh contract/flow_long.sh
contract/flow.log: run-ranks contract/flow$(EXEEXT) contract/contract.ranks$(EXEEXT)
contract/flow_long.log: run-ranks contract/flow$(EXEEXT)

# Compiled again under sanitizers (sanitize.inc).
dist_check_SCRIPTS += contract/sanitize.sh contract/thread_sanitize.sh \
    contract/thread_sanitize_long.sh
LONG_TESTS += contract/sanitize.sh contract/thread_sanitize.sh contract/thread_sanitize_long.sh
contract/sanitize.log contract/thread_sanitize.log: run-ranks
contract/sanitize.log: contract/forbid$(EXEEXT)

# From Fortran: module cm_comm.
RANKS_TESTS += contract/fortran_comm.ranks
contract_fortran_comm_ranks_SOURCES = contract/fortran_comm.f90
contract_fortran_comm_ranks_FCFLAGS = $(FC_MODINC)$(top_builddir)/src $(AM_FCFLAGS)
check_PROGRAMS += contract/fortran_wrong
contract_fortran_wrong_SOURCES = contract/fortran_wrong.f90
contract_fortran_wrong_FCFLAGS = $(contract_fortran_comm_ranks_FCFLAGS)
dist_check_SCRIPTS += contract/fortran_wrong.sh
TESTS += contract/fortran_wrong.sh
CLEANFILES += *.mod
contract/fortran_wrong.log: run-ranks contract/fortran_wrong$(EXEEXT)
contract/fortran_comm_ranks-fortran_comm.$(OBJEXT) contract/fortran_wrong-fortran_wrong.$(OBJEXT): \
    $(top_builddir)/src/cm_comm.mod

# BSPlib on the communication layer: whole programs; contract.ranks has the rest.
RANKS_TESTS += contract/bsp_textbook.ranks contract/bsp_textbook_size.ranks \
    contract/bsp_few.ranks contract/bsp_part.ranks contract/bsp_textbook_lu.ranks \
    contract/bsp_textbook_parts.ranks contract/bsp_textbook_more.ranks contract/bsp_parts.ranks \
    contract/bsp_parts_main.ranks
# A program for BSPlib includes bsp.h.
contract_bsp_textbook_ranks_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src/bsp
contract_bsp_textbook_size_ranks_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
contract_bsp_textbook_lu_ranks_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
contract_bsp_textbook_parts_ranks_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
contract_bsp_textbook_more_ranks_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
contract_bsp_parts_ranks_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
contract_bsp_parts_main_ranks_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
contract_bsp_few_ranks_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
contract_bsp_part_ranks_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
# Allowed sizes: programs that must or must not compile, and two that run as C99 and as C++.
dist_check_SCRIPTS += contract/bsp_sizes.sh
TESTS += contract/bsp_sizes.sh
check_PROGRAMS += contract/bsp_size_c99
contract_bsp_size_c99_SOURCES = contract/bsp_textbook_size.c
contract_bsp_size_c99_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
contract_bsp_size_c99_CFLAGS = $(AM_CFLAGS) -std=c99
if HAVE_CXX
bsp_cxx_program = contract/bsp_size_cxx$(EXEEXT)
check_PROGRAMS += contract/bsp_size_cxx
contract_bsp_size_cxx_SOURCES = contract/bsp_size_cxx.cc
contract_bsp_size_cxx_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
endif
contract/bsp_sizes.log: run-ranks contract/bsp_size_c99$(EXEEXT) $(bsp_cxx_program)
# From Fortran: module cm_bsp.
RANKS_TESTS += contract/fortran_bsp.ranks contract/fortran_bsp_textbook.ranks
contract_fortran_bsp_ranks_SOURCES = contract/fortran_bsp.f90
contract_fortran_bsp_ranks_FCFLAGS = $(contract_fortran_comm_ranks_FCFLAGS)
contract_fortran_bsp_textbook_ranks_SOURCES = contract/fortran_bsp_textbook.f90
contract_fortran_bsp_textbook_ranks_FCFLAGS = $(contract_fortran_comm_ranks_FCFLAGS)
check_PROGRAMS += contract/bsp_wrong contract/fortran_bsp_wrong
contract_fortran_bsp_wrong_SOURCES = contract/fortran_bsp_wrong.f90
contract_fortran_bsp_wrong_FCFLAGS = $(contract_fortran_comm_ranks_FCFLAGS)
contract/fortran_bsp_ranks-fortran_bsp.$(OBJEXT) \
    contract/fortran_bsp_textbook_ranks-fortran_bsp_textbook.$(OBJEXT) \
    contract/fortran_bsp_wrong-fortran_bsp_wrong.$(OBJEXT): $(top_builddir)/src/cm_bsp.mod
contract_bsp_wrong_CPPFLAGS = $(contract_bsp_textbook_ranks_CPPFLAGS)
dist_check_SCRIPTS += contract/bsp_wrong.sh
TESTS += contract/bsp_wrong.sh
dist_check_SCRIPTS += contract/bsp_rounds.sh
TESTS += contract/bsp_rounds.sh
contract/bsp_rounds.log: run-ranks contract/contract.ranks$(EXEEXT)
# Which test shows which sentence of the standard.
EXTRA_DIST += contract/bsp_sentences.tab
dist_check_SCRIPTS += contract/bsp_sentences.sh
TESTS += contract/bsp_sentences.sh
contract/bsp_wrong.log: run-ranks contract/bsp_wrong$(EXEEXT) contract/fortran_bsp_wrong$(EXEEXT) \
    contract/contract.ranks$(EXEEXT)

# A second build, over Open MPI, and tests in it.
dist_check_SCRIPTS += contract/openmpi.sh
LONG_TESTS += contract/openmpi.sh
