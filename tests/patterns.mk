# SPDX-License-Identifier: BSD-3-Clause
# The programs that measure patterns between pairs of ranks, and their figures.
TESTS += patterns.sh
dist_check_SCRIPTS += patterns.sh
EXTRA_DIST += figure.inc
patterns.log: run-ranks
