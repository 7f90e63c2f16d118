#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_backends.sh: `clustermark run --backend` and the page of its folders, with builds whose
# benchmarks write given values: the order of the launches, going on, what is refused before
# anything starts, and what the page says against values calculated by hand.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
unset TMPDIR
version=$("$suite" --version | sed -n '1s/^[^)]*) \([^ ]*\).*/\1/p')

# ---- Three builds --------------------------------------------------------------------------------

# A build tree of this clustermark. "one" is a network's latency, "two" has collective operations.
source=$work/source
mkdir -p "$source/suite" "$source/one/figures" "$source/two/figures"
cp "$srcdir"/../suite/*.css "$srcdir"/../suite/*.gp "$srcdir"/../suite/*.awk \
    "$srcdir"/../suite/*.js "$srcdir"/../suite/papers.tab "$srcdir"/../suite/references.tab \
    "$source/suite"
: >"$source/suite/agreements.tab"
quick='ranks=2|quick=-x|standard=-x|full=-x|seconds=1 1 1|question=How long?'
{
    echo "folder=one|run=cm-one|$quick|heading=Messages|group=network|headline=latency_us$(:
        )|rows=size_bytes"
    echo "folder=two|run=cm-two|$quick|heading=Operations|group=collectives|headline=sum_us$(:
        )|rows=operation algorithm size_bytes|curves=median_s size_bytes operation$(:
        ) algorithm=auto|points=8 65536"
} >"$source/suite/benchmarks.tab"

# build NAME TENS: a build with benchmarks whose launch K takes TENS.K us for a message.
build()
{
    tree=$work/$1
    mkdir -p "$tree/suite" "$tree/one" "$tree/two"
    : >"$tree/config.status"
    echo "top_srcdir = $source" >"$tree/suite/Makefile"
    cp "$suite" "$tree/suite/real"
    cat >"$tree/suite/clustermark" <<END
#!/bin/sh
if [ "\$1" = env ]; then
    printf 'version   %s\nbackend   %s\n' "\$(cat "$tree/version")" "\$(cat "$tree/backend")"
    exit
fi
case " \$* " in
*" --until \$(sed -n 's/^$1 //p' "$work/dead" 2>/dev/null) "*)
    echo 'clustermark: run: a host does not answer' >&2
    exit 3 ;;
esac
exec "$tree/suite/real" "\$@"
END
    echo "$1" >"$tree/backend"
    echo "$version" >"$tree/version"
    { stand_in; cat; } >"$tree/one/cm-one" <<END
[ -n "\$output" ] || exit 0
launch=\${output%.txt} launch=\${launch##*.}
echo "$1 \$launch" >>"$work/ran"
[ ! -f "$work/stop" ] || [ "\$(cat "$work/stop")" != "$1 \$launch" ] ||
    { : >"$work/stopped"; sleep 600; }
[ ! -f "$work/fail" ] || [ "\$(cat "$work/fail")" != "$1 \$launch" ] || { rm "$work/fail"; exit 3; }
{
    echo ' size_bytes n min_s median_s low_s high_s interval'
    echo "8 12 ${2}e-06 $2.\${launch}e-06 $2.\${launch}e-06 $2.\${launch}e-06 95%"
    echo '# CHECK: wrong_bytes: 0 == 0  PASS'
    echo "# RESULT: PASS latency_us $2.\$launch us better=low"
} >"\$output"
"$PWD/programs/record_json" "\$output" >"\$json"
END
    { stand_in; cat; } >"$tree/two/cm-two" <<END
[ -n "\$output" ] || exit 0
launch=\${output%.txt} launch=\${launch##*.}
{
    echo ' operation algorithm size_bytes n min_s median_s low_s high_s interval'
    for operation in allreduce bcast; do
        for size in 8 512 65536; do
            for algorithm in auto ring; do
                echo "\$operation \$algorithm \$size 12 ${2}e-06 $2.\${launch}e-06" \\
                    "$2.\${launch}e-06 $2.\${launch}e-06 95%"
            done
        done
    done
    echo '# CHECK: wrong_bytes: 0 == 0  PASS'
    echo "# RESULT: PASS sum_us 12.\$launch us better=low"
} >"\$output"
"$PWD/programs/record_json" "\$output" >"\$json"
END
    chmod +x "$tree/suite/clustermark" "$tree/one/cm-one" "$tree/two/cm-two"
}
build base 2
build quick 1
build slow 4
cd_suite() { (cd "$work" && "$work/base/suite/real" "$@") >"$work/out" 2>"$work/err" </dev/null; }
# ends STATUS COMMAND ARGUMENT...
ends()
{
    wanted=$1; shift
    cd_suite "$@"
    got=$?
    [ $got -eq "$wanted" ] || { echo "# status $got"; show "$work/err" "$work/out"; false; }
}
says() { has "$1" "$work/err" || { show "$work/err"; false; }; }
# refused_by STATUS REGEX ARGUMENT...: in one line, before anything is started or made.
refused_by()
{
    wanted=$1 regex=$2; shift 2
    ends "$wanted" run --launcher 'env RANKS=%n' "$@" && says "$regex" || return
    [ "$(wc -l <"$work/err")" -eq 1 ] || { show "$work/err"; return 1; }
    [ ! -e "$work/results" ] && [ ! -e "$work/ran" ] || { echo '# something was made'; false; }
}
refused() { refused_by 2 "$@"; }

# ---- What cannot be ------------------------------------------------------------------------------

builds=base=base,quick=quick,slow=slow
ok 'no backend' refused "'': expected NAME,..." --backend= results
ok 'a folder twice' refused 'quick is there twice; results/quick can hold one of them' \
    --backend quick=quick,base=base,quick=slow results
ok 'what is no name' refused "'../quick': expected NAME, or NAME=BUILD" \
    --backend base=base,../quick results
ok 'a name without a build' refused 'no clustermark-quick is beside it; give quick=BUILD' \
    --backend base=base,quick results
ok 'a build that is not there' refused \
    'quick=nowhere: it has neither suite/clustermark.* nor is it the program itself' \
    --backend base=base,quick=nowhere results
ok 'a build over another backend' refused 'base: .*/slow/suite/clustermark is over slow' \
    --backend quick=quick,base="$work/slow" results
