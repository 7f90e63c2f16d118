#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_papers.sh: the papers' items: what the report sets beside them, from results with known
# numbers; what it does not compare, because it is of another place; claims with their intervals;
# and what is wrong with items that cannot be read.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

# An installation of three benchmarks and a paper, and a gnuplot that draws one figure.
install=$work/install
data=$install/share/clustermark
mkdir -p "$install/bin" "$data/suite" "$data/alpha" "$work/results" "$work/tools"
cp "$suite" "$install/bin/clustermark" && cp "$srcdir/../suite/style.css" \
    "$srcdir/../suite/first.css" "$srcdir/../suite/references.tab" "$data/suite" || exit 99
cat >"$data/suite/benchmarks.tab" <<'EOF'
folder=alpha|run=cm-alpha|ranks=1|seconds=0 0 0|figures=curve other|heading=Alpha|question=How?
folder=alpha|run=cm-crowded|ranks=1|seconds=0 0 0|heading=Crowded|question=How?
folder=alpha|run=cm-wrong|ranks=1|seconds=0 0 0|heading=Wrong|question=How?
folder=alpha|run=cm-beta|ranks=1|seconds=0 0 0|heading=Beta|question=How?
EOF
echo 'paper-1|An <author>: a title' >"$data/suite/papers.tab"
: >"$data/suite/agreements.tab"
cat >"$work/tools/gnuplot" <<'EOF'
#!/bin/sh
figure=$(printf '%s' "$3" | sed "s/.*figure='\([^']*\)'.*/\1/")
case $figure in *curve*) echo '<svg>' >"$figure" ;; *) exit 1 ;; esac
EOF
chmod +x "$work/tools/gnuplot"
mkdir "$data/alpha/figures"
: >"$data/alpha/figures/curve.gp"
: >"$data/alpha/figures/other.gp"
cat >"$work/results/alpha.txt" <<'EOF'
# ranks: 2
# hosts: 2
# comm: sockets
# transport: tcp
# nic: lo mtu_bytes=65536
# nic: eth0 driver=e1000 mtu_bytes=1500 speed_Mbit_per_s=100
# oversubscribed: no
  size_bytes   median_s  sweep  name  offset
           1   2.5e-06       1     a     nan
           8   5.0e-06       1     b      -8
        4096   9.0e-05       1     a      -1
           8   7.0e-06       2     b      -2
# fit: model=one latency_us=2.25 latency_us_error=0.5
# RESULT: PASS latency_us 2.5 us low=2 high=3 interval=95% over=trials n=10 disturbed=no
# RESULT: PASS text_of fast 1
EOF
sed 's/oversubscribed: no/oversubscribed: yes/' "$work/results/alpha.txt" \
    >"$work/results/crowded.txt"
sed 's/PASS/FAIL/' "$work/results/alpha.txt" >"$work/results/wrong.txt"

# index FOLDER: the index of its page in $work/index, its numbers without their tooltips.
index()
{
    sed -n '/<section id="papers">/,/<\/section>/p' "$1/report.html" |
        sed 's/<span \(data-value\|class="interval"\)[^>]*>\([^<]*\)<\/span>/\2/g' >"$work/index"
}
# report: the page of these results and of the items in paper.dat.
report()
{
    PATH=$work/tools:$PATH "$install/bin/clustermark" report "$work/results" >"$work/out" \
        2>"$work/err" || { show "$work/err"; return 1; }
    index "$work/results"
}
# shows ANSWER PATTERN [VALUE [UNIT [NEEDS]]]: the row of the index for this answer has the pattern.
shows()
{
    printf 'key\t%s\t%s\tpaper-1\tsection 2\t%s\t%s\tan item\n' "${3:-10}" "${4:-us}" \
        "${5:--}" "$1" >"$data/alpha/paper.dat"
    report && grep 'an item' "$work/index" | grep -q -e "$2" || { show "$work/index"; false; }
}
ok 'a metric' shows 'latency_us' '>2.50, 2.00 to 3.00, 10 trials<.*>0.250<'
ok 'of a benchmark by name' shows 'alpha:latency_us' '>2.50, 2.00 to 3.00, 10 trials<'
ok 'a number' shows '4' '>4<.*>0.400<'
ok 'metadata' shows 'ranks' '>2<'
ok 'a fit' shows 'fit:one:latency_us' '>2.25, 1.27 to 3.23<'
ok 'a fit of a benchmark by name' shows 'alpha:fit:one:latency_us' '>2.25, 1.27 to 3.23<'
ok 'a row, calculated' shows 'median_s[size_bytes=8] * 1e6' '>5<'
ok 'two conditions' shows 'median_s[size_bytes=8,sweep=2] * 1e6' '>7<'
ok 'a condition in words' shows 'size_bytes[name=b]' '>8<'
ok 'the largest' shows 'median_s[size_bytes=max] * 1e6' '>90<'
ok 'the largest of some' shows 'median_s[name=b,sweep=max] * 1e6' '>7<'
ok 'the largest where the largest is' \
    shows 'median_s[size_bytes=max,sweep=max] * 1e6' '>90<'
