# SPDX-License-Identifier: BSD-3-Clause
# The communication layer.
nobase_pkginclude_HEADERS += comm/comm.h
libclustermark_la_SOURCES += comm/backend.h comm/environment.c comm/launch.c
if CM_COMM_MPI
include comm/mpi/local.mk
endif
