#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_both.sh: `clustermark report A B`: B's values beside A's with what compare judges; the links
# between a folder's pages; --open, with browsers of our own.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
frozen=$(cd "$srcdir/programs/suite_frozen" && pwd) || exit 99

# An installation without gnuplot, and two folders: seven launches of each side.
install=$work/install
mkdir -p "$install/bin" "$install/share" "$work/tools"
cp "$suite" "$install/bin/clustermark" && cp -R "$frozen/share" "$install/share/clustermark" ||
    exit 99
chmod -R u+w "$install/share"
table=$install/share/clustermark/suite/benchmarks.tab
sed '/|run=cm-netpipe|/s/$/|headline=latency_us/' "$frozen/share/suite/benchmarks.tab" >"$table"
for metrics in "$frozen"/metrics/*; do
    program=$install/bin/$(basename "$metrics")
    printf '#!/bin/sh\n[ "$*" = --print-metrics ] && exec cat "%s"\n' "$metrics" >"$program"
    chmod +x "$program"
done
for tool in sh sed cat; do ln -s "$(command -v $tool)" "$work/tools"; done
# side NAME LATENCY: launches with latencies near this one.
side()
{
    cp -R "$frozen/results" "$work/$1" && chmod -R u+w "$work/$1" && mkdir "$work/$1/launches"
    for k in 1 2 3 4 5 6 7; do
        sed "s/^# RESULT: PASS latency_us .*/# RESULT: PASS latency_us $2.$k us/" \
            "$frozen/results/netpipe.txt" >"$work/$1/launches/netpipe.$k.txt"
    done
    cp "$work/$1/launches/netpipe.1.txt" "$work/$1/netpipe.txt" && rm "$work/$1/netpipe.json"
}
side before 2
side 'after <3>' 3
report() # STATUS ARGUMENT...
{
    wanted=$1; shift
    status=0
    (cd "$work" && PATH=$work/tools "$install/bin/clustermark" report "$@" >out 2>err </dev/null) ||
        status=$?
    [ $status -eq "$wanted" ] || { echo "# status $status"; show "$work/err"; false; }
}
says() { has "$1" "$work/err" || { show "$work/err"; false; }; }
page=$work/before/report.html
# between FROM TO FILE: its lines from one pattern to the other.
between() { sed -n "/$1/,/$2/p" "$3"; }

ok 'a report of one folder' report 0 before
ok 'has no other' sh -c "! grep -q 'id=.compared' '$page'"
ok 'and no link to pages that are not there' sh -c "! grep -q 'id=.others' '$page'"
ok 'a report of two' report 0 before 'after <3>'
ok 'prints its path' [ "$(cat "$work/out")" = "$work/before/report.html" ]
between 'id="compared"' '<\/section>' "$page" >"$work/compared"
ok 'it names both' has 'Base: <strong>before</strong>.*New: <strong>after &lt;3&gt;</strong>' \
    "$work/compared"
latency='netpipe:<wbr \/>latency_<wbr \/>us'
between "$latency" '<\/tr>' "$work/compared" >"$work/row"
# Seven values a side, all of one side below all of the other: p = 2 / C(14, 7), and the median of
# the 49 ratios is the ratio of the middle values.
ok 'what compare judges' has '<td class="slower">slower</td>' "$work/row"
ok 'both values' has '<td class="number">2.40</td><td class="number">3.40</td>' "$work/row"
ok 'their ratio' has '<td class="number">1.42</td>' "$work/row"
ok 'and p' has '<td class="number">5.83e-4</td>' "$work/row"
ok 'how many are slower' has 'headline metrics: 1 slower' "$work/compared"
ok 'links: to the comparison' has 'id="others".*href="compare.html"' "$page"
ok 'from there back' has 'href="report.html"' "$work/before/compare.html"
ok 'which has the same' has 'class="slower">slower<' "$work/before/compare.html"
ok 'no half page' [ -z "$(find "$work" -name '*.part')" ]
well_formed()
{
    command -v xmllint >/dev/null 2>&1 || return 0
    xmllint --noout --nonet "$work/before/report.html" "$work/before/compare.html"
}
ok 'both are well-formed' well_formed
ok 'nothing is written to the other folder' [ ! -e "$work/after <3>/report.html" ]

# cm-nodes' result in the folder has its page.
cat >"$work/before/nodes.txt" <<'EOF'
# program: cm-nodes
# hosts: 2
# ranks: 4
# ranks_per_host: n<1>:2 n2:2
 ranks triad_MB_per_s triad_ratio
 2 1.23456e+05 1.0000
 2 6.1728e+04 0.5
