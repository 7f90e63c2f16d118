#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sockets.sh: cm-sockets: what it refuses, every test at its smallest, that losses are counted and
# wrong data fail, on links that drop and that are slow, its figures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
folder=network/sockets
program=$(pwd)/../network/sockets/cm-sockets
faulty=$(pwd)/programs/sockets_faulty
brief='--warm-up 0.01 --time-limit 0.15 --quiet'
quick="$brief --seconds 0.02 --trials 300"
# quick_of ARGUMENT...: the options of $quick that apply to the test named in the arguments.
quick_of()
{
    case " $* " in
    *' -t tcp-stream '* | *' -t udp-stream '*) echo "$brief --seconds 0.02" ;;
    *' -t '*) echo "$brief --trials 300" ;;
    *) echo "$quick" ;;
    esac
}

# ---- What it refuses: status 2, one line that names option and value ---------------------------

no() { regex=$1; shift; ok "refused: $*" refuses "^cm-sockets: .*$regex" "$program" "$@"; }
no "--frobnicate" --frobnicate
if [ "$comm" = dummy ]; then
    ok 'two ranks in one process' run 2 2 '^cm-sockets: the dummy .* one process' "$program"
    finish
fi
ok 'an output that cannot be written' run 2 2 "^cm-sockets: --output .*/none/r.txt" \
    "$program" -o "$work/none/r.txt"
ok 'three ranks' run 3 2 '^cm-sockets: needs exactly 2 ranks, .* has 3; start it with: ' "$program"
ok 'an interface that does not exist' run 2 2 \
    '^cm-sockets: rank 0 on .*: --interface none0: no interface, .*; expected one of: .*lo' \
    "$program" --interface none0
ok 'an interface without such an address' run 2 2 '--interface 127.0.0.1: .* IPv6 address' \
    "$program" --interface 127.0.0.1 --family 6

# ---- Each test, small ---------------------------------------------------------------------------

# holds FILE CONDITION: does it hold in every row, and
# is there a row? Fields bear the columns' names.
holds()
{
    grep -v '^#' "$1" | awk '
    function where(condition) { if (!condition) { print "# row: " $0; bad++ } }
    NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k; columns = NF; next }
    { where('"$2"') }
    END { exit bad > 0 || NR < 2 }'
}
# A receiver of datagrams that gets no processor loses all of a short trial.
stream='$c["n"] >= 1 && ($c["MB_per_s"] > 0 || $c["lost"] > 0)'
stream="$stream && \$c[\"low_MB_per_s\"] >= 0 && \$c[\"low_MB_per_s\"] <= \$c[\"MB_per_s\"]"
stream="$stream && \$c[\"MB_per_s\"] <= \$c[\"high_MB_per_s\"] && \$c[\"median_s\"] == \"nan\""
turn='$c["n"] >= 1 && $c["min_s"] > 0 && $c["min_s"] <= $c["median_s"] && $c["MB_per_s"] == "nan"'
turn="$turn && \$c[\"low_s\"] <= \$c[\"median_s\"] && \$c[\"median_s\"] <= \$c[\"high_s\"]"
turn="$turn && \$c[\"median_s\"] <= \$c[\"p99_s\"] && \$c[\"p99_s\"] <= \$c[\"max_s\"]"
# CPU time, and its sum over both ends for each byte. A rank has one thread.
cost='$c["send_cpu_share"] >= 0 && $c["send_cpu_share"] < 1.1 && $c["receive_cpu_share"] >= 0'
cost="$cost && \$c[\"receive_cpu_share\"] < 1.1 && \$c[\"cpu_ns_per_byte\"] > 0"
one_way='$c["send_user_us"] + $c["send_system_us"] + $c["receive_user_us"]'
one_way="($one_way + \$c[\"receive_system_us\"]) / (1e-3 * \$c[\"size_bytes\"]"
one_way="$one_way * \$c[\"cpu_ns_per_byte\"])"
counted='$c["lost"] >= 0 && $c["lost"] <= $c["sent"]'

