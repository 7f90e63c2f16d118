#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts.sh: cmrun on several hosts, reached by a launcher that only changes the host name:
# where ranks run, what they get, what is refused.
. "${srcdir:-.}/launch/hosts_tap.sh"

there --hosts a:2,b:2 sh -c 'echo $PMI_RANK $PMI_SIZE $CM_LOCAL_RANKS'
ok 'ranks fill the slots, each host with its own' sorted '0 4 2
1 4 2
2 4 2
3 4 2'
ok 'status 0' is 0
ok 'nothing on stderr' err_lines 0
ok 'the launcher gets its options, host and command' \
    grep -q -x -e "-q b $CMRUN --proxy" "$work/launched"
there --hosts a,b,c -n 4 sh -c 'echo $PMI_RANK $CM_LOCAL_RANKS'
ok 'more ranks than hosts go round' sorted '0 2
1 1
2 1
3 2'
if [ -n "$rename" ]; then
    there --hosts a:2,b:1 -p uname -n
    ok 'on their hosts, prefixed' [ "$(sort "$work/out")" = '[0] a
[1] a
[2] b' ]
else
    skip 'on their hosts, prefixed' 'host names are changed by root only'
fi
there --hosts localhost:1,b:1 sh -c 'echo $PMI_RANK $CM_LOCAL_RANKS'
ok 'this host among others' sorted '0 1
1 1'
printf '# two\na 1\nb 2 # more\n' >"$work/list"
there --hostfile "$work/list" sh -c 'echo $PMI_RANK $CM_LOCAL_RANKS'
ok 'a file of hosts' sorted '0 1
1 2
2 2'
there --hosts a,b sh -c 'pwd; echo to stderr >&2'
ok 'the working folder is the same' [ "$(sort -u "$work/out")" = "$(pwd -P)" ]
ok 'stderr comes apart' [ "$(grep -c '^to stderr$' "$work/err")" -eq 2 ]
run env FOO='1 2' CM_SPIN_US=7 "$CMRUN" -l "$work/launcher" -H a,b --env FOO -e "BAR=it's" \
    sh -c 'echo "$FOO $BAR $CM_SPIN_US"'
ok 'variables come along' [ "$(sort -u "$work/out")" = "1 2 it's 7" ]
# As ssh does, but for what cmrun names.
printf '#!/bin/sh\nunset OPENBLAS_CORETYPE FOO\nexec "%s" "$@"\n' "$work/launcher" >"$work/forgets"
chmod +x "$work/forgets"
run env OPENBLAS_CORETYPE=Nehalem FOO=1 "$CMRUN" -l "$work/forgets" -H a,b \
    sh -c 'echo "$OPENBLAS_CORETYPE<$FOO>"'
ok 'and the kernels of OpenBLAS, but no others' [ "$(sort -u "$work/out")" = 'Nehalem<>' ]
run env OPENBLAS_CORETYPE=Nehalem "$CMRUN" -l "$work/forgets" -H a,b \
    --env OPENBLAS_CORETYPE=Haswell sh -c 'echo "$OPENBLAS_CORETYPE"'
ok 'unless --env says others' [ "$(sort -u "$work/out")" = Haswell ]
there -k --hosts a,b sh -c 'echo "<$CM_KEEP_GOING>"'
ok '--keep-going tells all ranks' [ "$(grep -c '^<1>$' "$work/out")" -eq 2 ]
run env CM_KEEP_GOING=1 "$CMRUN" -l "$work/launcher" -H localhost,b sh -c 'echo "<$CM_KEEP_GOING>"'
ok 'and nobody without it' [ "$(grep -c '^<>$' "$work/out")" -eq 2 ]
there --hosts a,b sh -c 'for each; do echo "<$each>"; done' sh 'a b' "it's" '' '$HOME'
ok 'arguments stay what they are' \
    [ "$(grep -c -F -e '<a b>' -e "<it's>" -e '<>' -e '<$HOME>' "$work/out")" -eq 8 ]
seq 20000 >"$work/in"
timeout 60 "$CMRUN" -l "$work/launcher" -H a,b sh -c '[ $PMI_RANK = 1 ] || cat' \
    <"$work/in" >"$work/out" 2>"$work/err"
ok 'rank 0 gets a file as stdin' cmp -s "$work/in" "$work/out"
cat "$work/in" | timeout 60 "$CMRUN" -l "$work/launcher" -H a,b \
    sh -c '[ $PMI_RANK = 1 ] || cat' >"$work/out" 2>"$work/err"
ok 'or a pipe' cmp -s "$work/in" "$work/out"
there --hosts a,b sh -c 'head -c 3000000 /dev/zero'
ok 'much output arrives whole' [ "$(wc -c <"$work/out")" -eq 6000000 ]
there --hosts a:2,b:2 "$CLIENT" cards
ok 'ranks find each other through PMI' out_is '4 ranks'
there --hosts a:30,b:2,localhost:3 "$CLIENT" gather
ok 'or get all cards at once' out_is '35 ranks'
there --hosts a,b,c -n 35 "$CLIENT" gather
ok 'however they are placed' out_is '35 ranks'
there --hosts a,b --bind core sh -c 'grep Cpus_allowed_list /proc/self/status'
ok 'bound ranks have one core' [ "$(grep -c '[0-9,-]*:.[0-9]*$' "$work/out")" -eq 2 ]

# Rank k of a host on its core k; both hosts are this one.
cores=$(nproc 2>/dev/null || echo 1)
there --hosts a:2,b:1 -p --bind core sh -c 'sed -n "s/^Cpus_allowed_list:.//p" /proc/self/status'
if [ "$cores" -ge 2 ]; then
    sed -n 's/^\[[02]\] //p' "$work/out" | sort -u >"$work/first"
    sort -u "$work/out" | sed 's/.* //' | sort -u >"$work/cores"
    ok 'the ranks of each host count from its first core' \
        [ "$(wc -l <"$work/first")" -eq 1 -a "$(wc -l <"$work/cores")" -eq 2 ]
else skip 'the ranks of each host count from its first core' 'one core'
fi

# ---- Allocations ----

where='echo $PMI_RANK $CM_LOCAL_RANKS'
granted() { run env "$@" "$CMRUN" -l "$work/launcher -q" $ranks sh -c "$where"; }
ranks=
granted SLURM_JOB_NODELIST='n[08-09]' 'SLURM_TASKS_PER_NODE=2(x2)'
ok "Slurm's nodes, with a rank for each task" sorted '0 2
1 2
2 2
3 2'
ok 'under their names' grep -q '^-q n08 ' "$work/launched"
ranks='-n 3'
granted SLURM_JOB_NODELIST='a,b'
ok 'more ranks than tasks go round' sorted '0 2
1 1
2 2'
ranks=
printf 'a\na\nb\n' >"$work/nodes"
granted PBS_NODEFILE="$work/nodes"
ok "PBS's nodes" sorted '0 2
1 2
2 1'
printf 'a\n\0\0\0\nb\n' >"$work/nodes"
granted PBS_NODEFILE="$work/nodes"
ok 'a damaged file of nodes loses none silently' is 2
ok 'its line is named' err_has '^cmrun: PBS_NODEFILE=.* line 2: has zero bytes; '
printf 'a 1 q x\n\0\nb 1 q x\n' >"$work/nodes"
granted PE_HOSTFILE="$work/nodes"
ok "nor does Grid Engine's" err_has '^cmrun: PE_HOSTFILE=.* has zero bytes; '
granted LSB_HOSTS='a b b'
ok "LSF's hosts" sorted '0 1
1 2
2 2'
rm "$work/launched"
granted SLURM_JOB_NODELIST="$(uname -n)" SLURM_TASKS_PER_NODE=3
ok 'an allocation of this host alone' sorted '0 3
1 3
2 3'
ok 'needs no launcher' [ ! -e "$work/launched" ]
granted SLURM_JOB_NODELIST='n[3-'
ok 'an allocation that cannot be read: status 2' is 2
ok 'in one line' err_lines 1
ok 'which names the variable' err_has '^cmrun: SLURM_JOB_NODELIST=n\[3-: .*after its'
run env SLURM_JOB_NODELIST=b "$CMRUN" --hosts localhost sh -c "$where"
ok '--hosts goes before an allocation' out_is '0 1'

there --hosts a,b:7 --per-host 2 sh -c "$where"
ok '--per-host: as many ranks on each host' sorted '0 2
1 2
2 2
3 2'
run "$CMRUN" --per-host 2 sh -c "$where"
ok 'on this host as well' sorted '0 2
1 2'
there --hosts a,b --per-host cores sh -c "$where"
ok '--per-host cores' [ "$(wc -l <"$work/out")" -eq $((2 * cores)) ]
run "$CMRUN" --per-host sockets sh -c "$where"
sockets=$(cat /sys/devices/system/cpu/cpu[0-9]*/topology/physical_package_id 2>/dev/null |
    sort -u | wc -l)
if [ "$sockets" -gt 0 ] && [ "$cores" -eq "$(nproc --all)" ]; then
    ok '--per-host sockets' [ "$(wc -l <"$work/out")" -eq "$sockets" ]
else skip '--per-host sockets' 'the kernel does not name them, or not all cores may be used'
fi
if [ "$cores" -ge 2 ] && command -v taskset >/dev/null; then
    core=$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')
    run "$CMRUN" -l "taskset -c $core $work/launcher" --hosts localhost,b --per-host cores true
    ok 'a host with other cores: status 2' is 2
    ok 'says so' err_has "^cmrun: host 'b': --per-host cores: it has 1 cores, but .* has $cores; "
    ok 'in one line' err_lines 1
else skip 'a host with other cores' 'one core, or no taskset'
fi

# ---- Launchers ----

printf '#!/bin/sh\necho welcome to "$1"\nprintf "no newline"\nexec "%s" "$@"\n' \
    "$work/launcher" >"$work/noisy"
mkdir "$work/slurm"
# It executes the words after -w HOST,... unchanged. All hosts get its input.
cat >"$work/slurm/srun" <<END
#!/bin/sh
echo "\$*" >>'$work/launched'
[ -z "\$TEST_FAILS" ] || { echo 'srun: error: no such node' >&2; exit 1; }
while [ "\$1" != -w ]; do shift; done
hosts=\$2
shift 2
case \$* in
*--proxy-of-step)
    read -r line
    [ -z "\$TEST_OTHER" ] || line=\$(echo "\$line" | tr 0-9 1-90)
    for each in \$(echo "\$hosts" | tr , ' '); do
        [ "\$each" = "\$TEST_MISSING" ] || echo "\$line" | SLURMD_NODENAME=\$each env "\$@" &
    done
    [ -z "\$TEST_MISSING" ] || sleep 20
    wait ;;
*) exec env "\$@" ;;
esac
END
chmod +x "$work/noisy" "$work/slurm/srun"
run "$CMRUN" -l "$work/noisy" --hosts a,b sh -c "$where"
ok 'what a start-up file prints does no harm' sorted '0 1
1 1'
ok 'and is not seen' err_lines 0
printf '#!/bin/sh\nexec yes\n' >"$work/endless"
chmod +x "$work/endless"
run "$CMRUN" -l "$work/endless" --hosts a,b true
ok 'unless it never ends: status 3' is 3
ok 'said in one line' err_has 'more than 64 KiB that are no frame arrived instead'
for libraries in '' "$work/it's"; do
    run env LD_LIBRARY_PATH="$libraries" "$CMRUN" -l "$work/slurm/srun -w" --hosts a,b \
        sh -c 'echo $PMI_RANK "$LD_LIBRARY_PATH"'
    ok "a launcher that starts programs without a shell ($libraries)" sorted "0 $libraries
