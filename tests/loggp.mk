# SPDX-License-Identifier: BSD-3-Clause
# cm-loggp.
check_PROGRAMS += unit_loggp
TESTS += unit_loggp loggp.sh
unit_loggp_LDADD = ../src/libcmpairs.la $(LDADD)
dist_check_SCRIPTS += loggp.sh
loggp.log: run-ranks
