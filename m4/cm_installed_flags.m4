# SPDX-License-Identifier: BSD-3-Clause
# CM_INSTALLED_FLAGS: CM_LIBS, what the library needs, and what clustermark.pc
# says. A static library does not carry its own needs, so that without a shared
# one they belong to Libs, not to Libs.private.
AC_DEFUN([CM_INSTALLED_FLAGS], [
CM_LIBS="$MPI_LIBS $HWLOC_LIBS $JANSSON_LIBS $CRYPTO_LIBS"
AC_SUBST([CM_LIBS])
AS_IF([test "$enable_shared" = yes],
  [PC_LIBS= PC_LIBS_PRIVATE="$CM_LIBS $LIBS"], [PC_LIBS="$CM_LIBS $LIBS" PC_LIBS_PRIVATE=])
AC_SUBST([PC_LIBS])
AC_SUBST([PC_LIBS_PRIVATE])
])
