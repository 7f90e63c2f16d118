#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts_tree.sh: proxies that start each other: which starts which, frames that pass through several
# hosts, and what is lost with a host in between.
. "${srcdir:-.}/launch/hosts_tap.sh"

# Records which host starts which. n9 cannot be reached, n8 does not answer.
cat >"$work/noting" <<END
#!/bin/sh
echo "\$(uname -n)>\$1" >>'$work/who'
case \$1 in
n9) echo 'no route to n9' >&2; exit 7 ;;
n8) exec sleep 50 9>&- ;;
esac
exec '$work/launcher' "\$@"
END
chmod +x "$work/noting"
tree() { # HOSTS ...
    rm -f "$work/who"
    list=$1; shift
    run "$CMRUN" --rsh "$work/noting" --fan-out 2 --hosts "$list" "$@"
}
# n1 starts n2 and n3; n4 starts n5 and n6, and n6 starts n7.
seven='n[1-7]:2'

tree "$seven" sh -c 'echo $PMI_RANK $PMI_SIZE $CM_LOCAL_RANKS'
ok 'every rank runs, on its host' sorted "$(for i in $(seq 0 13); do echo "$i 14 2"; done)"
ok 'status 0' is 0
ok 'nothing on stderr' err_lines 0
if [ -n "$rename" ]; then
    ok 'the proxies start each other' \
        [ "$(sort "$work/who" | tr '\n' ' ')" = \
        "$(printf '%s\n' "$(uname -n)>n1" "$(uname -n)>n4" 'n1>n2' 'n1>n3' 'n4>n5' 'n4>n6' \
            'n6>n7' | sort | tr '\n' ' ')" ]
else skip 'the proxies start each other' 'host names are changed by root only'
fi
ok 'no proxy is left' within 30 none_left
tree "$seven" "$CLIENT" cards
ok 'ranks find each other through PMI' out_is '14 ranks'
tree "$seven" "$CLIENT" gather
ok 'or get all cards at once' out_is '14 ranks'
tree 'n[1-3],localhost:2,n[4-6]' -p sh -c 'echo $PMI_RANK'
ok 'this host among them' [ "$(sort "$work/out" | tr '\n' ' ')" = \
    '[0] 0 [1] 1 [2] 2 [3] 3 [4] 4 [5] 5 [6] 6 [7] 7 ' ]
