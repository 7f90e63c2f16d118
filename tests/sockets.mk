# SPDX-License-Identifier: BSD-3-Clause
# cm-sockets, and the same program receiving what was made wrong on purpose.
check_PROGRAMS += unit_sockets sockets_faulty
TESTS += unit_sockets sockets.sh
dist_check_SCRIPTS += sockets.sh
sockets_sources = ../network/sockets/sockets_connect.c ../network/sockets/sockets_histogram.c ../network/sockets/sockets_meter.c \
    ../network/sockets/sockets_metrics.c ../network/sockets/sockets_one_way.c ../network/sockets/sockets_pattern.c \
    ../network/sockets/sockets_place.c ../network/sockets/sockets_plan.c ../network/sockets/sockets_report.c \
    ../network/sockets/sockets_run.c ../network/sockets/sockets_sequence.c ../network/sockets/sockets_tcp_stream.c \
    ../network/sockets/sockets_tcp_turn.c ../network/sockets/sockets_transfer.c ../network/sockets/sockets_udp_stream.c \
    ../network/sockets/sockets_udp_turn.c
unit_sockets_SOURCES = unit_sockets.c ../network/sockets/sockets_histogram.c ../network/sockets/sockets_pattern.c \
    ../network/sockets/sockets_plan.c ../network/sockets/sockets_sequence.c
# Objects of its own: those of ../netpipe would be compiled twice under one name, and only the
# Makefile that did it last would know what they depend on.
unit_sockets_CPPFLAGS = $(AM_CPPFLAGS)
sockets_faulty_SOURCES = sockets_faulty.c ../network/sockets/sockets.c $(sockets_sources)
sockets_faulty_CPPFLAGS = $(AM_CPPFLAGS) -Drecv=sockets_faulty_recv
sockets.log: sockets_faulty$(EXEEXT) run-ranks
