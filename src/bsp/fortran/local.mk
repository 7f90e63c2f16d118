# SPDX-License-Identifier: BSD-3-Clause
# Module cm_bsp. Automake does not see that it uses cm_comm.
libclustermark_la_SOURCES += bsp/fortran/cm_bsp.f90 bsp/fortran/bsp_fortran.c
fortran_modules += cm_bsp.mod
CLEANFILES += cm_bsp.mod
bsp/fortran/cm_bsp.lo: comm/fortran/cm_comm.lo
cm_bsp.mod: bsp/fortran/cm_bsp.lo
	@test -f $@ || { rm -f bsp/fortran/cm_bsp.lo && \
	  $(MAKE) $(AM_MAKEFLAGS) bsp/fortran/cm_bsp.lo; }
