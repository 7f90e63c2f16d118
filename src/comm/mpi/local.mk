# SPDX-License-Identifier: BSD-3-Clause
# The MPI backend is a library of its own, so that only its files get MPI's flags.
noinst_LTLIBRARIES += libcm_mpi.la
libcm_mpi_la_SOURCES = comm/mpi/backend_mpi.h comm/mpi/length.h comm/mpi/length.c comm/mpi/life.c \
    comm/mpi/state.c \
    comm/mpi/error.c comm/mpi/group.c comm/mpi/message.c comm/mpi/self.c comm/mpi/request.c \
    comm/mpi/several.c comm/mpi/progress.c comm/mpi/collective.c comm/mpi/pair.c \
    comm/mpi/failure.c comm/mpi/describe.c comm/mpi/hydra.c comm/mpi/hydra.h \
    comm/mpi/launcher.c comm/mpi/launcher.h comm/mpi/compute.c comm/dummy/direct.c
if CM_SMPI
libcm_mpi_la_SOURCES += comm/mpi/simulated.c
endif
libcm_mpi_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) -DCM_MPIEXEC='"$(MPIEXEC)"'
libclustermark_la_LIBADD += libcm_mpi.la
