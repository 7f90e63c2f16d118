# SPDX-License-Identifier: BSD-3-Clause
# Tests of cmrun and of PMI-1, its ranks' side and its own.
check_PROGRAMS += launch/client launch/line
launch_client_SOURCES = launch/client.c
launch_line_SOURCES = launch/line.c
TESTS += launch/line launch/run.sh launch/keep.sh launch/pmi.sh
dist_check_SCRIPTS += launch/deaf.sh launch/run.sh launch/end.sh launch/keep.sh launch/pmi.sh
EXTRA_DIST += launch/tap.sh

# How often cmrun answers while a job starts and ends, with cmrun's own PMI server.
if CM_PMI
check_PROGRAMS += launch/answers
TESTS += launch/answers
launch_answers_SOURCES = launch/answers.c ../src/launch/pmi_server.c ../src/launch/key_table.c
launch_answers_CPPFLAGS = $(AM_CPPFLAGS)

# Ranks that die under a launcher that does not care.
check_PROGRAMS += launch/deaf
TESTS += launch/deaf.sh
launch_deaf_SOURCES = launch/deaf.c ../src/launch/pmi_server.c ../src/launch/key_table.c
launch_deaf_CPPFLAGS = $(AM_CPPFLAGS)
endif

# virtual-cluster.
TESTS += launch/virtual.sh
dist_check_SCRIPTS += launch/virtual.sh

# On several hosts: a launcher that only changes the host name, and hosts made of network
# namespaces.
check_PROGRAMS += launch/hosts_program
launch_hosts_program_SOURCES = launch/hosts_program.c
TESTS += launch/hosts.sh launch/hosts_tree.sh launch/hosts_differ.sh launch/hosts_network.sh \
    launch/hosts_addresses.sh launch/hosts_check.sh
dist_check_SCRIPTS += launch/hosts.sh launch/hosts_tree.sh launch/hosts_differ.sh \
    launch/hosts_end.sh launch/hosts_network.sh launch/hosts_addresses.sh \
    launch/hosts_check.sh
EXTRA_DIST += launch/hosts_tap.sh

launch/deaf.log: launch/client$(EXEEXT) faults/program$(EXEEXT)

# Under a Slurm that the test starts itself.
if CM_PMI
dist_check_SCRIPTS += launch/slurm.sh
LONG_TESTS += launch/slurm.sh
launch/slurm.log: launch/client$(EXEEXT)
endif

# A job of Slurm, ssh, the MPI's own launcher, cmrun and virtual hosts.
dist_check_SCRIPTS += launch/same_page_long.sh
LONG_TESTS += launch/same_page_long.sh
EXTRA_DIST += launch/page_outline.py

# cmrun compiled anew under sanitizers (sanitize.inc).
dist_check_SCRIPTS += launch/sanitize.sh
LONG_TESTS += launch/sanitize.sh
launch/sanitize.log: launch/client$(EXEEXT) launch/hosts_program$(EXEEXT)

# Tests of how jobs end mostly wait for time limits. In builds whose programs cmrun cannot start, it
# is the same cmrun that another build tests.
if CM_PMI
TESTS += launch/end.sh launch/hosts_end.sh
else
LONG_TESTS += launch/end.sh launch/hosts_end.sh
endif
