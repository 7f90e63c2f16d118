# SPDX-License-Identifier: BSD-3-Clause
# CM_LANGUAGE: our C standard and our warnings. Both go into AM_CFLAGS and AM_FCFLAGS. These are
# before the user's flags on every command line, so that the user's flags win.
# CM_WARNINGS is for files that must be compiled without the machine's own instructions.
AC_DEFUN([CM_LANGUAGE], [
AC_REQUIRE([AC_PROG_GREP])
AS_VAR_IF([ac_prog_cc_stdc], [c11], [],
  [AC_MSG_ERROR(
    [$CC does not support C11, which clustermark requires; set CC to a compiler that does])])
CM_WARNINGS=
AC_LANG_PUSH([C])
CM_FLAG([-std=gnu11], [AS_VAR_APPEND([CM_WARNINGS], [" -std=gnu11"])])
CM_FLAG([-Wall], [AS_VAR_APPEND([CM_WARNINGS], [" -Wall"])])
CM_FLAG([-Wextra], [AS_VAR_APPEND([CM_WARNINGS], [" -Wextra"])])
AC_LANG_POP([C])
AC_SUBST([CM_WARNINGS])
AM_CFLAGS=$CM_WARNINGS
AC_SUBST([AM_CFLAGS])

dnl A program of the build tree is linked with libclustermark.a even with --enable-shared. It is
dnl then a binary and not libtool's shell script around one, and receives signals and arguments
dnl directly.
AC_SUBST([AM_LDFLAGS], [-static])
])
