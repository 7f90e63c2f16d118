#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# manifests.sh: the generated lists agree with the manifests; a contradictory manifest is refused
# with its line.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/doc/words.inc"
top=$srcdir/..

quiet() { "$@" >"$work/said" 2>&1 || { show "$work/said"; false; }; }
ok 'the manual, the build and the suite have what the manifests say' \
    quiet "$top/suite/manifests" --check

# The manual's table of profiles: the launches of the suite, and the minutes that all runs of the
# manifests take together on two cores, to a quarter or to what rounds to the same minute.
promised()
{
    row=$(sed -n "s/^@item @code{$1} @tab \([0-9]*\) @tab \([0-9]*\) minutes*\$/\1 \2/p" \
        "$top/doc/report.texi")
    awk -F '|' -v profile="$1" -v column="$2" -v row="$row" '
        function value(key, k) {
            for (k = 1; k <= NF; k++)
                if (index($k, key "=") == 1) return substr($k, length(key) + 2)
        }
        /^#/ || value("ranks") ~ /rails|least/ || value(profile) == "" { next }
        { split(value("seconds"), seconds, " "); sum += seconds[column] }
        END {
            split(row, said, " ")
            minutes = sum * said[1] / 60
            print "# " minutes " minutes of " said[2]
            near = minutes < 1.25 * said[2] && minutes > said[2] / 1.25
            exit !(near || sprintf("%.0f", minutes) == said[2])
        }' "$top/suite/benchmarks.tab" || return
    "$suite" run --help | tr -s ' \n' ' ' | grep -q "${row% *} ($1)"
}
ok 'the manual says how long quick takes' promised quick 1
ok 'and standard' promised standard 2
ok 'and full' promised full 3

# Every program has a manifest, which lists its metrics. One that shares the folder of another has
# no result of its own.
cat "$top"/*/manifest "$top"/*/*/manifest | sed -n 's/^also: \([a-z-]*\): .*/\1/p' |
    sort >"$work/also"
