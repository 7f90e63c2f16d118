# SPDX-License-Identifier: BSD-3-Clause
# The communication backends. One more is a name here, what configure knows of it at the end, and
# its sources in src/comm/local.mk.
m4_define([CM_BACKENDS], [[mpi], [sockets], [dummy]])

# CM_BACKEND: which communication backend is linked in. Without --with-comm: mpi when an MPI program
# compiles, links and runs, else sockets.
# Sets CM_COMM (its name), CM_PROPERTIES (words for what cm_comm_has says of it, as far as scripts
# ask: processes, pmi, rails), the conditional of each backend (CM_COMM_MPI, ...) and CM_PMI,
# MPI_CFLAGS and MPI_LIBS (empty unless mpi), MPIEXEC, and HYDRA_MPIEXEC.
AC_DEFUN([CM_BACKEND], [
AC_ARG_WITH([comm], [AS_HELP_STRING([--with-comm=]m4_join([|], CM_BACKENDS),
  [communication backend: an MPI; TCP without any MPI; or one process with echo peers, which tests
   the measuring (default: mpi if there is one that works, else sockets)])], [], [with_comm=auto])
MPI_CFLAGS= MPI_LIBS=
AC_ARG_VAR([MPICC], [the MPI's compiler wrapper, asked for its flags (default: first that works of
  mpicc, mpicc.mpich, mpicc.openmpi)])
AC_ARG_VAR([MPIEXEC], [command that starts MPI programs with "-n RANKS PROGRAM" (default: the one
  beside MPICC)])
AC_ARG_VAR([HYDRA_MPIEXEC], [an mpiexec that speaks PMI-1, as MPICH's Hydra does; the sockets
  backend is tested under it])
cm_mpi=no
AS_CASE([$with_comm],
  [auto], [CM_MPI
    AS_IF([test "$cm_mpi" = yes], [CM_COMM=mpi], [CM_COMM=sockets])],
  [mpi], [CM_MPI
    AS_IF([test "$cm_mpi" = no],
      [AC_MSG_ERROR(
        [--with-comm=mpi: no MPI here works ($cm_mpi_why); install one (mpich and libmpich-dev),
  set MPICC, or use --with-comm=sockets, which needs none])])
    CM_COMM=mpi],
  [m4_join([|], CM_BACKENDS)], [CM_COMM=$with_comm],
  [shm|hybrid], [AC_MSG_ERROR([--with-comm=$with_comm: not written yet; choose one of: ]dnl
m4_dquote(m4_join([, ], CM_BACKENDS)))],
  [AC_MSG_ERROR([--with-comm=$with_comm: no such backend; choose one of: ]dnl
m4_dquote(m4_join([, ], CM_BACKENDS)))])
AC_MSG_CHECKING([which communication backend to link])
AC_MSG_RESULT([$CM_COMM])

AS_IF([test "$CM_COMM" = mpi], [CM_MPIEXEC], [MPIEXEC=])
AS_IF([test "$CM_COMM" = sockets], [CM_HYDRA])

AC_SUBST([CM_COMM])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
m4_foreach([cm_backend], [CM_BACKENDS],
  [AM_CONDITIONAL(m4_toupper([CM_COMM_]cm_backend), [test "$CM_COMM" = ]cm_backend)
])dnl
AM_CONDITIONAL([CM_SMPI], [test "$cm_smpi" = yes])

AC_SUBST([CM_PROPERTIES])
AS_CASE([$CM_COMM],
  [mpi], [CM_PROPERTIES=processes
    CM_SUMMARY_ADD([backend], [mpi: $cm_mpi_name, by $cm_mpi_by])
    AS_IF([test -n "$MPIEXEC"], [CM_SUMMARY_ADD([mpiexec], [$MPIEXEC])],
      [CM_SUMMARY_ADD([mpiexec], [no: $cm_mpiexec_cost])])],
  [sockets], [CM_PROPERTIES='processes pmi rails'
    AS_IF([test "$with_comm" = auto],
      [CM_SUMMARY_ADD([backend], [sockets: no MPI works ($cm_mpi_why), so no measurements of one])],
      [CM_SUMMARY_ADD([backend], [sockets])])
    AS_IF([test -n "$HYDRA_MPIEXEC"], [CM_SUMMARY_ADD([hydra], [$HYDRA_MPIEXEC])],
      [CM_SUMMARY_ADD([hydra],
        [no: tests of starting under Hydra are skipped; cmrun starts everything])])],
  [CM_PROPERTIES=
    CM_SUMMARY_ADD([backend],
      [dummy: one process and a virtual clock; tests the measuring, measures nothing])])
AM_CONDITIONAL([CM_PMI], [case " $CM_PROPERTIES " in *" pmi "*) ;; *) false ;; esac])
])
