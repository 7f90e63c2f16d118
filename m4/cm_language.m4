# SPDX-License-Identifier: BSD-3-Clause
# CM_LANGUAGE: our C standard and our warnings. Both go into AM_CFLAGS and AM_FCFLAGS. These are
# before the user's flags on every command line, so that the user's flags win.
# CM_WARNINGS is for files that must be compiled without the machine's own instructions.
AC_DEFUN([CM_LANGUAGE], [
AC_REQUIRE([AC_PROG_GREP])
CM_WARNINGS=
AC_LANG_PUSH([C])
CM_FLAG([-std=gnu11], [AS_VAR_APPEND([CM_WARNINGS], [" -std=gnu11"])])
CM_FLAG([-Wall], [AS_VAR_APPEND([CM_WARNINGS], [" -Wall"])])
CM_FLAG([-Wextra], [AS_VAR_APPEND([CM_WARNINGS], [" -Wextra"])])
dnl Autoconf before 2.70 has no question about C11.
AC_CACHE_CHECK([whether $CC compiles C11], [cm_cv_c11], [
  cm_cflags_saved=$CFLAGS
  CFLAGS="$CM_WARNINGS $CFLAGS"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#if __STDC_VERSION__ < 201112L || defined __STDC_NO_ATOMICS__
#error "not C11"
#endif
#include <stdatomic.h>
static _Atomic int counter;
_Static_assert(_Alignof(char) == 1, "C11");]], [[
    struct { union { int a; float b; }; } s = {.a = _Generic(1.0, double: 1, default: 0)};
    return atomic_fetch_add(&counter, s.a);]])], [cm_cv_c11=yes], [cm_cv_c11=no])
  CFLAGS=$cm_cflags_saved])
AS_IF([test "$cm_cv_c11" = no],
  [AC_MSG_ERROR(
    [$CC does not support C11, which clustermark requires; set CC to a compiler that does])])
AC_CACHE_CHECK([whether addresses have 64 bits], [cm_cv_address_64], [
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[_Static_assert(sizeof(void *) == 8, "64 bits");]])],
    [cm_cv_address_64=yes], [cm_cv_address_64=no])])
AS_IF([test "$cm_cv_address_64" = no],
  [AC_MSG_ERROR([CC='$CC' CFLAGS='$CFLAGS' compiles for addresses of 32 bits; clustermark ]dnl
[requires 64: choose a compiler for a processor and an ABI of 64 bits])])
AC_LANG_POP([C])
AC_SUBST([CM_WARNINGS])
AM_CFLAGS=$CM_WARNINGS
AC_SUBST([AM_CFLAGS])

dnl A program of the build tree is linked with libclustermark.a even with --enable-shared. It is
dnl then a binary and not libtool's shell script around one, and receives signals and arguments
dnl directly.
AC_SUBST([AM_LDFLAGS], [-static])
])
