#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts_check.sh: cmrun --check: its report on hosts that are fine, cannot be reached, are silent,
# have a firewall, or differ in version, clock, PATH or limits; nothing is left behind.
. "${srcdir:-.}/launch/hosts_tap.sh"

# check OPTION...: on hosts of the local launcher, which are all this one.
check() { run "$CMRUN" --check --rsh "$work/launcher" "$@"; }
out_has() { grep -q -e "$1" "$work/out"; }
narrow() { ! grep -q '.\{81\}' "$work/out"; }
# Joins lines that were broken before column 80.
joined() { tr '\n' ' ' <"$work/out" | tr -s ' ' | grep -q -e "$1"; }

check
ok 'no hosts: status 2' is 2
ok 'one line says what to give' err_has '^cmrun: --check needs hosts: give --hosts or --hostfile'
# Names that resolve without a name server but belong to no host.
a=198.51.100.1 b=198.51.100.2
cat >"$work/hosts" <<END
$a 2
$b
END
CM_INTERFACE=lo check --hostfile "$work/hosts" "$PROGRAM"
ok 'two hosts of a file: status 0' is 0
ok 'the table has the first' out_has "^$a  *[0-9]*\.[0-9]*\.[0-9]* .* lo"
ok 'and the second' out_has "^$b  *[0-9]*\.[0-9]*\.[0-9]* .* lo"
ok 'the sum' out_has '^1 of 1 pairs of hosts connect both ways; 0 faults, '
ok 'nothing on stderr' err_lines 0
run env PBS_NODEFILE="$work/hosts" CM_INTERFACE=lo "$CMRUN" --check -l "$work/launcher" "$PROGRAM"
ok 'the hosts of an allocation' out_has '^1 of 1 pairs of hosts connect both ways; 0 faults, '
CM_INTERFACE=lo check --hosts $a,$b no-such-program
ok 'a program that is not in PATH: status 1' is 1
ok 'each host is named' [ "$(grep -c '^FAIL 198.51.100.[12]: no-such-program is not in any folder' \
    "$work/out")" = 2 ]
CM_INTERFACE=lo check --hosts $a,$b "$work"
ok 'a folder in place of a program: status 1' is 1
ok 'it is named' joined "FAIL $a: $work is not there, or cannot be run"
CM_INTERFACE=lo check --hosts $a,$b --env CM_PORTS=9-7 "$PROGRAM"
ok 'a wrong variable: status 2, and nothing was looked at' is 2
CM_INTERFACE=lo CM_PORTS=7301-7304 check --hosts $a:5,$b "$PROGRAM"
ok 'fewer ports than ranks: status 1' is 1
ok 'is said' joined "FAIL $a: CM_PORTS has 4 ports, but each of 5 ranks there needs one"
(ulimit -n 80; CM_INTERFACE=lo check --hosts $a:30,$b:30 "$PROGRAM"; [ $status = 1 ])
ok 'few open files: status 1' [ $? = 0 ]
ok 'the limit is named' joined "FAIL $a: a rank may open 80 files .*, but each of 60 ranks"

