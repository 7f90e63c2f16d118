#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite.sh: clustermark: refused options, running, resuming, failing, and the report.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
dir=$work/results

# says STATUS REGEX ARGUMENT...: clustermark ends with this status and this one line on stderr.
says()
{
    status=$1 regex=$2; shift 2
    "$suite" "$@" >"$work/out" 2>"$work/err"
    got=$?
    if [ $got -ne "$status" ] || [ "$(wc -l <"$work/err")" -ne 1 ] \
        || ! grep -q -e "$regex" "$work/err"; then
        echo "# status $got"
        show "$work/out" "$work/err"
        false
    fi
}
ok 'no command' says 2 'no command given; the commands are run, nodes, figures, report, '
ok 'an unknown command' says 2 "unknown command 'fly'" fly
ok 'an unknown option' says 2 "unknown option '--fast'" run --fast "$dir"
ok 'an unknown profile' says 2 "option '--profile': 'slow'" run --profile slow "$dir"
ok 'an unknown benchmark' says 2 '--only hpl' run --only hpl "$dir"
ok 'no folder' says 2 'DIR is missing' run
ok 'a report of nothing' says 2 'is not a folder' report "$work/none"
ok 'one rank' says 2 "option '--ranks': '1'" run --ranks 1 "$dir"
ok 'ranks in words' says 2 "option '--ranks': 'two'" run --ranks=two "$dir"
ok 'no host' says 2 "run: --hosts : '' has no valid host name" run --hosts '' "$dir"
ok 'a host that is none' says 2 "run: --hosts a,-b: '-b' has no valid" run --hosts a,-b "$dir"
ok 'no file of hosts' says 2 'run: --hostfile /no/such: cannot be read' \
    run --hostfile /no/such "$dir"
ok 'both' says 2 'expected only one of them' run --hosts a --hostfile b "$dir"
ok 'a host that is none, for nodes' says 2 '^clustermark: nodes: --hosts -b: ' \
    nodes --hosts -b "$dir"
ok 'builds that are missing' says 2 'compare: --run with 0 operands; expected BUILD_A' \
    compare --run
ok 'no folder was made for them' [ ! -e "$dir" ]
mkdir "$work/empty"
ok 'a report of an empty folder' says 2 'holds no results' report "$work/empty"
ok 'nothing was made there' [ -z "$(ls "$work/empty")" ]
ok 'help' sh -c "'$suite' --help | grep -q '^Usage: clustermark '"
ok 'help of a command' sh -c "'$suite' run --help | grep -q '^Usage: clustermark run '"
ok 'version' sh -c "'$suite' --version | grep -q '^clustermark (clustermark) [0-9]'"
"$suite" env >"$work/env"
for variable in CM_EAGER_BYTES CM_SEND_CHUNK_BYTES CM_NODELAY CM_SPIN_US CM_TIMEOUT_S; do
    ok "env lists $variable" grep -q "^$variable " "$work/env"
done
CM_SEND_CHUNK_BYTES=4096 "$suite" env >"$work/env"
ok 'env shows the value in force' grep -q '^CM_SEND_CHUNK_BYTES  *4096 ' "$work/env"

CM_EAGERBYTES=1000; export CM_EAGERBYTES
ok 'run: an unknown variable' says 2 \
    '^clustermark: unknown environment variable CM_EAGERBYTES; did you mean' run "$work/unknown"
ok 'makes no folder' [ ! -e "$work/unknown" ]
ok 'env: an unknown variable' says 2 'unknown environment variable CM_EAGERBYTES; ' env
ok 'env lists the known ones all the same' grep -q '^CM_EAGER_BYTES ' "$work/out"
unset CM_EAGERBYTES

# ---- A run, by a launcher that takes its turn and keeps it short -------------------------------

cat >"$work/launcher" <<EOF
#!/bin/sh
ranks=\$1; shift
[ $comm != dummy ] || { CM_DUMMY=ranks=\$ranks; export CM_DUMMY; ranks=1; }
./run-ranks -l $one_launcher -n \$ranks -s 0 "\$@" --upper 256 --time-limit 0.02 --warm-up 0 \
    --trial-seconds 1e-4 >"$work/launched"
