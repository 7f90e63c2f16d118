#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_scale.sh: the figures over the number of ranks and of two networks, from results whose
# answer is known: which folders have them, and what LogGP and BSP predict there.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
real=$(cd "$srcdir/.." && pwd)

# ---- Results -------------------------------------------------------------------------------------

# begin FILE PROGRAM RANKS; end FILE [RESULT...]
begin()
{
    printf '# %s\n' "program: cm-$2" "ranks: $3" "hosts: $3" "oversubscribed: no" \
        "transport: simulated by SimGrid" "place: $4" "date: 2026-11-23T12:00:00Z" >"$1"
}
end() { file=$1; shift; printf '# RESULT: PASS %s\n' "$@" >>"$file"; }

# A plate of 64 x 64 numbers of 4 bytes, 4096 us on one rank with this kernel.
heat()
{
    begin "$1/heat-$2.txt" heat "$2" fat-tree
    printf '# precision: single\n columns rows ranks median_ms low_ms high_ms %s\n' \
        'serial_ms alone_ms speed_up' >>"$1/heat-$2.txt"
    awk -v p="$2" -v ms="$3" 'BEGIN { print 64, 64, p, ms, ms, ms, 9, 4.096, 4.096 / ms }' \
        >>"$1/heat-$2.txt"
    end "$1/heat-$2.txt" 'speed_up 2 1'
}
# L = 2 us, o = 1 us, g = 0.5 us, G = 1 ns a byte; from 8192 bytes on as measured.
loggp()
{
    begin "$1/loggp.txt" loggp 2 fat-tree
    cat >>"$1/loggp.txt" <<'END'
 size_bytes half_trip_s gap_s send_s receive_s
 1     4e-6     1e-6  1e-6 1e-6
 1001  5e-6   1.5e-6  1e-6 1e-6
 8192 20e-6    10e-6 15e-6 1e-6
16384 30e-6    20e-6 25e-6 1e-6
# fit: model=loggp first_bytes=1 last_bytes=1001
# fit: model=loggp L_us=2 L_us_error=0.1
# fit: model=loggp g_us=0.5 g_us_error=0.1
# fit: model=loggp G_ns_per_byte=1 G_ns_per_byte_error=0.1
# fit: model=loggp_long first_bytes=8192 last_bytes=16384
END
    end "$1/loggp.txt" 'half_trip_us 4 us' 'L_us 2 us'
}
# A name that the place does not have, so that it has no figures of its own.
bsp()
{
    begin "$1/bspbench-of-$2.txt" bspbench "$2" fat-tree
    printf ' way h_words median_s\n words 8 1e-6\n' >>"$1/bspbench-of-$2.txt"
    end "$1/bspbench-of-$2.txt" 'g_s_per_word 2e-09 s' 'l_s 3e-06 s'
}
d=$work/scale
mkdir -p "$d"
echo 'place: fat-tree' >"$d/run.txt"
heat "$d" 2 2.05
heat "$d" 16 0.26
bsp "$d" 4
bsp "$d" 16

if ! command -v gnuplot >/dev/null 2>&1; then
    skip 'figures' 'gnuplot is not there'
    finish
