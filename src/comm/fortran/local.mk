# SPDX-License-Identifier: BSD-3-Clause
# Module cm_comm. An object of a source that uses it depends on comm/fortran/cm_comm.lo, which make
# cannot see by itself.
libclustermark_la_SOURCES += comm/fortran/cm_comm.f90 comm/fortran/comm_fortran.c \
	comm/fortran/descriptor.h
fortran_modules += cm_comm.mod
CLEANFILES += cm_comm.mod
cm_comm.mod: comm/fortran/cm_comm.lo
	@test -f $@ || { rm -f comm/fortran/cm_comm.lo && \
	  $(MAKE) $(AM_MAKEFLAGS) comm/fortran/cm_comm.lo; }
