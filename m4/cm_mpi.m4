# SPDX-License-Identifier: BSD-3-Clause
# CM_MPI: looks for an MPI with which a program compiles, links and runs (it is not run with SimGrid
# or in a cross build, where one that links for the host is believed). With --with-comm=mpi one that
# links is also believed if none runs: on a login node MPI programs may not run, or only by a
# launcher. A warning says what is believed. Sets cm_mpi (yes or no), cm_mpi_runs (no if it is
# believed), cm_mpi_why (the last failure), cm_smpi, cm_mpi_name, cm_mpi_by (the wrapper),
# MPI_CFLAGS and MPI_LIBS.
#
# It takes the wrappers' flags instead of using a wrapper as CC, so that the same C compiler builds
# every backend. On Debian mpicc may belong to an MPI whose headers are not installed, while another
# one, mpicc.mpich, is complete.
AC_DEFUN([CM_MPI], [
AC_REQUIRE([CM_TIME_LIMIT])
cm_mpi=no cm_mpi_runs=no cm_mpi_linked= cm_mpi_why="no mpicc found"

dnl The compiler may be a wrapper itself: CC=mpicc, CC=smpicc, Cray's cc.
AS_IF([test -z "$MPICC"], [
  cm_mpi_cflags= cm_mpi_libs=
  CM_MPI_TRY([$CC])])
AS_IF([test "$cm_mpi" = no], [
  for cm_candidate in ${MPICC:-mpicc mpicc.mpich mpicc.openmpi
      /usr/lib64/mpich/bin/mpicc /usr/lib64/openmpi/bin/mpicc}
  do
    AS_IF([test "$cm_mpi" = no && command -v "$cm_candidate" >/dev/null 2>&1], [
      CM_MPI_FLAGS([$cm_candidate])
      CM_MPI_TRY([$cm_candidate])])
  done])
AS_IF([test "$cm_mpi" = no && test -n "$cm_mpi_linked" && test "$with_comm" = mpi], [
  AC_MSG_WARN([an MPI program by $cm_mpi_linked does not run here; --with-comm=mpi believes ]dnl
[that it does elsewhere])
  cm_mpi_cflags=$cm_linked_cflags cm_mpi_libs=$cm_linked_libs
  CM_MPI_TAKE([$cm_mpi_linked])])
AS_IF([test "$cm_mpi$cross_compiling$cm_smpi" = yesyesno],
  [AC_MSG_WARN([an MPI program by $cm_mpi_by links; a cross build runs none, and believes ]dnl
[that it runs on $host_cpu])])
AS_IF([test -n "$MPICC" && test "$cm_mpi" = no && test "$with_comm" = auto],
  [AC_MSG_ERROR([MPICC=$MPICC: $cm_mpi_why]dnl
[${cm_mpi_linked:+; --with-comm=mpi takes it all the same, for programs that run elsewhere}])])
])

