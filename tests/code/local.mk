# SPDX-License-Identifier: BSD-3-Clause
# What all sources must be like.
TESTS += code/dead_code.sh code/form.sh
# Builds the package once more.
LONG_TESTS += code/adding.sh
dist_check_SCRIPTS += code/dead_code.sh code/form.sh code/adding.sh
code/adding.log: run-ranks