ok 'in that order' shows 'median_s[sweep=max,size_bytes=max] * 1e6' '>7<'
ok 'whatever was asked before' shows \
    'most: size_bytes[size_bytes=max]; sweep: sweep[size_bytes=max,sweep=max]' \
    '>most: 4096; sweep: 1<' - figure
ok 'the largest of what comes before it only' \
    shows 'median_s[size_bytes=max,name=b]' "not in this run's result"
ok 'the first of the largest' shows 'median_s[name=b,size_bytes=max] * 1e6' '>5<'
ok 'the largest of negative numbers' shows 'size_bytes[offset=max]' '>4096<'
ok 'no largest of words' shows 'size_bytes[name=max]' "not in this run's result"
ok 'from left to right' shows '1 + 2 * 3 - 1 / 4' '>2<'
ok 'the smallest' shows 'median_s[size_bytes=min] * 1e6' '>2.50<'
ok 'the smallest of some' shows 'median_s[name=b,sweep=min] * 1e6' '>5<'
ok 'the smallest of negative numbers' shows 'size_bytes[offset=min]' '>8<'
ok 'labels, several' \
    shows 'ours: latency_us; double: latency_us * 2' \
    '>ours: 2.50, 2.00 to 3.00, 10 trials; double: 5.00, 4.00 to 6.00, 10 trials<' - figure
ok 'several have no ratio' \
    shows 'ours: latency_us; double: latency_us * 2' '<td class="agreement"></td></tr>' - figure
ok 'a figure' shows 'figure alpha curve' 'href="#alpha-curve"'
ok 'a figure that is not drawn' shows 'figure alpha other' 'not drawn'
ok 'a figure of what did not run' shows 'figure beta curve' 'not measured in this run'
ok 'rows' shows 'section alpha' 'href="#alpha"'
ok 'nothing, with the reason' shows 'none: a price' '>not measured: a price<'
ok 'a benchmark that did not run' shows 'beta:latency_us' 'not measured in this run'
ok 'a metric that is not there' shows 'bandwidth' "not in this run's result"
ok 'a row that is not there' shows 'median_s[size_bytes=9]' "not in this run's result"
ok 'a column that is not there' shows 'median_s[bytes=8]' "not in this run's result"
ok 'what is missing of several' \
    shows 'a: latency_us; b: beta:x' 'a: 2.50, [^;]*; b: <span class="none">not measured' - figure
ok 'and once if nothing is there' \
    shows 'a: beta:y; b: beta:x' '"here"><span class="none">not measured[^;]*</td>' - figure
ok 'no calculating with words' shows 'text_of * 2' 'not a number'
ok 'no dividing by zero' shows 'latency_us / 0' 'not computed: division by zero'
ok 'a wrong answer is no number' shows 'wrong:latency_us' 'wrong answer'
ok 'nor is one of a crowded host without a word' shows 'crowded:latency_us' 'more ranks than cores'
ok 'words of others are escaped' grep -q 'An &lt;author&gt;' "$work/index"

# ---- Claims --------------------------------------------------------------------------------------

# claim ANSWER PATTERN [NEEDS]
claim() { shows "$1" "$2" - claim "${3:--}"; }
ok 'a claim that holds over the whole interval' \
    claim 'latency_us < 3.5' '>2.50, 2.00 to 3.00, 10 trials; claimed: &lt; 3.5<.*>holds<'