result=$work/r.txt json=$work/r.json
set -- $quick --output "$result"
[ "$have_json" = yes ] && set -- "$@" --json "$json"
if ok 'all tests' run 2 0 '' "$program" "$@"; then
    only()
    {
        { grep -v '^#' "$result" | head -n 1; rows_of "$result" | grep "^ *$1 "; } >"$work/only"
    }
    for test in tcp-stream udp-stream; do
        only $test
        ok "test $test: rates in order, datagrams accounted for" \
            holds "$work/only" "$stream && $counted"
        ok "test $test: CPU time" \
            holds "$work/only" "$cost && $one_way > 0.997 && $one_way < 1.003"
    done
    for test in tcp-turn udp-turn write-read one-way; do
        only $test
        ok "test $test: times in order" holds "$work/only" "$turn"
        ok "test $test: no sample is left out" holds "$work/only" '$c["summarized"] == "all"'
    done
    only tcp-stream
    ok 'TCP loses nothing' holds "$work/only" '$c["lost"] == 0'
    only udp-stream
    ok 'on loopback all that is lost was lost at the receiver' \
        holds "$work/only" '$c["lost"] == $c["overrun"]'
    ok 'the four settings of delayed-ack' \
        [ "$(rows_of "$result" | awk '$1 == "write-read" { print $4 "." $5 }' \
        | sort | tr '\n' ' ')" = 'off.off off.on on.off on.on ' ]
    ok 'settings of TCP alone' holds "$result" \
        '($c["test"] ~ /^udp/) == ($c["nodelay"] == "nan" && $c["quickack"] == "nan")'
    ok 'and in the histograms' [ "$(sed -n \
        's/^# histogram: test=udp-turn .* \(nodelay=.* quickack=[^ ]*\) .*/\1/p' "$result")" = \
        'nodelay=nan quickack=nan' ]
    ok 'a sent rate for streams of datagrams only' holds "$result" \
        '($c["test"] == "udp-stream") == ($c["sent_MB_per_s"] != "nan")'
    ok 'no rate is asked for' holds "$result" '$c["asked_MB_per_s"] == "nan"'
    ok 'so none is missed' sh -c "! grep -q '^# rate not kept' '$result'"
    for metric in tcp_MB_per_s udp_MB_per_s udp_sent_MB_per_s udp_loss turn_us udp_turn_us \
        nagle_turn_us nodelay_turn_us quickack_turn_us nodelay_quickack_turn_us; do
        ok "RESULT $metric" has "^# RESULT: PASS $metric [0-9.e+-]* [MBus/1]*" "$result"
        case $metric in udp_sent_MB_per_s | udp_loss) continue ;; esac
        ok "$metric: its interval" encloses "$result" $metric trials
    done
    for check in wrong_bytes tcp_missing_bytes udp_never_sent; do
        ok "CHECK $check" has "^# CHECK: $check: 0 == 0  PASS\$" "$result"
    done
    ok 'congestion control and segments' \
        has '^# tcp: congestion control [a-z].*, segments of [1-9]' \
        "$result"
    ok 'a histogram a row of turns' [ "$(grep -c '^# histogram: test=[a-z-]* ' "$result")" \
        -eq "$(rows_of "$result" | awk '$1 !~ /stream$/' | wc -l)" ]
    # Bins hold as many as the row has samples.
    ok 'of all samples' awk '/^# histogram: / {
        for (k = 1; k <= NF; k++) if ($k ~ /^n=/) n = substr($k, 3)
        sum = 0
        for (k = 1; k <= NF; k++)
            if ($k ~ /^[0-9].*:[0-9]*$/) { split($k, bin, ":"); sum += bin[2] }
        if (sum != n) { print "# " $0; bad++ } } END { exit bad > 0 }' "$result"
    for key in mode sample timing family interface_of_rank_0 interface_of_rank_1 kernel_of_rank_1 \
        receive_wait buffer_request_bytes stopping_rule stream_sample_s; do
        ok "metadata: $key" has "^# $key: ." "$result"
    done
    if [ "$have_json" != yes ]; then skip 'the JSON' 'this build has no jansson'
    elif ! command -v jq >/dev/null 2>&1; then skip 'the JSON' 'jq is not there'
    else
        quietly() { "$@" >"$work/quiet"; }
        ok 'the JSON has all samples' \
            quietly jq -e '. as $r | ($r.columns | map(.name) | index("n")) as $n
            | ($r.rows | length) == ($r.samples | length)
              and all($r.samples[]; (.values | length) == $r.rows[.row][$n])' "$json"
    fi
