#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_compare_further.sh: the second family of `clustermark compare`, on made-up results with
# planted losses of known size.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
unset TMPDIR

# launches DIR SEED SLOWER_BYTES FACTOR PEAK_FACTOR [N]: launches of cm-netpipe with a deviation of
# 2 %; messages of SLOWER_BYTES take FACTOR times as long, the peak is PEAK_FACTOR times as high.
# The noise of a launch depends only on the seed.
launches()
{
    mkdir -p "$work/$1/launches"
    awk -v seed="$2" -v slow="$3" -v factor="$4" -v peak="$5" -v n="${6:-6}" \
        -v dir="$work/$1/launches" '
        # Park and Miller, and Box and Muller: the same in every awk.
        function uniform() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
        function noise() {
            return exp(0.02 * sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform()))
        }
        BEGIN {
            for (k = 0; k < 20; k++) uniform()
            for (k = 1; k <= n; k++) {
                file = dir "/netpipe." k ".txt"
                print "# program: cm-netpipe\n size_bytes n median_s sweep" >file
                for (size = 1; size <= 1048576; size *= 4)
                    printf " %d 9 %.4e 1\n", size, (1e-6 + size / 1e9) * noise() \
                        * (size == slow ? factor : 1) >file
                printf "# CHECK: wrong_bytes: 0 == 0  PASS\n# RESULT: PASS latency_us %.4g us\n",
                    noise() >file
                printf "# RESULT: PASS peak_Mbit_per_s %.5g Mbit/s\n", 8000 * peak * noise() >file
                close(file)
            }
        }'
    cp "$work/$1/launches/netpipe.1.txt" "$work/$1/netpipe.txt"
}
# ends STATUS ARGUMENT...
ends()
{
    expected=$1; shift
    (cd "$work" && "$suite" compare "$@") >"$work/out" 2>"$work/err"
    got=$?
    [ $got -eq "$expected" ] || { echo "# status $got"; show "$work/err" "$work/out"; false; }
}
shown() { tr -s ' \n' ' ' <"$work/out" | grep -q -e "$1" || { show "$work/out"; false; }; }

launches base 1 0 1 1
launches again 2 0 1 1
ok 'two runs of one build' ends 0 --fail-on slower base again
ok 'have a second family' shown 'Further metrics, tested, the largest change first:'
ok 'of the peak' shown 'netpipe:peak_Mbit_per_s'
ok 'the middle of the eleven sizes' shown 'netpipe:median_s size_bytes=1024 '
ok 'and the sum' shown 'netpipe:median_s summed over size_bytes'
ok 'whose level is said' shown 'second family, with 5 % of its own: .* 1 program shares its level'

calm='\(cannot tell\|the same\) [0-9.]* \[[^]]*\] [0-9. e-]* [a-zA-Z/]*'
slower='slower [0-9.]* \[[^]]*\] [0-9. e-]* [a-zA-Z/]*'
# Messages of 256 KB take 200 times as long, and the headline is the same.
launches stalls 3 262144 200 1
ok 'a stall beyond the headline fails' ends 1 --fail-on slower base stalls
ok 'as slower in the sum' shown "$slower netpipe:median_s summed over"
ok 'not in the middle' shown "$calm netpipe:median_s size_b"
ok 'nor in the headline' shown "$calm netpipe:latency_us"

launches middle 4 1024 1.34 1
ok 'a loss of a quarter at the middle size' ends 1 --fail-on slower base middle
ok 'is slower there' shown "$slower netpipe:median_s size_bytes=1024 "
launches peak 5 0 1 0.75
ok 'a loss of a quarter of the peak' ends 1 --fail-on slower base peak
ok 'is slower there, too' shown "$slower netpipe:peak_Mbit_per_s"
launches better 6 0 1 1.33
ok 'a gain is not slower' ends 0 --fail-on slower base better
ok 'but different' ends 1 --fail-on different base better

# Of ten pairs of runs of one build, one is expected to have an alarm in one of the two families.
alarms=0
for seed in 11 12 13 14 15 16 17 18 19 20; do
    launches one $((seed * 7919)) 0 1 1
    launches two $((seed * 104729)) 0 1 1
    (cd "$work" && "$suite" compare --margin 0 --fail-on different one two) >/dev/null 2>&1
    [ $? -ne 1 ] || alarms=$((alarms + 1))
done
echo "# $alarms alarms of 10 pairs"
ok 'false alarms are rare' [ $alarms -le 3 ]

# A launch that was cut short has fewer sizes; only sizes that all launches have are compared.
sed -i '/^ 1048576 /d' "$work/again/launches/netpipe.2.txt"
ok 'sizes that a launch lacks' ends 0 --fail-on slower base again
ok 'are left out: the middle of ten is the fifth' shown 'netpipe:median_s size_bytes=256 '
sed -i '/peak/d' "$work/again/launches/netpipe.3.txt"
ok 'a metric that a launch lacks' ends 0 base again
not_tested() { ! sed '/^Headline/,/^Other metrics/!d' "$work/out" | grep -q peak_Mbit; }
ok 'is not tested' not_tested
ok 'but shown' shown 'Other metrics.*netpipe:peak_Mbit_per_s'
lacks() { tr -s '\n ' ' ' <"$work/out" | grep -q "$1" || { show "$work/out"; false; }; }
ok 'with why' lacks \
    'peak_Mbit_per_s is not tested, because launches lack it: base has it in 6 of 6, again in'
ok 'and which' lacks 'new: in 5 of 6 launches; not in launches/netpipe.3.txt'
ok 'sizes that are left out are told' lacks 'netpipe: 1 size, not in all launches, left out of the'

launches three 7 0 1 1 3
launches few 8 0 1 1 3
ok 'three launches a side' ends 3 --fail-on slower three few
ok 'name all metrics of both families' [ "$(grep -o 'netpipe:' "$work/err" | wc -l)" -eq 4 ]
ok 'and are said to be too few at the start' \
    [ "$(head -n 1 "$work/out" | grep -c 'So few launches cannot tell')" -eq 1 ]
finish
