#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_shapes.sh: how many ranks clustermark run starts on which hosts, and with which sizes. A
# tree with the real clustermark and a cmrun that only notes how it is called stands for hosts.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
unset SLURM_TASKS_PER_NODE
if has_native; then ok 'programs start by cmrun' sh -c "'$suite' env | grep -q 'cmrun'"; fi
if [ "$comm" = shm ]; then
    ok 'shared memory does not reach other hosts' sh -c "
        '$suite' run --hosts a,b '$work/two' 2>'$work/err'; [ \$? -eq 2 ]"
    ok 'which is said' grep -q 'run: --hosts a,b: the shm backend runs on one host; ' "$work/err"
    SLURM_JOB_NODELIST='n[1-2]' "$suite" run --launches 1 --only linkmap "$work/here" \
        2>"$work/err"
    ok 'a job on several hosts stays on this one' grep -q '^# hosts: 1$' "$work/here/linkmap.txt"
    ok 'and says so' grep -q 'n\[1-2\] has several hosts; the shm backend runs on this' "$work/err"
    ok 'whose name is recorded' grep -q "^host: $(uname -n)\$" "$work/here/run.txt"
fi
case $comm in
sockets | hybrid) ;;
*)  skip 'shapes of runs' "the $comm backend does not start ranks on other hosts by cmrun"
    finish ;;
esac

tree=$work/tree
mkdir -p "$tree/suite" "$tree/src"
: >"$tree/config.status"
echo "top_srcdir = $(cd "$srcdir/.." && pwd)" >"$tree/suite/Makefile"
cp "$suite" "$tree/suite/clustermark"
sed -n 's/^folder=\([^|]*\)|run=\([^|]*\)|.*/\1 \2/p' "$srcdir/../suite/benchmarks.tab" |
    while read -r folder run; do
        mkdir -p "$tree/$folder"
        printf '#!/bin/sh\n' >"$tree/$folder/${run%%/*}"
        chmod +x "$tree/$folder/${run%%/*}"
    done
# Notes the words up to the program, its name and its options, and writes a result.
cat >"$tree/src/cmrun" <<'EOF'
#!/bin/sh
case "$*" in *' --size 2 '*) [ ! -f "$work/asked" ] || . "$work/asked" ;; esac
for word in "$@"; do
    case ${last-} in
    --output)   cat "$work/said" >"$word"
                echo '# RESULT: PASS rate 1 1/s' >>"$word"
                output=$word ;;
    --json)     "$record_json" "$output" >"$word" ;;
    *)  case $word in
        --output | --json | --quiet | --force) ;;
        /*) printf '%s ' "${word##*/}" ;;
        *)  printf '%s ' "$word" ;;
        esac ;;
    esac
    last=$word
done >>"$work/calls"
echo >>"$work/calls"
EOF
chmod +x "$tree/src/cmrun"
record_json=$PWD/programs/record_json
export work record_json

# run_on NAMES ARGUMENT...: runs these benchmarks, and shows what was called if that fails.
run_on()
{
    names=$1; shift
    rm -rf "$work/results" "$work/calls"
    "$tree/suite/clustermark" run --launches 1 --only "$names" "$@" "$work/results" \
        >"$work/out" 2>"$work/err" || { show "$work/err"; false; }
}
called() { grep -q -e "$1" "$work/calls" || { show "$work/calls"; false; }; }
not_called() { ! grep -e "$1" "$work/calls"; }
some=hint,netpipe,netpipe-distances,nodes,linkmap,bisection,bisection-whole,linpack,linpack-node

