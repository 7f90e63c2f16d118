# SPDX-License-Identifier: BSD-3-Clause
# run: what every benchmark's main does around its own work.
nobase_pkginclude_HEADERS += run/run.h
libclustermark_la_SOURCES += run/counters.h run/energy.h run/hosts.h run/ring.h \
	run/computers.c run/counters.c \
	run/energy.c run/hosts.c run/processes.c run/place.c run/ring.c run/run.c run/shape.c
AM_CPPFLAGS += -DRUN_MPIEXEC='"$(MPIEXEC)"'