fi

# small NAME ARGUMENT...: a run whose result stands in $work/NAME.txt.
small()
{
    name=$1; shift
    run 2 0 '' "$program" $(quick_of "$@") -o "$work/$name.txt" "$@"
}
ok 'sizes, both settings, two sweeps' \
    small sizes -t tcp-stream -s 1,64:100 --nodelay both --repeat 2
ok 'a row each' \
    [ "$(rows_of "$work/sizes.txt" | awk '{ printf "%s.%s.%s ", $2, $4, $(NF - 4) }')" = \
    '1.off.1 1.on.1 64.off.1 64.on.1 100.off.1 100.on.1 1.off.2 1.on.2 64.off.2 64.on.2 '\
'100.off.2 100.on.2 ' ]
ok 'each sweep is told apart' has '^# sweep 2: tcp_MB_per_s=' "$work/sizes.txt"
ok '--integrity' small integrity -t tcp-stream -s 4096 -i
ok 'the timing says so' has '^# timing: .*--integrity' "$work/integrity.txt"
ok '--wait spin --bind' small spin -t tcp-turn --wait spin --bind
ok 'three writes' small writes -t delayed-ack -s 50 --writes 3 --nodelay on --quickack off
ok 'are three' holds "$work/writes.txt" '$c["test"] == "one-way" || $c["writes"] == 3'
ok 'gathered' small gather -t delayed-ack --writes 1000 --gather --nodelay off --quickack off
ok 'as the result says' has '^# write_calls: gathered' "$work/gather.txt"
ok 'buffers' small buffers -t tcp-stream -s 1000 --buffer 20000
ok 'as the kernel has them' holds "$work/buffers.txt" \
    '$c["send_buffer_bytes"] >= 20000 && $c["receive_buffer_bytes"] >= 20000'
ok 'turns of 65507 bytes' small turns -t udp-turn -s 1,7,8,65507
ok 'none is lost' holds "$work/turns.txt" '$c["lost"] == 0 && $c["n"] > 0'
ok 'a rate' small rate -t udp-stream -s 500 --rate 4 --seconds 0.1 --time-limit 0.5
# If the machine pauses, the rate falls, and little of the lost time is made up.
ok 'is not exceeded' holds "$work/rate.txt" '$c["MB_per_s"] <= 0.55'
ok 'the asked rate is a column' holds "$work/rate.txt" '$c["asked_MB_per_s"] == 0.5'
ok 'and so is the sent rate, which is not exceeded either' \
    holds "$work/rate.txt" '$c["sent_MB_per_s"] > 0 && $c["sent_MB_per_s"] <= 0.55'
missed=$(grep -c '^# rate not kept' "$work/rate.txt")
ok 'a comment if it differs by more than 2 %' holds "$work/rate.txt" \
    '$c["sent_MB_per_s"] >= 0.4901 || '"$missed"' == 1'
ok 'and only then' holds "$work/rate.txt" '$c["sent_MB_per_s"] <= 0.4899 || '"$missed"' == 0'
ok 'a rate that no sender keeps' small fast -t udp-stream -s 1000 --rate 1e7
ok 'is not what is sent' \
    holds "$work/fast.txt" '$c["asked_MB_per_s"] == 1.25e6 && $c["sent_MB_per_s"] < 1e6'
ok 'as a comment says' has \
    '^# rate not kept: udp-stream, 1000 bytes: .* Mbit/s sent of 1e+07 Mbit/s asked (-' \
    "$work/fast.txt"
