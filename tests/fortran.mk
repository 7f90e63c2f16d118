# SPDX-License-Identifier: BSD-3-Clause
# The communication layer from Fortran: module cm_comm.
RANKS_TESTS += fortran_comm.ranks
fortran_comm_ranks_SOURCES = fortran_comm.f90
fortran_comm_ranks_FCFLAGS = $(FC_MODINC)$(top_builddir)/src $(AM_FCFLAGS)
check_PROGRAMS += fortran_wrong
fortran_wrong_SOURCES = fortran_wrong.f90
fortran_wrong_FCFLAGS = $(fortran_comm_ranks_FCFLAGS)
dist_check_SCRIPTS += fortran_wrong.sh
TESTS += fortran_wrong.sh
CLEANFILES += *.mod
fortran_wrong.log: run-ranks fortran_wrong$(EXEEXT)
fortran_comm_ranks-fortran_comm.$(OBJEXT) fortran_wrong-fortran_wrong.$(OBJEXT): \
    $(top_builddir)/src/cm_comm.mod