# A launcher that changes the second host's answers or properties.
cat >"$work/other" <<END
#!/bin/sh
[ "\$1" = $b ] || exec '$work/launcher' "\$@"
case \$OTHER in
clock) '$work/launcher' "\$@" | sed -u 's/^clock [0-9]*/clock 1000000000/' ;;
version) '$work/launcher' "\$@" | sed -u 's/^version [0-9.]*/version 0.0.7/' ;;
folder) sed -u 's|^folder .*|folder /no/such|' | '$work/launcher' "\$@" ;;
chatty) echo 'ready or not: welcome'; exec '$work/launcher' "\$@" ;;
silent) exec sleep 60 ;;
stopped) '$work/launcher' "\$@" | sed -u '/^clock/q' ;;
lost) echo 'the key was refused' >&2; exit 255 ;;
esac
END
chmod +x "$work/other"
other() {
    OTHER=$1 CM_INTERFACE=lo run "$CMRUN" --check -l "$work/other" --hosts $a,$b,198.51.100.3 \
        --start-timeout 4 "$PROGRAM"
}
other clock
ok 'a clock that differs: status 0' is 0
ok 'is said' joined "note $b: its clock is [0-9.]* s behind"
other version
ok 'another version: status 1' is 1
ok 'both are named' joined "FAIL $b: it has version 0.0.7 .*, but $a has [0-9.]* "
other folder
ok 'a working folder that is not there: status 1' is 1
ok 'it is named' out_has "^FAIL $b: the working folder /no/such: No such file"
other chatty
ok 'what a shell prints first is passed over' is 0
other lost
ok 'a launcher that fails: status 1' is 1
ok 'its last words are the reason' out_has "^FAIL $b cannot be reached: the key was refused"
ok 'the table has the host' out_has "^$b  *not looked at"
ok 'the others are looked at' out_has '^1 of 3 pairs'
other silent
ok 'a silent host: status 1' is 1
ok 'it is named' out_has "^FAIL $b is silent: no answer within 4 s"
OTHER=silent CM_INTERFACE=lo run "$CMRUN" --check -l "$work/other" --hosts $a,$b --timeout 4 \
    --start-timeout 0 "$PROGRAM"
ok 'a silent host ends with --timeout, too' is 1
ok 'and is named' out_has "^FAIL $b is silent: no answer within 4 s"
other stopped
ok 'a host that is lost later: status 1' is 1
ok 'it is named too' out_has "^FAIL $b "
OTHER=lost run "$CMRUN" --check -l "$work/other" --hosts $b "$PROGRAM"
ok 'no host that can be looked at: status 3' is 3
ok 'one line says so' err_has '^cmrun: --check: none of the hosts could be looked at'
helpers() { grep -l -a -e '[-]-check-host' /proc/[0-9]*/cmdline 2>/dev/null | grep -q .; }
no_helpers() { ! helpers; }
ok 'no helper is left' within 30 no_helpers

virtual_hosts 'checks of hosts of their own' 'ip unshare' 3
far() { run "$cluster" run ${h}1 "$CMRUN" --check --rsh "$cluster" "$@" "$PROGRAM" 9>&-; }
rule() { ip -n "$@" >/dev/null 2>&1; }
far --hosts ${h}1:2,${h}2,${h}3
ok 'three hosts: status 0' is 0
ok 'their network' [ "$(grep -c "^$h[123] .* eth0$" "$work/out")" = 3 ]
ok 'all pairs' out_has '^3 of 3 pairs of hosts connect both ways; 0 faults, 0 notes$'
far --hosts ${h}1,nohost,${h}3
ok 'a name that does not resolve: status 1' is 1
ok 'it is named' out_has '^FAIL nohost cannot be reached: .*no host nohost'
ok 'and who does not know it' joined "note ${h}3: these names of hosts do not resolve there: nohost"
rule ${h}1 rule add ipproto tcp dport 7005-7010 prohibit
far --hosts ${h}1,${h}2,${h}3 --env CM_PORTS=7001-7010
ok 'a host that prohibits ports: status 1' is 1
ok 'the pair and the port are named' \
    joined "FAIL ${h}1 to ${h}2: 10.77.0.2 port 7010: Permission denied"
ok 'in 80 columns' narrow
rule ${h}1 rule del ipproto tcp dport 7005-7010 prohibit
rule ${h}2 rule add ipproto tcp sport 7001-7010 blackhole
far --hosts ${h}1,${h}2,${h}3 --env CM_PORTS=7001-7010 --env CM_TIMEOUT_S=1
ok 'a host that drops them: status 1' is 1
ok 'the pairs are named' joined "FAIL ${h}3 to ${h}2: 10.77.0.2 port 7001: no answer"
ok 'the other pair connects' out_has '^1 of 3 pairs'
rule ${h}2 rule del ipproto tcp sport 7001-7010 blackhole
ok 'no helper is left there' within 30 no_helpers
"$cluster" down
trap 'rm -rf "$work"' EXIT
done_testing
