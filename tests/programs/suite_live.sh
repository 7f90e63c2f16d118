#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_live.sh: the table of `clustermark run` on a terminal, as an emulator of terminals has it.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
for python in python3 /usr/bin/python3; do
    "$python" -c 'import pyte' 2>/dev/null && break
    python=
done
[ -n "$python" ] || { echo '1..0 # SKIP python3 has no pyte (python3-pyte)'; exit 0; }

# make_tree NAME...: a build tree with these benchmarks. $work/do/NAME is what one of them does.
tree=$work/tree source=$work/source
make_tree()
{
    rm -rf "$tree" "$source"
    mkdir -p "$tree/suite" "$source/suite" "$work/do"
    : >"$tree/config.status"
    echo "top_srcdir = $source" >"$tree/suite/Makefile"
    cp "$suite" "$tree/suite/clustermark"
    for name; do
        printf '%s%s\n' "folder=$name|run=cm-$name|ranks=2|quick=-x|standard=-x|full=-x" \
            "|seconds=1 1 1|heading=Heading|question=Question?|headline=latency_us|rows=size_bytes"
        mkdir -p "$tree/$name"
        { stand_in; cat; } >"$tree/$name/cm-$name" <<END
[ ! -f "$work/do/$name" ] || . "$work/do/$name"
{
    echo ' size_bytes'
    echo 1
    echo '# CHECK: wrong_bytes: 0 == 0  PASS'
    echo '# RESULT: PASS latency_us 1.5 us'
} >"\$output.part" && mv "\$output.part" "\$output" || exit 3
"$PWD/programs/record_json" "\$output" >"\$json"
END
        chmod +x "$tree/$name/cm-$name"
    done >"$source/suite/benchmarks.tab"
}
# shows SCENARIO LAUNCHES
shows()
{
    rm -rf "$work/results"
    timeout 300 "$python" "$srcdir/programs/suite_live.py" "$1" "$tree/suite/clustermark" run \
        --launcher=env --launches="$2" "$work/results"
}

make_tree one two three
echo 'sleep 2' >"$work/do/two"
ok 'rows fill: launches, value, time left' shows fills 2
ok 'a narrow terminal has fewer columns' shows narrow 2
ok 'a terminal that changes its size' shows resized 2
ok 'one with hardly any room' shows tiny 1
ok 'Ctrl-C leaves the table, and the terminal, as they should be' shows interrupted 2
echo 'sleep 4' >"$work/do/two"
if command -v bash >/dev/null 2>&1; then ok 'Ctrl-Z and fg' shows stopped 1
else skip 'Ctrl-Z and fg' 'bash is not there'
fi
rm "$work/do/two"
ok 'TERM=dumb: plain lines' shows plain 1
ok 'NO_COLOR: no colours' shows colourless 1
printf '%s\n' 'echo "cm-two: no luck" >&2' 'exit 3' >"$work/do/two"
ok 'a failure stands above the table' shows failed 2
rm "$work/do/two"
many=$(seq -f 'b%02.0f' 1 20)
make_tree $many
for name in $many; do echo 'sleep 0.05' >"$work/do/$name"; done
ok 'more rows than lines' shows short 1
finish