EOF
cat >"$work/failing" <<EOF
#!/bin/sh
echo 'first line' >&2
echo 'no <b>such</b> host & "port"' >&2
exit 7
EOF
chmod +x "$work/launcher" "$work/failing"

# ends STATUS ARGUMENT...: clustermark ends with this status.
ends()
{
    status=$1; shift
    # One benchmark stands for all, one launch for several. Its launcher waits for its turn.
    case $*:$1 in *--only*) ;; *:run) shift; set -- run --only netpipe "$@" ;; esac
    case $1 in run) shift; set -- run --launches 1 --time-limit 900 "$@" ;; esac
    "$suite" "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ $got -eq "$status" ] || { echo "# status $got"; show "$work/out" "$work/err"; false; }
}
none_of() { ! grep -q -i -e "$1" "$2"; }

ok 'a benchmark that cannot run: status 3' ends 3 run --launcher "$work/failing %n" "$dir"
ok 'its exit status is recorded' grep -q '^exit status: 7$' "$dir/netpipe.failed"
ok 'and what it said' grep -q '^no <b>such</b> host' "$dir/netpipe.failed"
ok 'a report of it' ends 0 report "$dir"
ok 'names status and words, escaped' \
    grep -q 'no &lt;b&gt;such&lt;/b&gt; host &amp; &quot;port&quot;' "$dir/report.html"
ok 'a launcher that is not there: status 2' ends 2 run --launcher "$work/nowhere %n" "$dir"
ok 'with the reason' grep -q 'nowhere is not there' "$work/err"

if [ "$comm" = dummy ]; then
    ok 'what needs processes is skipped' ends 3 run --only sockets "$dir"
    ok 'with the reason' grep -q 'the dummy backend has one' "$dir/sockets.skipped"
fi

ok 'a run passes' ends 0 run --launcher "$work/launcher %n" "$dir" || show "$work/launched"
ok 'its result is complete' grep -q '^# RESULT: PASS peak' "$dir/netpipe.txt"
ok 'what was wrong before is forgotten' \
    [ -z "$(ls "$dir" | grep '^netpipe\.\(failed\|skipped\)$')" ]
cp "$dir/netpipe.txt" "$work/before.txt"
ok 'run again' ends 0 run --launcher "$work/failing %n" "$dir"
ok 'it keeps what is complete' cmp -s "$dir/netpipe.txt" "$work/before.txt"
ok 'another profile is refused' \
    says 2 'holds a run of profile quick, not full' run --profile full "$dir"
sed '/RESULT/d' "$work/before.txt" >"$dir/netpipe.txt"
ok 'a result that was cut short is run again' ends 0 run --launcher "$work/launcher %n" "$dir"
ok 'to its end' grep -q '^# RESULT: PASS peak' "$dir/netpipe.txt"

# whole STATUS NAMES ARGUMENT...: a run of all benchmarks, of which only NAMES are not complete.
whole()
{
    expected=$1 left=$2; shift 2
    rm -rf "$work/whole"
    mkdir "$work/whole"
    table=$srcdir/../suite/benchmarks.tab
    for bench in $(sed -n 's/.*|run=cm-\([^|]*\)|.*/\1/p' "$table" | tr / -); do
        case " $left " in
        *" $bench "*) ;;
        *)  printf '%s\n' "# program: cm-$bench" '# RESULT: PASS rate 1 1/s' \
                >"$work/whole/$bench.txt"
            cat >"$work/whole/$bench.json" <<EOF ;;
{"schema": "clustermark-result", "schema_version": 1, "metadata": {"program": "cm-$bench"},
 "columns": [], "rows": [], "samples": [], "checks": [], "comments": [],
 "results": [{"pass": true, "metric": "rate", "value": 1, "unit": "1/s"}]}
EOF
        esac
    done
    "$suite" run --launches 1 "$@" "$work/whole" >"$work/out" 2>"$work/err"
    [ $? -eq "$expected" ]
}
failing="$work/failing %n"
ok 'what the profile does not have is not asked for' whole 0 netpipe-stream --launcher "$failing"
ok 'yet counted' grep -q ': run: 1 skipped$' "$work/err"
ok 'all ranks or one: no launcher' whole 3 'hint linkmap netpipe-stream' --launcher "$failing"
ok 'counted' grep -q ': run: 2 failed$' "$work/err"

