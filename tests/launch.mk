# SPDX-License-Identifier: BSD-3-Clause
# Tests of cmrun and of PMI-1, its ranks' side and its own.
check_PROGRAMS += launch_client launch_line
launch_client_SOURCES = launch_client.c
launch_line_SOURCES = launch_line.c
TESTS += launch_line launch_run.sh launch_end.sh launch_keep.sh launch_pmi.sh
dist_check_SCRIPTS += launch_run.sh launch_end.sh launch_keep.sh launch_pmi.sh
EXTRA_DIST += launch_tap.sh
