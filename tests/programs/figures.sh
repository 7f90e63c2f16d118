#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# figures.sh: what all figures share: colours and fonts of one file, and in a page points that say
# their values and series that have names.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
top=$srcdir/..

# Names of colours and fonts stand in look.gp alone.
find "$top" -name '*.gp' ! -path '*/suite_frozen/*' ! -path "$top/bench/*" ! -name look.gp \
    >"$work/scripts"
ok 'there are scripts' [ "$(wc -l <"$work/scripts")" -gt 40 ]
alone()
{
    xargs grep -n "$1" <"$work/scripts" | grep -v ':[0-9]*:#' >"$work/others"
    [ ! -s "$work/others" ] || { show "$work/others"; false; }
}
ok 'colours are of look.gp' alone "['\"]#[0-9a-fA-F]\{6\}"
ok 'fonts are of look.gp' alone "font *['\"],"

# The figures of all manifests, and those over ranks and of two networks.
answer_all()
{
    for manifest in "$top"/*/manifest "$top"/*/*/manifest; do
        for figure in $(sed -n 's/^figures: //p; s/^scale: .*/scale/p; s/^pair: .*/relative/p' \
            "$manifest"); do
            script=$(dirname "$manifest")/figures/$figure.gp
            [ -f "$script" ] || script=$top/sscrap/common/figures/$figure.gp
            [ -f "$script" ] || script=$top/network/common/figures/$figure.gp
            grep -q '@hover\|compare.gp' "$script" || { echo "# $script"; return 1; }
        done
    done
}
ok 'each figure has points that answer' answer_all

command -v gnuplot >/dev/null 2>&1 || { skip 'drawings' 'gnuplot is not there'; finish; }

# ---- What the suite makes of gnuplot's SVG -------------------------------------------------------

results=$work/results
mkdir -p "$results"
head_of() { printf '# %s\n' "program: cm-$1" 'ranks: 2' 'hosts: 1' 'ranks_per_host: here:2' \
    'host: here' 'comm: mpi' 'oversubscribed: no' 'date: 2026-11-23T00:00:00Z'; }
{
    head_of netpipe
    echo 'size_bytes n median_s low_s high_s disturbed summarized throughput_Mbit_per_s sweep'
    echo '1 12 1e-6 0.8e-6 3e-6 3 all 8 1'
    echo '8 12 2e-6 1.5e-6 2.5e-6 0 all 32 1'
    echo '64 12 4e-6 4e-6 4e-6 0 all 128 1'
    echo '# RESULT: PASS latency_us 1 us'
} >"$results/netpipe.txt"
# One order makes no curve.
{
    head_of linpack
    echo 'order median_s low_s high_s Mflop_per_s update_share broadcast_share exchange_share' \
        'search_share'
    echo '100 1e-3 0.9e-3 1.1e-3 700 0.5 0.2 0.2 0.1'
    echo '# RESULT: PASS rate_Gflop_per_s 0.7 Gflop/s'
} >"$results/linpack.txt"
# Eight hosts, of which one is slow and has a name of two parts.
{
    head_of nodes | sed 's/here:2/n1:1 n2:1 n3:1 n4:1 n5:1 n6:1 n7-a:1 n8:1/; s/hosts: 1/hosts: 8/'
    echo 'host ranks slow triad_ratio gemm_ratio quiet_ratio latency_ratio send_ratio receive_ratio'
    for k in 0 1 2 3 4 5 7; do echo "$k 1 no 1.0$k 1 1 0.9$k 1 1"; done
    echo '6 1 yes 0.61 1 1 1 1 1'
    echo '# finding: n7-a: triad at 0.61 of the others (20 deviations; 5 count): its memory'
    echo '# RESULT: FAIL findings 1 1'
    echo '# RESULT: PASS slowest_ratio 0.61 1'
} >"$results/nodes.txt"
drawn() { "$suite" figures "$results" >"$work/out" 2>&1 || { show "$work/out"; false; }; }
ok 'figures are drawn' drawn
latency=$results/netpipe-latency.svg
for figure in "$results"/*.svg; do ok "$(basename "$figure") is well-formed" is_svg "$figure"; done
ok 'nothing of gnuplot'"'"'s mouse is left' \
    [ -z "$(grep -l 'gnuplot_svg\|<script\|onclick' "$results"/*.svg)" ]
shows()
{
    has "$1" "${2:-$latency}" || { cut -c 1-120 "${2:-$latency}" | tail -n 20 | show; false; }
}
ok 'a point says its value and interval' shows '<title>8 bytes: 2 us (1.5 to 2.5)</title>'
ok 'none where there is none' shows '<title>64 bytes: 4 us</title>'
ok 'each point once' [ "$(grep -c 'class="point"' "$latency")" = 3 ]
ok 'its series has a name' shows 'class="series" data-name="measured, median"'
ok 'and so has its key' shows 'class="key" data-name="measured, median"'
ok 'the description has both ends' \
    shows '<desc>measured, median: 1 bytes: 1 us (0.8 to 3) to 64 bytes: 4 us.</desc>'
ok 'one order makes no curve' \
    shows 'Not drawn: one order makes no curve' "$results/linpack-rate.svg"
ok 'but columns' shows '<title>100 equations: 50 %</title>' "$results/linpack-parts.svg"
hosts=$results/nodes-nodes.svg
ok 'slow hosts are named' shows '>  n7-a<' "$hosts"
ok 'and counted, in their figure' [ "$(grep -c ': 1 slow<' "$hosts")" = 1 ]
ok 'the others are like each other' \
    [ "$(grep -c '<title>n[0-9a-z-]*: [0-9.]* of the median host</title>' "$hosts")" = 48 ]

# A gnuplot that crashes over the texts for the mouse.
mkdir -p "$work/tools"
cat >"$work/tools/gnuplot" <<END
#!/bin/sh
case \$2 in *for_page=1*) kill -SEGV \$\$ ;; esac
exec "$(command -v gnuplot)" "\$@"
END
chmod +x "$work/tools/gnuplot"
crashed() { PATH=$work/tools:$PATH drawn; }
ok 'where gnuplot crashes' crashed
ok 'figures are drawn without points' is_svg "$latency"
ok 'and with all else' shows 'data-name="measured, median"'
ok 'and no points' sh -c "! grep -q 'class=\"point\"' '$latency'"

# ---- In the page ---------------------------------------------------------------------------------

reported() { "$suite" report "$results" >"$work/out" 2>&1 || { show "$work/out"; false; }; }
ok 'a report' reported
page=$results/report.html
ok 'has the script once' [ "$(grep -c '^/\* figures.js: ' "$page")" = 1 ]
ok 'which is the whole file' \
    [ "$(sed -n '/^\/\* SPDX.*BSD-3-Clause \*\/$/,/^\/\/]]>/p' "$page" | grep -v '^//]]>' |
        cksum)" = \
    "$(cksum <"$top/suite/figures.js")" ]
ok 'a figure that is not drawn is a sentence' \
    has '<p class="none" id="linpack-rate">rate: Not drawn: one order' "$page"
ok 'the description goes behind the caption' \
    has 'id="netpipe-latency-desc">Half the round trip.*measured, median: 1 bytes' "$page"
finish
