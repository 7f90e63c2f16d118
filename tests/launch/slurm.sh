#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# slurm.sh: jobs of a real Slurm, which this script starts for itself: one slurmctld and two slurmd
# on this host, without munge. TEST_SLURM_PLUGINS is the folder of Slurm's plugins if that is not
# where Slurm looks (packages that were unpacked and not installed).
. "${srcdir:-.}/launch/tap.sh"

why=
found() { for each; do command -v "$each" && return; done; }
for each in srun sbatch sinfo; do
    [ -n "$(found $each)" ] || why="no $each; Debian: slurm-client slurmctld slurmd"
done
controller=$(found slurmctld slurmctld-wlm) node=$(found slurmd slurmd-wlm)
stepd=$(found slurmstepd slurmstepd-wlm)
[ -n "$controller" ] && [ -n "$node" ] || why='no slurmctld or slurmd'
[ "$(id -u)" = 0 ] || why='slurmd needs root'
[ -z "$why" ] || { skip 'jobs of Slurm' "$why"; done_testing; }

CMRUN=$(readlink -f "$CMRUN") CLIENT=$(readlink -f "$CLIENT")
port=$((20000 + $$ % 10000))
SLURM_CONF=$work/slurm.conf CM_TIMEOUT_S=2
export SLURM_CONF CM_TIMEOUT_S
mkdir "$work/state" "$work/spool-n1" "$work/spool-n2" "$work/tmp-n1" "$work/tmp-n2"
{ slurm_settings; cat; } >"$SLURM_CONF" <<END
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
TmpFS=$work/tmp-%n
NodeName=n1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=4
NodeName=n2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=4
PartitionName=all Nodes=n1,n2 Default=YES State=UP
END
timeout 900 "$controller" -D -c >"$work/controller" 2>&1 &
daemons=$!
for each in n1 n2; do
    timeout 900 "$node" -D -N $each ${stepd:+-d "$stepd"} >"$work/$each" 2>&1 &
    daemons="$daemons $!"
