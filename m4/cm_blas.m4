# SPDX-License-Identifier: BSD-3-Clause
# CM_BLAS: sets BLAS_CFLAGS and BLAS_LIBS. It takes the user's BLAS_LIBS if they link; otherwise
# --with-blas=MODULE or LIBS; otherwise openblas or blas by pkg-config; otherwise -lopenblas or
# -lblas. HAVE_OPENBLAS: the BLAS can name its kernel.
AC_DEFUN([CM_BLAS], [
AC_ARG_WITH([blas], [AS_HELP_STRING([--with-blas=LIBS],
  [the BLAS: a pkg-config module ("openblas") or linker flags ("-lmkl_rt");
   --without-blas: do not build cm-linpack and cm-matmul])],
  [], [with_blas=auto])
AC_ARG_VAR([BLAS_CFLAGS], [compiler flags for the BLAS])
AC_ARG_VAR([BLAS_LIBS], [linker flags for the BLAS])
cm_blas=no
AC_LANG_PUSH([Fortran])
AS_CASE([$with_blas],
  [no], [],
  [yes|auto], [AS_IF([test -n "$BLAS_LIBS"], [CM_BLAS_TRY([$BLAS_CFLAGS], [$BLAS_LIBS])],
    [for cm_module in openblas blas
     do
       CM_BLAS_MODULE([$cm_module])
     done
     for cm_libs in -lopenblas -lblas
     do
       CM_BLAS_TRY([], [$cm_libs])
     done])],
  [-*|*/*], [CM_BLAS_TRY([$BLAS_CFLAGS], [$with_blas])],
  [CM_BLAS_MODULE([$with_blas])
   CM_BLAS_TRY([$BLAS_CFLAGS], [-l$with_blas])])
AC_LANG_POP([Fortran])
AS_IF([test "$cm_blas" = no], [
  AS_IF([test -n "$BLAS_LIBS"],
    [AC_MSG_ERROR([BLAS_LIBS='$BLAS_LIBS': a program that calls sgemm does not link])])
  AS_CASE([$with_blas], [no|auto], [],
    [AC_MSG_ERROR(
      [--with-blas=$with_blas: a program that calls sgemm does not link; give linker flags])])
  BLAS_CFLAGS= BLAS_LIBS=
  CM_SUMMARY_ADD([BLAS], [no: no cm-linpack, no cm-matmul, no matrix product in cm-bspbench])], [
  AC_DEFINE([HAVE_BLAS], [1], [Define to 1 when a BLAS is linked.])
  AC_LANG_PUSH([C])
  cm_libs_saved=$LIBS
  LIBS="$BLAS_LIBS $LIBS"
  AC_CHECK_FUNC([openblas_get_corename],
    [AC_DEFINE([HAVE_OPENBLAS], [1], [Define to 1 when the BLAS is OpenBLAS.])])
  LIBS=$cm_libs_saved
  AC_LANG_POP([C])
  CM_SUMMARY_ADD([BLAS], [$BLAS_LIBS])])
AM_CONDITIONAL([HAVE_BLAS], [test "$cm_blas" = yes])
AC_DEFINE_UNQUOTED([CM_BLAS_LIBS], ["$BLAS_LIBS"], [How the BLAS was linked.])
])

# CM_BLAS_TRY(CFLAGS, LIBS): unless a BLAS was found already, tries to link a call of sgemm.
AC_DEFUN([CM_BLAS_TRY], [
AS_IF([test "$cm_blas" = no], [
  cm_libs_saved=$LIBS
  LIBS="$2 $LIBS"
  AC_MSG_CHECKING([for sgemm in $2])
  AC_LINK_IFELSE([AC_LANG_PROGRAM([], [[
      real :: a(1,1), b(1,1), c(1,1)
      external :: sgemm
      a = 1; b = 1; c = 0
      call sgemm('N', 'N', 1, 1, 1, 1.0, a, 1, b, 1, 0.0, c, 1)
      print *, c
    ]])], [cm_blas=yes
    BLAS_CFLAGS="$1" BLAS_LIBS="$2"])
  AC_MSG_RESULT([$cm_blas])
  LIBS=$cm_libs_saved])
])

# CM_BLAS_MODULE(MODULE): CM_BLAS_TRY with the flags of pkg-config.
AC_DEFUN([CM_BLAS_MODULE], [
AS_IF([test "$cm_blas" = no && $PKG_CONFIG --exists "$1" 2>/dev/null],
  [cm_module_libs=`$PKG_CONFIG --libs "$1" | sed 's/ *$//'`
   CM_BLAS_TRY([`$PKG_CONFIG --cflags "$1"`], [$cm_module_libs])])
])
