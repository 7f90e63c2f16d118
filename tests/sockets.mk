# SPDX-License-Identifier: BSD-3-Clause
# cm-sockets, and the same program receiving what was made wrong on purpose.
check_PROGRAMS += unit_sockets sockets_faulty
TESTS += unit_sockets sockets.sh
dist_check_SCRIPTS += sockets.sh
sockets_sources = ../netpipe/sockets_connect.c ../netpipe/sockets_histogram.c ../netpipe/sockets_meter.c \
    ../netpipe/sockets_metrics.c ../netpipe/sockets_one_way.c ../netpipe/sockets_pattern.c \
    ../netpipe/sockets_place.c ../netpipe/sockets_plan.c ../netpipe/sockets_report.c \
    ../netpipe/sockets_run.c ../netpipe/sockets_sequence.c ../netpipe/sockets_tcp_stream.c \
    ../netpipe/sockets_tcp_turn.c ../netpipe/sockets_transfer.c ../netpipe/sockets_udp_stream.c \
    ../netpipe/sockets_udp_turn.c
unit_sockets_SOURCES = unit_sockets.c ../netpipe/sockets_histogram.c ../netpipe/sockets_pattern.c \
    ../netpipe/sockets_plan.c ../netpipe/sockets_sequence.c
# Objects of its own: those of ../netpipe would be compiled twice under one name, and only the
# Makefile that did it last would know what they depend on.
unit_sockets_CPPFLAGS = $(AM_CPPFLAGS)
sockets_faulty_SOURCES = sockets_faulty.c ../netpipe/sockets.c $(sockets_sources)
sockets_faulty_CPPFLAGS = $(AM_CPPFLAGS) -Drecv=sockets_faulty_recv
sockets.log: sockets_faulty$(EXEEXT) run-ranks
