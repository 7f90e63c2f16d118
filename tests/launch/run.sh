#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh: cmrun starts ranks: environment, files, input, output, binding, options.
. "${srcdir:-.}/launch/tap.sh"

run $CMRUN -n 3 sh -c 'echo "$PMI_RANK of $PMI_SIZE, $CM_LOCAL_RANKS here, by $CM_LAUNCHER"'
sort -o "$work/out" "$work/out"
ok 'a plain program runs once a rank and finds its rank' out_is '0 of 3, 3 here, by cmrun
1 of 3, 3 here, by cmrun
2 of 3, 3 here, by cmrun'
ok 'a plain program ends well' is 0
run $CMRUN sh -c 'echo $PMI_SIZE'
ok 'one rank is the default' out_is 1

run $CMRUN -n 4 $CLIENT cards
ok 'ranks find each other' out_is '4 ranks'
ok 'and end well' is 0
ok 'and say nothing more' err_lines 0
run $CMRUN -n 2 sh -c '$0 cards && $0 cards' $CLIENT
ok 'a script as rank may run one program after the other' out_is '2 ranks
2 ranks'

run env PMI_PORT=host:1 PMI_ID=7 MPI_LOCALRANKID=5 \
    $CMRUN -n 1 sh -c 'echo $PMI_PORT$PMI_ID$MPI_LOCALRANKID'
ok 'what another launcher left does not reach the ranks' out_is ''

run $CMRUN -n 1 -- sh -c 'printf "%s\n" "$1"' sh -n
ok 'options after PROGRAM are its own' out_is -n

run sh -c "$CMRUN -n 2 $CLIENT files 7>&1 8</dev/null"
ok 'a rank has files 0 to 3 and no others' out_is '0 1 2 3
0 1 2 3'

printf 'one\ntwo\n' >"$work/in"
timeout 60 $CMRUN -n 3 sh -c 'sed "s/^/$PMI_RANK /"' <"$work/in" >"$work/out" 2>"$work/err"
status=$?
ok 'stdin goes to rank 0 alone' out_is '0 one
0 two'
printf 'piped' | timeout 60 $CMRUN -n 2 cat >"$work/out" 2>"$work/err"
ok 'and a pipe too' out_is piped

# A terminal, made by script(1), where there is one.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    timeout 60 script -qec "$CMRUN -n 1 sh -c 'test -t 1 && test -t 2 && echo terminal'" /dev/null \
        >"$work/out" 2>"$work/err" </dev/null
    ok 'without prefixes the ranks have the terminal itself' grep -q '^terminal' "$work/out"
    { sleep 1; echo typed; sleep 1; printf '\004'; sleep 1; } |
        timeout 60 script -qec "$CMRUN -n 2 sed s/^/got-/" /dev/null >"$work/out" 2>"$work/err"
    ok 'rank 0 gets what is typed' grep -q '^got-typed' "$work/out"
else
    skip 'without prefixes the ranks have the terminal itself' 'no script command'
    skip 'rank 0 gets what is typed' 'no script command'
fi