1 $libraries"
done
ok 'srun may not wait for whole lines' grep -q '^--unbuffered -w b ' "$work/launched"
# A step of one task for each host must not be one of few processors.
sizes='SRUN_CPUS_PER_TASK=1 SLURM_CPUS_PER_TASK=1 SLURM_TRES_PER_TASK=cpu:1 SLURM_EXACT=1'
size='echo "$PMI_RANK$SRUN_CPUS_PER_TASK$SLURM_CPUS_PER_TASK$SLURM_TRES_PER_TASK$SLURM_EXACT"'
run env $sizes "$CMRUN" -l "$work/slurm/srun -w" --hosts a,b sh -c "$size"
ok 'a step for each host has all that the job has there' sorted '0
1'
step() { run env PATH="$work/slurm:$PATH" SLURM_JOB_NODELIST='a,b[1-4]' "$@"; }
rm -f "$work/launched"
step "$CMRUN" sh -c 'echo $PMI_RANK $SLURMD_NODENAME'
ok "srun is the launcher for Slurm's hosts" sorted '0 a
1 b1
2 b2
3 b3
4 b4'
if ! grep -q '^#define HAVE_CRYPTO' ../config.h; then
    skip 'once for all of them' 'no libcrypto'
    done_testing
fi
ok 'once for all of them' [ "$(wc -l <"$work/launched")" -eq 1 ]
ok 'with its options' grep -q -e '^--quiet .*--overlap .*-N5 -n5 -w a,b1,b2,b3,b4 ' "$work/launched"
step env $sizes "$CMRUN" -n 2 sh -c "$size"
ok 'with all that the job has there' sorted '0
1'
step "$CMRUN" -n 20 "$CLIENT" gather
ok 'ranks find each other there' out_is '20 ranks'
step "$CMRUN" sh -c '[ $PMI_RANK != 3 ] || exit 7; exec sleep 50'
ok 'a failing rank ends the job' is 7
ok 'its line' err_has '^cmrun: rank 3 (pid [0-9]*) on b3: exited with status 7'
ok 'no proxy is left' within 30 none_left
step "$CMRUN" sh -c '[ $PMI_RANK != 3 ] || kill -9 $PPID; exec sleep 50'
ok 'a proxy that is killed: status 3' is 3
ok 'its line, too' err_has "^cmrun: host 'b3': lost: its proxy is gone; ending the others"
ok 'no other proxy is left' within 30 none_left
step env TEST_FAILS=1 "$CMRUN" true
ok 'srun fails: status 3' is 3
ok 'one line with its words' err_has \
    "^cmrun: host 'a': cannot be reached: the launcher 'srun .*' ended with status 1: srun: error"
