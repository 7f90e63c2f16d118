# SPDX-License-Identifier: BSD-3-Clause
# The communication layer: what all backends share, and the backend that was configured.
nobase_pkginclude_HEADERS += comm/comm.h
libclustermark_la_SOURCES += comm/backend.h
include comm/shared.mk
include comm/fortran/local.mk
if CM_COMM_MPI
include comm/mpi/local.mk
else
libclustermark_la_SOURCES += comm/compute.c
endif
if CM_PMI
include comm/engine/local.mk
endif
if CM_COMM_DUMMY
include comm/dummy/local.mk
else
# The clock is virtual, so no time needs to pass, and the dummy's groups do not ask the peers.
libclustermark_la_SOURCES += comm/delay.c comm/split_host.c
endif