more=$work/more
# The values of %n: cm-linkmap runs with all ranks, cm-bisection with an even number of them.
cat >"$work/ranks" <<EOF
#!/bin/sh
printf '%s ' "\$1" >>"$work/asked"
exit 7
EOF
chmod +x "$work/ranks"
ok 'a run with all ranks' \
    ends 3 run --ranks 5 --only bisection,linkmap --launcher "$work/ranks %n" "$more"
ok 'even, and all' [ "$(cat "$work/asked")" = '4 5 ' ]
ok 'another number of ranks is refused' \
    says 2 'holds a run with 5 ranks, not 4' run --ranks 4 "$more"
rm -r "$more"
# Needs processes; the dummy backend gives another reason.
ok 'fewer ranks than a run needs' \
    ends 3 run --ranks 3 --only congestion --launcher "$work/ranks %n" "$more"
ok 'says how many it needs' \
    grep -q 'needs at least 4 ranks, and there are 3\|backend has one' "$more/congestion.skipped"
rm -r "$more"
ok 'a run that is not in the profile' \
    ends 3 run --only netpipe-stream --launcher "$work/launcher %n" "$more"
ok 'says so' grep -q 'not in profile quick' "$more/netpipe-stream.skipped"
rm -r "$more"
ok 'further runs of a program' \
    ends 0 run --profile standard --only netpipe-stream,netpipe-both \
    --launcher "$work/launcher %n" "$more"
for run in stream both; do
    ok "$run has a result of its own" grep -q "^# mode: $run\$" "$more/netpipe-$run.txt"
done
ok 'the run without a name was not asked for' [ ! -e "$more/netpipe.txt" ]
# Runs over several network interfaces take place only if these are named.
rails()
{
    ends "$1" run --only netpipe-rails --profile standard --launcher "$work/launcher %n" $2 "$more"
}
ok 'no rails: skipped' rails 3 ''
ok 'with the reason' grep -q 'no --rails\|backend has one' "$more/netpipe-rails.skipped"
if [ "$comm" = sockets ] || [ "$comm" = hybrid ]; then
    ok 'two rails' rails 0 '--rails 2'
    ok 'as the result says' grep -q '^# rails: 2$' "$more/netpipe-rails.txt"
    ok 'rails that are not there, before anything starts' \
        says 2 '^clustermark: run: --rails none7,none8: none7: no interface' \
        run --only netpipe-rails --profile standard --fresh --rails none7,none8 "$more"
    ok 'as many as there cannot be' says 2 'run: --rails 9: expected a number from 1 to 8' \
        run --rails 9 "$more"
    rm "$more"/netpipe-rails.*
else ok 'rails are refused' says 2 "--rails 2: the $comm backend" run --rails 2 "$more"
fi
ok 'a report of them' ends 0 report "$more"
ok 'names them' grep -q 'id="netpipe-both"' "$more/report.html"
ok 'and sets no number of the papers beside them' \
    none_of '<summary>The papers: ' "$more/report.html"

# Two ranks of this host at the distances that it has; any two processors have one.
near=$work/near
if [ "$comm" = dummy ]; then
    ok 'distances of ranks that are played' ends 3 run --only netpipe-distances "$near"
else
    ok 'distances of two ranks' ends 0 run --only netpipe-distances --launches 1 \
        --launcher "$work/launcher %n" "$near"
    ok 'each is measured, or lacking for a reason' [ "$(grep -c \
        '^# RESULT: PASS .*_latency_us\|^# distance_lacking: 0 [a-z0-9-]*: .' \
        "$near/netpipe-distances.txt")" = 4 ]
    ok 'a report of them' ends 0 report "$near"
    ok 'has a row for each' [ "$(sed -n '/<table class="distances">/,/<\/table>/p' \
        "$near/report.html" | grep -c '<tr><th scope="row">')" = 4 ]
    ok 'an export of them' ends 0 export --to openmetrics \
        --output "$near/metrics" "$near"
    ok 'with a label for each distance' [ \
        "$(grep -c '^clustermark_netpipe_distance_latency_seconds{.*,distance="[a-z0-9-]*"' \
            "$near/metrics")" = "$(grep -c '_latency_us' "$near/netpipe-distances.txt")" ]
fi

# ---- Runs by the build's own launcher ----------------------------------------------------------

