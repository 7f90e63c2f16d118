#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# manual.sh: the manual builds without warnings, names every existing option, variable and key,
# names no option that does not exist, and cites what the bibliography has.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/doc/words.inc"
manual=$srcdir/../doc

# makes FILE ARGUMENT...: makeinfo makes FILE without any output on stderr.
makes()
{
    made=$work/$1; shift
    makeinfo "$@" --error-limit=1 -I ../doc -I "$manual" -o "$made" \
        "$manual/clustermark.texi" 2>"$work/err" && [ ! -s "$work/err" ] \
        || { show "$work/err"; false; }
}
# agree FILE FILE: shows how they differ.
agree() { diff "$1" "$2" >"$work/diff" || { show "$work/diff"; false; }; }
if command -v makeinfo >/dev/null 2>&1; then
    ok 'info without warnings' makes clustermark.info --no-split
    ok 'HTML without warnings' makes html --html --css-include="$manual/manual.css"
    ok 'info holds the example in C' grep -q 'static double trial(int rank' "$work/clustermark.info"
    ok 'and in Fortran' grep -q '^ *end program ring' "$work/clustermark.info"
    if [ -f ../doc/clustermark.info ]; then
        ok 'what the build made is the same, in one file' \
            agree ../doc/clustermark.info "$work/clustermark.info"
    else skip 'what the build made is the same' 'the build made none'
    fi
else skip 'the manual is made' 'there is no makeinfo'
fi

# Every file with a chapter is in the manual.
in_manual()
{
    for file in "$manual"/*.texi; do
        grep -q '^@chapter ' "$file" || continue
        node=$(sed -n 's/^@node *//p' "$file" | head -n 1)
        grep -qF "Node: $node," "$1" || { echo "# ${file##*/}: node $node"; missing=yes; }
    done
    [ -z "${missing-}" ]
}
if [ -f "$work/clustermark.info" ]; then
    ok 'every chapter is in the manual' in_manual "$work/clustermark.info"
else skip 'every chapter is in the manual' 'there is no makeinfo'
fi

