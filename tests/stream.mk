# SPDX-License-Identifier: BSD-3-Clause
# cm-stream and the kernels of src/memory.
TESTS += unit_stream stream.sh
check_PROGRAMS += unit_stream
dist_check_SCRIPTS += stream.sh
stream.log: run-ranks
