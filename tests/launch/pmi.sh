#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pmi.sh: cmrun's PMI-1 server: its answers, how it ends ranks that violate the protocol, and that
# many ranks start in a reasonable time; the same client under MPICH's launcher.
. "${srcdir:-.}/launch/tap.sh"

run $CMRUN -n 2 $CLIENT protocol
ok 'every command is answered as PMI-1 has it' is 0
ok 'nothing is wrong' out_is ''
run $CMRUN -n 3 $CLIENT bounds
ok 'keys and values at and beyond their bounds' is 0
ok 'are kept or refused' out_is ''
run $CMRUN -n 2 $CLIENT pieces
ok 'lines in pieces and several at once' is 0
run $CMRUN -n 2 $CLIENT flood
ok 'a rank that asks much and reads late gets every answer' is 0
ok 'in order' out_is 'flood answered'

for kind in empty nocmd unknown control nul long binary notjoined twice barrier words novalue; do
    run $CMRUN -n 3 $CLIENT malformed $kind
    ok "malformed ($kind): the rank fails the job" is 3
    ok "malformed ($kind): one line names it" err_has '^cmrun: rank 1 (pid [0-9]*) on .*: '
    ok "malformed ($kind): and only one" err_lines 1
done
run $CMRUN -n 3 $CLIENT malformed cut
ok 'a rank that dies within a line' is 3
run $CMRUN -n 3 $CLIENT malformed version
ok 'an unknown version is refused by answer' is 0

run $CMRUN -n 128 $CLIENT cards
ok '128 ranks put a card and get all 128' out_is '128 ranks'
ok 'and end well' is 0
run $CMRUN -n 128 -p $CLIENT cards
ok 'with prefixed output too' out_is '[0] 128 ranks'

run $CMRUN -n 128 $CLIENT gather
ok 'or get all cards at once' out_is '128 ranks'
ok 'which ends well' is 0

run $CLIENT cards
ok 'without a launcher: a job of one' out_is '1 ranks'
run env PMI_FD=77 PMI_RANK=0 PMI_SIZE=2 $CLIENT cards
ok 'a PMI_FD that is not open' is 3
ok 'is said' err_has 'PMI_FD=77 is not an open file'
run env PMI_FD=3 PMI_RANK=2 PMI_SIZE=2 $CLIENT cards
ok 'a rank beyond the size' is 2
ok 'is said with what would be right' err_has "PMI_RANK is '2'.*0 to 1"
run $CLIENT lost
ok 'a rank whose launcher is gone fails' is 3
ok 'and says so' err_has 'rank 0 on .*: lost the launcher'

for variable in OMPI_COMM_WORLD_SIZE SLURM_STEP_NUM_TASKS PMI_SIZE; do
    run env $variable=4 $CLIENT check
    ok "$variable=4 without PMI_FD is refused" is 2
    ok "$variable: with the command that works" err_has "cmrun -n 4 $CLIENT"
    ok "$variable: in one line" err_lines 1
    run env $variable=1 PMIX_RANK=0 $CLIENT check
    ok "$variable=1 is one rank and runs" is 0
    run env $variable=4 $CMRUN -n 2 $CLIENT check
    ok "$variable=4 around cmrun does no harm" is 0
done
run env OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=2 $CLIENT check
ok 'the other ranks are refused' is 2
ok 'silently' err_lines 0
for variable in PMIX_RANK PMI_ID PALS_RANKID; do
    run env $variable=0 $CLIENT check
    ok "$variable alone is refused" is 2
    ok "$variable: with a command that works" err_has "$variable is set.*cmrun -n N $CLIENT"
    run env $variable=0 PMI_SIZE=1 $CLIENT check
    ok "$variable of one rank is not" is 0
done

run env SLURM_JOB_ID=7 SLURM_NTASKS=4 SLURM_PROCID=0 $CLIENT check
ok "a program in Slurm's batch script is one rank" is 0
ok 'about which nothing is said' err_lines 0
run env SLURM_JOB_ID=7 SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=1 SLURM_STEP_ID=0 SLURM_PROCID=0 \
    $CLIENT check
ok 'and in a job step of one task' is 0

# ---- The layer of this build ----