ok 'one that holds nowhere in it' claim 'latency_us < 1.5' '>does not hold<'
ok 'one that holds in a part of it' claim 'latency_us < 2.5' '>cannot tell<'
ok 'the end belongs to the interval' claim 'latency_us < 3' '>cannot tell<'
ok 'and may be equal' claim 'latency_us <= 3' '>holds<'
ok 'the other direction' claim 'latency_us > 1.5' '>holds<'
ok 'where it holds nowhere' claim 'latency_us >= 3.5' '>does not hold<'
ok 'where it holds in a part' claim 'latency_us >= 2.5' '>cannot tell<'
ok 'intervals on both sides' claim 'latency_us * 2 > latency_us' '2.5.*>holds<'
ok 'that meet' claim 'latency_us * 1.4 > latency_us' '>cannot tell<'
ok 'a quotient of intervals' \
    claim 'latency_us / latency_us < 1.6' \
    '>1.00, 0.67 to 1.50, 10 trials; claimed: &lt; 1.6<.*>holds<'
ok 'a difference of intervals' claim 'latency_us - latency_us <= 0.5' \
    '>0, -1.00 to 1.00, 10 trials; .*>cannot tell<'
ok 'a divisor that may be 0' claim '1 / latency_us - latency_us < 9' '>holds<'
ok 'and one that is' claim 'latency_us - 2.5 / 1 < 9' '>holds<'
ok 'a fit has its standard error' claim 'fit:one:latency_us < 3.3' '2.25, 1.27 to 3.23; .*>holds<'
ok 'no interval' claim 'median_s[size_bytes=1] < 2.5e-06' '>does not hold<'
ok 'counts that are equal' claim 'ranks = 2' '>holds<'
ok 'and that are not' claim 'ranks = 3' '>does not hold<'
ok 'several tests: one that does not hold decides' \
    claim 'latency_us < 3.5; latency_us < 2.5; latency_us < 1.5' '>does not hold<'
ok 'then one that nothing answers' \
    claim 'latency_us < 3.5; beta:x < 1; latency_us < 2.5' 'not measured.*class="agreement"></td>'
ok 'a crowded host tests nothing' claim 'crowded:latency_us < 3.5' \
    'cores)</span></td><td class="a[^>]*></td>'
ok 'but counts' claim 'crowded:ranks = 2' '>holds<'
ok 'a claim has no ratio' claim 'latency_us < 3.5' \
    '"agreement"><span class="pass">holds</span></td>'
ok 'the summary' grep -q \
    'Here: 0 of 0 numbers compared; of 1 claim 1 holds, 0 do not, 0 cannot' "$work/index"

# ---- Places --------------------------------------------------------------------------------------

# here NEEDS: the item is compared; elsewhere NEEDS WORDS: it is not, for this reason.
here() { shows latency_us '>2.50, 2.00 to 3.00, 10 trials<.*>0.250<' 10 us "$1"; }
elsewhere()
{
    shows latency_us "cannot be tested here: needs $2<" 10 us "$1" &&
        ! grep 'an item' "$work/index" | grep -q '>2.50'
}
ok 'enough hosts' here 'hosts>=2'
ok 'too few' elsewhere 'hosts>=3' 'hosts &gt;= 3 (here 2)'
ok 'too many' elsewhere 'hosts<=1' 'hosts &lt;= 1 (here 2)'
ok 'the transport' here 'transport=tcp'
ok 'another one' elsewhere 'transport=shm' 'transport = shm (here tcp)'
ok 'all that fail are said' elsewhere 'ranks=8 hosts>=2 comm=mpi' \
    'ranks = 8 (here 2), comm = mpi (here sockets)'
ok 'the speed of the network' here 'Mbit_per_s=100'
ok 'another one' elsewhere 'Mbit_per_s=1000' 'Mbit_per_s = 1000 (here 100)'
ok 'the MTU of the network' here 'mtu_bytes=1500'
ok 'smaller frames' elsewhere 'mtu_bytes>=9000' 'mtu_bytes &gt;= 9000 (here 1500)'
ok 'a result by name' elsewhere 'alpha:ranks=4' 'alpha: ranks = 4 (here 2)'
ok 'which the answer does not name' here 'crowded:ranks=4'
ok 'a key that is not known' elsewhere 'place=ictp' 'place = ictp (here not known)'
ok 'a part of a text' here 'transport~cp'
ok 'that is not there' elsewhere 'transport~udp' 'transport ~ udp (here tcp)'
ok 'a claim is not tested elsewhere' \
    claim 'latency_us < 3.5' 'needs hosts &gt;= 3 (here 2)<.*</td><td class="agreement"></td>' \
    'hosts>=3'