ok 'only one' err_lines 1
step env TEST_MISSING=b2 "$CMRUN" --start-timeout 1 true
ok 'srun does not start a host: status 3' is 3
ok 'named in one line' err_has "^cmrun: host 'b2': cannot be reached: 1 s after its start, .*srun"
ok 'only one line' err_lines 1
ok 'no proxy is left then' within 30 none_left
step env TEST_OTHER=1 "$CMRUN" true
ok 'proxies with another secret are not let in: status 3' is 3
ok 'nothing is left of them' within 30 none_left

# ---- Open files ----

# with_files SOFT HARD: a job on eight hosts with these limits; cmrun needs 24 open files for them
# and some for itself.
with_files() {
    rm -f "$work/launched"
    run sh -c 'ulimit -Sn "$1"; ulimit -Hn "$2"; shift 2; exec "$@"' sh "$1" "$2" "$CMRUN" \
        -l "$work/launcher" --hosts localhost,b,c,d,e,f,g,h sh -c 'ulimit -Sn; ulimit -Hn >&2'
}
with_files 24 200
ok 'more hosts than the soft limit on open files allows' is 0
ok 'the ranks keep the soft limit' [ "$(sort "$work/out" | uniq -c | tr -s ' ')" = ' 8 24' ]
ok 'and the hard one' [ "$(sort "$work/err" | uniq -c | tr -s ' ')" = ' 8 200' ]
with_files 24 50
ok 'more hosts than the hard limit allows: status 3' is 3
ok 'one line with the limit, its value and the right one' err_has \
    '^cmrun: 8 hosts need 56 open files, but the hard limit is 50; .*ulimit -Hn 56'
