# SPDX-License-Identifier: BSD-3-Clause
# cm-netpipe, its figures, and the suite that runs it and makes the report.
check_PROGRAMS += unit_netpipe
TESTS += unit_netpipe netpipe.sh suite.sh
dist_check_SCRIPTS += netpipe.sh suite.sh
unit_netpipe_SOURCES = unit_netpipe.c ../netpipe/netpipe_buffers.c ../netpipe/netpipe_calibrate.c \
    ../netpipe/netpipe_control.c ../netpipe/netpipe_pairs.c ../netpipe/netpipe_pattern.c \
    ../netpipe/netpipe_place.c ../netpipe/netpipe_sizes.c
RANKS_TESTS += netpipe_modes.ranks
netpipe_modes_ranks_SOURCES = netpipe_modes.c ../netpipe/netpipe_both.c \
    ../netpipe/netpipe_buffers.c ../netpipe/netpipe_calibrate.c ../netpipe/netpipe_control.c \
    ../netpipe/netpipe_exchange.c ../netpipe/netpipe_measure.c ../netpipe/netpipe_pairs.c \
    ../netpipe/netpipe_pattern.c ../netpipe/netpipe_pingpong.c ../netpipe/netpipe_place.c \
    ../netpipe/netpipe_stream.c ../netpipe/netpipe_turns.c
EXTRA_DIST += script.inc
