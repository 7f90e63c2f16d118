# SPDX-License-Identifier: BSD-3-Clause
# CM_LAPACK: sets LAPACK_LIBS, the flags that LAPACK needs beside BLAS_LIBS; only tests and bench/
# call it. It takes the user's LAPACK_LIBS if they link; otherwise none, because OpenBLAS and MKL
# contain LAPACK; otherwise -llapack. To be used after CM_BLAS.
AC_DEFUN([CM_LAPACK], [
AC_ARG_VAR([LAPACK_LIBS], [linker flags for LAPACK, beside BLAS_LIBS; only tests call it])
cm_lapack=no
AS_IF([test "$cm_blas" = yes], [
  AC_LANG_PUSH([Fortran])
  AS_IF([test -n "$LAPACK_LIBS"], [
    CM_LAPACK_TRY([$LAPACK_LIBS])
    AS_IF([test "$cm_lapack" = no],
      [AC_MSG_ERROR(
        [LAPACK_LIBS='$LAPACK_LIBS': a program that calls dgetrf and dsgesv does not link])])], [
    CM_LAPACK_TRY([])
    CM_LAPACK_TRY([-llapack])])
  AC_LANG_POP([Fortran])
  AS_IF([test "$cm_lapack" = yes],
    [CM_SUMMARY_ADD([LAPACK], [`echo $BLAS_LIBS $LAPACK_LIBS`])],
    [CM_SUMMARY_ADD([LAPACK], [no: make check leaves out the tests of cm-linpack against it])])])
AM_CONDITIONAL([HAVE_LAPACK], [test "$cm_lapack" = yes])
])

# CM_LAPACK_TRY(LIBS): unless a LAPACK was found already, tries to link calls of LAPACK. BLAS_LIBS
# come first, so that the BLAS is the one that was chosen even if LIBS need another.
AC_DEFUN([CM_LAPACK_TRY], [
AS_IF([test "$cm_lapack" = no], [
  cm_libs_saved=$LIBS
  LIBS="$BLAS_LIBS $1 $LIBS"
  AC_MSG_CHECKING([for dgetrf and dsgesv in $BLAS_LIBS $1])
  AC_LINK_IFELSE([AC_LANG_PROGRAM([], [[
      double precision :: a(1,1), b(1), x(1), work(4)
      real :: single(2)
      integer :: pivots(1), iterations, info
      external :: dgetrf, dsgesv
      a = 1; b = 1
      call dsgesv(1, 1, a, 1, pivots, b, 1, x, 1, work, single, iterations, info)
      call dgetrf(1, 1, a, 1, pivots, info)
      print *, a, x
    ]])], [cm_lapack=yes
    LAPACK_LIBS="$1"])
  AC_MSG_RESULT([$cm_lapack])
  LIBS=$cm_libs_saved])
])
