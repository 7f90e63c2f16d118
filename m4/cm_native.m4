# SPDX-License-Identifier: BSD-3-Clause
# CM_NATIVE: the machine's instruction set, except with --disable-native, in a cross build, or with
# the user's own flags. Sets CM_NATIVE_CFLAGS and CM_NATIVE_FCFLAGS, which are part of AM_CFLAGS and
# AM_FCFLAGS.
AC_DEFUN([CM_NATIVE], [
AC_ARG_ENABLE([native], [AS_HELP_STRING([--disable-native],
  [build for any machine of this architecture instead of this machine's instruction set
   (for packages, and clusters with different nodes)])], [], [enable_native=yes])
CM_NATIVE_CFLAGS= CM_NATIVE_FCFLAGS=
AS_IF([test "$enable_native" = yes && test "$cross_compiling" != yes], [
  AS_IF([test "$cm_user_cflags" != set], [
    AC_LANG_PUSH([C])
    CM_FLAG([-march=native], [CM_NATIVE_CFLAGS=-march=native])
    AS_IF([test -z "$CM_NATIVE_CFLAGS"], [CM_FLAG([-mcpu=native], [CM_NATIVE_CFLAGS=-mcpu=native])])
    AC_LANG_POP([C])])
  AS_IF([test "$cm_user_fcflags" != set], [
    AC_LANG_PUSH([Fortran])
    CM_FLAG([-march=native], [CM_NATIVE_FCFLAGS=-march=native])
    AS_IF([test -z "$CM_NATIVE_FCFLAGS"],
      [CM_FLAG([-mcpu=native], [CM_NATIVE_FCFLAGS=-mcpu=native])])
    AC_LANG_POP([Fortran])])])
AS_VAR_APPEND([AM_CFLAGS], [" $CM_NATIVE_CFLAGS"])
AS_VAR_APPEND([AM_FCFLAGS], [" $CM_NATIVE_FCFLAGS"])
AC_SUBST([CM_NATIVE_CFLAGS])
AC_SUBST([CM_NATIVE_FCFLAGS])
AC_SUBST([AM_FCFLAGS])
])
