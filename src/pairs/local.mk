# SPDX-License-Identifier: BSD-3-Clause
# Pairs of ranks that exchange messages: what cm-netpipe and the programs of network/ share.
noinst_LTLIBRARIES += libcmpairs.la
libcmpairs_la_SOURCES = pairs/both.c pairs/buffers.c pairs/compute.c pairs/control.c \
	pairs/cost.c pairs/distance.c pairs/exchange.c pairs/exchange.h pairs/fit.c pairs/job.c \
	pairs/job.h pairs/line.c pairs/line.h \
	pairs/measure.c pairs/obey.c pairs/pairs.c pairs/pairs.h pairs/pattern.c pairs/pingpong.c \
	pairs/place.c pairs/sizes.c pairs/stream.c pairs/turns.c pairs/window.c pairs/write.c \
	pairs/write.h
