# SPDX-License-Identifier: BSD-3-Clause
# A second build, over Open MPI, and tests in there.
dist_check_SCRIPTS += openmpi.sh
LONG_TESTS += openmpi.sh
