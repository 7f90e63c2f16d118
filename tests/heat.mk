# SPDX-License-Identifier: BSD-3-Clause
# cm-heat.
TESTS += heat.sh heat_files.sh
dist_check_SCRIPTS += heat.sh heat_files.sh
heat.log heat_files.log: run-ranks
