#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_levels.sh: both levels of variation and disturbed rows of made-up results: in the figures,
# and on the report's first screen.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"

# result FILE LAUNCHES DISTURBED CAUSES: a result of cm-netpipe; with LAUNCHES, over these. Of its
# three rows one has too few undisturbed samples if DISTURBED is above 0.
result()
{
    within= values=
    [ -z "$2" ] || within='within_low_s within_high_s' values='0.9e-6 2e-6'
    {
        printf '# %s\n' 'program: cm-netpipe' 'host: here' 'comm: mpi' 'oversubscribed: no'
        [ -z "$2" ] || printf '# launches: %s\n# launch_of_comments: 1\n' "$2"
        echo "size_bytes n median_s low_s high_s disturbed summarized throughput_Mbit_per_s sweep" \
            $within
        echo "1 12 1e-6 0.8e-6 3e-6 $3 all 8 1 $values"
        echo "8 12 1e-6 0.8e-6 3e-6 2 undisturbed 64 1 $values"
        echo "64 12 1e-6 0.8e-6 3e-6 0 all 512 1 $values"
        echo "# disturbed: $3 of 36 samples$4"
        echo "# RESULT: PASS latency_us 1 us low=0.8 high=3 interval=95% over=trials n=12" \
            "disturbed=$([ "$3" -gt 0 ] && echo yes || echo no)"
        echo '# RESULT: PASS peak 512 Mbit/s'
    } >"$1"
}

# ---- Figures -------------------------------------------------------------------------------------

if command -v gnuplot >/dev/null 2>&1; then
    # figure NAME RESULT: draws $work/NAME.svg; text: the words in it.
    figure() { draw "$work/$2.txt" "$work/$1.svg" "$1"; }
    shows() { has ">$2<" "$work/$1.svg" || { grep -o '>[^<]*<' "$work/$1.svg" | show; false; }; }
    hides() { ! has ">$2<" "$work/$1.svg"; }
    result "$work/one.txt" '' 0 ''
    result "$work/busy.txt" '' 5 ': waited for a core (5)'
    result "$work/three.txt" 3 0 ''
    result "$work/six.txt" 6 5 ': waited for a core (5)'
    for kind in throughput latency signature; do
        ok "$kind of one launch" figure $kind one
        ok "$kind: its interval" shows $kind 'interval of the median'
        ok "$kind: one level" hides $kind 'interval within a launch'
        ok "$kind: no row is disturbed" hides $kind disturbed
        ok "$kind of a disturbed launch" figure $kind busy
        ok "$kind: the key says so" shows $kind disturbed
        ok "$kind: one of three marks is open" \
            [ "$(grep -c 'rgb(255, 255, 255)' "$work/$kind.svg")" -ge 1 ]
        ok "$kind of three launches" figure $kind three
        ok "$kind: their range" shows $kind 'range over 3 launches'
        ok "$kind: the level within a launch" shows $kind 'interval within a launch'
        ok "$kind: what the curve is" shows $kind 'measured, median over 3 launches'
        ok "$kind: still no row is disturbed" hides $kind disturbed
        ok "$kind of six launches" figure $kind six
        ok "$kind: their interval" shows $kind '95 % interval over 6 launches'
        ok "$kind: and a disturbed row" shows $kind disturbed
    done
    compared()
    {
        gnuplot -d -e "results='$work/one.txt $work/six.txt'; titles='A B'; \
figure='$work/compare.svg'" "$srcdir/../netpipe/figures/compare.gp" 2>"$work/gnuplot" \
            && [ ! -s "$work/gnuplot" ] || { show "$work/gnuplot"; false; }
    }
    ok 'results with and without launches in one figure' compared
    ok 'the level within a launch' shows compare 'interval within a launch'
    ok 'the level over launches' shows compare 'interval over launches'
    ok 'a disturbed row' shows compare disturbed
else skip 'figures' 'gnuplot is not there'
fi

# ---- The report ----------------------------------------------------------------------------------

install=$work/install data=$work/install/share/clustermark results=$work/results
mkdir -p "$install/bin" "$data/suite" "$results/launches" "$work/tools"
cp "$suite" "$install/bin/clustermark" && cp "$srcdir/../suite/style.css" \
    "$srcdir/../suite/first.css" "$srcdir/../suite/references.tab" "$data/suite" || exit 99
for run in alpha beta gamma delta; do
    headline=latency_us
    [ $run = alpha ] || headline=
    printf '%s%s\n' "folder=alpha|run=cm-$run|ranks=1" \
        "|seconds=0 0 0|heading=Heading|question=How?|headline=$headline"
done >"$data/suite/benchmarks.tab"
: >"$data/suite/papers.tab"
: >"$data/suite/agreements.tab"
report()
{
    PATH=/bin:/usr/bin "$install/bin/clustermark" report "$results" >"$work/out" 2>"$work/err" \
        || { show "$work/err"; return 1; }
    sed -n '/<div id="warnings">/,/<\/section>/p' "$results/report.html" | sed 's/<[^>]*>//g' \
        >"$work/first"
}
told() { has "$1" "$work/first" || { show "$work/first"; false; }; }
result "$results/alpha.txt" '' 0 ''
ok 'a report of quiet results' report
ok 'says nothing of disturbance' sh -c "! grep -qi disturb '$work/first'"
# One of three launches of alpha was lost, so that what they give together is not known.
result "$results/alpha.txt" 3 5 ': waited for a core (4), steal (1)'
result "$results/launches/alpha.1.txt" '' 0 ''
result "$results/launches/alpha.2.txt" '' 5 ': waited for a core (4), steal (1)'
result "$results/beta.txt" '' 5 ': waited for a core (3), steal (2)'
result "$results/gamma.txt" '' 5 ': moved to another core (5)'
result "$results/delta.txt" '' 0 ''
ok 'a report of disturbed ones' report
ok 'counts them, and says what disturbed most' told \
    '^Other activity .* disturbed 3 of 4 benchmarks and 3 of 12 rows, mostly: waited for a core\.'
ok 'names only the headline metrics' told \
    'Disturbed headline metrics: alpha (latency_us)\.$'
ok 'none that is not' sh -c "! grep -q 'beta\|gamma\|delta' '$work/first'"
sed -n '/<section id="disturbed">/,/<\/section>/p' "$results/report.html" | sed 's/<[^>]*>//g' \
    >"$work/first"
ok 'why and which, together those that have the same reason, in a section' told \
    '^waited for a core, steal: alpha (1 of 2 metrics, 1 of 3 rows), beta (1 of 2 metrics, 1 of 3 '
ok 'each reason' told '^moved to another core: gamma (1 of 2 metrics, 1 of 3 rows)$'
ok 'none that is not, either' sh -c "! grep -q delta '$work/first'"
sed -i '/RESULT/s/disturbed=yes/disturbed=no/' "$results/alpha.txt"
ok 'a report of undisturbed headline metrics' report
ok 'says so' told 'No headline metric is disturbed\.$'
finish
