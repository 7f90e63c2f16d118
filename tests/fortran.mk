# SPDX-License-Identifier: BSD-3-Clause
# The communication layer from Fortran: module cm_comm.
RANKS_TESTS += fortran_comm.ranks
fortran_comm_ranks_SOURCES = fortran_comm.f90
fortran_comm_ranks_FCFLAGS = $(FC_MODINC)$(top_builddir)/src $(AM_FCFLAGS)
