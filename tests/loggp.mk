# SPDX-License-Identifier: BSD-3-Clause
# cm-loggp.
TESTS += loggp.sh
dist_check_SCRIPTS += loggp.sh
loggp.log: run-ranks
