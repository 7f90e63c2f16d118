# SPDX-License-Identifier: BSD-3-Clause
# The dummy backend's costs and answers, through the measuring code.
if CM_COMM_DUMMY
check_PROGRAMS += dummy_fit
TESTS += dummy_fit
endif
