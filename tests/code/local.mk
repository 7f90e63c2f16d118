# SPDX-License-Identifier: BSD-3-Clause
# Rules for all sources.
TESTS += code/dead_code.sh
ONCE_TESTS += code/form.sh code/revision.sh
# Builds the package a second time.
LONG_TESTS += code/adding.sh
dist_check_SCRIPTS += code/dead_code.sh code/form.sh code/adding.sh code/revision.sh
code/adding.log: run-ranks