ok 'and a metric' [ "$(sed -n 's/^# RESULT: PASS udp_sent_MB_per_s \([^ ]*\) .*/\1/p' \
    "$work/fast.txt" | awk '{ print ($1 > 0 && $1 < 1e6) }')" = 1 ]
loss=$(sed -n 's/^# RESULT: PASS udp_loss \([^ ]*\) .*/\1/p' "$work/fast.txt")
ok 'the loss is a fraction of what was sent' holds "$work/fast.txt" \
    '($c["lost"] / $c["sent"] - '"$loss"') ^ 2 <= 1e-10'
if grep -q -i '^0*1 .* lo$' /proc/net/if_inet6 2>/dev/null; then
    ok 'IPv6' small six --family 6 -s 100
    ok 'as the result says' has '^# family: IPv6$' "$work/six.txt"
else skip 'IPv6' 'there is no ::1'
fi

# ---- Wrong data, and datagrams that go astray in known number ---------------------------------

# fault KIND STATUS ARGUMENT...: corrupts received data; $done is the number of times.
fault()
{
    TEST_FAULT=$1; status=$2; shift 2
    TEST_FAULT_COUNT=$work/count
    export TEST_FAULT TEST_FAULT_COUNT
    rm -f "$work/count"
    run 2 $status '' "$faulty" $(quick_of "$@") --force -o "$work/fault.txt" "$@"
    outcome=$?
    unset TEST_FAULT TEST_FAULT_COUNT
    faults=$(cat "$work/count" 2>/dev/null || echo -1)
    return $outcome
}
# Streams are measured by rank 1, turns by rank 0.
for case in 'tcp-stream rank0' 'udp-stream rank0' 'tcp-turn rank1' 'udp-turn rank1'; do
    ok "${case% *}: what disturbs the other end disturbs all samples" \
        fault "${case#* }" 0 -t "${case% *}" -s 64
    ok 'and stands in the result' has \
        '^# disturbed: \([0-9]*\) of \1 samples: .*pages from a disk (\1)' "$work/fault.txt"
done
ok 'what the receiver of a stream finds disturbed' fault trials 0 -t tcp-stream -s 64
ok 'is disturbed' has \
    '^# disturbed: \([0-9]*\) of \1 samples: .*moved to another core (\1)' "$work/fault.txt"
for test in tcp-stream udp-stream tcp-turn udp-turn delayed-ack; do
    case $test in *-stream) every=-i ;; *) every= ;; esac # the others compare all bytes anyway
    ok "$test: a flipped bit: status 1" fault flip 1 -t $test -s 64 $every
    ok "$test: the metrics are FAIL" has '^# RESULT: FAIL' "$work/fault.txt"
    ok "$test: the inequality fails" has '^# CHECK: wrong_bytes: [12] == 0  FAIL$' "$work/fault.txt"
    ok "$test: the byte is named" \
        has '^# wrong data: .*first wrong byte at .*: expected 0x.*, got 0x' \
        "$work/fault.txt"
done
# If a sender moves to another core, its later datagrams may really overtake earlier ones.
paced='-t udp-stream -s 1000 --rate 40 --bind'
ok 'datagrams that vanish' fault drop 0 $paced
ok 'are all counted' holds "$work/fault.txt" \
    '$c["lost"] - $c["overrun"] == '$faults' && $c["lost"] > 0'
ok 'datagrams that come twice' fault twice 0 $paced
ok 'are all counted' holds "$work/fault.txt" \
    '$c["duplicated"] == '$faults' && $c["duplicated"] > 0'
ok 'and none is lost by it' holds "$work/fault.txt" '$c["lost"] == $c["overrun"]'
ok 'datagrams that are overtaken' fault swap 0 $paced
ok 'are all counted' holds "$work/fault.txt" \
    '$c["reordered"] == '$faults' && $c["reordered"] > 0'
ok 'and none is lost by it' holds "$work/fault.txt" '$c["lost"] == $c["overrun"]'

# ---- Links that drop, that are slow, that lead nowhere ------------------------------------------

