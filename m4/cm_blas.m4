# SPDX-License-Identifier: BSD-3-Clause
# CM_BLAS: sets BLAS_CFLAGS and BLAS_LIBS. It takes the user's BLAS_LIBS if they link; otherwise
# --with-blas=MODULE or LIBS; otherwise openblas or blas by pkg-config; otherwise -lopenblas or
# -lblas. All must have integers of 32 bits. HAVE_OPENBLAS: the BLAS can name its kernel.
AC_DEFUN([CM_BLAS], [
AC_ARG_WITH([blas], [AS_HELP_STRING([--with-blas=LIBS],
  [the BLAS: a pkg-config module ("openblas") or linker flags ("-lmkl_rt");
   --without-blas: do not build cm-linpack, cm-xhpl and cm-matmul])],
  [], [with_blas=auto])
AC_ARG_VAR([BLAS_CFLAGS], [compiler flags for the BLAS])
AC_ARG_VAR([BLAS_LIBS], [linker flags for the BLAS])
cm_blas=no cm_blas_why="a program that calls sgemm does not link; give linker flags of a BLAS"
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
    [AC_MSG_ERROR([BLAS_LIBS='$BLAS_LIBS': $cm_blas_why])])
  AS_CASE([$with_blas], [no|auto], [],
    [AC_MSG_ERROR([--with-blas=$with_blas: $cm_blas_why])])
  BLAS_CFLAGS= BLAS_LIBS=
  CM_SUMMARY_ADD([BLAS],
    [no: no cm-linpack, cm-xhpl and cm-matmul, no matrix product in cm-bspbench])], [
  AC_DEFINE([HAVE_BLAS], [1], [Define to 1 when a BLAS is linked.])
  AC_LANG_PUSH([C])
  cm_libs_saved=$LIBS
  LIBS="$BLAS_LIBS $LIBS $FCLIBS"
  AC_CHECK_FUNC([openblas_get_corename],
    [AC_DEFINE([HAVE_OPENBLAS], [1], [Define to 1 when the BLAS is OpenBLAS.])])
  LIBS=$cm_libs_saved
  AC_LANG_POP([C])
  CM_SUMMARY_ADD([BLAS], [$BLAS_LIBS])])
AM_CONDITIONAL([HAVE_BLAS], [test "$cm_blas" = yes])
AC_DEFINE_UNQUOTED([CM_BLAS_LIBS], ["$BLAS_LIBS"], [How the BLAS was linked.])
])

# CM_BLAS_TRY(CFLAGS, LIBS): unless a BLAS was found already, tries to link a call of sgemm. The
# program also calls saxpy with sizes of 1, which a BLAS with integers of 64 bits reads as
# -4294967295, so that it adds nothing; the exit status is then 64. A program that does not run for
# another reason is believed.
AC_DEFUN([CM_BLAS_TRY], [
AS_IF([test "$cm_blas" = no], [
  cm_libs_saved=$LIBS
  LIBS="$2 $LIBS"
  AC_MSG_CHECKING([for sgemm in $2])
  cm_blas_state=no
  AC_LINK_IFELSE([AC_LANG_PROGRAM([], [[
      use, intrinsic :: iso_c_binding, only: c_int
      real :: a(1,1), b(1,1), c(1,1), x(1), y(1)
      integer(c_int) :: one(2)
      external :: saxpy, sgemm
      one = (/ 1, -1 /); x = 1; y = 0
      call saxpy(one(1), 1.0, x, one(1), y, one(1))
      if (y(1) < 0.5) stop 64
      a = 1; b = 1; c = 0
      call sgemm('N', 'N', 1, 1, 1, 1.0, a, 1, b, 1, 0.0, c, 1)
      print *, c
    ]])], [
    cm_blas_status=0
    AS_IF([test "$cross_compiling" != yes],
      [AC_RUN_LOG([$cm_limit ./conftest$EXEEXT </dev/null >&AS_MESSAGE_LOG_FD 2>&1])
      cm_blas_status=$ac_status])
    AS_IF([test "$cm_blas_status" = 64],
      [cm_blas_state="no: it has integers of 64 bits"
      cm_blas_why="this BLAS has integers of 64 bits; take one with 32 (LP64: ]dnl
[mkl_intel_lp64, openblas)"],
      [cm_blas=yes cm_blas_state=yes
      BLAS_CFLAGS="$1" BLAS_LIBS="$2"])])
  AC_MSG_RESULT([$cm_blas_state])
  LIBS=$cm_libs_saved])
])

# CM_BLAS_MODULE(MODULE): CM_BLAS_TRY with the flags of pkg-config.
AC_DEFUN([CM_BLAS_MODULE], [
AS_IF([test "$cm_blas" = no && $PKG_CONFIG --exists "$1" 2>/dev/null],
  [cm_module_libs=`$PKG_CONFIG --libs "$1" | sed 's/ *$//'`
   CM_BLAS_TRY([`$PKG_CONFIG --cflags "$1"`], [$cm_module_libs])])
])
