# SPDX-License-Identifier: BSD-3-Clause
# CM_INSTALLED_FLAGS: sets CM_LIBS, the libraries that ours needs, and the flags and modules in
# clustermark.pc. A static library does not carry its own needs, so without a shared library they
# are in Libs and Requires and not in Libs.private and Requires.private. cm_library_modules and
# cm_library_libs are those of CM_LIBRARY, as modules of pkg-config or, if it does not know them, as
# flags.
AC_DEFUN([CM_INSTALLED_FLAGS], [
CM_LIBS="$MPI_LIBS $HWLOC_LIBS $JANSSON_LIBS $CRYPTO_LIBS"
AC_SUBST([CM_LIBS])
cm_needs="$MPI_LIBS$cm_library_libs $LIBS"
AS_IF([test "$enable_shared" = yes],
  [PC_LIBS= PC_LIBS_PRIVATE=$cm_needs PC_REQUIRES= PC_REQUIRES_PRIVATE=$cm_library_modules],
  [PC_LIBS=$cm_needs PC_LIBS_PRIVATE= PC_REQUIRES=$cm_library_modules PC_REQUIRES_PRIVATE=])
AC_SUBST([PC_LIBS])
AC_SUBST([PC_LIBS_PRIVATE])
AC_SUBST([PC_REQUIRES])
AC_SUBST([PC_REQUIRES_PRIVATE])
])