cluster=$(cd .. && pwd)/clusters/virtual/virtual-cluster
cmrun=$(readlink -f ../src/cmrun)
why=
[ "$comm" = sockets ] || why="the backend is $comm"
[ "$(id -u)" = 0 ] || why='network namespaces need root'
for each in ip tc unshare; do command -v $each >/dev/null || why="no $each command"; done
VIRTUAL_CLUSTER_NAME=cs$(($$ % 10000))t
export VIRTUAL_CLUSTER_NAME
h=$VIRTUAL_CLUSTER_NAME
if [ -z "$why" ]; then
    trap '"$cluster" down; rm -rf "$work"' EXIT
    "$cluster" up 2 >"$work/out" 2>"$work/err" || why="virtual-cluster up: $(head -n 1 "$work/err")"
fi
# Measured traffic goes over m0; control messages have eth0 to themselves. n0 leads nowhere.
links()
{
    ip link add m0 netns ${h}1 type veth peer name m0 netns ${h}2 || return 1
    for k in 1 2; do
        ip -n ${h}$k link add n0 type veth peer name n1 || return 1
        ip netns exec ${h}$k sh -c 'echo 1 >/proc/sys/net/ipv6/conf/m0/disable_ipv6' || return 1
        for each in "m0 10.78" "n0 10.79"; do
            set -- $each
            ip -n ${h}$k addr add $2.0.$k/24 dev $1 && ip -n ${h}$k link set $1 up || return 1
        done
        ip -n ${h}$k link set n1 up || return 1
        tries=0
        until [ "$(ip netns exec ${h}$k cat /sys/class/net/n0/operstate)" = up ]; do
            tries=$((tries + 1)); [ $tries -lt 100 ] || return 1; sleep 0.05
        done
    done
    until [ "$(ip netns exec ${h}1 cat /sys/class/net/m0/operstate)" = up ]; do
        tries=$((tries + 1)); [ $tries -lt 200 ] || return 1; sleep 0.05
    done
}
bucket() { ip netns exec ${h}1 tc qdisc replace dev m0 root tbf "$@"; }
if [ -z "$why" ]; then
    if ! links >"$work/out" 2>"$work/err"; then why="links: $(head -n 1 "$work/err")"
    elif ! bucket rate 100mbit burst 5000 limit 1000000 2>"$work/err"; then
        why="tc: $(head -n 1 "$work/err")"
    fi
fi
# far STATUS ARGUMENT...: between the two hosts.
far()
{
    status=$1; shift
    timeout 60 "$cluster" run ${h}1 env CM_INTERFACE=eth0 "$cmrun" --rsh "$cluster" \
        --hosts ${h}1,${h}2 "$program" "$@" >"$work/far.txt" 2>"$work/far.err" </dev/null
    got=$?
    [ $got -eq "$status" ] || { echo "# status $got"; show "$work/far.err"; false; }
}
dropped()
{
    ip netns exec ${h}1 tc -s qdisc show dev m0 | sed -n 's/.*dropped \([0-9]*\),.*/\1/p' |
        head -n 1
}
lost()
{
    grep -v '^#' "$work/far.txt" | awk '
        NR == 1 { for (k = 1; k <= NF; k++) if ($k == "lost") c = k; next }
        { print $c }'
}

