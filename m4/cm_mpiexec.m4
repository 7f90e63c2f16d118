# SPDX-License-Identifier: BSD-3-Clause
# CM_MPIEXEC: sets MPIEXEC to the launcher of the MPI. (Under another MPI's launcher two ranks are
# two jobs of one rank.) Each candidate starts two ranks that check the size of MPI_COMM_WORLD.
# Names that only this MPI has come first: `mpiexec` may be another MPI's once that is installed,
# too. But the compiler's folder comes before the search path, which may lead to another
# installation. If none works, MPIEXEC is empty and cm_mpiexec_cost has the consequence. Where MPI
# programs do not run (a cross build, an MPI that is believed), MPIEXEC stays what the user gave.
AC_DEFUN([CM_MPIEXEC], [
cm_mpiexec_cost="parallel tests are skipped, and make figures has no ranks"
AS_IF([test "$cm_smpi" = yes], [MPIEXEC= cm_mpiexec_cost="programs run under smpirun"],
  [test "$cm_mpi_runs" = no], [AC_MSG_NOTICE([MPI programs do not run here: MPIEXEC is not tried])],
  [cm_wrapper=`command -v $cm_mpi_by`
  cm_folder=`AS_DIRNAME(["$cm_wrapper"])`
  cm_suffix=`AS_ECHO(["$cm_wrapper"]) | sed -n 's,.*/mpicc\(@<:@^/@:>@*\)$,\1,p'`
  cm_open_flags=
  AS_IF([test "$cm_mpi_name" = "Open MPI"], [
    cm_open_flags=" --oversubscribe"
    AS_IF([test "`id -u`" = 0], [cm_open_flags=" --allow-run-as-root --oversubscribe"])])
  AC_LANG_PUSH([C])
  cm_cppflags_saved=$CPPFLAGS cm_libs_saved=$LIBS
  CPPFLAGS="$CPPFLAGS $MPI_CFLAGS" LIBS="$MPI_LIBS $LIBS"
  AC_LINK_IFELSE([CM_MPI_PROGRAM], [
    AS_IF([test -n "$MPIEXEC"], [CM_MPIEXEC_TRY([$MPIEXEC])
      AS_IF([test "$cm_works" = no],
        [AC_MSG_ERROR(
          [MPIEXEC='$MPIEXEC': it does not start two ranks of one job of $cm_mpi_name]dnl
[${cm_open_flags:+; its mpiexec may need$cm_open_flags}])])], [
      AS_CASE([$cm_mpi_name], [MPICH], [cm_names="mpiexec.mpich mpiexec.hydra"],
        [Open*], [cm_names=mpiexec.openmpi], [cm_names=])
      cm_beside=
      for cm_name in $cm_names
      do
        AS_VAR_APPEND([cm_beside], [" $cm_folder/$cm_name"])
      done
      for cm_name in $cm_beside "$cm_folder/mpiexec$cm_suffix" "$cm_folder/mpirun$cm_suffix" \
                     $cm_names mpiexec mpirun "srun --mpi=pmi2"
      do
        AS_IF([test -z "$MPIEXEC" && command -v ${cm_name%% *} >/dev/null 2>&1], [
          CM_SHORTEST([cm_name])
          CM_MPIEXEC_TRY([$cm_name$cm_open_flags])
          AS_IF([test "$cm_works" = yes], [MPIEXEC=$cm_name$cm_open_flags])])
      done])])
  CPPFLAGS=$cm_cppflags_saved LIBS=$cm_libs_saved
  AC_LANG_POP([C])])
])

# CM_MPIEXEC_TRY(COMMAND): sets cm_works; ./conftest is CM_MPI_PROGRAM.
AC_DEFUN([CM_MPIEXEC_TRY], [
AC_MSG_CHECKING([whether $1 starts two ranks])
cm_works=no
AS_ECHO(["trying: $1 -n 2 ./conftest$EXEEXT 2"]) >&AS_MESSAGE_LOG_FD
AS_IF([$cm_limit $1 -n 2 ./conftest$EXEEXT 2 </dev/null >conftest.out 2>&AS_MESSAGE_LOG_FD &&
  test "`grep -c 'one of 2 ranks' conftest.out`" = 2], [cm_works=yes])
cat conftest.out >&AS_MESSAGE_LOG_FD
rm -f conftest.out
AC_MSG_RESULT([$cm_works])
])

# CM_SHORTEST(VARIABLE): replaces the path of a program by its name if the search path leads to the
# same file.
AC_DEFUN([CM_SHORTEST], [
cm_base=`AS_BASENAME(["$$1"])`
AS_IF([test "`command -v $cm_base 2>/dev/null`" = "$$1"], [$1=$cm_base])
])

# CM_HYDRA: sets HYDRA_MPIEXEC to a launcher that speaks PMI-1 to any program over the descriptor in
# PMI_FD.
AC_DEFUN([CM_HYDRA], [
cm_given=$HYDRA_MPIEXEC
HYDRA_MPIEXEC=
AS_IF([test "$cross_compiling" != yes && test "$cm_given" != no], [
  for cm_name in ${cm_given:-mpiexec.hydra mpiexec.mpich mpiexec /usr/lib64/mpich/bin/mpiexec}
  do
    AS_IF([test -z "$HYDRA_MPIEXEC" && command -v $cm_name >/dev/null 2>&1], [
      AC_MSG_CHECKING([whether $cm_name speaks PMI-1])
      cm_works=no
      $cm_limit $cm_name -n 2 sh -c 'echo "descriptor ${PMI_FD:-none}, $PMI_SIZE processes"' \
        </dev/null >conftest.out 2>&AS_MESSAGE_LOG_FD
      cat conftest.out >&AS_MESSAGE_LOG_FD
      AS_IF([test "`grep -c '^descriptor @<:@0-9@:>@*, 2 processes' conftest.out`" = 2],
        [cm_works=yes HYDRA_MPIEXEC=$cm_name])
      rm -f conftest.out
      AC_MSG_RESULT([$cm_works])])
  done
  AS_IF([test -n "$cm_given" && test -z "$HYDRA_MPIEXEC"],
    [AC_MSG_ERROR(
      [HYDRA_MPIEXEC=$cm_given: it does not start two processes with PMI_FD in their environment]dnl
)])])
])