echo 0.0 >"$work/slow/version"
ok 'a build of another version' refused "slow: .* is version 0.0, and this is $version" \
    --backend "$builds" results
echo "$version" >"$work/slow/version"
mv "$work/slow/one/cm-one" "$work/slow/one/away"
ok 'a build whose programs are missing' refused_by 3 \
    'slow: run: it would be skipped: one: the program cm-one is not there' --backend "$builds" \
    results
mv "$work/slow/one/away" "$work/slow/one/cm-one"
echo 'slow 0' >"$work/dead"
ok 'a host that is dead' refused_by 3 'backend slow: run: a host does not answer$' \
    --backend "$builds" results
rm "$work/dead"
ok 'a benchmark that is not there' refused 'base: run: --only three: no such run' \
    --backend "$builds" --only three results
ok 'a simulated cluster' refused 'place ictp: a simulated cluster has one backend' \
    --backend "$builds" --place ictp results
ok 'a history' refused 'against kept: a history is of one backend' --backend "$builds" \
    --against kept results
ok 'a part of it' refused 'until: give one of them' --backend "$builds" --until 2 results

# ---- Launches in turns ---------------------------------------------------------------------------

in_turns() { ends "$1" run --launcher 'env RANKS=%n' --backend "$builds" results; }
echo 'slow 2' >"$work/stop"
(cd "$work" && exec "$work/base/suite/real" run --launcher 'env RANKS=%n' --backend "$builds" \
    results) >"$work/out" 2>"$work/err" </dev/null &