# CM_MPI_FLAGS(WRAPPER): sets cm_mpi_cflags and cm_mpi_libs to the wrapper's flags. Open MPI's
# wrappers have --showme. MPICH's and Intel's print the whole command, from which optimisation and
# warnings are left out.
AC_DEFUN([CM_MPI_FLAGS], [
cm_mpi_cflags= cm_mpi_libs=
cm_shown=`$1 --showme:compile 2>/dev/null && $1 --showme:link 2>/dev/null`
AS_IF([test -z "$cm_shown"], [cm_shown=`$1 -show 2>/dev/null`])
dnl The words are unquoted, so eval only removes quotation marks (Intel's wrapper quotes folders).
AS_CASE([$cm_shown], [*@<:@\;\&\|\`\$\(\)@:>@*], [cm_shown=])
cm_shown=`AS_ECHO(["$cm_shown"]) | tr '\n' ' '`
eval "set x $cm_shown"
shift
cm_takes_next=no
for cm_word
do
  AS_CASE([$cm_takes_next$cm_word],
    [yes*], [AS_VAR_APPEND([cm_mpi_libs], [" -Xlinker $cm_word"]) cm_takes_next=no],
    [no-Xlinker], [cm_takes_next=yes],
    [no-pthread],
      [AS_VAR_APPEND([cm_mpi_cflags], [" -pthread"]) AS_VAR_APPEND([cm_mpi_libs], [" -pthread"])],
    [no-I*|no-D*], [AS_VAR_APPEND([cm_mpi_cflags], [" $cm_word"])],
    [no-L*|no-l*|no-Wl,*|no*.a|no*.so], [AS_VAR_APPEND([cm_mpi_libs], [" $cm_word"])])
done
])

# CM_MPI_TRY(WHAT): tries to compile, link and run an MPI program with cm_mpi_cflags and
# cm_mpi_libs.
AC_DEFUN([CM_MPI_TRY], [
AC_LANG_PUSH([C])
cm_cppflags_saved=$CPPFLAGS cm_libs_saved=$LIBS
CPPFLAGS="$CPPFLAGS $cm_mpi_cflags" LIBS="$cm_mpi_libs $LIBS"
AC_MSG_CHECKING([whether an MPI program works with $1])
cm_works=no
AC_LINK_IFELSE([CM_MPI_PROGRAM], [
  AS_IF([test "$cm_smpi" = yes || test "$cross_compiling" = yes],
      [cm_works=yes cm_mpi_state="links (not run)"],
    [AC_RUN_LOG([$cm_limit ./conftest$EXEEXT 1 </dev/null >&AS_MESSAGE_LOG_FD 2>&1])],
      [cm_works=yes cm_mpi_runs=yes cm_mpi_state=yes],
    [cm_mpi_state="no: it does not run" cm_mpi_why="with $1 a program links but does not run"
    AS_IF([test -z "$cm_mpi_linked"],
      [cm_mpi_linked="$1" cm_linked_cflags=$cm_mpi_cflags cm_linked_libs=$cm_mpi_libs])])],
  [cm_mpi_state="no: it does not compile and link"
  cm_mpi_why="with $1 no program compiles and links"])
AC_MSG_RESULT([$cm_mpi_state])
CPPFLAGS=$cm_cppflags_saved LIBS=$cm_libs_saved
AC_LANG_POP([C])
AS_IF([test "$cm_works" = yes], [CM_MPI_TAKE([$1])])
])

# CM_MPI_TAKE(WHAT): takes the MPI of cm_mpi_cflags and cm_mpi_libs.
AC_DEFUN([CM_MPI_TAKE], [
AC_LANG_PUSH([C])
cm_cppflags_saved=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $cm_mpi_cflags"
cm_mpi=yes MPI_CFLAGS=$cm_mpi_cflags MPI_LIBS=$cm_mpi_libs cm_mpi_by="$1" cm_mpi_name="unknown MPI"
AC_EGREP_CPP([cm_is_smpi], [#include <mpi.h>
#ifdef SMPI_H
cm_is_smpi
#endif
#ifdef HAVE_SMPI
cm_is_smpi
#endif
], [cm_smpi=yes])
AC_EGREP_CPP([cm_is_mpich], [#include <mpi.h>
#ifdef MPICH_VERSION
cm_is_mpich
#endif
], [cm_mpi_name=MPICH])
AC_EGREP_CPP([cm_is_open], [#include <mpi.h>
#ifdef OPEN_MPI
cm_is_open
#endif
], [cm_mpi_name="Open MPI"])
AS_IF([test "$cm_smpi" = yes], [cm_mpi_name="SimGrid's SMPI"])
CPPFLAGS=$cm_cppflags_saved
AC_LANG_POP([C])
])

# CM_MPI_PROGRAM: prints the number of ranks of the job. Exits with 0 if this is the number given as
# its argument.
AC_DEFUN([CM_MPI_PROGRAM], [AC_LANG_SOURCE([[
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int size = 0, sum = 0, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    printf("one of %d ranks\n", size);
    return sum != size || size != (argc > 1 ? atoi(argv[1]) : 1);
}
]])])
