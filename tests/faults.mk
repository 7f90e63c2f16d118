# SPDX-License-Identifier: BSD-3-Clause
# Faults in the default mode of the sockets backend: ranks killed or stopped at every stage, links
# pulled, transfers in small pieces, limits too low.
check_PROGRAMS += faults_program
faults_program_SOURCES = faults_program.c faults_shim.c faults_shim.h
faults_program_LDADD = $(LDADD) -ldl
TESTS += faults_stages.sh faults_pieces.sh faults_limits.sh faults_links.sh rails.sh
LONG_TESTS += faults_long.sh
dist_check_SCRIPTS += faults_stages.sh faults_pieces.sh faults_limits.sh faults_links.sh \
    faults_long.sh rails.sh
EXTRA_DIST += faults_tap.sh
AM_TESTS_ENVIRONMENT += HYDRA_MPIEXEC='$(HYDRA_MPIEXEC)'; export HYDRA_MPIEXEC;
faults_stages.log faults_pieces.log faults_limits.log faults_links.log faults_long.log rails.log: \
    run-ranks launch_client$(EXEEXT) faults_program$(EXEEXT) faults_shim.so

# The same faults for programs that know nothing of them.
check_DATA = faults_shim.so
CLEANFILES += faults_shim.so
faults_shim.so: faults_shim.c faults_shim.h
	$(AM_V_CC)$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -shared -fPIC -o $@ \
	    $(srcdir)/faults_shim.c -ldl
