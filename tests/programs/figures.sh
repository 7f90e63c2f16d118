#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# figures.sh: what all figures share: colours and fonts from one file and, in a page, points with
# their values and series with names.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
top=$srcdir/..

# Only look.gp names colours and fonts.
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
# librsvg refuses the whole file for scale(0.00).
ok 'no mark has size zero: pointtype -1 is none' \
    alone 'pointsize *0\(\.0*\)\? *\([^0-9. ]\|$\)'

# The figures of all manifests, those over the number of ranks, and those of two networks.
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
# Eight hosts; one is slow and has a name of two parts.
{
    head_of nodes | sed 's/here:2/n1:1 n2:1 n3:1 n4:1 n5:1 n6:1 n7-a:1 n8:1/; s/hosts: 1/hosts: 8/'
    echo 'host ranks slow triad_ratio gemm_ratio quiet_ratio latency_ratio send_ratio receive_ratio'
    for k in 0 1 2 3 4 5 7; do echo "$k 1 no 1.0$k 1 1 0.9$k 1 1"; done
    echo '6 1 yes 0.61 1 1 1 1 1'
    echo '# finding: n7-a: triad at 0.61 of the others (20 deviations; 5 count): its memory' \
        '[value=0.61 unit=1 quantity=triad]'
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
ok 'a point says its value and interval' \
    shows '<title>8 bytes: 2.00 µs, 1.50 to 2.50, 12 trials</title>'
ok 'none where there is none' shows '<title>64 bytes: 4 µs</title>'
ok 'each point once' [ "$(grep -c 'class="point"' "$latency")" = 3 ]
ok 'its series has a name' shows 'class="series" data-name="measured, median"'
ok 'and so has its key' shows 'class="key" data-name="measured, median"'
ok 'the description has both ends' \
    shows '<desc>measured, median: first 1 bytes: 1.00 µs, 0.80 to 3.00, 12 trials; last 64 b'\
'ytes: 4 µs\.<'
ok 'one order makes no curve' \
    shows 'Not drawn: one order makes no curve' "$results/linpack-rate.svg"
ok 'but columns' shows '<title>100 equations: 50 %</title>' "$results/linpack-parts.svg"
hosts=$results/nodes-nodes.svg
ok 'slow hosts are named' shows '> *n7-a<' "$hosts"
ok 'and counted, in their figure' [ "$(grep -c ': 1 slow<' "$hosts")" = 1 ]
ok 'the others are like each other' \
    [ "$(grep -c '<title>n[0-9a-z-]*: [0-9.]* of the median host</title>' "$hosts")" = 48 ]

# ---- Points beyond a fixed range -----------------------------------------------------------------

beyond=$work/beyond
mkdir -p "$beyond"
{
    head_of netpipe
    echo '# mode: overlap'
    echo 'size_bytes n median_s low_s high_s disturbed summarized throughput_Mbit_per_s sweep' \
        'overlap overlap_low overlap_high progress_overlap progress_overlap_low' \
        'progress_overlap_high'
    echo '1 12 1e-6 0.8e-6 3e-6 0 all 8 1 -21.5 -30 -20 -3 -4 -2'
    echo '8 12 2e-6 1.5e-6 2.5e-6 0 all 32 1 7.25 7 8 -1.5 -2 -1'
    echo '64 12 4e-6 4e-6 4e-6 0 all 128 1 0.5 0.4 0.6 0.75 0.7 0.8'
    echo '# RESULT: PASS overlap 0.5 1'
} >"$beyond/netpipe-overlap.txt"
# The 19th column is the number of ranks, and the second algorithm is not drawn.
{
    head_of collective
    echo 'operation algorithm parameter repetition size_bytes n min_s median_s low_s high_s' \
        'interval mean_s deviation_s max_s disturbed summarized p99_s operations ranks sweep' \
        'overlap overlap_low overlap_high progress_overlap progress_overlap_low' \
        'progress_overlap_high'
    for row in 'auto 1 -2.3 0.5' 'auto 8 0.9 -0.75' 'linear 8 -3 -3' 'auto 64 0.95 1.0'; do
        set -- $row
        echo "bcast $1 0 non-blocking $2 9 1e-6 1e-6 1e-6 1e-6 95% 1e-6 0 1e-6 0 all 1e-6 1 2 1" \
            "$3 $3 $3 $4 $4 $4"
    done
    echo '# RESULT: PASS bcast_auto_overlap 0.9 1'
} >"$beyond/collective-overlap.txt"
# Again with nothing beyond.
mkdir -p "$beyond/none"
for kind in netpipe-overlap collective-overlap; do
    sed 's/-21\.5 -30 -20 -3 -4 -2/0 0 0 0 0 0/; s/7\.25 7 8 -1\.5 -2 -1/0 0 0 0 0 0/
        s/-[0-9.]*$/0/; s/-2\.3/0/g; s/-0\.75/0/g' "$beyond/$kind.txt" >"$beyond/none/$kind.txt"
done
ok 'figures of points beyond their range' "$suite" figures "$beyond"
ok 'and of none' "$suite" figures "$beyond/none"
for kind in netpipe-overlap-overlap collective-overlap-collective_overlap; do
    ok "$kind is well-formed" is_svg "$beyond/$kind.svg"
    ok "$kind says nothing where there is nothing" \
        sh -c "! grep '[0-9] points* \(below\|above\)' '$beyond/none/$kind.svg'"
done
ok 'points below are counted' shows '>3 points below<' "$beyond/netpipe-overlap-overlap.svg"
ok 'one above, too' shows '>1 point above<' "$beyond/netpipe-overlap-overlap.svg"
ok 'and say their values' \
    shows '<title>1 bytes: -21.5 of the exchange.s time, -30.0 to -20.0, 12 trials</title>' \
    "$beyond/netpipe-overlap-overlap.svg"
ok 'those of the algorithm that is drawn' shows '>2 points below<' \
    "$beyond/collective-overlap-collective_overlap.svg"
ok 'in percent' shows '<title>1 bytes: -230 %</title>' \
    "$beyond/collective-overlap-collective_overlap.svg"

# ---- The papers' points -------------------------------------------------------------------------

papers=$work/papers
mkdir -p "$papers"
{
    head_of heat
    echo '# command: cm-heat --series'
    echo 'columns total_ms alone_ms speed_up total_speed_up disturbed paper_1_ms paper_2_ms' \
        'paper_speed_up'
    echo '128 10 15 1.6 1.5 0 21.5 12.25 1.75'
    echo '256 40 60 1.6 1.5 0 86.5 45.5 1.9'
    echo '# RESULT: PASS rate_GLUP_per_s 1 GLUP/s'
} >"$papers/heat-table.txt"
{
    head_of linpack
    printf '# %s\n' 'algorithm: classic' 'gemm_Gflop_per_s: 9' 'serial: yes'
    echo 'order median_s low_s high_s Mflop_per_s disturbed speed_up paper_1_s' \
        'update_share broadcast_share exchange_share search_share'
    echo '100 1e-3 0.9e-3 1.1e-3 50 0 1.1 0.2 0.5 0.2 0.2 0.1'
    echo '500 2e-2 1.9e-2 2.1e-2 80 0 1.6 19 0.5 0.2 0.2 0.1'
    echo '# RESULT: PASS rate_Gflop_per_s 4 Gflop/s'
} >"$papers/linpack-classic.txt"
{
    head_of patterns
    echo '# pattern: exchange'
    echo 'size_bytes transfer median_s low_s high_s MB_per_s disturbed paper_time_us paper_MB_per_s'
    echo '8 word 1e-6 0.9e-6 1.1e-6 16 0 12.5 0.64'
    echo '8 block 2e-6 1.9e-6 2.1e-6 8 0 nan nan'
    echo '64 block 2e-6 1.9e-6 2.1e-6 64 0 nan nan'
    echo '# RESULT: PASS peak_MB_per_s 64 MB/s'
} >"$papers/patterns-exchange.txt"
{
    head_of farm
    printf '# %s\n' 'command: cm-farm --all-batches' 'workers: 1,3' 'batches: 1,10'
    echo 'workers batch_units million_units_s low_s high_s speed_up overhead_message_us disturbed' \
        'units messages_per_s median_s'
    echo '1 1 9 8.9 9.1 1 5.5 0 1e6 2e5 9'
    echo '1 10 8 7.9 8.1 1 nan 0 1e6 2e4 8'
    echo '3 1 3.5 3.4 3.6 2.6 5.25 0 1e6 6e5 3.5'
    echo '3 10 3 2.9 3.1 2.7 nan 0 1e6 7e4 3'
    echo '# RESULT: PASS units_per_s 1e6 1/s'
} >"$papers/farm.txt"
ok 'figures with papers are drawn' "$suite" figures "$papers"
# paper FIGURE TEXT: a point of the paper shows TEXT, and its series has a name.
paper() { ok "$1: the paper's points answer" shows "<title>$2</title>" "$papers/$1.svg"; }
paper heat-table-speed_up '256 points a side: 45.5 ms'
paper heat-table-speed_up '128 points a side: 1.75 times one rank'
paper linpack-classic-rate '500 equations: [0-9.]* Mflop/s'
paper linpack-classic-speed_up '200 equations: [0-9.]* times the plain program'
paper patterns-exchange-patterns '8 bytes: 12.5 µs'
paper patterns-exchange-patterns '8 bytes: 640 kB/s'
paper farm-overhead '4 units a batch: [0-9.]* µs'
paper farm-speed_up '19 workers: [0-9.]* times one worker'

# A percentile over launches may lie far beyond the histogram, which is of one launch.
turns=$work/turns
mkdir -p "$turns"
{
    head_of netpipe
    printf '# %s\n' 'mode: turns' 'launches: 3' 'launch: 1 of 3' \
        'histogram: size_bytes=8 sweep=1 from_s=1e-6 to_s=1.5e-6 count=900' \
        'histogram: size_bytes=8 sweep=1 from_s=1.5e-6 to_s=2e-6 count=90'
    echo 'size_bytes n median_s low_s high_s p90_s p95_s p99_s p99_9_s p99_99_s max_s disturbed' \
        'summarized throughput_Mbit_per_s sweep'
    echo '8 9 1.2e-6 1.1e-6 1.3e-6 1.3e-6 1.4e-6 1.6e-6 1.9e-6 2.52e-6 84e-6 0 all 1 1'
    echo '# RESULT: PASS latency_us 1.2 us'
} >"$turns/netpipe-turns.txt"
ok 'turns with far percentiles' "$suite" figures "$turns"
ok 'show them' shows '> *max: 84 µs<' "$turns/netpipe-turns-turns.svg"
ok 'all of them' is_svg "$turns/netpipe-turns-turns.svg"

# Numbers that would stretch an axis over decades are not drawn, and the key says so.
mkdir -p "$papers/far"
sed 's/^128 10 15/128 0.1 0.15/; s/^256 40 60/256 0.4 0.6/' "$papers/heat-table.txt" \
    >"$papers/far/heat-table.txt"
sed 's/1.1e-3 50 /1.1e-3 700 /; s/2.1e-2 80 /2.1e-2 4000 /' "$papers/linpack-classic.txt" \
    >"$papers/far/linpack-classic.txt"
sed 's/ 5.5 0 / 1.5 0 /; s/ 5.25 0 / 1.25 0 /' "$papers/farm.txt" >"$papers/far/farm.txt"
sed 's/1e-6 16 0 12.5 0.64/1e-6 160 0 80 0.1/; s/\(2.1e-6\) 8 0/\1 80 0/' \
    "$papers/patterns-exchange.txt" >"$papers/far/patterns-exchange.txt"
ok 'figures with far papers are drawn' "$suite" figures "$papers/far"
# far FIGURE AXIS: no point, AXIS (the far end of the axis) is not there, and the key says why.
far()
{
    svg=$papers/far/$1.svg
    ok "$1: far numbers are not drawn" \
        sh -c "! grep -q 'data-name=\"\(warschko\|pelikan\)-[0-9]*, ' '$svg'"
    ok "$1: nor stretch the axis" sh -c "! grep -q '> *$2<' '$svg'"
    ok "$1: the key says so" has ': beyond this axis<' "$svg"
}
far heat-table-speed_up '100 ms'
far linpack-classic-rate '1 Mflop/s'
far patterns-exchange-patterns '100 kB/s'
far farm-overhead '30 µs'

# ---- A result of somebody else ------------------------------------------------------------------

# Words of a result become words of commands, which must not be those of its author.
foreign=$work/foreign ran=$work/foreign/ran
mkdir -p "$foreign"
# foreign NAME PROGRAM TYPE: the results of a folder.
foreign()
{
    rm -f "$foreign"/*
    {
        head_of "$2"
        echo 'answers memory_bytes t_s low_s high_s median_s quips type kernel ranks'
        echo "9 100 1e-6 9e-7 1e-6 1e-6 1e6 $3 classic 1"
        echo "9 200 2e-6 1e-6 3e-6 2e-6 1e6 $3 classic 1"
        echo '# RESULT: PASS peak_MQUIPS 1 MQUIPS'
    } >"$foreign/$1.txt"
}
refused_at()
{
    ! "$suite" figures "$foreign" >"$work/out" 2>&1 && has "hint.txt, line $1\$" "$work/out" \
        || { show "$work/out"; false; }
}
foreign hint hint double
ok 'a result of somebody else is drawn' "$suite" figures "$foreign"
foreign hint hint 'double;touch${IFS}'"$ran;"
ok 'but not with a command in its table' refused_at 10
ok 'which does not run' [ ! -e "$ran" ]
foreign hint 'hint";system("touch '"$ran"'");"' double
ok 'nor with one in the name of its program' refused_at 1
ok 'which does not run either' [ ! -e "$ran" ]
beside_foreign()
{
    foreign hint hint double
    cp "$foreign/hint.txt" "$work/hint.txt"
    foreign hint hint 'double`touch${IFS}'"$ran\`"
    mv "$foreign/hint.txt" "$foreign/hint.other"
    mv "$work/hint.txt" "$foreign"
    ! gnuplot -d -e "result='$foreign/hint.txt'; second='$foreign/hint.other'; \
        figure='$foreign/x.svg'" "$top/hint/figures/hint.gp" >"$work/out" 2>&1 \
        && has 'hint.other, line 10$' "$work/out"
}
ok 'nor one that stands beside another' beside_foreign
ok 'whose command does not run' [ ! -e "$ran" ]
foreign hint hint double
echo "#  extrapolation: algorithm=x';touch\${IFS}$ran;' predicted_s=1" >>"$foreign/hint.txt"
ok 'nor one with a command in a comment with two blanks' refused_at 13
foreign hint hint '@over'
ok "nor one with gnuplot's macro" refused_at 10
# What may stand in a table is no command either: of transport's text, over.
touching() { head_of "$1"; printf '# %s\n' "transport: $2" 'RESULT: PASS some_us 1 us'; }
{
    touching collective "touch $ran"
    echo 'operation algorithm parameter repetition size_bytes n min_s median_s low_s high_s' \
        'interval mean_s deviation_s p99_s operations summarized disturbed trials ranks sweep'
    for word in barrier EOD 'system over #'; do
        echo "$word native 0 back-to-back 0 9 1 1 1 1 range 1 1 1 9 all 0 1 2 1" \
            | sed 's/# native 0/#/'
    done
} >"$foreign/collective.txt"
gnuplot -d -e "result='$foreign/collective.txt'; figure='$foreign/x.svg'" \
    "$top/network/collective/figures/collective.gp" >"$work/out" 2>&1
ok 'a row of a table ends no block of rows' [ ! -e "$ran" ]
for ranks in 2 4; do
    {
        touching heat "1; system(\"touch $ran\");" | sed "s/ranks: 2/ranks: $ranks/"
        echo 'columns rows ranks median_ms low_ms high_ms serial_ms alone_ms speed_up'
        echo "64 64 $ranks 2 2 2 9 4 2"
    } >"$foreign/heat-$ranks.txt"
done
{
    printf '%s\n' 'size_bytes half_trip_s gap_s send_s receive_s' '1 4e-6 1e-6 1e-6 1e-6' \
        '@over 5e-6 1e-6 1e-6 1e-6' '# RESULT: PASS L_us 2 us'
} >"$foreign/loggp.txt"
over_ranks()
{
    gnuplot -d -e "results='$foreign/heat-2.txt $foreign/heat-4.txt'; figure='$foreign/x.svg'" \
        "$top/heat/figures/scale.gp" >"$work/out" 2>&1 || { show "$work/out"; false; }
}
ok 'of a foreign cm-loggp there is no model' over_ranks
ok 'whose words are no expression' [ ! -e "$ran" ]
# awk takes it for a setting.
mkdir "$foreign/n=4"
sed "s/back-to-back/x;touch\${IFS}ran;/; /^EOD/d; /^system/d" "$foreign/collective.txt" \
    >"$foreign/n=4/collective.txt"
drawn_there()
{
    (cd "$foreign" && gnuplot -d -e "result='$1n=4/collective.txt'; figure='x.svg'" \
        "$here/network/collective/figures/collective.gp" </dev/null >"$work/out" 2>&1)
}
here=$(cd "$top" && pwd)
refused_there() { ! drawn_there "$1" && has "$2" "$work/out" || { show "$work/out"; false; }; }
ok 'nor is a file read past whose folder has =' refused_there '' 'must begin with / or ./: n=4/'
ok 'but read with ./ before it' refused_there ./ 'such characters: ./n=4/collective.txt, line 12$'
ok 'neither runs a command' [ ! -e "$foreign/ran" ]

# What a user has set for gnuplot.
mkdir "$work/home"
printf '%s\n' 'print "hello"' 'set terminal dumb' 'set key outside' 'set xrange [1:2]' \
    >"$work/home/.gnuplot"
cp "$latency" "$work/latency.svg"
at_home() { HOME=$work/home drawn && ! has hello "$work/out"; }
ok 'figures of a user who has a .gnuplot' at_home
ok 'are the same' cmp -s "$latency" "$work/latency.svg"

# A gnuplot that crashes on the texts for the mouse.
mkdir -p "$work/tools"
cat >"$work/tools/gnuplot" <<END
#!/bin/sh
case \$3 in *for_page=1*) kill -SEGV \$\$ ;; esac
exec "$(command -v gnuplot)" "\$@"
END
chmod +x "$work/tools/gnuplot"
crashed() { PATH=$work/tools:$PATH drawn; }
ok 'where gnuplot crashes' crashed
ok 'figures are drawn without points' is_svg "$latency"
ok 'and with all else' shows 'data-name="measured, median"'
ok 'and no points' sh -c "! grep -q 'class=\"point\"' '$latency'"

# ---- Marks that are alike ------------------------------------------------------------------------

# A gnuplot whose marks are known: the same dots, another size, another colour, and boxes.
cat >"$work/marks" <<'END'
<svg width="760" height="540" xmlns="http://www.w3.org/2000/svg"
 xmlns:xlink="http://www.w3.org/1999/xlink">
<title>marks</title>
<desc>Produced by GNUPLOT</desc>
<g id="dots_plot_1" ><title>dots</title>
<g fill="none" color="black" stroke="currentColor">
<use xlink:href='#gpPt6' transform='translate(10.50,20.00) scale(2.00)' color='rgb(  0, 0, 9)'/>
</g>
<g fill="none" color="black" stroke="currentColor">
<use xlink:href='#gpPt6' transform='translate(11.00,19.25) scale(2.00)' color='rgb(  0, 0, 9)'/>
<use xlink:href='#gpPt6' transform='translate(11.00,19.75) scale(1.20)' color='rgb(  0, 0, 9)'/>
<use xlink:href='#gpPt6' transform='translate(12.00,19.75) scale(1.20)' color='rgb(  0, 0, 7)'/>
<use xlink:href='#gpPt7' transform='translate(12.00,19.75) scale(1.00)' color='rgb(  0, 0, 7)'/>
</g>
</g>
<g id="boxes_plot_2" ><title>boxes</title>
<g stroke='none' shape-rendering='crispEdges'>
<polygon fill = 'rgb(1, 2, 3)' points = '70.00,91.05 84.20,91.05 84.20,86.40 70.00,86.40 '/>
<polygon fill = 'rgb(1, 2, 3)' points = '84.20,86.40 84.20,91.05 90.00,91.05 90.00,86.40 '/>
<polygon fill = 'rgb(1, 2, 3)' points = '84.20,86.40 84.20,91.05 90.00,91.05 91.00,86.40 '/>
<polygon fill = 'rgb(1, 2, 3)' fill-opacity='0.5' points = '1,2 3,2 3,4 1,4 '/>
</g>
</g>
</svg>
END
cat >"$work/tools/gnuplot" <<END
#!/bin/sh
cp "$work/marks" "\$(printf '%s' "\$3" | sed "s/.*figure='\([^']*\)'.*/\1/")"
END
ok 'dots and boxes' crashed
sed -n '/<path/,$p' "$latency" >"$work/got"
cat >"$work/want" <<'END'
<path stroke="rgb(  0, 0, 9)" stroke-linecap="round" stroke-width="4.41" d="M10.5 20h0m.5-.75h0"/>
<path stroke="rgb(  0, 0, 9)" stroke-linecap="round" stroke-width="2.65" d="M11 19.75h0"/>
<path stroke="rgb(  0, 0, 7)" stroke-linecap="round" stroke-width="2.65" d="M12 19.75h0"/>
<use xlink:href='#gpPt7' transform='translate(12.00,19.75) scale(1.00)' color='rgb(  0, 0, 7)'/>
</g>
</g>
<g class="series" data-name="boxes">
<g stroke='none' shape-rendering='crispEdges'>
<path fill="rgb(1, 2, 3)" d="M70 86.4h14.2v4.65h-14.2zM84.2 86.4h5.8v4.65h-5.8z"/>
<polygon fill = 'rgb(1, 2, 3)' points = '84.20,86.40 84.20,91.05 90.00,91.05 91.00,86.40 '/>
<polygon fill = 'rgb(1, 2, 3)' fill-opacity='0.5' points = '1,2 3,2 3,4 1,4 '/>
</g>
</g>
</svg>
END
ok 'are one path where they are alike' cmp "$work/got" "$work/want" || diff "$work/got" \
    "$work/want" | show

# ---- In the page ---------------------------------------------------------------------------------

reported() { "$suite" report "$results" >"$work/out" 2>&1 || { show "$work/out"; false; }; }
ok 'a report' reported
page=$results/report.html
ok 'has the script once' [ "$(grep -c '^/\* figures.js: ' "$page")" = 1 ]
ok 'which is the whole file, as is that of the page' \
    [ "$(sed -n '/^\/\* SPDX.*BSD-3-Clause \*\/$/,/^\/\/]]>/p' "$page" | grep -v '^//]]>' |
        cksum)" = \
    "$(cat "$top/suite/figures.js" "$top/suite/page.js" | cksum)" ]
ok 'a figure that is not drawn is a sentence' \
    has '<p class="none" id="linpack-rate">rate: Not drawn: one order' "$page"
ok 'the description goes behind the caption' \
    has 'id="netpipe-latency-desc">Half the round trip.*measured, median: first 1 bytes' "$page"
finish
