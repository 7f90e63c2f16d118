#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# contrib.sh: the scripts of contrib/, with stand-ins for clustermark, Slurm and PBS: which status
# of clustermark drains a node, keeps a night's result, or changes a file. ReFrame's checks run if
# it is installed.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
contrib=$(cd "$srcdir/../contrib" && pwd)
command -v bash >/dev/null || { echo '1..0 # SKIP there is no bash'; exit 0; }

# Stand-ins record how they were called; clustermark's ends with the status in $work/status-COMMAND.
bin=$work/bin
mkdir "$bin"
cat >"$bin/clustermark" <<'END'
#!/bin/sh
echo "clustermark $*" >>"$CALLS"
case $1 in
nodes) echo 'nodes: n1 triad_MB_per_s 8100, its history 12000 (11800 to 12100, 9 results): worse' ;;
export) echo 'clustermark_pass 1' ;;
esac
exit "$(cat "$STATUS-$1" 2>/dev/null || echo 0)"
END
cat >"$bin/scontrol" <<'END'
#!/bin/sh
echo "scontrol $*" >>"$CALLS"
[ "$1" != show ] || cat <<JOB
JobId=7 JobName=clustermark
   Priority=4294901759 Nice=0 Account=physics QOS=(null)
   RunTime=00:00:01 TimeLimit=02:00:00 TimeMin=N/A
   Partition=long AllocNode:Sid=login:1
   ReqNodeList=(null) ExcNodeList=(null)
   NodeList=n[1-8]
   Command=${SCRIPT:-/jobs/nightly.sbatch}
JOB
END
for name in sbatch logger; do
    printf '#!/bin/sh\necho "%s $*" >>"$CALLS"\nexit ${REFUSED:-0}\n' $name >"$bin/$name"
done
chmod +x "$bin"/*
export TMPDIR="$work" CALLS="$work/calls" STATUS="$work/status" PATH="$bin:$PATH"

# ends STATUS SCRIPT ARGUMENT...
ends()
{
    wanted=$1; shift
    : >"$CALLS"
    status=0
    SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=8 bash "$@" >"$work/out" 2>"$work/err" </dev/null ||
        status=$?
    [ $status -eq "$wanted" ] || { echo "# status $status"; show "$CALLS" "$work/err"; false; }
}
called() { has "$1" "$CALLS" || { show "$CALLS"; false; }; }
not_called() { ! called "$1" >/dev/null; }

for script in "$contrib"/*/*.sh "$contrib"/*/*.sbatch "$contrib"/*/*.pbs; do
    ok "bash reads ${script##*/}" bash -n "$script"
done

prologue=$contrib/slurm/prologue.sh
for pair in 0:0 3:0 2:0 1:1; do
    echo "${pair%:*}" >"$STATUS-nodes"
    export SLURMD_NODENAME=n1 CLUSTERMARK_KEPT=/kept
    ok "the prologue ends with ${pair#*:} where clustermark ends with ${pair%:*}" \
        ends "${pair#*:}" "$prologue"
    ok 'it asks about this node and its history' called 'clustermark nodes --against /kept '
    if [ "${pair#*:}" = 1 ]; then
        ok 'it drains the node, with what was worse' \
            called 'scontrol update NodeName=n1 State=DRAIN Reason=clustermark: nodes: n1 .*worse'
    else
        ok 'it drains nothing' not_called 'scontrol update'
    fi
done
: >"$CALLS"
mkdir "$work/none"
for each in dirname mktemp rm timeout uname logger; do
    ln -s "$(command -v $each)" "$work/none/$each"
done
ok 'a prologue that finds no clustermark drains nothing' sh -c "
    PATH='$work/none' '$(command -v bash)' '$prologue' >'$work/out' 2>'$work/err'"
ok 'and says so' called 'logger .* status 127: .*PATH in prologue.sh'
ok 'it leaves nothing' sh -c "! ls -d $work/clustermark.??????" 2>/dev/null

night=$(date -u +%Y-)
for script in slurm/nightly.sbatch flux/nightly.sh; do
    rm -f "$STATUS"-*
    ok "$script: a night" ends 0 "$contrib/$script" "$work/all"
    ok 'is measured' called "clustermark run .*nights/$night"
    ok 'and reported' called "clustermark report $work/all/nights/$night"
    ok 'and kept' called "clustermark baseline add $work/all/kept $work/all/nights/$night"
    ok 'and shown' called "clustermark history -f -o $work/all/history.html $work/all/kept"
    echo 1 >"$STATUS-run"
    ok 'a night in which a host stands out ends with 1' ends 1 "$contrib/$script" "$work/all"
    ok 'and is kept' called 'clustermark baseline add'
    # As suite_baseline.sh says.
    echo 2 >"$STATUS-baseline"
    ok 'so does one with a wrong answer, which is not kept' ends 1 "$contrib/$script" "$work/all"
    ok 'the others are shown' called 'clustermark history'
    rm "$STATUS-run"
    ok 'a night that is not kept is no good one' ends 2 "$contrib/$script" "$work/all"
    rm "$STATUS-baseline"
    echo 3 >"$STATUS-run"
    ok 'a night that failed ends with 3' ends 3 "$contrib/$script" "$work/all"
    ok 'and is not kept' not_called 'clustermark baseline add'
    ok 'without a folder nothing starts' ends 1 "$contrib/$script"
    ok 'and the line says how' has 'usage:' "$work/err"