run $CMRUN -n 3 --prefix-output sh -c 'echo out; echo err >&2; printf tail; printf %s-tail err >&2'
ok 'prefixed stdout' [ "$(sort "$work/out")" = '[0] out
[0] tail
[1] out
[1] tail
[2] out
[2] tail' ]
ok 'prefixed stderr' [ "$(sort "$work/err")" = '[0] err
[0] err-tail
[1] err
[1] err-tail
[2] err
[2] err-tail' ]
run $CMRUN -n 2 -p sh -c 'seq 20000'
ok 'no line of a lot of output is lost or mixed' \
    [ "$(for r in 0 1; do sed -n "s/^\[$r\] //p" "$work/out" | cksum; done)" = \
      "$(for r in 0 1; do seq 20000 | cksum; done)" ]
ok 'nor is there anything else' [ "$(wc -l <"$work/out")" -eq 40000 ]
run $CMRUN -n 1 -p sh -c 'head -c 3000000 /dev/zero | tr "\0" x; echo; echo after'
ok 'a line of 3 MB arrives whole, in prefixed pieces' \
    [ "$(sed 's/^\[0\] //' "$work/out" | tr -d '\n' | wc -c)" -eq 3000005 ]
ok 'each of at most 1 MiB' [ "$(wc -l <"$work/out")" -eq 4 ]
status=0
timeout 60 $CMRUN -n 2 -p seq 100000 2>"$work/err" | { sleep 1; cat; } >"$work/out"
ok 'a slow reader gets all' [ "$(wc -l <"$work/out")" -eq 200000 ]
timeout 60 sh -c "$CMRUN -n 2 -p yes 2>$work/err | head -n 1" >"$work/out"
status=$?
ok 'a reader that leaves ends the ranks' is 0
ok 'and has read a line' [ "$(cut -c5- "$work/out")" = y ]
if [ -w /dev/full ]; then
    timeout 60 $CMRUN -n 2 -p sh -c 'while echo x; do :; done' >/dev/full 2>"$work/err"
    status=$?
    : >"$work/out"
    ok 'a full disk is a failure of the system' is 3
    ok 'that is said' err_has 'cmrun: cannot write to stdout: '
else
    skip 'a full disk is a failure of the system' 'no /dev/full'
    skip 'that is said' 'no /dev/full'
fi

run $CMRUN -n 2 --bind core sh -c 'grep Cpus_allowed_list /proc/self/status'
ok 'a bound rank has one core' [ "$(grep -c '[0-9,-]*:.[0-9]*$' "$work/out")" -eq 2 ]

run $CMRUN -n 2 ./no-such-program
ok 'a program that is not there: status 2' is 2
ok 'one line' err_lines 1
ok 'that names it' err_has "cmrun: cannot run './no-such-program': .*nothing was started"
run $CMRUN -n 2 no-such-program
ok 'nor along PATH' err_has "cannot run 'no-such-program': not found in PATH"
: >"$work/plain"
run $CMRUN -n 2 "$work/plain"
ok 'a file that is not executable' err_has 'Permission denied; nothing was started'
ok 'status 2' is 2
echo 'echo started' >"$work/text"
chmod +x "$work/text"
run $CMRUN -n 2 "$work/text"
ok 'a file of another format' err_has 'not a program for this machine'
ok 'starts nothing' out_is ''
ok 'status 2 too' is 2
printf '#!/no/such/interpreter\n' >"$work/script"
chmod +x "$work/script"
run $CMRUN -n 2 "$work/script"
ok 'a script whose interpreter is missing' err_has 'interpreter'
run $CMRUN -n 2 /
ok 'a folder is no program' err_has 'it is a directory'

for wrong in '-n 0' '-n -1' '-n 65537' '-n two' '--bind socket' '--timeout -1' '--nonsense'; do
    run $CMRUN $wrong true
    ok "$wrong is refused with status 2" is 2
    ok "$wrong: one line" err_lines 1
done
run $CMRUN -n 2
ok 'no PROGRAM is refused' is 2
ok 'with an example' err_has 'cmrun.*PROGRAM.*cmrun -n 4'

run sh -c "ulimit -n 40 && exec $CMRUN -n 64 true"
ok 'too few open files are refused' is 3
ok 'with the ulimit that helps' err_has 'ulimit -Hn 96'
run sh -c "ulimit -Sn 40 && exec $CMRUN -n 64 sh -c 'ulimit -n'"
ok 'a soft limit is raised for cmrun and kept for the ranks' [ "$(sort -u "$work/out")" = 40 ]

for how in 'env CM_EAGERBYTES=1000 cmrun' 'cmrun --env CM_EAGERBYTES=1000'; do
    run ${how%cmrun*} $CMRUN ${how#*cmrun} -n 2 touch "$work/started"
    ok "$how: an unknown CM_ variable is refused with status 2" is 2
    ok "$how: one line" err_lines 1
    ok "$how: it names the nearest one" err_has \
        '^clustermark: unknown environment variable CM_EAGERBYTES; did you mean CM_EAGER_BYTES?$'
    ok "$how: nothing was started" [ ! -e "$work/started" ]
done
run $CMRUN -k -n 1 sh -c 'env | sed -n "s/^\(CM_[^=]*\)=.*/\1/p"'
$CMRUN --print-environment >"$work/known"
while read -r each; do
    ok "$each, which cmrun sets, is known" grep -q "^$each " "$work/known"
done <"$work/out"

run $CMRUN --help
ok '--help: status 0' is 0
ok '--help fits 80 columns' [ "$(awk 'length > 80' "$work/out")" = '' ]
ok '--help names the options' grep -q -e --prefix-output "$work/out"
run $CMRUN --version
ok '--version' grep -q '^cmrun' "$work/out"
run env CM_SPIN_US=17 $CMRUN --print-environment
ok '--print-environment lists variables with their values' grep -q 'CM_SPIN_US.*17' "$work/out"

done_testing
