# SPDX-License-Identifier: BSD-3-Clause
# What all sources must be like.
TESTS += code/dead_code.sh code/form.sh
dist_check_SCRIPTS += code/dead_code.sh code/form.sh
