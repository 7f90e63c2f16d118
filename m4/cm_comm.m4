# SPDX-License-Identifier: BSD-3-Clause
# The communication backends. To add one, add its name here, its properties at the end, and its
# sources in src/comm/local.mk.
m4_define([CM_BACKENDS], [[mpi], [sockets], [shm], [hybrid], [dummy]])

# The transports of the native backends: folders of src/comm/engine. CM_TRANSPORTS chooses those of
# a backend.
m4_define([CM_TRANSPORT_FOLDERS], [[shm], [tcp]])

# CM_BACKEND: chooses the communication backend to link in. Without --with-comm it is mpi if an MPI
# program compiles, links and runs, otherwise sockets. Sets CM_COMM (its name), CM_PROPERTIES (the
# properties of cm_comm_has that scripts need: processes, pmi, rails), the conditionals of each
# backend (CM_COMM_MPI, ...) and transport (CM_TRANSPORT_TCP, ...) and CM_PMI, MPI_CFLAGS and
# MPI_LIBS (empty unless mpi), MPIEXEC, and HYDRA_MPIEXEC.
AC_DEFUN([CM_BACKEND], [
AC_ARG_WITH([comm], [AS_HELP_STRING([--with-comm=]m4_join([|], CM_BACKENDS),
  [communication backend: an MPI; without an MPI: TCP, shared memory inside one host, or shared
   memory inside and TCP between hosts; or one process with echo peers, to test the measuring
   (default: mpi if a program of one runs, otherwise sockets)])], [], [with_comm=auto])
MPI_CFLAGS= MPI_LIBS=
AC_ARG_VAR([MPICC], [compiler wrapper of the MPI, which tells its flags (default: the first of
  mpicc, mpicc.mpich, mpicc.openmpi that works)])
AC_ARG_VAR([MPIEXEC], [command that starts MPI programs with "-n RANKS PROGRAM" (default: the one
  beside MPICC)])
AC_ARG_VAR([HYDRA_MPIEXEC], [mpiexec that speaks PMI-1, as MPICH's Hydra does, to test the native
  backends])
cm_mpi=no
AS_CASE([$with_comm],
  [auto], [CM_MPI
    AS_IF([test "$cm_mpi" = yes], [CM_COMM=mpi], [CM_COMM=sockets])],
  [mpi], [CM_MPI
    AS_IF([test "$cm_mpi" = no],
      [AC_MSG_ERROR(
        [--with-comm=mpi: no working MPI found ($cm_mpi_why); install one (mpich and libmpich-dev),
  set MPICC, or use --with-comm=sockets, which needs no MPI])])
    CM_COMM=mpi],
  [m4_join([|], CM_BACKENDS)], [CM_COMM=$with_comm],
  [AC_MSG_ERROR([--with-comm=$with_comm: no such backend; choose one of: ]dnl
m4_dquote(m4_join([, ], CM_BACKENDS)))])
AC_MSG_CHECKING([which communication backend to link])
AC_MSG_RESULT([$CM_COMM])

AS_IF([test "$CM_COMM" = mpi], [CM_MPIEXEC], [MPIEXEC=])
AS_CASE([$CM_COMM], [sockets|shm|hybrid], [CM_HYDRA])

AC_DEFINE_UNQUOTED([CM_MPI_NAME], ["$cm_mpi_name"],
  [the MPI that the mpi backend is linked with: MPICH, Open MPI, or another])
AC_DEFINE_UNQUOTED([CM_MPI_LAUNCHER], ["$MPIEXEC"],
  [the command that starts programs of the mpi backend])
AC_SUBST([CM_COMM])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
m4_foreach([cm_backend], [CM_BACKENDS],
  [AM_CONDITIONAL(m4_toupper([CM_COMM_]cm_backend), [test "$CM_COMM" = ]cm_backend)
])dnl
# In the order in which they are tried.
AS_CASE([$CM_COMM],
  [sockets], [cm_transports=tcp],
  [shm], [cm_transports=shm],
  [hybrid], [cm_transports='shm tcp'],
  [cm_transports=])
AC_DEFINE_UNQUOTED([CM_TRANSPORTS(each)],
  [`for cm_transport in $cm_transports; do AS_ECHO_N(["each($cm_transport) "]); done`],
  [the transports of the backend, in the order in which they are tried])
m4_foreach([cm_transport], [CM_TRANSPORT_FOLDERS],
  [AM_CONDITIONAL(m4_toupper([CM_TRANSPORT_]cm_transport),
    [case " $cm_transports " in *" cm_transport "*) ;; *) false ;; esac])
])dnl
AM_CONDITIONAL([CM_SMPI], [test "$cm_smpi" = yes])

AC_SUBST([CM_PROPERTIES])
AS_CASE([$CM_COMM],
  [mpi], [CM_PROPERTIES=processes
    cm_mpi_believed=
    AS_IF([test "$cm_mpi_runs$cm_smpi" = nono], [cm_mpi_believed=" (not run here)"])
    CM_SUMMARY_ADD([backend], [mpi: $cm_mpi_name, by $cm_mpi_by$cm_mpi_believed])
    AS_IF([test -n "$MPIEXEC"], [CM_SUMMARY_ADD([mpiexec], [$MPIEXEC])],
      [CM_SUMMARY_ADD([mpiexec], [no: $cm_mpiexec_cost])])],
  [sockets|shm|hybrid], [CM_PROPERTIES='processes pmi rails'
    AS_IF([test "$CM_COMM" = shm], [CM_PROPERTIES='processes pmi'])
    AS_IF([test "$with_comm" = auto],
      [CM_SUMMARY_ADD([backend], [sockets: no MPI works ($cm_mpi_why), so none is measured])],
      [CM_SUMMARY_ADD([backend], [$CM_COMM])])
    AS_IF([test -n "$HYDRA_MPIEXEC"], [CM_SUMMARY_ADD([hydra], [$HYDRA_MPIEXEC])],
      [CM_SUMMARY_ADD([hydra],
        [no: tests under Hydra are skipped; cmrun starts all programs])])],
  [CM_PROPERTIES=
    CM_SUMMARY_ADD([backend],
      [dummy: one process and a virtual clock; it tests the measuring and measures nothing])])
AM_CONDITIONAL([CM_PMI], [case " $CM_PROPERTIES " in *" pmi "*) ;; *) false ;; esac])
])
