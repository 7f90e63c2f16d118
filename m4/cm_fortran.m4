# SPDX-License-Identifier: BSD-3-Clause
# CM_FORTRAN: a Fortran compiler that passes any array to C as a descriptor: type(*), dimension(..)
# of Fortran 2018, in gfortran from version 10. The program passes a strided section, and the C side
# checks its strides, which earlier gfortrans get wrong. Sets FC_DESCRIPTOR_CFLAGS, by which the C
# compiler finds ISO_Fortran_binding.h: the header is gfortran's, and clang has none. It is copied
# into a folder of its own, because gcc's other headers beside it must not replace clang's (whose
# stdatomic.h includes the next one).
AC_DEFUN([CM_FORTRAN], [
AS_IF([test -z "$FC"],
  [AC_MSG_ERROR([no Fortran compiler found; install gfortran 10 or later, or set FC])])
AS_IF([$FC --version >&AS_MESSAGE_LOG_FD 2>&1], [],
  [AC_MSG_ERROR([FC=$FC: '$FC --version' fails; install gfortran 10 or later, or set FC to it])])
AC_LANG_PUSH([Fortran])
AC_FC_SRCEXT([f90])
AC_FC_MODULE_EXTENSION
AC_FC_MODULE_FLAG
AC_FC_MODULE_OUTPUT_FLAG
AM_FCFLAGS=
CM_FLAG([-Wall], [AM_FCFLAGS=-Wall])
dnl smpif90 compiles with -ff2c, where a REAL function returns a double. Those of a BLAS do not.
AS_IF([test "$cm_smpi" = yes], [AS_VAR_APPEND([AM_FCFLAGS], [" -fno-f2c"])])
AC_FC_LIBRARY_LDFLAGS

AC_LANG_PUSH([C])
FC_DESCRIPTOR_CFLAGS= cm_descriptor_cflags=
AC_CHECK_HEADER([ISO_Fortran_binding.h], [], [
  cm_include=`$FC -print-file-name=include 2>/dev/null`
  AS_IF([test -f "$cm_include/ISO_Fortran_binding.h"],
    [AS_MKDIR_P([fortran-binding])
    cp -f "$cm_include/ISO_Fortran_binding.h" fortran-binding
    FC_DESCRIPTOR_CFLAGS='-I$(top_builddir)/fortran-binding'
    cm_descriptor_cflags=-Ifortran-binding])], [@%:@include <stddef.h>])
AC_SUBST([FC_DESCRIPTOR_CFLAGS])
AC_LANG_POP([C])
AC_CACHE_CHECK([whether $FC passes any array to C (type(*), dimension(..))],
  [cm_cv_fc_descriptor], [
  cm_cv_fc_descriptor=no
  cat >conftest_c.c <<'_CM_EOF'
#include <ISO_Fortran_binding.h>
int conftest_look(CFI_cdesc_t *a);
int conftest_look(CFI_cdesc_t *a)
{
    return a->rank == 2 && a->elem_len == 8 && a->dim@<:@0@:>@.extent == 3
        && a->dim@<:@0@:>@.sm == 16
        && a->dim@<:@1@:>@.sm == 48 && ((double *)a->base_addr)@<:@2@:>@ == 3.0;
}
_CM_EOF
  AS_IF([AC_RUN_LOG([$CC $CFLAGS $CPPFLAGS $cm_descriptor_cflags -c conftest_c.c \
      >&AS_MESSAGE_LOG_FD 2>&1])], [
    cp conftest_c.$OBJEXT cm_descriptor.$OBJEXT
    cm_libs_saved=$LIBS
    LIBS="cm_descriptor.$OBJEXT $LIBS"
    AC_RUN_IFELSE([AC_LANG_SOURCE([[
      program conftest
        use, intrinsic :: iso_c_binding, only: c_int, c_double
        implicit none
        interface
          function look(a) bind(c, name='conftest_look') result(right)
            import :: c_int
            type(*), dimension(..), intent(in) :: a
            integer(c_int) :: right
          end function look
        end interface
        real(c_double), target :: a(6, 2)
        integer :: i
        a = reshape([(real(i, c_double), i = 1, 12)], [6, 2])
        if (look(a(1:5:2, :)) /= 1) error stop 1
      end program conftest
      ]])], [cm_cv_fc_descriptor=yes], [], [cm_cv_fc_descriptor="yes (not run)"])
    LIBS=$cm_libs_saved
    rm -f cm_descriptor.$OBJEXT])
  rm -f conftest_c.*])
AS_IF([test "$cm_cv_fc_descriptor" = no],
  [AC_MSG_ERROR(
    [$FC and $CC together lack the C descriptors of Fortran 2018 (type(*), dimension(..));
  gfortran 10 or later has them with the gcc of the same version: set FC and CC])])
AC_LANG_POP([Fortran])
])
