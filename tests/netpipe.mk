# SPDX-License-Identifier: BSD-3-Clause
# cm-netpipe, its figures, and the suite that runs it and makes the report.
check_PROGRAMS += unit_netpipe
TESTS += unit_netpipe netpipe.sh suite.sh suite_papers.sh
dist_check_SCRIPTS += netpipe.sh suite.sh suite_papers.sh
RANKS_TESTS += netpipe_modes.ranks
netpipe_library = ../src/libcmpairs.la $(LDADD)
unit_netpipe_LDADD = $(netpipe_library)
netpipe_modes_ranks_SOURCES = netpipe_modes.c ../netpipe/netpipe_overlap.c
netpipe_modes_ranks_LDADD = $(netpipe_library)
EXTRA_DIST += script.inc
