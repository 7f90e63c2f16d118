# SPDX-License-Identifier: BSD-3-Clause
# The programs that measure patterns between pairs of ranks, and their figures.
TESTS += unit_linkmap patterns.sh bisection.sh linkmap.sh
check_PROGRAMS += unit_linkmap
unit_linkmap_CPPFLAGS = $(AM_CPPFLAGS)
unit_linkmap_SOURCES = unit_linkmap.c ../network/linkmap/linkmap_rounds.c
dist_check_SCRIPTS += patterns.sh bisection.sh linkmap.sh
EXTRA_DIST += figure.inc
patterns.log bisection.log linkmap.log: run-ranks