# own ARGUMENT...: a run that takes its turn passes, and its two ranks are one job. The names of
# folders, here and in TMPDIR, may have blanks and umlauts.
own_results=$work/'eigene Läufe'
job=
own()
{
    rm -rf "$own_results"
    ./run-ranks -l none -n 1 -s 0 "$(command -v env)" $job "$suite" run --launches 1 \
        --only linkmap --ranks 2 "$@" "$own_results" >"$work/tap"
    grep -q '^ok ' "$work/tap" && ! grep -q '^not ok' "$work/tap" \
        && grep -q '^# ranks: 2$' "$own_results/linkmap.txt" || { show "$work/tap"; false; }
}
ok "the build's own launcher" own
ok 'a report there' ends 0 report "$own_results"
# Another build tree: links to some of this one.
mkdir -p "$work/tree/suite"
: >"$work/tree/config.status"
echo "top_srcdir = $(cd "$srcdir/.." && pwd)" >"$work/tree/suite/Makefile"
ln -s "$(pwd)/../netpipe" "$(pwd)/../network" "$work/tree"
cp "$suite" "$work/tree/suite/clustermark"
elsewhere() { (suite=$work/tree/suite/clustermark; "$@"); }
ok 'a program that is not there: status 3' \
    elsewhere ends 3 run --ranks 2 --only hint "$work/missing"
ok 'with the reason' grep -q 'the program cm-hint is not there' "$work/missing/hint.skipped"
if [ "$comm" = mpi ]; then
    ok 'a launcher of several words' own --launcher "env $(sed -n \
        's/^#define CM_MPI_LAUNCHER "\(.*\)"/\1/p' ../config.h) -n %n"
    ok 'on a host' own --hosts localhost
    # Which MPI a launcher belongs to is read from a temporary file.
    brief=$work/'für eine Weile'
    mkdir "$work/asks" "$brief"
    starter=$(sed -n 's/^#define CM_MPI_LAUNCHER "\([^ "]*\).*"/\1/p' ../config.h)
    case $starter in
    '') starter=mpiexec ;;
    */*) starter= ;;
    esac
    cat >"$work/asks/${starter:-none}" <<EOF
#!/bin/sh
# Not readlink >>FILE: a shell may open that on its own standard output first.
[ "\$*" != --version ] || to=\$(readlink "/proc/\$\$/fd/1")
[ -z "\${to-}" ] || echo "\$to" >>"$work/files"
exec "$(command -v "$starter")" "\$@"
EOF
    chmod +x "$work/asks/"*
    temporary()
    {
        (PATH=$work/asks:$PATH TMPDIR=$brief; export PATH TMPDIR; own) \
            && grep -q "^$brief/clustermark" "$work/files" \
            && ! ls "$brief" | grep -q '^clustermark' || { show "$work/files"; false; }
    }
    if [ -n "$starter" ]; then ok 'a temporary file is in TMPDIR' temporary
    else skip 'a temporary file is in TMPDIR' "a path names this MPI's launcher"
    fi
fi
if has_native; then
    ok 'no cmrun: status 3' elsewhere ends 3 run --ranks 2 --only linkmap "$work/missing"
    ok 'with the reason' grep -q 'src/cmrun is not there' "$work/missing/linkmap.skipped"
fi
if [ "$comm" = shm ]; then
    ok 'several hosts: status 2' elsewhere ends 2 run --hosts a,b "$work/several"
elif has_native; then
    # Two names of this host, reached by an ssh that stays on it.
    mkdir "$work/ssh"
    cat >"$work/ssh/ssh" <<EOF
#!/bin/sh
echo "\$*" >>"$work/reached"
shift
exec sh -c "\$*"
EOF
    chmod +x "$work/ssh/ssh"
    reach() { (PATH=$work/ssh:$PATH CM_INTERFACE=lo; export PATH CM_INTERFACE; own --hosts a,b); }
    ok 'on hosts' reach
    for host in a b; do
        ok "cmrun reaches $host" grep -q "^$host .*/cmrun.* --proxy" "$work/reached"
    done
    # Two ranks are on two hosts although each has two slots.
    printf 'c slots=2\n# more\nd:2\n' >"$work/file"
    reach_file() { (PATH=$work/ssh:$PATH CM_INTERFACE=lo; export PATH CM_INTERFACE
        own --hostfile "$work/file"); }
    ok 'on the hosts of a file' reach_file
    ok 'which cmrun reaches' grep -q '^d .*/cmrun.* --proxy' "$work/reached"
    printf 'n1\nn2\n' >"$work/nodes"
    reach_job() { (PATH=$work/ssh:$PATH CM_INTERFACE=lo job="PBS_NODEFILE=$work/nodes"
        export PATH CM_INTERFACE; own); }
    ok 'on the hosts of a batch job' reach_job
    ok 'which cmrun reaches' grep -q '^n2 .*/cmrun.* --proxy' "$work/reached"