done
rm -f "$STATUS"-*
ok "Slurm's night asks for the next one" ends 0 "$contrib/slurm/nightly.sbatch" "$work/all"
asked='--begin=now+1day --nodes=8 --partition=long --account=physics --nodelist=n\[1-8\]'
ok 'with the same nodes, partition, account and time limit, and no QOS where there is none' \
    called "sbatch $asked --time=02:00:00 /jobs/nightly.sbatch $work/all"
# not_asked: it ends before it measures, and says why.
not_asked()
{
    ends 3 "$contrib/slurm/nightly.sbatch" "$work/all" && not_called 'clustermark run' &&
        has "^nightly.sbatch: cannot ask for the next night (script: $1); .*AGAIN=no" "$work/err"
}
export REFUSED=1
ok 'a night that cannot ask for the next' not_asked /jobs/nightly.sbatch
export REFUSED=0 SCRIPT='(null)'
ok 'a night whose script is no file' not_asked none
ok 'does not ask' not_called 'sbatch'
SCRIPT="/two words/nightly.sbatch $work/all"
ok 'a night whose script has a blank in its path' \
    ends 0 "$contrib/slurm/nightly.sbatch" "$work/all"
ok 'asks for the same script' called "^sbatch .* /two words/nightly.sbatch $work/all\$"
unset SCRIPT REFUSED
export SLURM_RESTART_COUNT=1
ok 'a night that Slurm starts again' ends 0 "$contrib/slurm/nightly.sbatch" "$work/all"
ok 'has asked for the next one before' not_called 'sbatch --begin'
unset SLURM_RESTART_COUNT
ok "PBS's night" env FOLDER="$work/all" bash "$contrib/pbs/nightly.pbs"
export FOLDER="$work/all"
echo 1 >"$STATUS-run" && echo 2 >"$STATUS-baseline"
ok "PBS's night with a wrong answer ends with 1" ends 1 "$contrib/pbs/nightly.pbs"
ok 'the others are shown' called 'clustermark history'
unset FOLDER
rm -f "$STATUS"-*

mkdir "$work/textfile"
ok 'the textfile' ends 0 "$contrib/prometheus/textfile.sh" "$work/results" "$work/textfile"
ok 'is there' has 'clustermark_pass 1' "$work/textfile/clustermark.prom"
echo 2 >"$STATUS-export"
ok 'one that cannot be written' ends 2 "$contrib/prometheus/textfile.sh" "$work/no" "$work/textfile"
ok 'leaves the old one alone' [ "$(ls "$work/textfile")" = clustermark.prom ]

if command -v python3 >/dev/null; then
    for script in ramble/application.py reframe/clustermark_checks.py reframe/settings.py; do
        ok "python reads $script" python3 -c \
            'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$contrib/$script"
    done
else
    skip 'the Python files' 'there is no python3'
fi
if command -v reframe >/dev/null && has_native; then
    ln -s "$(pwd)/../nodes/cm-nodes" "$(pwd)/../src/cmrun" "$bin"
    printf '%s\n' 'import reframe as rfm, sys' "sys.path.insert(0, '$contrib/reframe')" \
        'from clustermark_checks import ClustermarkCheck' \
        '@rfm.simple_test' 'class right(ClustermarkCheck):' "    program = 'cm-nodes'" \
        "    options = ['-r', '9', '--trial-seconds', '0.001']" '    num_tasks = 2' \
        '@rfm.simple_test' 'class slow(ClustermarkCheck):' "    program = 'cm-nodes'" \
        "    options = ['-r', '9', '--trial-seconds', '0.001']" '    num_tasks = 2' \
        '    strict = True' \
        "    reference = {'*': {'gemm_Mflop_per_s': (1e12, -0.1, None, 'Mflop/s')}}" \
        '@rfm.simple_test' 'class wrong(ClustermarkCheck):' "    program = 'cm-nodes'" \
        "    options = ['--no-such']" '    num_tasks = 2' >"$work/checks.py"
    (cd "$work" && timeout 300 reframe -C "$contrib/reframe/settings.py" -c checks.py -r \
        --prefix rfm >rfm.out 2>&1)
    ok 'ReFrame: three checks' has 'Ran 3/3 test case.*2 failure' "$work/rfm.out" ||
        tail -n 40 "$work/rfm.out" | show
    ok 'ReFrame: a value below its reference fails' has 'gemm_Mflop_per_s=.*expected' \
        "$work/rfm.out"
    ok 'ReFrame: what a program said is the reason' has "no-such" "$work/rfm.out"
else
    skip "ReFrame's checks" 'there is no reframe, or no native backend'
fi
finish
