# SPDX-License-Identifier: BSD-3-Clause
# Faults in the default mode of the sockets backend: ranks that are killed or stopped at every
# stage, links that go down, transfers in small pieces, limits that are too low.
check_PROGRAMS += faults/program
faults_program_SOURCES = faults/program.c faults/shim.c faults/shim.h
faults_program_LDADD = $(LDADD) -ldl
# The same faults for this backend and for MPIs (make check-faults).
check_PROGRAMS += faults/victim
faults_victim_SOURCES = faults/victim.c
if CM_PMI
# What ranks of one host write into shared memory passes through the shim as well.
faults_program_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=cm_ring_write -Wl,--wrap=cm_ring_read \
    -Wl,--wrap=cm_copy_bytes
endif
TESTS += faults/stages.sh faults/pieces.sh faults/limits.sh faults/links.sh faults/rails.sh
LONG_TESTS += faults/long.sh faults/busy.sh faults/table.sh
dist_check_SCRIPTS += faults/stages.sh faults/pieces.sh faults/limits.sh faults/links.sh \
    faults/long.sh faults/rails.sh faults/busy.sh faults/table.sh
EXTRA_DIST += faults/tap.sh
faults/stages.log faults/pieces.log faults/limits.log faults/links.log faults/long.log \
    faults/rails.log faults/busy.log: \
    run-ranks launch/client$(EXEEXT) faults/program$(EXEEXT) faults/shim.so
faults/table.log: faults/victim$(EXEEXT)
faults/pieces.log: contract/contract.ranks$(EXEEXT)

# The same faults for programs that know nothing of them.
check_DATA += faults/shim.so
CLEANFILES += faults/shim.so
faults/shim.so: faults/shim.c faults/shim.h
	$(AM_V_at)$(MKDIR_P) faults
	$(AM_V_CC)$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -shared -fPIC -o $@ \
	    $(srcdir)/faults/shim.c -ldl
