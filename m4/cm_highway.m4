# SPDX-License-Identifier: BSD-3-Clause
# CM_HIGHWAY: a working C++ compiler and Google Highway's vector sorting. HAVE_HIGHWAY needs both.
# The C++ compiler must work with the C compiler: without one for the host, a cross build finds that
# of the build machine.
AC_DEFUN([CM_HIGHWAY], [
AC_ARG_WITH([highway], [AS_HELP_STRING([--without-highway],
  [do not use C++ and Google Highway; cm-sort then has no vector sort])], [], [with_highway=auto])
AC_LANG_PUSH([C++])
AC_CACHE_CHECK([whether $CXX compiles C++17, and links what $CC compiles], [cm_cv_cxx], [
  cm_cv_cxx=no
  AC_LANG_PUSH([C])
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([int conftest_c(void); int conftest_c(void) { return 1; }])],
    [cp conftest.$OBJEXT cm_from_c.$OBJEXT])
  AC_LANG_POP([C])
  cm_libs_saved=$LIBS
  LIBS="cm_from_c.$OBJEXT $LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <string_view>
extern "C" int conftest_c(void);]],
    [[std::string_view s("x"); return (int)s.size() != conftest_c();]])], [cm_cv_cxx=yes])
  LIBS=$cm_libs_saved
  rm -f cm_from_c.$OBJEXT])
cm_have=no
AS_IF([test "$with_highway" != no && test "$cm_cv_cxx" = yes], [
  PKG_CHECK_MODULES([HIGHWAY], [libhwy-contrib libhwy], [
    cm_cppflags_saved=$CPPFLAGS cm_libs_saved=$LIBS
    CPPFLAGS="$CPPFLAGS $HIGHWAY_CFLAGS" LIBS="$HIGHWAY_LIBS $LIBS"
    AC_MSG_CHECKING([whether a program with Highway's vector sorting links])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>]],
      [[double a[2] = {2, 1}; hwy::Sorter()(a, 2, hwy::SortAscending());
      return !hwy::SupportedTargets();]])], [cm_have=yes])
    AC_MSG_RESULT([$cm_have])
    CPPFLAGS=$cm_cppflags_saved LIBS=$cm_libs_saved], [:])])
AC_LANG_POP([C++])
AS_IF([test "$cm_have:$with_highway" = no:yes],
  [AC_MSG_ERROR([--with-highway: requires a C++17 compiler and libhwy-contrib of pkg-config])])
AS_IF([test "$cm_have" = yes], [
  AC_DEFINE([HAVE_HIGHWAY], [1], [Define to 1 when Google Highway is used.])
  cm_version=`$PKG_CONFIG --modversion libhwy-contrib`
  CM_SUMMARY_ADD([highway], [$cm_version])], [
  HIGHWAY_CFLAGS= HIGHWAY_LIBS=
  CM_SUMMARY_ADD([highway], [no: cm-sort has no vector sort])])
AM_CONDITIONAL([HAVE_CXX], [test "$cm_cv_cxx" = yes])
AM_CONDITIONAL([HAVE_HIGHWAY], [test "$cm_have" = yes])
])
