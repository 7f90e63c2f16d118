# SPDX-License-Identifier: BSD-3-Clause
# Tests of cmrun on several hosts: its frames and host lists, a launcher that only changes the host
# name, and hosts made of network namespaces.
check_PROGRAMS += unit_frame unit_hosts hosts_program
unit_frame_SOURCES = unit_frame.c ../src/launch/frame.c
unit_hosts_SOURCES = unit_hosts.c ../src/launch/host_list.c
hosts_program_SOURCES = hosts_program.c
TESTS += unit_frame unit_hosts hosts.sh hosts_end.sh hosts_network.sh
dist_check_SCRIPTS += hosts.sh hosts_end.sh hosts_network.sh
EXTRA_DIST += hosts_tap.sh