# Longer lines of examples run off the printed page.
on_the_page()
{
    ! awk '
        FNR == 1 { inside = FILENAME !~ /texi$/ }
        /^@(example|display)$/ { inside = 1; next }
        /^@end (example|display)/ { inside = 0 }
        !inside { next }
        {
            text = $0
            gsub(/@(dots|minus)\{\}/, "...", text)
            gsub(/@[a-z]+\{/, "", text)
            gsub(/@|[{}]/, "", text)
        }
        length(FILENAME ~ /texi$/ ? text : $0) > (FILENAME ~ /texi$/ ? 88 : 92) {
            print "# " FILENAME ":" FNR
        }' "$manual"/*.texi "$manual"/examples/*.c "$manual"/examples/*.f90 | grep .
}
ok 'examples fit on the page' on_the_page

# A benchmark's chapter says what is said against it, and every entry of the bibliography is cited.
# cm-xhpl is a section of cm-linpack's chapter.
criticised()
{
    missing=
    grep -h '^@c documents cm-' "$manual"/*.texi | sed 's/^@c documents //; /^cm-xhpl$/d' \
        >"$work/documented"
    while read -r program; do
        grep -q "^@cindex criticism, of @command{$program}\$" "$manual"/*.texi ||
            { echo "# $program"; missing=yes; }
    done <"$work/documented"
    [ -s "$work/documented" ] && [ -z "$missing" ]
}
cited()
{
    missing=
    cat "$manual"/*.texi | tr '\n' ' ' | tr -s ' ' >"$work/text"
    sed -n 's/^@anchor{\(.*\)}$/\1/p' "$manual/bibliography.texi" >"$work/entries"
    while read -r entry; do
        grep -q "ref{$entry[,}]" "$work/text" || { echo "# $entry"; missing=yes; }
    done <"$work/entries"
    [ -s "$work/entries" ] && [ -z "$missing" ]
}
ok 'every benchmark has its criticism' criticised
ok 'every entry of the bibliography is cited' cited

# The chapter on trust names a test for each statement.
tests_of_trust()
{
    sed -n 's/@file{tests\//\n&/gp' "$manual/trust.texi" |
        sed -n 's/^@file{\(tests\/[^}]*\)}.*/\1/p' | sort -u
}
all_there()
{
    tests_of_trust >"$work/named"
    while read -r each; do
        [ -e "$srcdir/../$each" ] || { echo "# $each is not there"; return 1; }
    done <"$work/named"
    [ "$(wc -l <"$work/named")" -gt 20 ]
}
ok 'the tests that the chapter on trust names are there' all_there

ok 'no kind of stores has its old name' sh -c "! grep -q '@code{past}' '$manual'/*.texi"

# The chapter of a program has the line "@c documents NAME".
chapter() { grep -l "^@c documents $1\$" "$manual"/*.texi; }

# The options among a chapter's @item lines must be the same as those in --help.
same_options()
{
    sed -n 's/^@itemx* \(--*[a-zA-Z0-9][a-zA-Z-]*\).*/\1/p' "$1" | sort -u >"$work/items"
    options_of "$2" | sort -u >"$work/options"
    [ -s "$work/options" ] && agree "$work/options" "$work/items"
}
programs >"$work/programs"
ok 'there are programs' grep -q '^cm-netpipe$' "$work/programs"
while read -r program <&3; do
    if ! file=$(chapter "$program"); then
        ok "$program has a chapter" false
    elif ! runs "$program"; then
        skip "$program: every option stands in the manual, and no other" 'it does not run here'
    else
        ok "$program: every option stands in the manual, and no other" \
            same_options "$file" "$program"
    fi
done 3<"$work/programs"

file=$(chapter 'the environment')
if [ -n "$(variables)" ]; then
    variables | sort >"$work/variables"
    sed -n 's/^@itemx* \(CM_[A-Z_]*\)$/\1/p' "$file" | sort >"$work/items"
    ok 'every variable stands in the manual, and no other' agree "$work/variables" "$work/items"
else skip 'every variable stands in the manual' 'clustermark env does not run here'
fi

# ---- Keys of a result ---------------------------------------------------------------------------

# Metadata end where the table begins.
keys()
{
    sed -n '/^[^#]/q; s/^# \([a-z0-9_]*\): .*/\1/p' "$work/r.txt" | grep -v '^dummy_' | sort -u
}
columns() { grep -v '^#' "$work/r.txt" | head -n 1 | tr -s ' ' '\n' | grep .; }
if ok 'a result' run 2 0 '' ../netpipe/cm-netpipe --upper 16 --time-limit 0.01 --warm-up 0 \
        --trial-seconds 1e-4 --quiet --output "$work/r.txt"; then
    ok 'every key of its metadata stands in the manual' all_in "$manual/results.texi" keys
    ok 'and every column' all_in "$manual/netpipe.texi" columns
fi
if ok 'a result of cm-collective' run 2 0 '' ../network/collective/cm-collective \
        --operation bcast --upper 16 --warm-up 0 --time-limit 0 --batch-seconds 1e-6 \
        --quiet --force --output "$work/r.txt"; then
    ok 'every key of its metadata stands in the manual as well' all_in "$manual/results.texi" keys
    ok 'and every column as well' all_in "$manual/collective.texi" columns
fi
if ok 'a result of cm-loggp' run 2 0 '' ../network/loggp/cm-loggp --upper 16 --warm-up 0 \
        --time-limit 0.01 --quiet --force --output "$work/r.txt"; then
    ok 'cm-loggp: every key of its metadata stands in the manual' all_in "$manual/results.texi" keys
    ok 'cm-loggp: and every column' all_in "$manual/loggp.texi" columns
fi
if [ "$comm" = dummy ]; then skip 'a result of cm-sockets' 'the dummy backend has one process'
elif ok 'a result of cm-sockets' run 2 0 '' ../network/sockets/cm-sockets --seconds 0.01 \
        --warm-up 0 --time-limit 0.05 --rate 10 --quiet --force --output "$work/r.txt"; then
    ok 'every key of its metadata stands in the manual, too' all_in "$manual/results.texi" keys
    ok 'and every column, too' all_in "$manual/sockets.texi" columns
fi
if ok 'a result of cm-hint' run 1 0 '' ../hint/cm-hint --upper 8 --trial-seconds 1e-5 --warm-up 0 \
        --quiet --force --output "$work/r.txt"; then
    ok 'cm-hint: every key of its metadata stands in the manual' all_in "$manual/results.texi" keys
    ok 'cm-hint: and every column' all_in "$manual/hint.texi" columns
fi
# The programs beside cm-netpipe: keys and columns.
stands()
{
    bench=$1; shift
    ok "a result of cm-$bench" run 2 0 '' "../network/$bench/cm-$bench" --time-limit 0.01 \
        --warm-up 0 --repetitions 2 --quiet --force --output "$work/r.txt" "$@" || return
    ok "cm-$bench: every key of its metadata stands in the manual" \
        all_in "$manual/results.texi" keys
    ok "cm-$bench: and every column" all_in "$manual/$bench.texi" columns
}
stands patterns --pattern ping
stands patterns --pattern exchange
stands bisection --upper 64
stands linkmap --size 64
if [ "$comm" = dummy ]; then skip 'a result of cm-congestion' 'the dummy backend has one process'
elif ok 'a result of cm-congestion' run 4 0 '' ../network/congestion/cm-congestion --rounds 1 \
        --victims pingpong --aggressors incast --time-limit 0.001 --warm-up 0 --quiet --force \
        --output "$work/r.txt"; then
    ok 'cm-congestion: every key of its metadata stands in the manual' \
        all_in "$manual/results.texi" keys
    ok 'cm-congestion: and every column' all_in "$manual/congestion.texi" columns
fi
if [ "$comm" = dummy ]; then skip 'a result of cm-nodes' 'the dummy backend has one process'
elif ok 'a result of cm-nodes' run 2 0 '' ../nodes/cm-nodes --rounds 4 --again 0 \
        --trial-seconds 0.001 --triad 64Ki --quiet --force --output "$work/r.txt"; then
    ok 'cm-nodes: every key of its metadata stands in the manual' \
        all_in "$manual/results.texi" keys
    ok 'cm-nodes: and every column' all_in "$manual/nodes.texi" columns
fi
if ok 'a result of cm-stream' run 1 0 '' ../stream/cm-stream --size 64Ki --passes 2 \
        --quiet --force --output "$work/r.txt"; then
    ok 'cm-stream: every key of its metadata stands in the manual' \
        all_in "$manual/results.texi" keys
    ok 'cm-stream: and every column' all_in "$manual/stream.texi" columns
fi
# Built where there is a BLAS.
if [ -x ../linpack/cm-linpack ]; then
    for options in '--series 5,100 --serial --condition' '-n 5 --refine'; do
        ok "a result of cm-linpack $options" run 1 0 '' ../linpack/cm-linpack $options \
            --quiet --force --output "$work/r.txt" || continue
        ok 'cm-linpack: every key of its metadata stands in the manual' \
            all_in "$manual/results.texi" keys
        ok 'cm-linpack: and every column' all_in "$manual/linpack.texi" columns
    done
fi
if ok 'a result of cm-heat' run 1 0 '' ../heat/cm-heat -n 30 --iterations 20 -m sor \
        -t 1e-9 --quiet --force --output "$work/r.txt"; then
    ok 'cm-heat: every key of its metadata stands in the manual' all_in "$manual/results.texi" keys
    ok 'cm-heat: and every column' all_in "$manual/heat.texi" columns
fi
# The programs of sscrap/, whose own keys are described in their chapters.
of_sscrap()
{
    bench=$1; shift
    if ! [ -x "../sscrap/$bench/cm-$bench" ]; then
        skip "a result of cm-$bench" 'it is not built'
        return
    fi
    ok "a result of cm-$bench" run 1 0 '' "../sscrap/$bench/cm-$bench" --repeat 1 \
        --quiet --force --output "$work/r.txt" "$@" || return
    cat "$manual/results.texi" "$manual/$bench.texi" >"$work/both"
    ok "cm-$bench: every key of its metadata stands in the manual" all_in "$work/both" keys
    ok "cm-$bench: and every column" all_in "$manual/$bench.texi" columns
}
of_sscrap bspbench --words 8 --block 1024 --items 100 --nodes 100 --order 10
of_sscrap sort --items 100
of_sscrap listrank --items 100
of_sscrap matmul --order 10
if [ -x ../farm/cm-farm ]; then
    farm=2
    [ "$comm" != dummy ] || farm=1
    ok 'a result of cm-farm' run $farm 0 '' ../farm/cm-farm --units 200 --all-batches --quiet \
        --force \
        --output "$work/r.txt"
    ok 'cm-farm: every key of its metadata stands in the manual' all_in "$manual/results.texi" keys
    ok 'cm-farm: and every column' all_in "$manual/farm.texi" columns
else skip 'a result of cm-farm' 'there is no libcrypto'
fi
finish