cp "$work/results/alpha.txt" "$work/alpha.txt"
# now SED NEEDS WORDS: with other metadata.
now()
{
    sed "$1" "$work/alpha.txt" >"$work/results/alpha.txt"
    shift
    if [ $# -eq 1 ]; then here "$1"; else elsewhere "$@"; fi
    status=$?
    cp "$work/alpha.txt" "$work/results/alpha.txt"
    return $status
}
rate='s/^# comm:.*/&\n# virtual_rate: 1gbit\n# virtual_mtu: 9000/'
ok 'virtual hosts have a rate of their own' now "$rate" 'Mbit_per_s=1000 mtu_bytes>=9000'
ok 'and not that of their cards' now "$rate" 'Mbit_per_s=100' 'Mbit_per_s = 100 (here 1000)'
ok 'cards that differ' now 's/^# comm:.*/&\n# nic: eth1 driver=e speed_Mbit_per_s=1000/' \
    'Mbit_per_s=100' 'Mbit_per_s = 100 (here not known)'
ok 'no simulated messages beside real ones' \
    now 's/transport: tcp/transport: simulated by SimGrid/' \
    'hosts>=2' 'results that are not simulated'
ok 'nor what the dummy backend makes up' now 's/comm: sockets/comm: dummy/' \
    'hosts>=2' 'another backend than dummy, which makes its numbers up'

# A simulated cluster answers what its NAME.place has, and nothing else.
mkdir -p "$data/clusters/simulated"
{
    printf 'about: a cluster\npaper: paper-1\nbeside: other\nhosts: pc1-2\n'
    printf 'run: alpha | 2 | 1 | --x\n'
    printf 'item: alpha:key | predicted | latency_us * 4\n'
    printf 'item: alpha:two | fitted | beside/alpha:latency_us / latency_us\n'
} >"$data/clusters/simulated/lake.place"
sed '/^item\|^beside/d' "$data/clusters/simulated/lake.place" \
    >"$data/clusters/simulated/other.place"
ok 'which command would answer' shows latency_us \
    '(here 2)</span>; <code>clustermark run <span>--place lake</span></code><' 10 us 'hosts>=3'
# Of an item that the place does not have.
sed -i 's/alpha:key/alpha:four/' "$data/clusters/simulated/lake.place"
ok 'or virtual hosts' shows latency_us \
    '(here 100)</span>; <code>[a-z ]*<span>--place virtual:4,10mbit,mtu=9000</span></code><' \
    10 us 'hosts>=4 mtu_bytes=9000 Mbit_per_s=10'
ok 'and a setting of TCP' shows latency_us \
    '(here not known)</span>; <code>CM_NODELAY=0 [a-z ]*<span>--place virtual:2</span></code><' \
    10 us 'hosts>=2 transport=tcp nodelay=0'
ok 'twice, for results that stand beside others' shows latency_us \
    '(here sockets)</span>; <code>[a-z ]*<span>--place virtual:3</span></code> (both results)<' \
    10 us 'hosts>=3 alpha:comm=mpi beside/alpha:comm=sockets'
ok 'but not of another network' shows latency_us '(here sockets)</span></td>' 10 us \
    'hosts>=2 alpha:comm=mpi beside/alpha:Mbit_per_s=2000'
ok 'which have no other processor' shows latency_us '(here not known)</span></td>' 10 us \
    'hosts>=2 cpu~21264'
sed -i 's/alpha:four/alpha:key/' "$data/clusters/simulated/lake.place"
two()
{
    {
        printf 'key\t10\tus\tpaper-1\tsection 2\thosts>=3\tlatency_us\tan item\n'
        printf 'two\t2\t1\tpaper-1\tsection 3\t-\tnone: two places\ttwo places\n'
        printf 'three\t3\t1\tpaper-1\tsection 4\t-\tlatency_us\tthree\n'
    } >"$data/alpha/paper.dat"
}
two
mkdir "$work/lake" "$work/other"
sed 's/transport: tcp/transport: simulated by SimGrid/' "$work/alpha.txt" >"$work/lake/alpha.txt"
sed 's/latency_us 2.5/latency_us 5/' "$work/lake/alpha.txt" >"$work/other/alpha.txt"
echo 'place: lake' >"$work/lake/run.txt"
echo 'place: other' >"$work/other/run.txt"
# beside FOLDER OTHER: FOLDER's report with OTHER beside it; row TEXT PATTERN: a row of its index.
beside()
{
    PATH=$work/tools:$PATH "$install/bin/clustermark" report ${2:+--beside "$work/$2"} \
        "$work/$1" >"$work/out" 2>"$work/err" || { show "$work/err"; return 1; }
    index "$work/$1"
}
row() { grep -e ">$1<" "$work/index" | grep -q -e "$2" || { show "$work/index"; false; }; }
ok 'a report of the place' beside lake
ok 'has its answer' row 'an item' '>10.0, 8.0 to 12.0, 10 trials<.*>1.00 predicted<'
ok 'without the other place' row 'two places' 'needs --beside results of other<'
ok 'and nothing of other items' row three '"here">&#8211;</td><td class="agreement"></td>'
ok 'with another place beside it' beside lake lake
ok 'which is not the right one' row 'two places' 'needs --beside results of other<'
ok 'with the other place beside it' beside lake other
ok 'two results answer' row 'two places' '>2.00, [^<]*<.*>1.00 fitted<'
ok 'the place beside a run' beside results lake
ok 'both have their answers' row three '>2.50, [^<]*<.*>0.833<.*&#8211;'
ok 'no command where the place answers' \
    row 'an item' '(here 2)</span></td><td.*>10.0, [^<]*<.*>1.00 predicted'

# The same for programs.
field() { awk -F '\t' -v item="$1" -v side="$2" -v n="$3" \
    '$3 == item && $10 == side { print $n }' "$work/results/papers.tsv"; }
ok 'papers.tsv: what could not be tested' [ "$(field alpha:key Here 19)" = \
    'needs hosts >= 3 (here 2)' ]
ok 'papers.tsv: what the place says' [ "$(field alpha:key 'simulated lake' 12)" = 10 ]
ok 'papers.tsv: the interval' [ "$(field alpha:three Here 13)" = 2 ]
ok 'papers.tsv: how' [ "$(field alpha:key 'simulated lake' 18)" = predicted ]
ok 'papers.tsv: where' [ "$(field alpha:key Here 9)" = lake ]
ok 'papers.tsv: the command' [ "$(field alpha:key Here 20)" = 'clustermark run --place lake' ]
rm -r "$data/clusters"

# ---- Order ---------------------------------------------------------------------------------------

{
    printf 'a\t1\tus\tpaper-1\tsection 10, table\t-\talpha:latency_us\tten\n'
    printf 'b\t2\tus\tpaper-1\tsection 2.1\t-\tnone: b\ttwo one\n'
    printf 'c\t-\tclaim\tpaper-1\tabstract\t-\tnone: c\tabstract\n'
    printf 'd\t-\ttable\tpaper-1\tsection 10, table\t-\t-\tthe table\n'
    printf 'e\t1\tus\tpaper-1\tsection 10, table\t-\tbeta:latency_us\tten, too\n'
    printf 'f\t2\tus\tpaper-1\tsection 2\thosts>=3\tlatency_us\ttwo\n'
    printf 'g\t2\tus\tpaper-1\tsection 10.1\t-\tcrowded:latency_us\tten one\n'
} >"$data/alpha/paper.dat"
ok 'a report of several items' report
ok 'the order of the sections, numbers of tables last' [ "$(sed -n \
    's,.*<th scope="row">\([^<]*\)</th>.*,\1,p' "$work/index" | tr '\n' ';')" = \
    'abstract;two;two one;the table;ten one;ten;ten, too;' ]
ok 'a table counts its numbers' grep -q '1 of 2 numbers' "$work/index"
# section NAME: of a benchmark.
section() { sed -n "/<section id=\"$1\"/,/<\/section>/p" "$work/results/report.html"; }
ok 'an item stands under the benchmark that answers' \
    [ "$(section crowded | grep -c 'ten one')" -eq 1 ]
ok 'and under no other' [ "$(section alpha | grep -c 'ten one')" -eq 0 ]
ok 'those without an answer are counted under their owner' \
    [ "$(section alpha | grep -c '>two<')$(section alpha | grep -c '>2 numbers')" = 01 ]
printf 'h\t7\tus\tpaper-1\tsection 11\t-\tranks\tof crowded\n' >"$data/alpha/paper_crowded.dat"
ok 'a further file of items' report
ok 'whose owner is in its name' \
    [ "$(section crowded | grep -c 'of crowded.*>2</span> <span')" -eq 1 ]
rm "$data/alpha/paper_crowded.dat"

# ---- Items that are wrong ------------------------------------------------------------------------

# refuses WORDS FIELD...: an item of these fields is an error of line 3, which this line says.
refuses()
{
    words=$1; shift
    {
        printf '# a comment\n\n'
        printf '%s' "$1"; shift
        printf '\t%s' "$@"
        echo
    } >"$data/alpha/paper.dat"
    rm -f "$work/results/report.html"
    PATH=$work/tools:$PATH "$install/bin/clustermark" report "$work/results" >"$work/out" \
        2>"$work/err"
    [ $? -eq 3 ] && [ ! -e "$work/results/report.html" ] \
        && grep -q -F -e "/alpha/paper.dat:3: $words" "$work/err" || { show "$work/err"; false; }
}
ok 'seven fields' refuses 'item: 7 fields; expected 8, separated by tabs' \
    key 10 us paper-1 'section 2' latency_us what
ok 'nine fields' refuses 'item: 9 fields; expected 8' \
    key 10 us paper-1 'section 2' - latency_us what else
ok 'an empty field' refuses 'what: it is empty' \
    key 10 us paper-1 'section 2' - latency_us ''
ok 'an unknown paper' refuses "paper: 'paper-2': expected a name of suite/papers.tab" \
    key 10 us paper-2 'section 2' - latency_us what
ok 'a value in words' refuses "value: 'ten': expected a number or -" \
    key ten us paper-1 'section 2' - latency_us what
ok 'a value that is missing' refuses "unit: 'us': expected table, figure or claim" \
    key - us paper-1 'section 2' - latency_us what
ok 'an unknown place' refuses "place: 'chapter 2': expected \"abstract\" or \"section NUMBER\"" \
    key 10 us paper-1 'chapter 2' - latency_us what
ok 'a need that cannot be read' refuses "needs: 'hosts': expected KEY=VALUE" \
    key 10 us paper-1 'section 2' hosts latency_us what
ok 'one that compares words' refuses "needs: 'hosts>=two': expected KEY=VALUE, KEY>=NUMBER" \
    key 10 us paper-1 'section 2' 'hosts>=two' latency_us what
ok 'an answer that cannot be read' refuses "answer: '[size]': expected KEY=VALUE" \
    key 10 us paper-1 'section 2' - 'median_s[size] * 1e6' what
ok 'one that ends too early' refuses 'answer: at the end: expected a number, a metric or a column' \
    key 10 us paper-1 'section 2' - 'a: latency_us * ' what
ok 'a test that ends too early' refuses "answer: '<': expected an operator" \
    key - claim paper-1 'section 2' - 'a: latency_us < ' what
ok 'a link without a figure' refuses "answer: 'figure alpha': expected figure BENCH FIGURE" \
    key - figure paper-1 'section 2' - 'figure alpha' what
ok 'no answer and no reason' refuses 'answer: expected an answer, or none: REASON' \
    key 10 us paper-1 'section 2' - - what
ok 'a claim that is not tested' refuses 'answer: expected a test (< <= > >= =) of this claim' \
    key - claim paper-1 'section 2' - 'latency_us' what
ok 'a number of several parts' refuses 'answer: expected one part without a test' \
    key 10 us paper-1 'section 2' - 'latency_us; latency_us' what

echo 'paper-1' >"$data/suite/papers.tab"
says()
{
    "$install/bin/clustermark" report "$work/results" >"$work/out" 2>"$work/err"
    [ $? -eq 3 ] && grep -q -F -e "$1" "$work/err" || { show "$work/err"; false; }
}
ok 'a paper without a citation' says '/suite/papers.tab:1: paper: expected NAME|CITATION'

# ---- The tree's own ------------------------------------------------------------------------------

mkdir "$work/none"
echo 'not in profile quick' >"$work/none/netpipe.skipped"
ok 'all items of the tree can be read' "$suite" report "$work/none"
finish