done
trap 'kill $daemons; wait; rm -rf "$work"' EXIT
idle() { [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; }
if ! within 30 idle; then
    tail -n 3 "$work/controller" "$work/n1" | sed 's/^/# /'
    skip 'jobs of Slurm' 'its nodes do not get ready here'
    done_testing
fi

# Ranks that are to pass wait for each other on a busy machine, too.
patiently() { run env CM_TIMEOUT_S=30 "$@"; }

# batch COMMANDS: a job of four tasks on two nodes.
batch() {
    printf '#!/bin/sh\n%s\n' "$1" >"$work/job"
    timeout -k 5 60 sbatch -W -N2 -n4 -o "$work/out" -e "$work/err" "$work/job" >"$work/said" 2>&1
    status=$?
}

patiently srun --mpi=pmi2 -N2 -n4 "$CLIENT" layer
ok 'srun --mpi=pmi2 starts the ranks' is 0
ok 'and they find each other' grep -q '^[a-z]* 4 6$' "$work/out"
for how in receive any leave; do
    run srun --mpi=pmi2 -N2 -n4 "$CLIENT" layer-dies $how
    ok "a rank dies, $how: the job ends" [ "$status" -ne 0 -a "$status" -ne 124 ]
    ok 'and says why' err_has '^clustermark: rank 0 on .*: rank 1 on '
done
# missing RANK STATUS: it ends before it joins.
missing() {
    run srun --mpi=pmi2 -N2 -n4 sh -c "[ \$PMI_RANK != $1 ] || exit $2; exec '$CLIENT' layer"
}
missing 2 0
ok 'a rank ends before it joins: the job ends' [ "$status" -ne 0 -a "$status" -ne 124 ]
why='has not joined the job within 2 s (CM_TIMEOUT_S)'
ok 'one of the others names it' err_has "^clustermark: rank 0 on .*: rank 2 of 4 $why"
ok 'only one' [ "$(grep -c ^clustermark: "$work/err")" -eq 1 ]
missing 0 5
ok 'rank 0 fails before it joins: the next one says so' \
    err_has "^clustermark: rank 1 on .*: rank 0 of 4 $why"
patiently srun --mpi=pmi2 -N2 -n4 sh -c "[ \$PMI_RANK != 3 ] || sleep 1; exec '$CLIENT' layer"
ok 'a rank that comes late is no failure' is 0
patiently srun --mpi=pmi2 -N2 -n4 env -u PMI_JOBID "$CLIENT" layer
ok 'srun speaks PMI-1 as well' is 0
# The PMIx servers of two nodes need folders of their own (TmpFS) where nodes share a file system.
if srun --mpi=pmix -N1 -n1 true >"$work/out" 2>&1; then
    patiently srun --mpi=pmix -N1 -n4 "$CLIENT" layer
    ok 'srun --mpi=pmix' grep -q '^[a-z]* 4 6$' "$work/out"
    run srun --mpi=pmix -N1 -n4 sh -c "[ \$SLURM_PROCID != 0 ] || exit 0; exec '$CLIENT' layer"
    ok 'a rank ends before it joins over PMIx: the next one says so' \
        err_has "^clustermark: rank 1 on .*: rank 0 of 4 $why"
    for nodes in 1 2; do
        run srun --mpi=pmix -N$nodes -n4 "$CLIENT" layer-dies receive
        ok "a rank dies over PMIx, $nodes nodes: the job ends" \
            [ "$status" -ne 0 -a "$status" -ne 124 ]
    done
    patiently srun --mpi=pmix -N2 -n4 "$CLIENT" layer
    ok 'srun --mpi=pmix on two nodes' grep -q '^[a-z]* 4 6$' "$work/out"
    patiently srun --mpi=pmix -N2 -n2 ../netpipe/cm-netpipe --upper 64k --time-limit 0.01 \
        --warm-up 0
    ok 'cm-netpipe there' grep -q '^# RESULT: PASS peak_Mbit_per_s ' "$work/out"
else skip 'srun --mpi=pmix' 'its plugin does not work here'
fi
run srun -N2 -n4 --mpi=none "$CLIENT" layer
ok 'srun without PMI is refused' is 2
ok 'with the command that works' err_has 'cmrun -n 4 '
batch "$CLIENT layer"
ok 'one rank in a batch script' is 0
ok 'is one rank' grep -q '^[a-z]* 1 0$' "$work/out"
batch "$CMRUN $CLIENT layer"
ok "cmrun in a batch script: all ranks" is 0
ok 'on all nodes' grep -q '^[a-z]* 4 6$' "$work/out"
batch "$CMRUN --per-host 1 sh -c 'echo \$PMI_RANK \$SLURMD_NODENAME'"
ok 'each on its node' sh -c "sort '$work/out' | tr '\\n' ' ' | grep -q '^0 n1 1 n2 $'"
batch "$CMRUN --per-host 1 sh -c 'echo \$SLURM_STEP_NUM_NODES \$SLURM_STEP_ID'"
ok 'both in one step' [ "$(sed 's/^2 [0-9]*$/right/' "$work/out" | uniq | tr '\n' ' ')" = 'right ' \
    -a "$(sort -u "$work/out" | wc -l)" -eq 1 ]
batch "$CMRUN --per-host 1 sh -c '[ \$PMI_RANK = 0 ] || kill -9 \$PPID; exec sleep 50'"
ok 'a proxy there is killed: the job ends' is 3
ok 'the line names its node' grep -q "^cmrun: host 'n2': lost: its proxy is gone; " "$work/err"
batch "$CMRUN -k --per-host 1 sh -c \
    '[ \$PMI_RANK = 0 ] || kill -9 \$PPID; sleep 2; echo \$PMI_RANK'"
ok 'or goes on without its ranks' grep -q -x 0 "$work/out"
batch "$CMRUN --hosts n1,n2 sh -c 'echo \$SLURM_STEP_NUM_NODES'"
ok 'so are those that --hosts names' [ "$(tr '\n' ' ' <"$work/out")" = '2 2 ' ]
batch "$CMRUN --hosts n1,nobody.invalid true"
ok 'unless one is not of the job' grep -q "'ssh' ended\|cannot run 'ssh\|ssh: " "$work/err"
batch "srun -N1 -n1 $CMRUN -n 2 sh -c 'echo \$SLURMD_NODENAME'"
ok 'cmrun in a step on one node: on that one' [ "$(tr '\n' ' ' <"$work/out")" = 'n1 n1 ' ]
batch "SRUN_CPUS_PER_TASK=1 SLURM_EXACT=1 $CMRUN --per-host 1 \
    sh -c 'echo \$SLURM_CPUS_ON_NODE'"
ok 'the step has what the job has' awk '{ cpus += $1 } END { exit cpus != 4 }' "$work/out"
batch "$CMRUN --rsh 'srun --quiet -N1 -n1 --overlap -w' --per-host 1 sh -c \
    'echo \$SLURM_STEP_NUM_NODES'"
ok '--rsh: a step for each node' [ "$(tr '\n' ' ' <"$work/out")" = '1 1 ' ]
# The suite's shapes by srun. Hosts of this Slurm share a host name, so only their number can be
# checked.
suite=$PWD/../suite/clustermark
if [ -x "$suite" ]; then
    batch "'$suite' run --launches 1 --launcher srun --only linkmap,netpipe,bisection-whole \
        '$work/shapes'"
    ok 'clustermark run --launcher srun' is 0 || sed 's/^/# /' "$work/err"
    ok 'chooses --mpi' grep -q '^launcher: srun --quiet --mpi=p' "$work/shapes/run.txt"
    ok 'starts a rank on each' grep -q '^# ranks: 2$' "$work/shapes/linkmap.txt"
    ok 'and one for each task' grep -q '^# ranks: 4$' "$work/shapes/bisection-whole.txt"
else skip 'clustermark run --launcher srun' 'without jansson there is no clustermark'
fi
batch "$CMRUN -n 2 --per-host 1 sh -c 'head -c 200000 /dev/urandom | tee $work/\$PMI_RANK'"
cat "$work/0" "$work/1" | wc -c >"$work/bytes"
ok 'output of any bytes arrives whole' [ "$(wc -c <"$work/out")" -eq "$(cat "$work/bytes")" ]

done_testing
