# SPDX-License-Identifier: BSD-3-Clause
# The programs that measure patterns between pairs of ranks, and their figures.
TESTS += patterns.sh bisection.sh
dist_check_SCRIPTS += patterns.sh bisection.sh
EXTRA_DIST += figure.inc
patterns.log bisection.log: run-ranks
