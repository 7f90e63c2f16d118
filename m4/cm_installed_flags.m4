# SPDX-License-Identifier: BSD-3-Clause
# CM_INSTALLED_FLAGS: sets CM_LIBS, the libraries that ours needs, and the flags in clustermark.pc.
# A static library does not carry its own needs, so without a shared library they are in Libs and
# not in Libs.private.
AC_DEFUN([CM_INSTALLED_FLAGS], [
CM_LIBS="$MPI_LIBS $HWLOC_LIBS $JANSSON_LIBS $CRYPTO_LIBS"
AC_SUBST([CM_LIBS])
AS_IF([test "$enable_shared" = yes],
  [PC_LIBS= PC_LIBS_PRIVATE="$CM_LIBS $LIBS"], [PC_LIBS="$CM_LIBS $LIBS" PC_LIBS_PRIVATE=])
AC_SUBST([PC_LIBS])
AC_SUBST([PC_LIBS_PRIVATE])
])