# finding: n2: triad at 0.5 of the others
# RESULT: PASS findings 1 1
EOF
echo 'folder=nodes|run=cm-nodes|ranks=2|seconds=0 0 0|heading=Nodes|question=Which?' >>"$table"
ok 'a folder with a result of cm-nodes' report 0 before
ok 'links to the page of the hosts' has 'id="others".*href="nodes.html"' "$page"
ok 'which names what stands out' has '<span class="fail">n2</span>' "$work/before/nodes.html"
ok 'with three digits' has 'title="1.23456e+05 MB/s">123 (1.00)<' "$work/before/nodes.html"
ok 'in a unit as people say it' has '>Triad, GB/s<' "$work/before/nodes.html"
ok 'and counts as they are' has 'title="2">2<' "$work/before/nodes.html"
ok 'and links back' has 'href="report.html"' "$work/before/nodes.html"

ok 'three folders' report 2 before before before
ok 'are too many' says "more than two folders: the third is 'before'"
ok 'a second folder and --beside' report 2 --beside before before 'after <3>'
ok 'one of them' says "give one of them"
mkdir "$work/empty"
ok 'an empty second folder' report 2 before empty
ok 'which is named' says 'empty holds no results'

# ---- --open ------------------------------------------------------------------------------------

# opens [VARIABLE=VALUE]... : report --open with these variables and no others of a desktop's.
opens()
{
    rm -f "$work/opened"
    (cd "$work" && env -u DISPLAY -u WAYLAND_DISPLAY -u BROWSER -u SSH_CONNECTION -u SSH_CLIENT \
        -u SSH_TTY PATH="$work/tools" "$@" "$install/bin/clustermark" report --open before \
        >out 2>err </dev/null)
}
env=$(command -v env) && ln -s "$env" "$work/tools"
browser=$work/tools/look
printf '#!/bin/sh\nprintf "%%s|" "$@" >"%s"\n' "$work/opened.part" >"$browser"
echo "mv '$work/opened.part' '$work/opened'" >>"$browser"
printf '#!/bin/sh\nexit 4\n' >"$work/tools/broken"
chmod +x "$browser" "$work/tools/broken"
ln -s "$(command -v mv)" "$work/tools"
with() { wanted=$1; shift; opens "$@" && [ "$(cat "$work/opened")" = "$wanted" ]; }
without() { regex=$1; shift; opens "$@" && [ ! -e "$work/opened" ] && says "$regex"; }
ok '$BROWSER gets the page' with "$page|" BROWSER=look
ok 'its command may name the page' with "-w|<$page>|" BROWSER='missing:look -w "<%s>"' DISPLAY=:7
cp "$browser" "$work/tools/xdg-open"
ok 'without it, xdg-open' with "$page|" WAYLAND_DISPLAY=x
ok 'not without a display' without "there is no display; the page is $page"
ok 'over ssh: a display is needed' without 'no display over this ssh' BROWSER=look SSH_TTY=/dev/x
ok 'and will do' with "$page|" BROWSER=look SSH_TTY=/dev/x DISPLAY=localhost:10
rm "$work/tools/xdg-open"
ok 'no browser' without 'xdg-open cannot be run' DISPLAY=:7
ok 'one that fails' without 'broken failed; the page is' BROWSER=broken

# run --open writes the page of what it ran.
sed -i '/|run=cm-netpipe|/s/|seconds=0 0 0|/|quick=-x|standard=-x|full=-x|seconds=1 1 1|/' "$table"
{ stand_in; cat; } >"$install/bin/cm-netpipe" <<EOF
[ -n "\$output" ] || exit 0
echo '# RESULT: PASS latency_us 2 us' >"\$output"
[ -z "\$json" ] || cat >"\$json" <<JSON
{"schema": "clustermark-result", "schema_version": 1, "metadata": {}, "columns": [], "rows": [],
 "samples": [], "checks": [], "comments": [],
 "results": [{"pass": true, "metric": "latency_us", "value": 2, "unit": "us"}]}
JSON
EOF
runs() # STATUS BROWSER DIR
{
    rm -f "$work/opened"
    status=0
    (cd "$work" && env -u DISPLAY -u SSH_CONNECTION -u SSH_CLIENT -u SSH_TTY PATH="$work/tools" \
        BROWSER="$2" "$install/bin/clustermark" run --open --launches=1 --launcher=env \
        --only=netpipe "$3" >out 2>err </dev/null) || status=$?
    [ $status -eq "$1" ] || { echo "# status $status"; show "$work/err"; false; }
}
new=$work/new/report.html
opened() { [ "$(cat "$work/opened")" = "$new|" ] && [ -s "$new" ]; }
ok 'run --open' runs 0 look new
ok 'opens the page that it wrote' opened
ok 'not after a wrong way to run' runs 2 look ''
ok 'then nothing is opened' [ ! -e "$work/opened" ]
finish