ok 'only one' err_lines 1
ok 'nothing was started' [ ! -e "$work/launched" ]

# ---- Refusals ----

refused() { # OPTION VALUE REGEX
    run "$CMRUN" "$1" "$2" true
    ok "$1 '$2' is refused: status 2" is 2
    ok "$1 '$2': one line" err_lines 1
    ok "$1 '$2': which says why" err_has "^cmrun: $1 $2: .*$3"
}
refused --hosts '' 'SLOTS from 1'
refused --hosts a,,b 'SLOTS from 1'
refused --hosts a:0 'SLOTS from 1'
refused --hosts a:two 'SLOTS from 1'
refused --hostfile /no/such/file 'No such file'
refused --per-host 0 'a number from 1 to 65536, cores or sockets'
refused --per-host core 'a number from 1'
: >"$work/none"
refused --hostfile "$work/none" 'names no host; expected lines HOST'
refused --env CM_NO_SUCH 'NAME=VALUE'
refused_variable() { # NAME
    ok 'an unknown CM_ variable is refused: status 2' is 2
    ok 'in one line' err_lines 1
    ok 'which names it' err_has "^clustermark: unknown environment variable $1; "
    ok 'and nothing was started' [ ! -e "$work/started" ]
}
run env CM_NO_SUCH=1 "$CMRUN" -l "$work/launcher" --hosts a,b touch "$work/started"
refused_variable CM_NO_SUCH
there --hosts a,b --env CM_NO_SUCH=1 touch "$work/started"
refused_variable CM_NO_SUCH
there --hosts a:2,b:2 -n 5 true
ok 'more ranks than slots: status 2' is 2
ok 'with both numbers' err_has '^cmrun: -n 5: --hosts a:2,b:2 has 4 slots'
there --hosts a,b ./no-such-program
ok 'a program that is not there: status 2' is 2
ok 'one line with host and program' err_has \
    "^cmrun: host '[ab]': cannot run './no-such-program': .*nothing was started"