printf '# job_cores: 8\n# memory_free_bytes: 64000000000\n# hosts: 3\n' >"$work/said"
ok 'three hosts of eight cores' run_on $some --hosts a,b,c
ok 'are asked by a rank on each' called '^--hosts a,b,c -n 3 cm-linkmap --size 2 '
ok 'one rank' called '^--hosts a,b,c -n 1 cm-hint '
ok 'two ranks on two hosts' called '^--hosts a,b,c -n 2 cm-netpipe '
ok 'two ranks on each host' called '^--hosts a,b,c --per-host 2 -n 6 cm-netpipe --distances '
ok 'one rank on each host' called '^--hosts a,b,c -n 3 cm-linkmap --bind'
ok 'whole hosts to be compared' called '^--hosts a,b,c --per-host 8 -n 24 cm-nodes --bind'
ok 'an even number of hosts' called '^--hosts a,b,c -n 2 cm-bisection '
ok 'each core of each host' called '^--hosts a,b,c --per-host 8 -n 24 cm-bisection '
# 2000 for two ranks; 2000 * 12^(1/3) = 4578 and 2000 * 4^(1/3) = 3174
ok 'and a size for them' called '^--hosts a,b,c --per-host 8 -n 24 cm-linpack .*,1000,4500 '
ok 'each core of one host' called '^--hosts a --per-host 8 -n 8 cm-linpack .*,1000,3100 '
ok 'the size is printed' grep -q 'linpack: cm-linpack .*,1000,4500, 24 ranks' "$work/err"
ok 'the report names the run' sh -c "'$tree/suite/clustermark' report '$work/results' >'$work/out'"
ok 'with its shape' grep -q 'id="linpack-node"' "$work/results/report.html"

printf '# job_cores: 8\n# memory_free_bytes: 64000000\n# hosts: 3\n' >"$work/said"
ok 'little memory' run_on linpack --hosts a,b,c
# half of 3 * 64 MB, 8 bytes an element: 3464
ok 'a size within it' called ' -n 24 cm-linpack .*,1000,3400 '

printf '# job_cores: 8\n# computers: 1\n# hosts: 3\n' >"$work/said"
ok 'hosts that share a kernel' run_on linpack --hosts a,b,c
ok 'share its cores' called '^--hosts a,b,c --per-host 2 -n 6 cm-linpack .*,1000,2800 '
printf '# job_cores: 2\n# computers: 1\n# hosts: 3\n' >"$work/said"
ok 'fewer cores than hosts' run_on linpack --hosts a,b,c
ok 'one rank on each' called '^--hosts a,b,c --per-host 1 -n 3 cm-linpack .*,1000,2000 '
rm -rf "$work/results"
ok 'all runs of one shape' "$tree/suite/clustermark" run --launches 1 --hosts a,b "$work/results" \
    2>"$work/err"
ok 'none is run twice' [ ! -e "$work/results/bisection-whole.txt" ]
ok 'or skipped for that' sh -c "! grep -q 'same ranks' '$work/err'"

printf '# job_cores: 8\n# hosts: 2\n' >"$work/said"
ok 'slots' run_on netpipe,linkmap,linpack,linpack-node --hosts a:4,b:4
ok 'are as many as the list says' called '^--hosts a,b --per-host 4 -n 8 cm-linpack '
ok 'of a host, too' called '^--hosts a --per-host 4 -n 4 cm-linpack '
ok 'two ranks do not share a host' called '^--hosts a,b -n 2 cm-netpipe '
ok 'and hosts have one' called '^--hosts a,b -n 2 cm-linkmap --bind'
ok 'different slots' run_on linpack --hosts a:4,b:2
ok 'are left to cmrun' called '^--hosts a:4,b:2 -n 6 cm-linpack '
ok 'slots of one' run_on linpack --hosts a:1,b:1
ok 'are one, whatever the cores' called '^--hosts a,b --per-host 1 -n 2 cm-linpack '

ok 'a number of ranks' run_on linpack,linkmap,netpipe-distances --hosts a,b --ranks 5
ok 'is that' called '^--hosts a,b -n 5 cm-linpack '
ok 'not of two on each host' called '^--hosts a,b --per-host 2 -n 4 cm-netpipe --distances '
ok 'for all others, and nobody is asked' not_called '--size 2 \|--per-host .*cm-lin'
ok 'a shape that is the same' sh -c "! '$tree/suite/clustermark' run --launches 1 --ranks 4 \
    --only linpack-node '$work/one' 2>'$work/err'"
ok 'says so' grep -q 'here it would have the same ranks as linpack' "$work/err"

# ---- Hosts that do not answer --------------------------------------------------------------------

