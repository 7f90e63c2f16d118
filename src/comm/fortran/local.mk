# SPDX-License-Identifier: BSD-3-Clause
# Module cm_comm, which consists of a module for each part of comm.h. The object of a source that
# uses it depends on comm/fortran/cm_comm.lo; make cannot see that.
cm_comm_modules = cm_comm_types.mod cm_comm_text.mod cm_comm_life.mod cm_comm_message.mod \
	cm_comm_algorithm.mod cm_comm_reduction.mod cm_comm_collective.mod cm_comm.mod
libclustermark_la_SOURCES += comm/fortran/cm_comm_types.f90 comm/fortran/cm_comm_text.f90 \
	comm/fortran/cm_comm_life.f90 comm/fortran/cm_comm_message.f90 \
	comm/fortran/cm_comm_algorithm.f90 comm/fortran/cm_comm_reduction.f90 \
	comm/fortran/cm_comm_collective.f90 comm/fortran/cm_comm.f90 \
	comm/fortran/descriptor.h comm/fortran/comm_fortran.h comm/fortran/comm_life.c \
	comm/fortran/comm_message.c comm/fortran/comm_algorithm.c comm/fortran/comm_reduction.c \
	comm/fortran/comm_collective.c
fortran_modules += $(cm_comm_modules)
CLEANFILES += $(cm_comm_modules)

# The constants of the algorithms. The compiler looks for included files in the build folder.
AM_FCFLAGS += -I.
EXTRA_DIST += comm/fortran/algorithms.awk
CLEANFILES += comm/fortran/algorithms.inc
comm/fortran/algorithms.inc: comm/comm.h comm/fortran/algorithms.awk
	$(AM_V_GEN)$(MKDIR_P) comm/fortran && \
	  $(AWK) -f $(srcdir)/comm/fortran/algorithms.awk $(srcdir)/comm/comm.h >$@.new && mv $@.new $@
comm/fortran/cm_comm_algorithm.lo comm/fortran/cm_comm_algorithm.o: comm/fortran/algorithms.inc

comm/fortran/cm_comm_life.lo comm/fortran/cm_comm_life.o: comm/fortran/cm_comm_text.lo \
	comm/fortran/cm_comm_types.lo
comm/fortran/cm_comm_message.lo comm/fortran/cm_comm_message.o: comm/fortran/cm_comm_types.lo
comm/fortran/cm_comm_algorithm.lo comm/fortran/cm_comm_algorithm.o: comm/fortran/cm_comm_text.lo
comm/fortran/cm_comm_reduction.lo comm/fortran/cm_comm_reduction.o: \
	comm/fortran/cm_comm_algorithm.lo comm/fortran/cm_comm_types.lo
comm/fortran/cm_comm_collective.lo comm/fortran/cm_comm_collective.o: \
	comm/fortran/cm_comm_algorithm.lo comm/fortran/cm_comm_types.lo
comm/fortran/cm_comm.lo comm/fortran/cm_comm.o: comm/fortran/cm_comm_life.lo \
	comm/fortran/cm_comm_message.lo comm/fortran/cm_comm_reduction.lo \
	comm/fortran/cm_comm_collective.lo

# A missing module file is made by compiling its object again, after the modules that it uses.
cm_comm_types.mod: comm/fortran/cm_comm_types.lo
cm_comm_text.mod: comm/fortran/cm_comm_text.lo
cm_comm_life.mod: comm/fortran/cm_comm_life.lo cm_comm_text.mod cm_comm_types.mod
cm_comm_message.mod: comm/fortran/cm_comm_message.lo cm_comm_types.mod
cm_comm_algorithm.mod: comm/fortran/cm_comm_algorithm.lo cm_comm_text.mod
cm_comm_reduction.mod: comm/fortran/cm_comm_reduction.lo cm_comm_algorithm.mod cm_comm_types.mod
cm_comm_collective.mod: comm/fortran/cm_comm_collective.lo cm_comm_algorithm.mod cm_comm_types.mod
cm_comm.mod: comm/fortran/cm_comm.lo cm_comm_life.mod cm_comm_message.mod cm_comm_reduction.mod \
	cm_comm_collective.mod
$(cm_comm_modules):
	@test -f $@ || { object=comm/fortran/`basename $@ .mod`.lo && rm -f $$object && \
	  $(MAKE) $(AM_MAKEFLAGS) $$object; }