cat "$top"/*/manifest "$top"/*/*/manifest | sed -n 's/^program: //p' | sort >"$work/told"
programs | grep '^cm-' | sort | comm -23 - "$work/also" >"$work/programs"
ok 'there are programs' grep -q '^cm-netpipe$' "$work/programs"
ok 'every program that is built has a manifest' [ -z "$(comm -23 "$work/programs" "$work/told")" ]
# Each of them, and the programs without a manifest, in info's directory, with a node.
directory()
{
    sed -n 's/^\* \([a-z-]*\): (clustermark)\([^.]*\)\..*/\1 \2/p' "$top/doc/clustermark.texi" \
        "$top/doc/benchmarks-directory.texi"
}
without_entry()
{
    directory | cut -d ' ' -f 1 | sort >"$work/entries"
    programs | sort | comm -23 - "$work/entries"
}
without_node()
{
    directory | while read -r program node; do
        [ -z "$node" ] || cat "$top"/doc/*.texi | grep -qx "@node $node" || echo "$program: $node"
    done
}
ok "every program is in info's directory" [ -z "$(without_entry)" ] || without_entry
ok 'and leads to a node of the manual' [ -z "$(without_node)" ] || without_node
# What configure says that a build without a BLAS lacks.
without_blas()
{
    grep -l '^needs: BLAS' "$top"/*/manifest "$top"/*/*/manifest | while read -r manifest; do
        sed -n 's/^\(program\|also\): \([a-z-]*\).*/\2/p' "$manifest"
    done
}
blas_told()
{
    without_blas | grep -q . && without_blas | while read -r program; do
        grep -q "without-blas: do not build .*$program" "$top/m4/cm_blas.m4" &&
            grep -q "\[no: no .*$program" "$top/m4/cm_blas.m4" || { echo "# $program"; exit 1; }
    done
}
ok 'configure names the programs that need a BLAS' blas_told
metrics_told()
{
    "$1" --print-metrics >"$work/metrics" || return 1
    [ -s "$work/metrics" ] && awk -F '\t' '
        # The classification of metrics: a quantity, then labels, without those that exports give to
        # all results.
        NF == 3 && $2 == "labels" {
            n = split($3, word, " ")
            wrong = word[1] !~ /^[a-z][a-z_]*$/ || $3 ~ /  / || $3 in of || $1 in pattern
            pattern[$1] = of[$3] = 1
            for (k = 2; k <= n; k++)
                if (word[k] !~ /^[a-z][a-z_]*=([*]|[a-z0-9_.-]+)$/ ||
                    word[k] ~ /^(benchmark|program|metric|better|hosts?|ranks|cluster|quantity)=/)
                    wrong = 1
            if (wrong) print "# " $0
            if (gsub(/[*]/, "", $3) > gsub(/[*]/, "", $1)) wrong = 1
            bad += wrong
            next
        }
        NF != 5 || $1 == "" || $2 == "" || $4 == "" || $5 == "" ||
            length($5) > 48 || $3 !~ /^(low|high|neither)$/ {
            print "# " $0
            bad = 1
        }
        $1 in seen || $5 in label { print "# twice: " $1 ", " $5; bad = 1 }
        gsub(/[*]/, "", $5) > gsub(/[*]/, "", $1) { print "# more * in the label: " $0; bad = 1 }
        { seen[$1] = label[$5] = 1 }
        END { exit bad }' "$work/metrics"
}
# One of them is the headline of one of the program's runs.
headline_told()
{
    headline=$(cat "$top"/*/manifest "$top"/*/*/manifest | awk -v program="$1" '
        /^program: / { ours = $2 == program }
        /^headline: / && ours { print $2 }')
    awk -F '\t' -v headline="$headline" '
        { gsub(/[*]/, ".*", $1) }
        headline ~ "^" $1 "$" { found = 1 }
        END { exit !found }' "$work/metrics" || { echo "# headline: $headline"; false; }
}
# So are the metrics of the second family that are not columns.
further_told()
{
    further=$(cat "$top"/*/manifest "$top"/*/*/manifest | awk -v program="$1" '
        /^program: / { ours = $2 == program }
        /^further: / && ours { sub(/^further: /, ""); print }')
    for word in $further; do
        case $word in *:*) continue ;; esac
        awk -F '\t' -v word="$word" '
            { gsub(/[*]/, ".*", $1) }
            word ~ "^" $1 "$" { found = 1 }
            END { exit !found }' "$work/metrics" || { echo "# further: $word"; return 1; }
    done
}
while read -r program <&3; do
    if runs "$program"; then
        ok "$program says what its metrics mean" metrics_told "$(path_of "$program")"
        ok "$program has the metric of its headline" headline_told "$program"
        ok "$program has the metrics of its second family" further_told "$program"
    else skip "$program says what its metrics mean" 'it does not run here'
    fi
done 3<"$work/programs"

# ---- What cannot be true -------------------------------------------------------------------------

# A copy of what suite/manifests reads, with cm-sum of the manual's examples in it.
tree=$work/tree
fresh()
{
    rm -rf "$tree"
    mkdir -p "$tree/suite" "$tree/doc" "$tree/sum/figures" "$tree/group/other"
    cp "$top/suite/manifests" "$top/suite/manifests.awk" "$top/suite/algorithms.awk" \
        "$tree/suite"
    mkdir -p "$tree/src/comm" "$tree/network/collective/figures"
    cp "$top/src/comm/comm.h" "$tree/src/comm"
    chmod u+w "$tree"/suite/*
    cp "$top/doc/examples/benchmark/manifest" "$tree/sum"
    chmod u+w "$tree/sum/manifest"
    : >"$tree/sum/figures/sum.gp"
    printf '@node sum\n@chapter cm-sum: a sum\n' >"$tree/doc/sum.texi"
    printf '@node other\n@chapter cm-other: another\n' >"$tree/doc/other.texi"
    sed 's/cm-sum/cm-other/; s/^order: .*/order: 7/; s/sum\.texi/other.texi/; /^figures/d' \
        "$tree/sum/manifest" >"$tree/group/other/manifest"
}
makes() { mkdir -p "$tree/build-aux"; quiet "$tree/suite/manifests"; }
# refused REGEX: status 2, that line, and nothing written.
refused()
{
    "$tree/suite/manifests" >"$work/said" 2>&1
    [ $? -eq 2 ] && grep -q -e "$1" "$work/said" && [ ! -e "$tree/suite/benchmarks.tab" ] ||
        { show "$work/said"; false; }
}
# differs FILE: --check ends with 1 and a line that names the file.
differs()
{
    "$tree/suite/manifests" --check >"$work/said" 2>&1
    [ $? -eq 1 ] && grep -q "^manifests: $1 is not what the manifests say" "$work/said" ||
        { show "$work/said"; false; }
}
fresh
ok 'two folders' makes
rows=$(sed -n 's/^@item @command{\(.*\)} @tab .*/\1/p' "$tree/doc/benchmarks-programs.texi" |
    tr '\n' ' ')
ok 'in the order of their numbers' [ "$rows" = 'cm-other cm-sum ' ]
ok 'runs in the order of their numbers' \
    [ "$(grep -v '^#' "$tree/suite/benchmarks.tab" | cut -d '|' -f 1,2 | tr '\n' ' ')" = \
    'folder=group/other|run=cm-other folder=sum|run=cm-sum ' ]
ok 'menu' grep -q '^\* other:: *cm-other: another$' "$tree/doc/benchmarks-menu.texi"
ok "a line in info's directory" grep -q '^\* cm-other: (clustermark)other\.  *Another\.$' \
    "$tree/doc/benchmarks-directory.texi"
ok 'what is made is what they say' quiet "$tree/suite/manifests" --check
sed -i '/cm-sum/d' "$tree/doc/benchmarks-programs.texi"
ok 'a row that is lost is found' differs doc/benchmarks-programs.texi

# wrong NAME REGEX SED: after the change SED, cm-sum's manifest is refused with a line that matches
# REGEX.
wrong()
{
    fresh
    sed -i "$3" "$tree/sum/manifest"
    ok "$1" refused "$2"
}
wrong 'curves without a second column' 'curves: a_us is not Y X, the columns' \
    's/^headline: .*/&\ncurves: a_us/'
wrong 'a second family without a headline' 'further: its run has no headline' \
    's/^headline: .*/further: sum_us/'
wrong 'no sum over sizes' 'further: sum:a_us is not a metric, middle:COLUMN:SIZE or' \
    's/^headline: .*/&\nfurther: a_us sum:a_us/'
wrong 'an unknown key' \
    "^manifests: sum/manifest:[0-9]*: unknown key 'colour'; there are: program" '4a colour: red'
wrong 'a second program without its line' "also: cm-other is not 'cm-WORD: ABOUT'" \
    '4a also: cm-other'
wrong 'not a line of a manifest' '^manifests: sum/manifest:5: not a line' '4a Colour'
wrong 'a key twice' 'order: said twice' '4a order: 3'
wrong 'a key without a value' 'about: it has no value' 's/^about:.*/about:/'
wrong 'a key that is missing' 'sum/manifest: it lacks about' '/^about/d'
wrong 'a run that lacks something' 'the run cm-sum lacks full' '/^full/d'
wrong 'a key of a run before it' "heading: a line 'run:' comes first" '3a heading: H'
wrong 'a group that the report does not have' \
    'group: disks is not node, network, collectives or programs' 's/^group: .*/group: disks/'
wrong 'a run that does not say what it shows' 'the run cm-sum lacks shows' '/^shows/,$d'
wrong 'a matrix without sizes' 'matrix: a b c is not ROW COLUMN VALUE SIZE' \
    's/^shapes: .*/&\nmatrix: a b c/'
wrong 'no run' 'it lacks a run' '/^run/,$d'
wrong 'a run of another program' 'run: cm-other does not begin with cm-sum' \
    's/^run: .*/run: cm-other/'
wrong 'ranks that are none' 'ranks: some processes is not a number, all or even' \
    's/^ranks: .*/ranks: some processes/'
wrong 'a shape of two ranks for all' 'shapes: pair is not core for one rank, pair for two' \
    's/^shapes: .*/shapes: whole pair/'
wrong 'a shape of all for two ranks' 'shapes: whole is not core for one rank, pair for two' \
    's/^ranks: .*/ranks: 2/'
wrong 'a size of too few numbers' 'size: items 1 2 3 is not NAME QUICK STANDARD FULL ROOT' \
    's/^shapes: .*/&\nsize: items 1 2 3/'
wrong 'a size that no options name' 'size: no options have %items' \
    's/^shapes: .*/&\nsize: items 1 2 3 1 8 1/'
wrong 'an order that is no number' 'order: last is not a whole number' 's/^order: .*/order: last/'
wrong 'the order of another' 'order: 7 is that of' 's/^order: .*/order: 7/'
wrong 'a figure that is not there' 'there is no sum/figures/pie.gp' \
    's/^figures: .*/figures: sum pie/'
wrong 'no headline' 'sum/manifest: one of its runs has a headline, not 0' '/^headline/d'
wrong 'two headlines' 'sum/manifest: headline: a_us b_us is not one metric' \
    's/^headline: .*/headline: a_us b_us/'
wrong 'a chapter that is not there' 'chapter: doc/none.texi has no' \
    's/^chapter: .*/chapter: none.texi/'
ok 'an unknown argument' \
    sh -c "'$tree/suite/manifests' --all 2>&1 | grep -q \"unknown arguments '--all'\""
finish
