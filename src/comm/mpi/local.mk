# SPDX-License-Identifier: BSD-3-Clause
# The MPI backend, a library of its own, so that MPI's flags reach its files alone.
noinst_LTLIBRARIES += libcm_mpi.la
libcm_mpi_la_SOURCES = comm/mpi/backend_mpi.c comm/mpi/failure.c comm/mpi/hydra.c comm/mpi/hydra.h \
    comm/mpi/launcher.c comm/mpi/launcher.h
libcm_mpi_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) -DCM_MPIEXEC='"$(MPIEXEC)"'
libclustermark_la_LIBADD += libcm_mpi.la
