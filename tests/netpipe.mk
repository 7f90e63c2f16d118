# SPDX-License-Identifier: BSD-3-Clause
# cm-netpipe, its figures, and the suite that runs it and makes the report.
check_PROGRAMS += unit_netpipe
TESTS += unit_netpipe netpipe.sh suite.sh
dist_check_SCRIPTS += netpipe.sh suite.sh
unit_netpipe_SOURCES = unit_netpipe.c ../netpipe/netpipe_buffers.c ../netpipe/netpipe_pattern.c \
    ../netpipe/netpipe_sizes.c
EXTRA_DIST += script.inc