run $CLIENT layer
backend=$(cut -d ' ' -f 1 "$work/out")
case $backend in
sockets | shm | hybrid)
    run $CMRUN -n 4 $CLIENT layer
    ok "cmrun starts the $backend backend" out_is "$backend 4 6"
    ok 'which ends well' is 0
    run env OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 $CLIENT layer
    ok 'it refuses a launcher that it cannot talk to' is 2
    ok 'with the command that works' err_has "cmrun -n 4 $CLIENT";;
mpi)
    run $CMRUN -n 2 $CLIENT layer
    ok 'a program built for MPI refuses cmrun' is 2
    ok 'in one line' err_lines 1
    ok 'with the command that works' err_has 'mpiexec.* -n 2 '
    # shellcheck disable=SC2016
    run $CMRUN -n 2 ../netpipe/cm-netpipe --output 'not $HOME, it is it'"'s"
    # shellcheck disable=SC2034
    words=$(sed 's/.*start it with: //' "$work/err")
    # shellcheck disable=SC2016
    ok 'in which words stay what they are' \
        eval "set -- $words"'; shift $(($# - 2))
            [ "$1,$2" = "--output,not \$HOME, it is it'"'s"'" ]' ;;
esac

# ---- MPICH's launcher ----

hydra=
for each in $HYDRA_MPIEXEC mpiexec.mpich mpiexec.hydra mpiexec; do
    case $($each --version 2>/dev/null) in *HYDRA*) hydra=$each; break;; esac
done
if [ -n "$hydra" ]; then
    for n in 1 2 8; do
        run $hydra -n $n $CLIENT cards
        ok "$n ranks under mpiexec" out_is "$n ranks"
    done
    run $hydra -n 2 $CLIENT gather
    ok 'mpiexec has no gather, and the ranks know' [ "$(sort -u "$work/out")" = 'no gather' ]
    # The ranks speak PMI-2 if they see Slurm's variable; Hydra knows that, too.
    run $hydra -n 8 env PMI_JOBID=1.0 $CLIENT cards
    ok '8 ranks over PMI-2' out_is '8 ranks'
    case $backend in
    sockets | shm | hybrid)
        run $hydra -n 4 env PMI_JOBID=1.0 $CLIENT layer
        ok 'the layer over PMI-2' out_is "$backend 4 6" ;;
    esac
    run $hydra -n 2 $CLIENT abort 1 5 'no more'
    ok 'an abort under mpiexec: its status' is 5
    ok 'and its text' err_has '^no more$'
else
    skip 'ranks under mpiexec' "no MPICH mpiexec"
fi

# ---- Open MPI's launcher, over PMIx ----

openmpi=
for each in mpiexec.openmpi mpirun.openmpi orterun mpiexec; do
    case $($each --version 2>/dev/null) in *'Open'*) openmpi=$each; break;; esac
done
case $openmpi,$backend in
,* | *,mpi | *,dummy) why='no Open MPI, or no native backend' ;;
*) why= ;;
esac
if [ -z "$why" ]; then
    # Neither root nor more ranks than cores makes this fail.
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
    run $openmpi -n 2 $CLIENT check
    ! err_has "without PMIx's library" || why="no PMIx library beside Open MPI's own"
fi
if [ -z "$why" ]; then
    for n in 1 2 8; do
        run $openmpi -n $n $CLIENT cards
        ok "$n ranks under Open MPI's mpiexec" out_is "$n ranks"
    done
    run $openmpi -n 4 $CLIENT layer
    ok 'the layer over PMIx' out_is "$backend 4 6"
    ok 'which ends well' is 0
    run $openmpi -n 2 $CLIENT abort 1 5 'no more'
    ok 'an abort: its text' err_has '^no more$'
    ok 'it ends the job' [ "$status" -ne 0 -a "$status" -ne 124 ]
else skip "ranks under Open MPI's mpiexec" "$why"
fi
# A launcher whose library is not there.
run env PMIX_NAMESPACE=x PMIX_RANK=0 OMPI_COMM_WORLD_SIZE=4 LD_LIBRARY_PATH=/nowhere $CLIENT check
if [ "$status" -ne 0 ]; then
    ok "without PMIx's library: refused" is 2
    ok 'in one line, which says why' err_has "without PMIx's library (libpmix.so.2: .*cmrun -n 4 "
    ok 'only one' err_lines 1
else skip "without PMIx's library" 'it is installed'
fi

done_testing
