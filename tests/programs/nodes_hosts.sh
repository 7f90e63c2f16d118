#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# nodes_hosts.sh: cm-nodes on eight virtual hosts: one that is stopped for a part of the time, and
# one with another MTU and a wrong clock, are named, and no other host.
. "${srcdir:-.}/programs/nodes_tap.sh"

virtual_hosts 'eight hosts' 'ip tc' $hosts
write_node
make_files
: >"$work/expected"
fault stopped 4
fault mtu 7
fault clock 7
# refused WORDS OPTION...: status 2 and one line with these words; nothing is measured.
refused() {
    words=$1; shift
    judged 2 "$@"
    [ $status -eq 2 ] && [ ! -s "$work/out" ] && [ "$(grep -c -e "$words" "$work/err")" -eq 1 ] ||
        { sed 's/^/# /' "$work/err"; false; }
}
ok 'rounds that can name nobody' refused '--rounds 6 can name none of 8 hosts, .*expected 7 or' \
    --rounds 6
ok 'and further ones that can name no pair' refused '--again 2 can name no pair .*or 0$' --again 2
# Noise from other programs may hide the stopped host: tries up to five times, with more rounds each
# time.
found_in_tries() {
    for rounds in 7 11 15 19 23; do
        judged 1 --rounds $rounds --again 0 && return
        echo "# after $rounds rounds:"
        grep '^# would have been named\|^# could not tell\|^# disturbed' "$work/out"
    done
    false
}
ok 'three faults are found' found_in_tries
show_found
columns() {
    awk -v slow="$1" '!/^#/ && $1 != "host" { if ($3 == "yes") found = found " " $1; n++ }
        END { exit found != slow || n != 8 }' "$work/out"
}
ok 'and stand in the rows' columns ' 3 6'
ok 'a FAIL' grep -q '^# RESULT: FAIL findings 3 1$' "$work/out"
ok 'the rate of false alarms' grep -q '^# false alarms: in at most 0.01 of runs' "$work/out"
# Of two hosts none is the odd one, but they differ.
two_differ() {
    setsid -w timeout -k 5 100 "$cluster" run ${h}1 "$CMRUN" --rsh "$cluster" \
        --hosts ${h}1,${h}7 "$nodes" --rounds 4 --triad 96Ki --trial-seconds 0.002 --quiet \
        >"$work/out" 2>"$work/err" </dev/null 9>&- &&
        grep -q "^# hosts differ: nic eth0 mtu_bytes: 1500 (${h}1); 1400 (${h}7) " "$work/out" &&
        grep -q '^# no finding: the inventory differs, but ' "$work/out" ||
        { sed 's/^/# /' "$work/err"; grep '^# hosts\|finding' "$work/out"; false; }
}
ok 'what two hosts differ in is said' two_differ
"$cluster" down
trap 'rm -rf "$work"' EXIT
done_testing
