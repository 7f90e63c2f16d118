#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_compare_run.sh: `clustermark compare --run` with two stand-ins for builds, whose launches
# are written, not measured.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
unset TMPDIR

# build FOLDER SUFFIX LATENCY: a program that is called as `clustermark run`, notes that, keeps what
# its DIR has, and ends with 3 in the launch that $work/SUFFIX.fails names.
build()
{
    mkdir -p "$(dirname "$work/$1")"
    cat >"$work/$1" <<END
#!/bin/sh
echo "\$*" >"$work/arguments"
for dir; do :; done
echo "\${dir##*/}" >>"$work/ran"
[ ! -f "$work/$2.fails" ] || [ "\$(cat "$work/$2.fails")" != "\${dir##*/}" ] || exit 3
mkdir -p "\$dir/launches"
[ ! -f "\$dir/netpipe.txt" ] || exit 0
echo "\${dir##*/}" >>"$work/measured"
k=\${dir##*/} k=\${k%-*}
{
    echo '# program: cm-netpipe'
    echo '# CHECK: wrong_bytes: 0 == 0  PASS'
    echo "# RESULT: PASS latency_us \$(($3 + k)) us"
} >"\$dir/netpipe.txt"
echo 'launches: 1' >"\$dir/run.txt"
echo 'no such program' >"\$dir/farm.skipped"
END
    chmod +x "$work/$1"
}
build old/suite/clustermark base 100
build prefix/bin/clustermark new 150
# ends STATUS ARGUMENT...
ends()
{
    expected=$1; shift
    (cd "$work" && "$suite" compare "$@") >"$work/out" 2>"$work/err" </dev/null
    got=$?
    [ $got -eq "$expected" ] || { echo "# status $got"; show "$work/err" "$work/out"; false; }
}
# says STATUS REGEX ARGUMENT...: on stderr.
says()
{
    status=$1 regex=$2; shift 2
    ends "$status" "$@" && grep -q -e "$regex" "$work/err" || { show "$work/err"; false; }
}
shown() { grep -q -e "$1" "$work/out" || { show "$work/out"; false; }; }
nothing_judged() { [ ! -s "$work/out" ] || { show "$work/out"; false; }; }
run='--run --only netpipe'

# ---- What cannot run -----------------------------------------------------------------------------

ok 'a build that is not there' says 3 'nowhere cannot run: .* program itself; nothing was judged' \
    $run old nowhere results
ok 'before anything is made' [ ! -e "$work/results" -a ! -e "$work/ran" ]
echo 3-new >"$work/new.fails"
ok 'one that cannot run a launch' says 3 \
    'prefix could not run launch 3 (exit status 3); nothing was judged' $run old prefix results
ok 'and nothing is judged' nothing_judged
ok 'the launches took turns until then' [ "$(tr '\n' ' ' <"$work/ran")" = \
    '1-base 1-new 2-new 2-base 3-base 3-new ' ]

# ---- Going on ------------------------------------------------------------------------------------

rm "$work/new.fails" "$work/ran"
ok 'the same command goes on' ends 0 $run old prefix results
ok 'and measures every launch once' [ "$(tr '\n' ' ' <"$work/measured")" = \
    '1-base 1-new 2-new 2-base 3-base 3-new 4-new 4-base 5-base 5-new 6-new 6-base ' ]
ok 'how many launches are needed is said' grep -q \
    '6 launches of each in turns; with 1 program a change can be told from 6 launches a side' \
    "$work/err"
ok 'the builds run one launch, with the options given' grep -q \
    '^run --launches 1 --only netpipe -- results/rounds/6-base$' "$work/arguments"
ok 'six launches a side' shown '^base results/base (1 benchmark, 6 launches)$'
# 101 .. 106 beside 151 .. 156
ok 'are judged' shown '^slower  *1\.4[78] \[.*netpipe:latency_us$'
ok 'what was skipped is told' shown 'results/new: farm skipped: no such program'
ok 'for continuous tests' ends 1 --fail-on slower $run old prefix results
ok 'the other way round' ends 0 --fail-on slower $run prefix old reverse
ok 'is faster' shown '^faster .*netpipe:latency_us$'
ok 'a build and itself' ends 0 --fail-on slower $run old old/suite/clustermark same
ok 'are the same' shown '^the same .*netpipe:latency_us$'
ok 'three launches' says 3 '; fewer tell little or nothing (--fail-on: status 3)' \
    --fail-on slower --launches 3 $run old prefix three

ok 'two of them' ends 0 --launches 2 $run old prefix three
ok 'are judged without the third' shown '^new  *three/new (1 benchmark, 2 launches)$'
ok 'which is not run again if it is wanted' ends 0 --launches 3 $run old prefix three
ok 'and judged' shown '^new  *three/new (1 benchmark, 3 launches)$'

# ---- Wrong usage ---------------------------------------------------------------------------------

ok 'launches of other builds' says 2 'results holds launches of old as base, not of prefix' \
    $run prefix old results
mkdir "$work/mine"
echo 'mine' >"$work/mine/run.txt"
ok "somebody's own file" says 2 'mine/run.txt is not of compare --run' $run old prefix mine
ok 'is kept' [ "$(cat "$work/mine/run.txt")" = mine ]
ok 'two operands' says 2 '\-\-run with 2 operands; expected BUILD_A BUILD_B DIR' --run old prefix
ok 'launches of results' says 2 '\-\-launches needs --run' --launches 6 old prefix
ok 'a selection of results' says 2 '\-\-only needs --run' --only netpipe old prefix
finish
