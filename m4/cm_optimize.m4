# SPDX-License-Identifier: BSD-3-Clause
# CM_OPTIMIZE: the optimisation unless the user sets CFLAGS, CXXFLAGS or FCFLAGS. It comes before
# AC_PROG_CC, which would otherwise choose -O2. Sets cm_user_cflags and cm_user_fcflags to "set" if
# the user gave the flags.
AC_DEFUN([CM_OPTIMIZE], [
cm_user_cflags=${CFLAGS+set}
cm_user_fcflags=${FCFLAGS+set}
: ${CFLAGS="-O3 -g"}
: ${CXXFLAGS="-O3 -g"}
: ${FCFLAGS="-O3 -g"}
])