fi

# ---- The report --------------------------------------------------------------------------------

page=$dir/report.html
# every_link PAGE: each link within it has its target. levels PAGE: one h1, no h3 without its h2.
every_link()
{
    grep -o '<a [^>]*href="#[^"]*"' "$1" | sed 's/.*#//; s/"//' | sort -u >"$work/links"
    grep -o ' id="[^"]*"' "$1" | sed 's/.*="//; s/"//' | sort -u >"$work/ids"
    comm -23 "$work/links" "$work/ids" >"$work/lost"
    [ -s "$work/links" ] && [ ! -s "$work/lost" ] || { show "$work/lost"; false; }
}
levels()
{
    grep -o '<h[1-6]' "$1" | cut -c 3 | awk '
        { n += $1 == 1; if ($1 > last + 1) bad = 1; last = $1 }
        END { exit bad || n != 1 }'
}
# This machine may be too small for figures, so this is the report of one that is not.
sed 's/^# oversubscribed: .*/# oversubscribed: no/; s/^# core_shared: .*/# core_shared: no/' \
    "$dir/netpipe.txt" |
    awk '/^# cpu: / { next } { print } /^# host: / { print "# cpu: A<B>&C \"D\"" }' \
    >"$work/edited.txt"
for file in netpipe launches/netpipe.1; do
    cp "$work/edited.txt" "$dir/$file.txt"
    "$PWD/programs/record_json" "$dir/$file.txt" >"$dir/$file.json"
done
ok 'the report is made' ends 0 report "$dir"
ok 'its last line is its path' [ "$(tail -n 1 "$work/out")" = "$(cd "$dir" && pwd)/report.html" ]
if command -v xmllint >/dev/null 2>&1; then ok 'it is well-formed' xmllint --noout --nonet "$page"
else skip 'it is well-formed' 'xmllint is not there'
fi
passes=$(grep -c '^# RESULT: PASS' "$dir/netpipe.txt")
sed -n '/<section id="netpipe"/,/<\/section>/p' "$page" >"$work/netpipe"
ok 'every metric is in it' [ "$(grep -c '<td class="value">' "$work/netpipe")" -eq "$passes" ]
ok 'with a name for people, and the technical one' grep -q \
    '<th scope="row">Latency <code>latency_<wbr />us</code></th>' "$work/netpipe"
latency=$(sed -n 's/^# RESULT: PASS latency_us \([^ ]*\) .*/\1/p' "$dir/netpipe.txt")
ok 'four digits of it, and all others behind them' grep -q \
    "latency_.*data-value=\"$latency\" title=\"$latency us\">[0-9.]\{1,7\}</span>" "$work/netpipe"
ok 'in the part about the network' sh -c "sed '/id=\"netpipe\"/q' '$page' |
    grep 'section id=.group' | tail -n 1 | grep -q group-network"
ok 'the contents lead there' grep -q '<li><a href="#netpipe">' "$page"
ok 'a link leads to something' every_link "$page"
ok 'no level of headings is left out' levels "$page"
ok 'the inequality' grep -q 'wrong_bytes: 0 == 0  PASS' "$page"
ok 'values are escaped' grep -q 'A&lt;B&gt;&amp;C &quot;D&quot;' "$page"
ok 'and none slips through' none_of 'A<B>' "$page"
ok 'the backend is named' grep -q "backend <strong>$comm</strong>" "$page"
ok 'the papers are named' grep -q 'id="paper-innocente-1999"' "$page"
ok 'their numbers stand there' grep -q '>5.58</td>' "$page"
sed -n '/<section id="papers">/,/<\/section>/p' "$page" >"$work/index"
theirs() { grep -F "$1" "$work/index"; }
items=$(cat "$srcdir"/../*/paper*.dat "$srcdir"/../*/*/paper*.dat |
    grep -c '^[a-z].*	.*	.*	.*	.*	.*	')