fi
# Tests only the figures of several results; figures of single results are empty.
drawer=$(command -v gnuplot)
mkdir "$work/bin"
cat >"$work/bin/gnuplot" <<END
#!/bin/sh
case "\${4-}" in
'' | */scale.gp | */relative.gp) exec '$drawer' "\$@" ;;
esac
file=\${3##*figure=\'}
echo '<svg xmlns="http://www.w3.org/2000/svg"></svg>' >"\${file%%\'*}"
END
chmod +x "$work/bin/gnuplot"
PATH=$work/bin:$PATH
figures() { "$suite" figures "$@" >"$work/out" 2>&1 || { show "$work/out"; false; }; }

# ---- Over the number of ranks --------------------------------------------------------------------

figures "$d"
ok 'two numbers of ranks are no scale' test ! -e "$d/heat-scale.svg"
heat "$d" 64 0.07
ok 'three are' figures "$d"
ok 'as SVG' is_svg "$d/heat-scale.svg"
ok 'and as PNG' is_png "$d/heat-scale.png"
for word in 'Heat diffusion on 64 x 64 points over the number of ranks' simulated BSP; do
    ok "it shows $word" has ">$word<" "$d/heat-scale.svg"
done
"$suite" report "$d" >"$work/out" 2>&1
ok 'the report has it' has 'id="heat-scale"' "$d/report.html" || show "$work/out"
ok 'with its caption' has 'Heat diffusion on one plate over the number of ranks' "$d/report.html"
sed 's/^# oversubscribed: no/# oversubscribed: yes/' "$d/heat-64.txt" >"$work/over"
cp "$work/over" "$d/heat-64.txt"
figures "$d"
loggp "$d"
ok 'not with more ranks than cores' test ! -e "$d/heat-scale.svg"
for folder in linpack heat farm network/collective network/bisection; do
    ok "drawn by hand it says why, $folder" sh -c "
        [ -z \"\$(gnuplot -d -e \"results='$work/over'; figure='$work/over.svg'\" \
            '$real/$folder/figures/scale.gp' 2>&1)\" ] && grep -q 'Not drawn: ' '$work/over.svg'"
done

# Linear equations on a grid, with the time that the program's model predicts for it, and a faster
# one for another grid; by rows, without.
# solved FILE ALGORITHM RANKS SECONDS PREDICTED LOW HIGH
solved()
{
    begin "$1" linpack "$3" fat-tree
    printf '# %s\n' "algorithm: $2" "precision: single" "gemm_Gflop_per_s: $((50 * $3))" >>"$1"
    columns= values=
    [ "$2" != grid ] || {
        printf '# model: order=2000 grid=%s broadcast=auto predicted_s=%s low=%s high=%s\n' \
            "1x$3" "$5" "$6" "$7" "$3x1" 0.001 0.001 0.001 >>"$1"
        columns='predicted_s low_predicted_s high_predicted_s' values="$5 $6 $7"
    }
    printf ' %s' order panel slices median_s low_s high_s $columns Mflop_per_s gemm_share \
        search_share exchange_share broadcast_share update_share >>"$1"
    printf '\n2000 64 1 %s %s %s %s 1e5 0.9 0.1 0.1 0.1 0.7\n' "$4" "$4" "$4" "$values" >>"$1"
    end "$1" 'rate_Gflop_per_s 1 Gflop/s' 'gemm_share 0.9 1'
}
equations=$work/equations
mkdir -p "$equations"
echo 'place: fat-tree' >"$equations/run.txt"
for which in grid classic; do
    name=linpack
    [ $which = grid ] || name=linpack-classic
    while read -r ranks seconds predicted low high; do
        solved "$equations/$name-$ranks.txt" $which "$ranks" "$seconds" "$predicted" "$low" "$high"
    done <<'END'
2 0.06 0.055 0.05 0.061
16 0.01 0.009 0.008 0.0095
64 0.005 0.004 0.0035 0.0045
END
done
figures "$equations"
for figure in linpack-scale linpack-classic-scale; do
    ok "$figure" is_svg "$equations/$figure.svg"
done
ok "a grid's model" has '>the model<' "$equations/linpack-scale.svg"
ok 'is not for rows' sh -c "! grep -q '>the model<' '$equations/linpack-classic-scale.svg'"
predicted=$(gnuplot -d -e "results='$equations/linpack-2.txt $equations/linpack-16.txt'; \
    figure='$work/none.svg'; call '$real/linpack/figures/scale.gp'; set print '-'; \
    print system(predicted_rows[3:*])" 2>"$work/out" |
    awk 'NF { printf "%s ", $1 " " $2 " " $3 " " $4 }')
ok "its time is that of the run's grid" \
    [ "$predicted" = '2 0.055 0.05 0.061 16 0.009 0.008 0.0095 ' ] ||
    { echo "# $predicted"; show "$work/out"; }

# What the models say, in microseconds, by what the figure uses.
says()
{
    cat >"$work/says.gp" <<END
here = '$real/heat/figures/'
name = 'scale'
figure = '$work/none.svg'
results = '$d/heat-2.txt $d/heat-16.txt'
load here.'../../suite/scale.gp'
set print '-'
print sprintf('%.6g', $1)
END
    gnuplot -d "$work/says.gp" 2>&1 | tail -n 1
}
is() { [ "$1" = "$2" ] || { echo "# $1 instead of $2"; false; }; }
ok 'LogGP: a message is L + 2 o + (s - 1) G' is "$(says 'message(501.0)')" 4.5
ok 'a long one as measured, straight between two sizes' is "$(says 'message(12288.0)')" 25
ok 'and beyond the last' is "$(says 'message(24576.0)')" 40
ok 'messages follow each other by the overhead' is "$(says 'spacing(1.0)')" 1
ok 'or by g + (s - 1) G' is "$(says 'spacing(2001.0)')" 2.5
ok 'log p rounds' is "$(says 'rounds(1024.0)')" 10
ok 'of any number of ranks' is "$(says 'rounds(1025.0)')" 11
ok "BSP's parameters by processes" is "$(says 'real(system(bsp_command." | tail -n 1"))')" 16

# rows of several results together; ranks of the metadata.
joined()
{
    awk -v joined=1 -v what=rows -v value=- -v curves="$1" -f "$real/suite/curves.awk" \
        "$d/heat-16.txt" "$d/heat-2.txt" "$d/loggp.txt" | tr '\n' ';'
}
ok 'rows of several results, in the order of ranks' \
    is "$(joined 'median_ms ranks columns=64')" \
    '2 2.05 2.05 2.05 nan nan 0 nan nan;16 0.26 0.26 0.26 nan nan 0 nan nan;;'
ok 'a result without the column says its ranks' is "$(joined 'gap_s ranks size_bytes=1001')" \
    '2 1.5e-6 nan nan nan nan 0 nan nan;;'

# ---- What one network saves over another ---------------------------------------------------------

# network FOLDER PLACE CYCLES...: of sort, listrank and matmul with 6 processes.
network()
{
    mkdir -p "$1"
    echo "place: $2" >"$1/run.txt"
    folder=$1 place=$2
    shift 2
    for name in sort listrank matmul; do
        begin "$folder/$name.txt" $name 6 "$place"
        printf '# item: keys\n processes size items median_s low_s high_s cycles_per_item\n' \
            >>"$folder/$name.txt"
        printf '1 1000 1000 1 1 1 100\n6 1000 1000 1 1 1 %s\n' "$1" >>"$folder/$name.txt"
        end "$folder/$name.txt" 'items_per_s 1 1/s'
        shift
    done
}
network "$work/ethernet" albus-ethernet 100 100 100
network "$work/myrinet" albus-myrinet 30 20 80
for pair in 'myrinet ethernet' 'ethernet myrinet'; do
    own=${pair% *} other=${pair#* }
    figures --beside "$work/$other" "$work/$own"
    ok "the gains of one network over the other, $own first" is_svg "$work/$own/relative.svg"
    ok 'the one that saves is named first' has \
        'Cycles per item saved: simulated albus-myrinet over simulated albus-ethernet' \
        "$work/$own/relative.svg"
    for claim in 'cm-sort: ben-fradj-2003, 70' 'cm-listrank: ben-fradj-2003, 80' \
        'cm-matmul: ben-fradj-2003, 20'; do
        ok "it has $claim" has "$claim" "$work/$own/relative.svg"
    done
done
"$suite" report --beside "$work/ethernet" "$work/myrinet" >"$work/out" 2>&1
ok 'the report has them' has 'What one network saves over another' "$work/myrinet/report.html"
figures "$work/myrinet"
ok 'without the other network there are none' test ! -e "$work/myrinet/relative.svg"
ok 'no link is left' test -z "$(find "$work" -name '*.beside')"

finish