if [ -n "$why" ]; then skip 'links that drop, that are slow, that lead nowhere' "$why"
else
    (
    if command -v flock >/dev/null 2>&1; then
        lock=${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}
        exec 9>>"$lock" && flock 9
    fi
    # The token bucket lets TCP carry 95 % of 100 Mbit/s of content, and never more. A busy machine
    # can only make it less, but hardly an eighth in all tries: that would be bits for bytes.
    is_rate()
    {
        for try in 1 2 3; do
            far 0 -t tcp-stream --interface m0 -s 65536 --seconds 0.5 --time-limit 1.5 || return 1
            holds "$work/far.txt" '$c["MB_per_s"] > 1.6 && $c["MB_per_s"] <= 12.5' && return
        done
        false
    }
    ok '100 Mbit/s are no more of a TCP stream, and in the right unit' is_rate
    ok 'the interface that was measured' \
        has '^# interface_of_rank_1: m0 mtu_bytes=1500$' "$work/far.txt"
    ok 'a port of our own, again and again' \
        far 0 $quick --interface m0 --port 5001 --repeat 2 -s 100
    bucket rate 10mbit burst 5000 limit 20000
    ok 'UDP over a queue that drops' \
        far 0 -t udp-stream --interface m0 -s 1000 --rate 100 --seconds 0.1 \
        --time-limit 0.5
    ok 'something was lost' [ "$(lost)" -gt 0 ]
    # A receiver that gets no processor for a while loses some, too, and says so.
    ok 'lost is what the queue has dropped, and the receiver' \
        holds "$work/far.txt" "\$c[\"lost\"] - \$c[\"overrun\"] == $(dropped)"
    ok 'which is the less' holds "$work/far.txt" '$c["overrun"] < $c["lost"] / 2'
    ok 'nothing passes for repeated' holds "$work/far.txt" '$c["duplicated"] == 0'
    ok 'no way by TCP: status 3' far 3 -t tcp-turn --interface n0 --timeout 1
    cannot='cannot connect from 10.79.0.1 (n0) to rank 1 on .*, 10.79.0.2 port'
    ok 'one line that names both ends' [ "$(grep -c "$cannot" "$work/far.err")" -eq 1 ]
    ok 'no way by UDP: status 3' far 3 -t udp-turn --interface n0 --timeout 1
    ok 'one line that names both ends' [ "$(grep -c \
        'no datagram comes back from rank 1 on .*, 10.79.0.2' "$work/far.err")" -eq 1 ]
    echo "$points $failures" >"$work/points"
    )
    read -r points failures <"$work/points" || failures=1
    "$cluster" down
    trap 'rm -rf "$work"' EXIT
    ok 'no host is left' [ -z "$(ip netns list | grep "^$h")" ]
fi

# ---- Figures -----------------------------------------------------------------------------------

[ "${TEST_FIGURES-}" != none ] || { skip 'figures' 'TEST_FIGURES=none'; finish; }
if ! command -v gnuplot >/dev/null 2>&1; then skip 'figures' 'gnuplot is not there'; finish; fi
sed 's/^# oversubscribed: .*/# oversubscribed: no/; s/^# core_shared: .*/# core_shared: no/' \
    "$result" >"$work/drawn.txt"
sed 's/^# oversubscribed: .*/# oversubscribed: yes/' "$result" >"$work/over.txt"
sed 's/RESULT: PASS/RESULT: FAIL/' "$work/drawn.txt" >"$work/failed.txt"
for figure in sockets_stream delayed_ack; do
    drawing "$work/drawn.txt" "$work/$figure.svg" $figure
    drawing "$work/drawn.txt" "$work/$figure.png" $figure
    for kind in over failed turns; do
        drawing "$work/$kind.txt" "$work/$figure.$kind.svg" $figure
    done
done
draw_together
for figure in sockets_stream delayed_ack; do
    ok "$figure as SVG" drawn "$work/$figure.svg"
    ok "$figure is well-formed" is_svg "$work/$figure.svg"
    ok "$figure names the paper" has 'innocente-1999' "$work/$figure.svg"
    ok "$figure as PNG" drawn "$work/$figure.png"
    ok "$figure is a PNG" is_png "$work/$figure.png"
    for kind in over failed; do
        ok "$figure of a run that is $kind" drawn "$work/$figure.$kind.svg"
        ok "it says why there is no curve ($kind)" has 'Not drawn:' "$work/$figure.$kind.svg"
    done
    ok "$figure of other tests: nothing to draw" drawn "$work/$figure.turns.svg"
    ok 'in words' has 'Not drawn:' "$work/$figure.turns.svg"
done
ok 'the four settings stand in the figure' \
    [ "$(grep -c 'TCP_NODELAY o' "$work/delayed_ack.svg")" -ge 4 ]
finish
