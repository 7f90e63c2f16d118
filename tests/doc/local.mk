# SPDX-License-Identifier: BSD-3-Clause
# The manual, man pages and completions are compared with the programs. The examples of the manual
# are built and run.
check_PROGRAMS += doc/pingpong doc/ring doc/master
doc_pingpong_SOURCES = ../doc/examples/pingpong.c
doc_master_SOURCES = ../doc/examples/master.c
doc_ring_SOURCES = ../doc/examples/ring.f90
doc_ring_FCFLAGS = $(FC_MODINC)$(top_builddir)/src $(AM_FCFLAGS)
../doc/examples/doc_ring-ring.$(OBJEXT): $(top_builddir)/src/cm_comm.mod
TESTS += doc/examples.sh
ONCE_TESTS += doc/manual.sh doc/pages.sh doc/manifests.sh
ANY_TESTS += doc/commands.sh
dist_check_SCRIPTS += doc/manual.sh doc/pages.sh doc/examples.sh doc/manifests.sh doc/commands.sh
EXTRA_DIST += doc/words.inc doc/commands.awk
doc/examples.log: doc/pingpong$(EXEEXT) doc/ring$(EXEEXT) doc/master$(EXEEXT) run-ranks
