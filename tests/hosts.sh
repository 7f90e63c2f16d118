#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts.sh: cmrun on several hosts: with a launcher that only changes the host name, and on hosts
# made of network namespaces.
. "${srcdir:-.}/launch_tap.sh"

# Launchers of other tests take turns with this one, and so do two of this script's namespaces.
if command -v flock >/dev/null 2>&1; then
    lock=${CM_TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}
    exec 9>>"$lock" && flock 9
fi
here=$(pwd)
CMRUN=$(readlink -f "$CMRUN")                        # as a proxy's command line has it
PROGRAM=$here/hosts_program
export CM_TIMEOUT_S=3

# ---- A launcher that goes nowhere ----

rename=
if [ "$(id -u)" = 0 ] && unshare --uts true 2>/dev/null; then rename='unshare --uts'; fi
cat >"$work/launcher" <<END
#!/bin/sh
echo "\$*" >>'$work/launched'
while :; do case \$1 in -*) shift ;; *) break ;; esac; done
host=\$1; shift
exec 9>&-
cd /
exec $rename sh -c '${rename:+hostname "\$1";} shift; exec sh -c "\$*"' sh "\$host" "\$@"
END
chmod +x "$work/launcher"
there() { run "$CMRUN" --launcher "$work/launcher -q" "$@"; }
sorted() { sort -n "$work/out" >"$work/sorted"; [ "$(cat "$work/sorted")" = "$1" ]; }
# A proxy's guard has its command line, but a process group of its own.
is_guard() { [ "$(cut -d ' ' -f 5 "/proc/$1/stat" 2>/dev/null)" = "$1" ]; }
proxies() { grep -l -a "^$CMRUN.--proxy" /proc/[0-9]*/cmdline 2>/dev/null; }
one_proxy() {
    for each in $(proxies); do
        each=${each#/proc/}; each=${each%/cmdline}
        is_guard "$each" || { echo "$each"; return; }
    done
}
none_left() { [ -z "$(proxies)" ]; }

there --hosts a:2,b:2 sh -c 'echo $PMI_RANK $PMI_SIZE $CM_LOCAL_RANKS'
ok 'ranks fill the slots, each host with its own' sorted '0 4 2
1 4 2
2 4 2
3 4 2'
ok 'status 0' is 0
ok 'nothing on stderr' err_lines 0
ok 'the launcher gets its options, host and command' grep -q -e '^-q b exec ' "$work/launched"
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
there --hosts a:2,b:2 "$here/$CLIENT" cards
ok 'ranks find each other through PMI' out_is '4 ranks'
there --hosts a,b --bind core sh -c 'grep Cpus_allowed_list /proc/self/status'
ok 'bound ranks have one core' [ "$(grep -c '[0-9,-]*:.[0-9]*$' "$work/out")" -eq 2 ]

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
refused --env CM_NO_SUCH 'NAME=VALUE'
there --hosts a:2,b:2 -n 5 true
ok 'more ranks than slots: status 2' is 2
ok 'with both numbers' err_has '^cmrun: -n 5: --hosts a:2,b:2 has 4 slots'
there --hosts a,b ./no-such-program
ok 'a program that is not there: status 2' is 2
ok 'one line with host and program' err_has \
    "^cmrun: host '[ab]': cannot run './no-such-program': .*nothing was started"
ok 'only one' err_lines 1
run "$CMRUN" --launcher 'sh -c "exit_status_of_the_launcher' --hosts a,b true
ok 'a launcher that fails: status 3' is 3
ok 'one line with host and status' err_has \
    "^cmrun: host '[ab]': cannot be reached: the launcher '.*' ended with status [0-9]"
ok 'only one' err_lines 1
run "$CMRUN" --launcher 'echo welcome' --hosts a,b true
ok 'a launcher that talks: status 3' is 3
ok 'said in one line' err_lines 1

# ---- Ends ----

there --hosts a,b sh -c '[ $PMI_RANK = 0 ] || exit 7; exec sleep 50'
ok 'a failing rank ends the job with its status' is 7
ok 'one line' err_lines 1
ok 'names rank and host' err_has '^cmrun: rank 1 (pid [0-9]*) on b: exited with status 7'
there --hosts a,b sh -c '[ $PMI_RANK = 0 ] || kill -9 $$; exec sleep 50'
ok 'a killed rank' is 137
ok 'its line' err_has '^cmrun: rank 1 (pid [0-9]*) on b: killed by signal 9'
there --hosts a,b --timeout 0.5 sleep 50
ok 'a time limit' is 124
ok 'one line' err_lines 1
ok 'no proxy is left' within 5 none_left

# start COMMAND...: in the background, two ranks that note their pids.
start() {
    rm -f "$work/pid"
    timeout -k 5 60 "$CMRUN" -l "$work/launcher" --hosts a,b "$@" \
        >"$work/out" 2>"$work/err" </dev/null 9>&- &
    job=$!
    within 20 noted 2
}
noted() { [ -f "$work/pid" ] && [ "$(wc -l <"$work/pid")" -ge "$1" ]; }
sleepers='echo $$ >>"$0"; sleep 50 & wait'
start sh -c "$sleepers" "$work/pid"
set -- $(proxies)
ok 'a proxy and its guard a host' [ $# -eq 4 ]
kill -9 "$(one_proxy)"
wait $job; status=$?
ok 'a proxy that is killed ends the job' is 3
ok 'in one line that names the host' err_has "^cmrun: host '[ab]': lost: "
ok 'only one' err_lines 1
ok 'no rank is left' within 5 all_gone $(cat "$work/pid")
ok 'nor a proxy' within 5 none_left
start sh -c "$sleepers" "$work/pid"
kill -STOP "$(one_proxy)"
wait $job; status=$?
ok 'a proxy that is stopped ends the job' is 3
ok 'after CM_TIMEOUT_S' err_has "^cmrun: host '[ab]': lost: nothing heard of its proxy for 3 s"
ok 'no rank is left' within 10 all_gone $(cat "$work/pid")
ok 'nor a proxy' within 5 none_left
start sh -c "$sleepers" "$work/pid"
kill -TERM $job
wait $job; status=$?
ok 'TERM reaches the ranks' [ $status -eq 143 -o $status -eq 124 ]
ok 'in one line' err_lines 1
ok 'all of them' within 5 all_gone $(cat "$work/pid")
rm -f "$work/pid"
"$CMRUN" -l "$work/launcher" --hosts a,b sh -c "$sleepers" "$work/pid" \
    >"$work/out" 2>"$work/err" </dev/null 9>&- &
job=$!
within 20 noted 2
kill -9 $job
wait $job 2>/dev/null
ok 'kill -9 of cmrun ends ranks on all hosts' within 10 all_gone $(cat "$work/pid")
ok 'and the proxies' within 5 none_left

# ---- Hosts of their own ----

cluster=$(cd "${srcdir:-.}/.." && pwd)/clusters/virtual/virtual-cluster
backend=$("$here/$CLIENT" layer 2>/dev/null | cut -d ' ' -f 1)
why=
[ "$(id -u)" = 0 ] || why='network namespaces need root'
[ "$backend" = sockets ] || why="the backend is $backend"
for each in ip unshare; do command -v $each >/dev/null || why="no $each command"; done
VIRTUAL_CLUSTER_NAME=cm$(($$ % 10000))t
export VIRTUAL_CLUSTER_NAME
h=$VIRTUAL_CLUSTER_NAME
if [ -z "$why" ]; then
    trap '"$cluster" down; rm -rf "$work"' EXIT
    "$cluster" up 4 >"$work/out" 2>"$work/err" || why="virtual-cluster up: $(head -n 1 "$work/err")"
fi
if [ -n "$why" ]; then
    skip 'jobs on hosts of their own' "$why"
    done_testing
fi
far() { run "$cluster" run ${h}1 "$CMRUN" --launcher "$cluster" "$@" 9>&-; }
far --hosts ${h}1:2,${h}2:2 "$PROGRAM" check
ok 'two hosts, two ranks each' out_is '4 ranks right'
ok 'ends well' is 0
far --hosts ${h}1,${h}2,${h}3,${h}4 -n 8 "$PROGRAM" check
ok 'four hosts, ranks in turn' out_is '8 ranks right'
far --hosts ${h}2,nohost true
ok 'a host that does not exist: status 3' is 3
ok 'is named' err_has "^cmrun: host 'nohost': cannot be reached: .*no host nohost"

# begin: a job of four ranks on two hosts that wait; pids are those within the namespaces.
begin() {
    rm -f "$work/pid"
    timeout -k 5 60 "$cluster" run ${h}1 "$CMRUN" --launcher "$cluster" \
        --hosts ${h}1:2,${h}2:2 "$PROGRAM" wait "$work/pid" \
        >"$work/out" 2>"$work/err" </dev/null 9>&- &
    job=$!
    within 20 noted 4
}
inside() { ip netns pids "$1" 2>/dev/null; }
called() { for p in $(inside "$1"); do tr '\0' ' ' <"/proc/$p/cmdline" | grep -q -e "$2" \
    && ! is_guard "$p" && echo "$p"; done; }
rank_on() {
    for p in $(inside "$1"); do
        tr '\0' ' ' <"/proc/$p/cmdline" | grep -q "^$PROGRAM wait" && { echo "$p"; return; }
    done
}
empty() { [ -z "$(inside ${h}1)$(inside ${h}2)" ]; }
ended_well() {
    ok "$1: the job ends" [ $status -ne 0 -a $status -ne 124 ]
    # util-linux's unshare, which is this launcher, may complain of its child's death by itself.
    ok "$1: one line" [ "$(grep -c -v '^unshare: ' "$work/err")" -eq 1 ]
    ok "$1: no process is left" within 10 empty
}
# Where the processes within a host listen, one address a line: every one of them has its own.
listening() {
    ip netns exec "$1" sh -c 'cat /proc/net/tcp /proc/net/tcp6' |
        awk '$4 == "0A" { sub(/:.*/, "", $2); print $2 }'
}
only_eth0() {
    # As the kernel's table has it: a little-endian number.
    own=$(ip netns exec "$1" ip -4 -o addr show dev eth0 |
        sed 's/.*inet \([0-9.]*\).*/\1/' | awk -F. '{ printf "%02X%02X%02X%02X", $4, $3, $2, $1 }')
    heard=$(listening "$1")
    [ "$heard" = "$own
$own" ] || { echo "# $1 listens on" $heard "; eth0 has $own"; return 1; }
}
begin
ok 'each rank listens on the network alone' only_eth0 ${h}1
ok 'on the other host as well' only_eth0 ${h}2
kill -9 $(rank_on ${h}2)
wait $job; status=$?
ended_well 'a rank is killed'
ok 'which names it' err_has "rank [23] (pid [0-9]*) on ${h}2: killed by signal 9"
begin
kill -9 $(called ${h}2 "^$CMRUN --proxy" | head -n 1)
wait $job; status=$?
ended_well 'a proxy is killed'
ok 'which names the host' err_has "${h}2"
begin
"$cluster" link ${h}2 down
wait $job; status=$?
ended_well 'a link is pulled'
ok 'which names a host' err_has "on ${h}[12]"
"$cluster" down
trap 'rm -rf "$work"' EXIT
ok 'no host is left' [ -z "$(ip netns list | grep "^$h")" ]

done_testing
