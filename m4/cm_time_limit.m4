# SPDX-License-Identifier: BSD-3-Clause
# CM_TIME_LIMIT: sets cm_limit to a command prefix that ends a hanging command after a minute, or to
# nothing. A broken MPI usually hangs instead of failing.
AC_DEFUN([CM_TIME_LIMIT], [
cm_limit=
AS_IF([timeout -k 5 60 true 2>/dev/null], [cm_limit="timeout -k 5 60"])
])