# ends STATUS REGEX COMMAND ARGUMENT...: this status, and a line on stderr.
ends()
{
    wanted=$1 regex=$2; shift 2
    status=0
    : >"$work/calls"
    "$tree/suite/clustermark" "$@" --hosts a,b >"$work/out" 2>"$work/err" || status=$?
    [ $status -eq "$wanted" ] && grep -q -e "$regex" "$work/err" && return
    echo "# status $status"; show "$work/err"; false
}
results=$work/results
printf '# job_cores: 8\n# hosts: 2\n' >"$work/said"
ok 'two hosts' run_on linpack --hosts a,b
cp -R "$results" "$work/kept"
echo '# memory_free_bytes: 64000000000' >>"$work/said"
kept() { diff -r "$work/kept" "$results"; }
begin='run --launches 1 --only linpack'
cat >"$work/asked" <<'EOF'
echo "cmrun: host 'b': cannot be reached" >&2
exit 3
EOF
why="the hosts did not say how many cores they have: cmrun: host 'b': cannot be reached"
ok 'one that is dead' ends 3 "run: $why" $begin "$work/new"
ok 'is not taken for one core' [ ! -e "$work/new/run.txt" -a ! -s "$work/calls" ]
ok 'in a folder with results' ends 3 "run: $why" $begin "$results"
ok 'also with --fresh' ends 3 "run: $why" $begin --fresh "$results"
ok 'all of it stays' kept
ok 'the host is named for nodes, too' ends 3 "nodes: $why" nodes "$results"
echo 'kill -TERM $PPID; exec sleep 300' >"$work/asked"
stopped='run: interrupted; the same command'
ok 'interrupted while they are asked' ends 143 "$stopped begins anew" $begin "$work/new"
ok 'before anything is written' [ ! -e "$work/new/run.txt" ]
ok 'in a folder with results' ends 143 "$stopped goes on where this one ended" $begin "$results"
ok 'also with --fresh' ends 143 "$stopped begins anew" $begin --fresh "$results"
ok 'and by nodes' ends 143 'nodes: interrupted; .* measures anew' nodes "$results"
ok 'all of it stays' kept
rm "$work/asked"
ok 'with an answer' ends 0 'linpack: cm-linpack .*, 16 ranks' $begin "$work/new"
ok 'there are 16 ranks' grep -q '^ranks: 16$' "$work/new/run.txt"
ok 'where all is complete' ends 0 'linpack: complete' $begin "$results"
ok 'no file is another one' kept
ok 'a run that begins anew' ends 0 'linpack: cm-linpack .*, 16 ranks' $begin --fresh "$results"
ok 'keeps the new answer' has '^# memory_free_bytes: 64' "$results/launches/hosts.1.txt"

# --until 0 asks them, and leaves nothing.
first='run --until 0 --only linpack,bisection-whole'
checks() # DIR
{
    : >"$work/calls"
    "$tree/suite/clustermark" $first --hosts a,b "$1" 2>"$work/err" && [ ! -s "$work/err" ] ||
        { show "$work/err"; false; }
}
empty() { [ -z "$(ls -A "$work/empty")" ] || { ls -A "$work/empty"; false; }; }
mkdir "$work/empty"
ok 'only a check' checks "$work/empty/further/new"
ok 'asks the hosts' called '^--hosts a,b -n 2 cm-linkmap --size 2 '
ok 'and leaves no folder' empty
ok 'in a folder' checks "$work/empty"
ok 'likewise' empty
ok 'a relative one' sh -c "cd '$work/empty' && '$tree/suite/clustermark' $first --hosts a,b new"
ok 'likewise' empty
echo 'echo no >&2; exit 3' >"$work/asked"
ok 'a check of dead hosts' ends 3 'cores they have: no$' $first "$work/empty/new"
ok 'likewise' empty
rm "$work/asked"

printf 'a\nb\n' >"$work/hosts"
ok 'a file of hosts' run_on linpack --hostfile "$work/hosts"
ok 'is a list like any other' called '^--hosts a,b --per-host 8 -n 16 cm-linpack '
SLURM_JOB_NODELIST='n[1-2]' SLURM_TASKS_PER_NODE='1(x2)'
export SLURM_JOB_NODELIST SLURM_TASKS_PER_NODE
ok 'an allocation' run_on linpack,netpipe
ok 'is found, with its cores' called '^--hosts n1,n2 --per-host 8 -n 16 cm-linpack '
ok 'and two hosts for two ranks' called '^--hosts n1,n2 -n 2 cm-netpipe '
finish
