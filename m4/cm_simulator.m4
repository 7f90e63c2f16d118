# SPDX-License-Identifier: BSD-3-Clause
# CM_SIMULATOR: with CC=smpicc the programs are built for SimGrid's simulator. smpirun loads them.
# Sets cm_smpi (yes or no) and, unless the user set them, the other compilers and the linker. It
# comes before AC_PROG_CC.
AC_DEFUN([CM_SIMULATOR], [
cm_smpi=no
AS_IF([test -n "$SMPI_PRETEND_CC"], [cm_smpi=yes])
AS_CASE(["$CC "], [smpicc\ *|*/smpicc\ *], [cm_smpi=yes])
AS_IF([test "$cm_smpi" = yes], [
  dnl What smpicc links does not run by itself. With this variable it does, as configure's tests of
  dnl the compiler need. It must not be set during make.
  SMPI_PRETEND_CC=1
  export SMPI_PRETEND_CC
  dnl smpicxx asks for C++11. smpicc does not tell libtool which linker it uses.
  : ${CC:=smpicc} ${FC:=smpif90} ${CXX:="smpicxx -std=gnu++17"} ${LD:=`command -v ld`}])
])

# CM_SIMULATOR_LIBTOOL(LT_INIT): with SMPI_PRETEND_CC the compilers print a warning on standard
# output, which libtool's questions would take for an answer. None of them runs what it links.
AC_DEFUN([CM_SIMULATOR_LIBTOOL], [
AS_IF([test "$cm_smpi" = yes], [AS_UNSET([SMPI_PRETEND_CC])])
$1
AS_IF([test "$cm_smpi" = yes], [SMPI_PRETEND_CC=1
  export SMPI_PRETEND_CC])
])