pid=$!
tries=0
while [ ! -e "$work/stopped" ] && [ $tries -lt 600 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -INT "$pid"
wait "$pid"
ok 'a run that is interrupted' [ $? -eq 130 ]
ok 'says how it goes on' says 'the same command goes on where this one ended'
ok 'until then it took turns' [ "$(tr '\n' ' ' <"$work/ran")" = \
    'base 1 quick 1 slow 1 quick 2 slow 2 ' ]
rm "$work/stop"
ok 'two runs at once would mix' [ ! -e "$work/results/report.html" ]
ok 'a page before its end' ends 2 report results
ok 'says how to go on' says \
    'results/base holds no results yet; the same clustermark run --backend with results goes on'
ok 'the same command' in_turns 0
ok 'goes on' [ "$(sed 1,5d "$work/ran" | tr '\n' ' ')" = \
    "slow 2 base 2 slow 3 base 3 quick 3 base 4 quick 4 slow 4 quick 5 slow 5 base 5 $(:
    )slow 6 base 6 quick 6 " ]
ok 'it says how many launches tell a difference' says \
    '6 launches over each of 3 backends, in turns; a difference can be told from 6 launches on'
for name in base quick slow; do
    ok "$name: a folder as any other" [ -s "$work/results/$name/one.json" -a \
        -s "$work/results/$name/run.txt" -a -s "$work/results/$name/launches/one.6.json" ]
done
ok 'it is said which build was measured' has "^slow: $work/slow/suite/clustermark\$" \
    "$work/results/run.txt"
rm "$work/ran"
ok 'once more' in_turns 0
ok 'there is nothing left to run' [ ! -e "$work/ran" ]
ok 'other backends for the folder' ends 2 run --backend base=base,slow=slow results
ok 'are refused' says 'results holds launches of base,quick,slow in turns, not of base,slow'
ok 'so is a run over one' ends 2 run results
ok 'which says what the folder is' says \
    'results has a folder of results for each of the backends base,quick,slow; .*as results/base'
mkdir "$work/mine"
echo mine >"$work/mine/run.txt"
ok "somebody's own file" ends 2 run --backend "$builds" mine
ok 'is kept' [ "$(cat "$work/mine/run.txt")" = mine ]
echo 'quick 1' >"$work/fail"
ok 'a launch that fails' ends 0 run --launcher 'env RANKS=%n' --launches 2 --backend "$builds" again
ok 'is made in the next round' has 'quick 1' "$work/ran"
ok 'fewer launches: that tells nothing' says 'fewer tell little or nothing'
# Until all have begun anew, slow has launches from before.
echo 'quick 1' >"$work/stop"
rm "$work/stopped"
(cd "$work" && exec "$work/base/suite/real" run --launcher 'env RANKS=%n' --launches 2 --fresh \
    --backend "$builds" again) >"$work/out" 2>"$work/err" </dev/null &
pid=$!
tries=0
while [ ! -e "$work/stopped" ] && [ $tries -lt 600 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -INT "$pid"
wait "$pid"
ok 'interrupted while all begin anew' says 'interrupted; the same command begins anew'
rm "$work/stop"
again() { ends "$1" run --launcher 'env RANKS=%n' --launches 2 --backend "$builds" "$2" again; }
ok 'launches from before are not mixed with new ones' again 2 --profile=quick
ok 'they are refused' says 'again: the last --fresh ended before every backend had begun anew'
ok 'to begin anew' again 0 --fresh
ok 'makes them all' again 0 --profile=quick
echo 'quick 1' >"$work/dead"
ok 'a backend that cannot begin anew' again 3 --fresh
rm "$work/dead"
ok 'ends the run' says 'run: --backend: launch 1 over quick could not be run .exit status 3'
ok 'whose launches from before are refused' again 2 --profile=quick
echo 'quick 1' >"$work/fail"
ok 'what fails anew is tried again in the next round' again 0 --fresh

# ---- One backend ---------------------------------------------------------------------------------

rm "$work/ran"
ok 'one backend' ends 0 run --launcher 'env RANKS=%n' --launches 2 --backend slow=slow alone
ok 'takes no turns' [ "$(tr '\n' ' ' <"$work/ran")" = 'slow 1 slow 2 ' ]
ok 'its results are those of a run without --backend' [ -s "$work/alone/one.json" ]
rm "$work/ran"
ok 'as far as --until' ends 0 run --launcher 'env RANKS=%n' --launches 2 --until 1 \
    --backend slow=slow part
ok 'and no further' [ "$(tr '\n' ' ' <"$work/ran")" = 'slow 1 ' ]
ok 'with its exit status' ends 2 run --launcher 'env RANKS=%n' --only three --backend slow=slow part
ok 'and its line' says 'run: --only three: no such run'

# ---- The page ------------------------------------------------------------------------------------

page=$work/results/report.html
ok 'one page' ends 0 report results
ok 'stands above the folders' [ "$(cat "$work/out")" = "$page" ]
sed -n '/id="backends"/,/<\/section>/p' "$page" >"$work/section"
shown() { grep -q -e "$1" "$work/section" || { show "$work/section"; false; }; }
ok 'it names all backends' shown '<h2>The same benchmarks over base, quick and slow</h2>'
# One latency and four operations. Of quick every launch is below every one of base, of slow above.
beside='</strong> beside base: <span class="faster">faster</span> in'
ok 'who is faster' shown "quick$beside 5, .* in 0, the same in 0 of 5"
ok 'and slower' shown "slow$beside 0, .* in 5, the same in 0 of 5"
ok 'the first value by how much' shown 'latency_us: slower by a factor of 1.8[56]\.'
# Medians over launches 1 to 6: 2.35, 1.35 and 4.35 us. Hodges and Lehmann: the median of the 36
# ratios 2.j / 1.k is 1.74, of 4.j / 2.k 1.85.
row() { grep -A9 -e ">$1<" "$work/section" | grep -q -e "$2" || { show "$work/section"; false; }; }
ok 'each value with its interval' row latency_us '2.35 µs</strong> <small>2.10 to 2.60</small>'
ok 'by how much it is faster' row latency_us 'class="faster">faster 1.7[34]&#215;'
ok 'and slower' row latency_us 'class="slower">slower 1.8[56]&#215;'
ok 'operations at 8 bytes' row 'allreduce, 8 B' 'faster 1.7[34]&#215;'
ok 'and at 64 KiB' row 'bcast, 64 KiB' 'slower 1.8[56]&#215;'
ok 'not in between' sh -c "! grep -q '512 B' '$work/section'"
ok "of the library's own algorithm alone" [ "$(grep -c '>allreduce, 8 B<' "$work/section")" = 1 ]
if command -v gnuplot >/dev/null 2>&1; then
    ok 'a figure of all' shown '<svg.*backends-title'
    ok 'which answers to the mouse' shown 'one: latency_us: slower, 1.8[56] times'
    ok 'nothing is left of its making' [ -z "$(find "$work/results" -name '*.dat' -o \
        -name '*.part*')" ]
else skip 'a figure of all' 'there is no gnuplot'; fi
ok 'links lead to the files' has 'href="base/one.txt"' "$page"
if command -v xmllint >/dev/null 2>&1; then
    ok 'the page is well-formed' xmllint --noout --nonet "$page"
else skip 'the page is well-formed' 'there is no xmllint'; fi
ok 'a page without names' ends 2 report --anonymous results
ok 'is of one backend' says 'results has the results of 3 backends, which --anonymous does not take'
ok 'a second folder' ends 2 report results results/base
ok 'likewise' says 'a second DIR does not take; give one of them'
cp -r "$work/results" "$work/lost"
rm "$work/lost/base/one".* "$work/lost/base/launches/one".*
echo 'it failed' >"$work/lost/base/one.failed"
ok 'a benchmark that failed over one' ends 0 report lost
ok 'is not passed over' has 'for lack of a result: one over base\.' "$work/lost/report.html"
ok 'each folder has a page of its own' ends 0 report results/slow
ok 'without the others' sh -c "! grep -q 'id=.backends' '$work/results/slow/report.html'"
ok 'compare takes them' ends 0 compare results/base results/slow
ok 'and says the same' has '^slower .*one:latency_us$' "$work/out"
ok 'export takes them' ends 0 export --to json results/quick
ok 'compare of the folder above' ends 2 compare results again
ok 'says what that is' says 'a folder of results for each of the backends base,quick,slow'
finish