ok 'the index has every item' [ "$items" -eq "$(grep -c '<th scope="row">' "$work/index")" ]
largest=$(awk '/^#/ { next } $1 + 0 > most { most = $1 } END { printf "%.4g", most / 1e6 }' \
    "$dir/netpipe.txt")
# row_has TEXT WORDS: the row of the index that contains TEXT contains WORDS.
row_has() { theirs "$1" | grep -qF "$2"; }
if [ "$comm" = dummy ]; then
    ok 'what the backend makes up is not compared' row_has '>the largest message<' \
        'needs another backend than dummy'
else
    ok 'beside ours' grep -q '>Here / published</th>' "$page"
    ok 'with ours' row_has '>the largest message<' "data-value=\"$largest\""
    # Three digits, and a power of ten where it is very small.
    ratio=$(awk -v ratio="$largest" 'BEGIN { ratio /= 10; split(sprintf("%.2e", ratio), part, "e")
        if (part[2] < -3) printf "%s&#160;&#215;&#160;10<sup>%d</sup>", part[1], part[2]
        else printf "%." (part[2] < 2 ? 2 - part[2] : 0) "f", ratio }')
    ok 'and the ratio' row_has '>the largest message<' ">$ratio</td>"
    ok 'one host is not compared with two' \
        row_has 'first packet latency, all curves' 'hosts &gt;= 2 (here 1)'
fi
ok 'or what is missing' sh -c 'printf %s "$1" | grep -q "not measured in this run"' sh \
    "$(theirs 'UDP over Fast Ethernet, by ttcp')"
ok 'nothing from elsewhere' none_of 'src=\|<link' "$page"
ok 'two scripts, of its own' [ "$(grep -c '<script>' "$page")" -eq 2 ]
ids() { grep -o ' id=["'\''][^"'\'']*["'\'']' "$1" | sort | uniq -d; }
if command -v gnuplot >/dev/null 2>&1; then
    for figure in throughput latency signature; do
        ok "figure $figure" grep -q "<figure id=\"netpipe-$figure\">" "$page"
        ok "what $figure is, for those who do not see it" \
            grep -q "<title id=\"netpipe-$figure-title\">" "$page"
    done
    # With the digits and the unit that the table shows.
    shown=$(sed -n "s/.* title=\"$latency us\">\([0-9.]*\)<.*/\1/p" "$work/netpipe" | head -n 1)
    ok 'with the number that matters' grep -q \
        "<desc id=\"netpipe-throughput-desc\">.*Latency: ${shown:-none} [^ ]*s" "$page"
    ok 'three drawings' [ "$(grep -c '<svg' "$page")" -eq 3 ]
    ok 'each with words below' [ "$(grep -c '<figcaption>[A-Z]' "$page")" -eq 3 ]
    ok 'no id comes twice' [ -z "$(ids "$page")" ]
    ok 'figures' ends 0 figures "$dir"
    ok 'as files, SVG and PNG' [ "$(ls "$dir" | grep -c '^netpipe-[a-z]*\.\(svg\|png\)$')" -eq 6 ]
else skip 'figures' 'gnuplot is not there'
fi

# Without gnuplot: a PATH that has everything else.
mkdir "$work/bin"
for tool in sh awk sed grep cat tail head tr cut mkdir mv rm dirname basename date env; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
done
bare() { PATH=$work/bin "$suite" "$@" >"$work/out" 2>"$work/err"; }
ok 'a report without gnuplot' bare report "$dir"
ok 'says so' grep -q 'gnuplot was not there' "$page"
ok 'and has the tables' grep -q '>throughput_Mbit_per_s</th>' "$page"
sed -i 's/RESULT: PASS/RESULT: FAIL/' "$dir/netpipe.txt"
sed -i 's/"pass": true/"pass": false/' "$dir/netpipe.json"
rm -r "$dir/launches"
ok 'a failed metric: status 1' ends 1 run --launcher "$work/launcher %n" "$dir"
ok 'a report of it' ends 0 report "$dir"
ok 'says so too' grep -q 'class="fail">FAIL' "$page"
finish
