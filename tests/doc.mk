# SPDX-License-Identifier: BSD-3-Clause
# The manual, man pages and completions: do they say what the programs do? The manual's examples are
# built and run.
check_PROGRAMS += doc_pingpong doc_ring doc_master
doc_pingpong_SOURCES = ../doc/examples/pingpong.c
doc_master_SOURCES = ../doc/examples/master.c
doc_ring_SOURCES = ../doc/examples/ring.f90
doc_ring_FCFLAGS = $(FC_MODINC)$(top_builddir)/src $(AM_FCFLAGS)
../doc/examples/doc_ring-ring.$(OBJEXT): $(top_builddir)/src/cm_comm.mod
TESTS += doc_manual.sh doc_pages.sh doc_examples.sh
dist_check_SCRIPTS += doc_manual.sh doc_pages.sh doc_examples.sh
EXTRA_DIST += doc_words.inc
doc_examples.log: doc_pingpong$(EXEEXT) doc_ring$(EXEEXT) doc_master$(EXEEXT) run-ranks
