# SPDX-License-Identifier: BSD-3-Clause
# CM_LIBRARY(NAME, MODULE, HEADER, CALL, COST): a library that is used if pkg-config knows it and a
# program with CALL links. --with-NAME requires it, --without-NAME leaves it out. Defines HAVE_NAME,
# the conditional HAVE_NAME, NAME_CFLAGS and NAME_LIBS. Adds MODULE to cm_library_modules or, if the
# user gave NAME_LIBS for what pkg-config does not know, these to cm_library_libs. COST says what is
# missing without it.
AC_DEFUN([CM_LIBRARY], [
m4_pushdef([CM_UP], m4_toupper([$1]))
AC_ARG_WITH([$1], [AS_HELP_STRING([--without-$1], [do not use $1 ($5)])], [], [with_$1=auto])
cm_have=no
AS_IF([test "$with_$1" != no], [
  PKG_CHECK_MODULES(CM_UP, [$2], [
    AC_LANG_PUSH([C])
    cm_cppflags_saved=$CPPFLAGS cm_libs_saved=$LIBS
    CPPFLAGS="$CPPFLAGS $CM_UP[]_CFLAGS" LIBS="$CM_UP[]_LIBS $LIBS"
    AC_MSG_CHECKING([whether a program with $1 links])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <$3>]], [[(void)$4;]])], [cm_have=yes])
    AC_MSG_RESULT([$cm_have])
    CPPFLAGS=$cm_cppflags_saved LIBS=$cm_libs_saved
    AC_LANG_POP([C])], [:])
  AS_IF([test "$cm_have:$with_$1" = no:yes],
    [AC_MSG_ERROR([--with-$1: pkg-config does not know $2, or it does not link])])])
AS_IF([test "$cm_have" = yes], [
  AC_DEFINE([HAVE_]CM_UP, [1], [Define to 1 when $1 is used.])
  AS_IF([cm_version=`$PKG_CONFIG --modversion "m4_bpatsubst([$2], [ .*])" 2>/dev/null`],
    [cm_library_modules="${cm_library_modules:+$cm_library_modules, }$2"],
    [cm_version="by $CM_UP[]_LIBS" cm_library_libs="$cm_library_libs $CM_UP[]_LIBS"])
  CM_SUMMARY_ADD([$1], [$cm_version])], [
  CM_UP[]_CFLAGS= CM_UP[]_LIBS=
  CM_SUMMARY_ADD([$1], [no: $5])])
AM_CONDITIONAL([HAVE_]CM_UP, [test "$cm_have" = yes])
m4_popdef([CM_UP])
])