ok 'only one' err_lines 1
there --hosts localhost,b no-such-program
ok 'nor along PATH: status 2' is 2
ok 'in one line as well' err_lines 1
ok 'which says so' err_has "cannot run 'no-such-program': not found in PATH; nothing was started"
run "$CMRUN" --rsh 'sh -c "exit_status_of_the_launcher' --hosts a,b true
ok 'a launcher that fails: status 3' is 3
ok 'one line with host and status' err_has \
    "^cmrun: host '[ab]': cannot be reached: the launcher '.*' ended with status [0-9]"
ok 'only one' err_lines 1
run "$CMRUN" --rsh 'echo welcome' --hosts a,b true
ok 'a launcher that talks: status 3' is 3
ok 'said in one line' err_lines 1

printf '#!/bin/sh\n[ "$1" = a ] || exec "$0-hangs"\nexec "%s" "$@"\n' "$work/launcher" >"$work/slow"
printf '#!/bin/sh\necho $$ >>"$0-pid"\necho password: >&2\nexec sleep 50\n' >"$work/slow-hangs"
chmod +x "$work/slow" "$work/slow-hangs"
run "$CMRUN" --rsh "$work/slow" --start-timeout 1 --hosts a,b touch "$work/started"
ok 'a launcher that hangs: status 3' is 3
late="1 s after its start, launcher '.*/slow' still runs"
ok 'one line with host, launcher, time and its last words' err_has \
    "^cmrun: host 'b': cannot be reached: $late .*: password:\$"
ok 'only one' err_lines 1
ok 'nothing was started' [ ! -f "$work/started" ]
ok 'the launcher is ended' all_gone $(cat "$work/slow-hangs-pid")
ok 'and the other proxy' within 30 none_left
run "$CMRUN" --rsh "$work/slow" --timeout 2 --start-timeout 0 --hosts a,b true
ok 'without a limit it hangs until --timeout' is 124
run "$CMRUN" --rsh 'sh -c "exec sleep 20"' --start-timeout 1 -k --hosts a,b true
ok 'before the start --keep-going does not help' is 3
# Its proxy says hello and then reads nothing, like one whose working folder hangs.
mkfifo "$work/nothing"
printf '#!/bin/sh\nexec "%s" "$@" <>"%s"\n' "$work/launcher" "$work/nothing" >"$work/mute"
chmod +x "$work/mute"
run "$CMRUN" --rsh "$work/mute" --start-timeout 1 --hosts a true
ok 'a proxy that does not get ready: status 3' is 3
ok 'in one line with the host' \
    err_has "^cmrun: host 'a': its proxy was not ready within 1 s"
ok 'it is ended' within 30 none_left

done_testing
