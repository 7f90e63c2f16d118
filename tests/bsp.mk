# SPDX-License-Identifier: BSD-3-Clause
# BSPlib on the communication layer, and the programs of sscrap/ on it.
RANKS_TESTS += bsp_conform.ranks bsp_textbook.ranks bsp_few.ranks
# A program for BSPlib includes bsp.h.
bsp_textbook_ranks_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src/bsp
bsp_few_ranks_CPPFLAGS = $(bsp_textbook_ranks_CPPFLAGS)
check_PROGRAMS += bsp_wrong
bsp_wrong_CPPFLAGS = $(bsp_textbook_ranks_CPPFLAGS)
dist_check_SCRIPTS += bsp_wrong.sh
TESTS += bsp_wrong.sh
bsp_wrong.log: run-ranks bsp_wrong$(EXEEXT)

dist_check_SCRIPTS += sort.sh listrank.sh
TESTS += sort.sh listrank.sh
sort.log listrank.log: run-ranks