tree "$seven" --bind core true
ok 'bound' is 0
tree "$seven" --env 'A=b  c' sh -c 'echo "$A, $1, $(pwd)"' sh "it's"
ok 'variables, arguments and the folder come along' \
    [ "$(grep -c -F -x "b  c, it's, $(pwd -P)" "$work/out")" -eq 14 ]
tree "$seven" sh -c 'head -c 1000000 /dev/zero'
ok 'much output arrives whole' [ "$(wc -c <"$work/out")" -eq 14000000 ]
# Rank 0 is on n1, which the proxy of this host starts.
seq 20000 >"$work/in"
timeout 60 "$CMRUN" -l "$work/noting" --fan-out 2 -H 'n1,n2,n3,localhost' \
    sh -c '[ $PMI_RANK != 0 ] || cat' <"$work/in" >"$work/out" 2>"$work/err"
ok 'stdin reaches rank 0 through another host' cmp -s "$work/in" "$work/out"
tree "$seven" sh -c '[ $PMI_RANK != 13 ] || exit 9; exec sleep 50'
ok 'a rank far down fails: its status' is 9
ok 'its line' err_has '^cmrun: rank 13 (pid [0-9]*) on n7: exited with status 9; ending the others$'
ok 'no proxy is left then' within 30 none_left
tree "$seven" --timeout 0.5 sleep 50
ok 'a time limit' is 124
ok 'reaches all' within 30 none_left

# ---- Keys ----

# Each rank puts a key, waits for all ranks, then for a file, and then gets the key of the next
# rank.
cat >"$work/keys" <<'END'
say() { echo "cmd=$1" >&3; read -r answer <&3; }
say 'init pmi_version=1 pmi_subversion=1'
say get_my_kvsname
space=${answer#*=*=}
say "put kvsname=$space key=of-$PMI_RANK value=value-$PMI_RANK="
say barrier_in
: >"$1/in-$PMI_RANK"
until [ -f "$1/go" ]; do sleep 0.1; done
say "get kvsname=$space key=of-$(((PMI_RANK + 1) % PMI_SIZE))"
echo "$answer" >"$1/got-$PMI_RANK"
[ $PMI_RANK != 6 ] || { say "get kvsname=$space key=none"; echo "$answer" >"$1/none"; }
say "put kvsname=$space key=again-$PMI_RANK value=again"
say barrier_in
say "get kvsname=$space key=again-0"
echo "$answer" >"$1/again-$PMI_RANK"
say finalize
END
mkdir "$work/keys-of"
all() { [ "$(ls "$work/keys-of" | grep -c "^$1-")" -eq 7 ]; }
env CM_TIMEOUT_S=30 timeout 60 sh -c 'echo $$ >"$0"; exec "$@"' "$work/cmrun" "$CMRUN" \
    -l "$work/noting" --fan-out 2 --hosts 'n[1-7]' sh "$work/keys" "$work/keys-of" \
    >"$work/out" 2>"$work/err" </dev/null 9>&- &
job=$!
ok 'ranks put keys' within 30 all in
kill -STOP "$(cat "$work/cmrun")"
: >"$work/keys-of/go"
ok 'and get them from their proxies, while cmrun is stopped' within 30 all got
for i in 0 1 2 3 4 5 6; do echo "cmd=get_result rc=0 msg=success value=value-$i="; done >"$work/in"
ok 'the right ones' sh -c "sort '$work/keys-of'/got-* | cmp -s - '$work/in'"
ok 'others only cmrun knows' [ ! -e "$work/keys-of/none" ]
kill -CONT "$(cat "$work/cmrun")"
wait $job; status=$?
ok 'the job ends well' is 0
ok 'cmrun has said that there is no such key' grep -q ' rc=-1 ' "$work/keys-of/none"
ok 'keys of a later barrier are known too' \
    [ "$(cat "$work/keys-of"/again-* | grep -c ' rc=0 .* value=again$')" -eq 7 ]

# ---- Hosts that cannot be reached ----

tree 'n[1-6],n9' touch "$work/started"
ok 'a host that another cannot reach: status 3' is 3
ok 'one line names both, and the launcher' err_has \
    "^cmrun: host 'n9', from host 'n6': cannot be reached: the launcher '.*/noting' ended with \
status 7: no route to n9 (with --fan-out 7, cmrun reaches all hosts from its own)\$"
ok 'only one' err_lines 1
ok 'nothing was started' [ ! -e "$work/started" ]
ok 'no proxy is left after that' within 30 none_left
tree 'n[1-6],n8' --start-timeout 1 true
ok 'a launcher far down that hangs: status 3' is 3
ok 'one line says so' err_has "^cmrun: host 'n8', from host 'n6': cannot be reached: 1 s after "
ok 'only that' err_lines 1
ok 'no proxy is left to it' within 30 none_left
tree "$seven" ./no-such-program
ok 'a program that is not there: status 2' is 2
ok 'one line' err_lines 1
refused() { # OPTION VALUE
    run "$CMRUN" "$1" "$2" true
    is 2 && err_lines 1 && err_has "^cmrun: option '$1': '$2' is .* from 2 to 65536"
}
ok '--fan-out 1 is refused' refused --fan-out 1
ok '--fan-out x is refused' refused --fan-out x

# ---- Hosts that are lost ----

# Two ranks a host; as soon as the file is there they meet in barriers and leave.
keep() { # OPTION...
    rm -f "$work/pid" "$work/go"
    timeout -k 5 60 "$CMRUN" -l "$work/noting" --fan-out 2 "$@" --hosts "$seven" sh -c \
        'echo $PMI_RANK $$ >>"$0"
        until [ -f "$1" ]; do sleep 0.1; done
        exec "$2" dies 99 0 start' \
        "$work/pid" "$work/go" "$CLIENT" >"$work/out" 2>"$work/err" 9>&- </dev/null &
    job=$!
    within 30 noted 14
}
pid_of() { for each; do sed -n "s/^$each //p" "$work/pid"; done; }
proxy_of() { cut -d ' ' -f 4 "/proc/$(pid_of "$1")/stat"; }
go() { : >"$work/go"; wait $job; status=$?; }
n4=$(seq 6 13)
keep
kill -9 $(proxy_of 6)
wait $job; status=$?
ok 'a proxy that carries others is killed: status 3' is 3
ok 'one line names its host and those that it takes along' err_has \
    "^cmrun: host 'n4': lost: .*; with it the hosts 'n5', 'n6', 'n7'; ending the others\$"
ok 'only one' err_lines 1
ok 'no rank is left' within 30 all_gone $(pid_of $(seq 0 13))
ok 'nor a proxy' within 30 none_left
keep
kill -9 $(proxy_of 13)
wait $job; status=$?
ok 'a proxy that is carried is killed: status 3' is 3
ok 'one line names its host and the one above' \
    err_has "^cmrun: host 'n7', from host 'n6': lost: .*; ending the others\$"
ok 'only one' err_lines 1
ok 'no rank is left' within 30 all_gone $(pid_of $(seq 0 13))
ok 'nor a proxy' within 30 none_left
keep -k
kill -STOP $(proxy_of 6)
ok 'a proxy that carries others falls silent: one line' within 30 err_has \
    "^cmrun: host 'n4': lost: its proxy has been silent .*'n7'; going on without their 8 ranks\$"
ok 'their ranks are gone' within 30 all_gone $(pid_of $n4)
ok 'the others are not' kill -0 $(pid_of $(seq 0 5))
go
ok 'and end well' is 0
ok 'all six' [ "$(grep -c '^. of 14 cards$' "$work/out")" -eq 6 ]
ok 'with no other line' err_lines 1
ok 'no proxy is left then' within 30 none_left
keep -k
kill -9 $(proxy_of 12)
ok 'with --keep-going a carried host is lost alone' within 30 err_has \
    "^cmrun: host 'n7', from host 'n6': lost: .*; going on without its 2 ranks\$"
go
ok 'the others end well' is 0
ok 'all twelve' [ "$(grep -c '^[0-9]* of 14 cards$' "$work/out")" -eq 12 ]
keep
kill -TERM $job
wait $job; status=$?
ok 'TERM reaches all ranks' [ $status -eq 143 -o $status -eq 124 ]
ok 'everywhere' within 30 all_gone $(pid_of $(seq 0 13))
keep
pid=$(proxy_of 0); pid=$(cut -d ' ' -f 4 "/proc/$pid/stat") # cmrun, the parent of n1's proxy
kill -9 "$pid"
wait $job 2>/dev/null
ok 'kill -9 of cmrun ends the ranks on all hosts' within 30 all_gone $(pid_of $(seq 0 13))
ok 'and the proxies' within 30 none_left

done_testing
