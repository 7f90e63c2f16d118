#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_survive.sh: what `clustermark run` must survive: signals, also as process 1, its own death,
# programs that hang, full disks, failed files, odd names, another MPI's launcher.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

# A build tree of its own with three benchmarks that do what the test says: $work/do/NAME is read
# by cm-NAME as shell commands before it writes its result.
tree=$work/tree source=$work/source
mkdir -p "$tree/suite" "$tree/src" "$source/suite" "$work/do"
: >"$tree/config.status"
echo "top_srcdir = $source" >"$tree/suite/Makefile"
cp "$suite" "$tree/suite/clustermark"
cp "$srcdir"/../suite/*.css "$srcdir"/../suite/*.gp "$srcdir"/../suite/papers.tab \
    "$srcdir"/../suite/references.tab "$source/suite"
: >"$source/suite/agreements.tab"
for name in one two three; do
    printf '%s%s\n' "folder=$name|run=cm-$name|ranks=2|quick=quick options" \
        "|seconds=1 1 1|heading=Heading $name|question=Question $name?"
    mkdir -p "$tree/$name"
    { stand_in; cat; } >"$tree/$name/cm-$name" <<END
[ -n "\$output" ] || exit 0    # asked for something else, --print-metrics
echo $name >>"$work/ran"
[ ! -f "$work/do/$name" ] || . "$work/do/$name"
{
    echo '# host: here'
    echo ' size_bytes median_s'
    echo '          1     1e-6'
    echo '# CHECK: wrong_bytes: 0 == 0  PASS'
    echo '# RESULT: PASS latency_us 1 us'
} >"\$output.part" && mv "\$output.part" "\$output" || exit 3
cat >"\$json" <<JSON || exit 3
{"schema": "clustermark-result", "schema_version": 1, "metadata": {"host": "here"},
 "columns": [{"name": "size_bytes", "format": "%.0f"}, {"name": "median_s", "format": "%.0e"}],
 "rows": [[1, 1e-6]], "samples": [], "comments": [], "checks": [
 {"name": "wrong_bytes", "value": 0, "relation": "==", "bound": 0, "pass": true}],
 "results": [{"pass": true, "metric": "latency_us", "value": 1, "unit": "us"}]}
JSON
END
    chmod +x "$tree/$name/cm-$name"
done >"$source/suite/benchmarks.tab"
dir=$work/results
plain='--launches=1 --launcher=env'   # words of a command
launch() { "$tree/suite/clustermark" run $plain "$@"; }

# ends STATUS ARGUMENT...: a run ends with this status.
ends()
{
    wanted=$1; shift
    launch "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    [ $got -eq "$wanted" ] || { echo "# status $got"; show "$work/err"; false; }
}
says() { grep -q -e "$1" "$work/err" || { show "$work/err"; false; }; }
files() { ls "$dir" | grep -v '^launches$' | tr '\n' ' '; }
all_files() { for n in one two three; do echo "$n.txt"; echo "$n.json"; done; }
record_json=$PWD/programs/record_json
export record_json
whole()
{
    [ "$(files)" = "$({ all_files; echo run.txt; } | sort | tr '\n' ' ')" ] || { files; false; }
}
fresh() { rm -rf "$dir" "$work/do" "$work/ran" "$work/pids"; mkdir "$work/do"; }

fresh
ok 'three benchmarks' ends 0 "$dir"
ok 'their results, and no other file' whole
ok 'plain lines where there is no terminal' \
    says '^clustermark: two: cm-two quick options, 2 ranks; '
ok 'what a run may take' says 'about 1 s, at most'
ok 'again' ends 0 "$dir"
ok 'nothing runs twice' [ "$(wc -l <"$work/ran")" -eq 3 ]
fresh
ok 'Ctrl-Z while a benchmark begins' env LD_PRELOAD="$PWD/programs/stopped_child.so" timeout 600 \
    "$tree/suite/clustermark" run $plain "$dir" 2>"$work/err" </dev/null
ok 'and all results' whole
if command -v script >/dev/null 2>&1; then
    fresh
    echo 'sleep 1.5' >"$work/do/two"
    TERM=xterm script -qec "'$tree/suite/clustermark' run $plain '$dir'" /dev/null \
        >"$work/screen" 2>&1 </dev/null
    ok 'on a terminal: the row of what runs' \
        grep -q 'two  *runs, [0-9]* s  *[0-9]* s' "$work/screen"
    ok 'and how long all will take' \
        grep -q '[12] of 3 launches; about [0-9]* s more' "$work/screen"
else skip 'on a terminal' 'script is not there'
fi

# ---- A writer that is killed ---------------------------------------------------------------------

fresh
mkdir -p "$dir/launches" "$work/tools"
{
    printf '# %s\n' 'program: cm-netpipe' 'ranks: 2' 'hosts: 1' 'host: here' 'comm: mpi'
    echo 'size_bytes n median_s low_s high_s disturbed summarized throughput_Mbit_per_s sweep'
    echo '1 12 1e-6 0.8e-6 3e-6 3 all 8 1'
    echo '8 12 2e-6 1.5e-6 2.5e-6 0 all 32 1'
    echo '# RESULT: PASS latency_us 1 us'
} >"$dir/netpipe.txt"
cp "$dir/netpipe.txt" "$work/netpipe.txt"
# A gnuplot that begins a figure.
cat >"$work/tools/gnuplot" <<EOF
#!/bin/sh
figure=\${3##*figure=\'}
echo '<svg' >"\${figure%%\'*}"
echo \$\$ >"$work/drawing"
exec sleep 300
EOF
chmod +x "$work/tools/gnuplot"
PATH=$work/tools:$PATH "$suite" figures "$dir" >/dev/null 2>&1 </dev/null &
drawer=$!
n=0
until [ -s "$work/drawing" ] || [ $n -ge 600 ]; do n=$((n + 1)); sleep 0.1; done
kill -9 $drawer "$(cat "$work/drawing")"
wait $drawer 2>/dev/null
parts() { find "$dir" -name '*.part*'; }
ok 'a killed writer leaves its part' [ -n "$(parts)" ]
for name in my.partial movie.mp4.part my.part.svg; do echo kept >"$dir/$name"; done
echo half >"$dir/netpipe.txt.part"
# One of the build's own table; it need not measure.
next_run()
{
    "$suite" run --only netpipe --launches 1 --launcher false "$dir" >"$work/out" 2>"$work/err"
    [ $? -eq 3 ]
}
ok 'the next run' next_run
ok 'removes it' [ -z "$(parts | grep -v '/m[^/]*$')" ]
ok 'and nothing else' [ "$(parts | grep -c '/m[^/]*$')" -eq 3 ]
fresh
mkdir "$dir"
echo kept >"$dir/somebody's.part"
ok 'a run into a folder that is no run' ends 0 "$dir"
ok 'removes nothing there' [ -f "$dir/somebody's.part" ]

# ---- Signals -----------------------------------------------------------------------------------

# A program that does not care for TERM, and what it started in a group of its own.
cat >"$work/stubborn" <<EOF
trap '' TERM INT HUP
setsid sleep 300 & echo \$! >>"$work/pids"
sleep 300 & echo \$! >>"$work/pids"
echo \$\$ >>"$work/pids"
wait; wait
EOF
wait_lines() # FILE NUMBER
{
    n=0
    until [ "$(wc -l <"$1" 2>/dev/null)" = "$2" ] || [ $n -ge 600 ]; do
        n=$((n + 1))
        sleep 0.1
    done
}
# Zombies whose parent is slow to look do not count.
alive()
{
    for pid in $(cat "$work/pids"); do
        case $(ps -o stat= -p "$pid" 2>/dev/null) in '' | Z*) ;; *) return 0 ;; esac
    done
    return 1
}
none_alive() { n=0; while alive && [ $n -lt 600 ]; do n=$((n + 1)); sleep 0.1; done; ! alive; }
now_ms() { date +%s%3N; }

# Where nohup has these tests ignore SIGHUP, it stays ignored.
hup=HUP
case $(sed -n 's/^SigIgn:.*\(.\)$/\1/p' "/proc/$$/status") in [13579bdf]) hup= ;; esac
for signal in INT TERM $hup; do
    fresh
    cp "$work/stubborn" "$work/do/two"
    # A shell starts it with SIGINT ignored, for it is in the background.
    "$tree/suite/clustermark" run $plain "$dir" >"$work/out" 2>"$work/err" \
        </dev/null &
    runner=$!
    wait_lines "$work/pids" 3
    began=$(now_ms)
    kill -$signal $runner
    wait $runner
    status=$?
    took=$(($(now_ms) - began))
    case $signal in INT) wanted=130 ;; TERM) wanted=143 ;; HUP) wanted=129 ;; esac
    ok "SIG$signal: status $wanted" [ $status -eq $wanted ] || echo "# status $status"
    # Long before what it runs would end by itself.
    ok "SIG$signal: at once" [ $took -lt 60000 ]
    echo "# after $took ms"
    ok "SIG$signal: nothing is left running" none_alive
    ok "SIG$signal: the result before it is kept" [ -f "$dir/one.txt" ]
    ok "SIG$signal: nothing says that the others failed" [ -z "$(ls "$dir" | grep 'two\|three')" ]
    rm "$work/do/two"
    ok "SIG$signal: the next run goes on" ends 0 "$dir"
    ok "SIG$signal: where it was" [ "$(tr '\n' ' ' <"$work/ran")" = 'one two two three ' ]
    ok "SIG$signal: to the same end" whole
done
# As nohup starts it. The benchmark waits until the signal was sent.
fresh
cat >"$work/do/two" <<END
echo here >>"$work/pids"
for n in \$(seq 600); do [ ! -e "$work/go" ] || break; sleep 0.05; done
END
(trap '' HUP; exec "$tree/suite/clustermark" run $plain "$dir") >"$work/out" 2>"$work/err" \
    </dev/null &
runner=$!
wait_lines "$work/pids" 1
kill -HUP $runner
: >"$work/go"
wait $runner
ok 'SIGHUP that nohup ignores: status 0' [ $? -eq 0 ] || show "$work/err"
ok 'all ran' whole
rm -f "$work/go"
fresh
cp "$work/stubborn" "$work/do/two"
"$tree/suite/clustermark" run $plain "$dir" >"$work/out" 2>"$work/err" \
    </dev/null &
runner=$!
wait_lines "$work/pids" 3
kill -KILL $runner
wait $runner 2>/dev/null
sed 1d "$work/pids" >"$work/pids.group"
mv "$work/pids.group" "$work/pids"
ok 'killed itself: the program it ran is gone' none_alive
for pid in $(cat "$work/pids"); do kill -KILL "$pid" 2>/dev/null; done

if unshare --pid --fork --mount-proc true 2>/dev/null; then
    for signal in INT TERM; do
        fresh
        cp "$work/stubborn" "$work/do/two"
        unshare --pid --fork --mount-proc --kill-child "$tree/suite/clustermark" run \
            $plain "$dir" >"$work/out" 2>"$work/err" </dev/null &
        outer=$!
        wait_lines "$work/pids" 3
        kill -$signal "$(ps -o pid= --ppid $outer | tr -d ' ')"
        wait $outer
        status=$?
        ok "as process 1: SIG$signal ends it" [ $status -eq 130 -o $status -eq 143 ] \
            || show "$work/err"
        ok "as process 1: no other benchmark runs" [ "$(tr '\n' ' ' <"$work/ran")" = 'one two ' ]
    done
    rm "$work/do/two"
    ok 'and the next run goes on' ends 0 "$dir"
else skip 'as process 1' 'no right to make a process namespace'
fi

# What is started when the benchmarks are over can be interrupted, too. Some shells unblock signals:
# the gnuplot that looks is none.
mkdir "$work/after"
{ stand_in; cat; } >"$work/after/start" <<END
[ -n "\$output" ] || exit 0
cp "$work/netpipe.txt" "\$output" && "$record_json" "\$output" >"\$json"
END
cat >"$work/after/gnuplot" <<END
#!$(command -v python3)
own = [line for line in open("/proc/self/status") if line.startswith("SigBlk")]
open("$work/blocked", "a").writelines(own)
END
cat >"$work/after/browser" <<END
#!/bin/sh
grep '^SigIgn' /proc/\$PPID/status >"$work/ignored"
END
chmod +x "$work/after"/*
figures_after()
{
    DISPLAY=:7 BROWSER=browser PATH=$work/after:$PATH "$suite" run --only netpipe --launches 1 \
        --launcher "'$work/after/start' %n" --open "$dir" >"$work/out" 2>"$work/err" </dev/null &
    wait $!
    [ -s "$work/blocked" ] || { show "$work/err"; false; }
}
if command -v python3 >/dev/null 2>&1; then
    fresh
    ok 'figures after a run' figures_after
    ok 'have no signal blocked' \
        [ "$(sort -u "$work/blocked")" = "$(grep '^SigBlk' /proc/self/status)" ]
    # A shell starts it with SIGINT and SIGQUIT ignored, for it is in the background.
    ok 'and SIGINT is ignored as before' grep -q '[67ef]$' "$work/ignored"
else skip 'figures after a run' 'python3 is not there'
fi

# A figure is a pipe, so that the page which has it is not finished when the signal comes.
mkdir -p "$work/pipe" "$work/tmp" "$work/given"
cat >"$work/pipe/gnuplot" <<END
#!/bin/sh
figure=\${3##*figure=\'}
mkdir "$work/piped" 2>/dev/null && ln -s "$work/figure" "\${figure%.part*}"
exit 1
END
chmod +x "$work/pipe/gnuplot"
cp "$work/netpipe.txt" "$work/given"
"$record_json" "$work/netpipe.txt" >"$work/given/netpipe.json"
behind_figures()
{
    rm -rf "$work/piped" "$work/figure"
    mkfifo "$work/figure"
    TMPDIR=$work/tmp PATH=$work/pipe:$PATH "$suite" "$@" >"$work/out" 2>"$work/err" </dev/null &
    writer=$!
    timeout 60 sh -c 'exec 3>"$1"; kill -TERM "$2"; : >"$1.empty"; mv -f "$1.empty" "$1"' \
        sh "$work/figure" $writer || kill -KILL $writer
    wait $writer
    status=$?
    [ $status -eq 143 ] || { show "$work/err"; echo "# status $status"; false; }
}
nothing_temporary() { [ -z "$(ls "$work/tmp")" ] || { ls "$work/tmp" | show; false; }; }
ok 'a signal while the page of a comparison is written' \
    behind_figures compare --html "$work/page.html" "$work/given" "$work/given"
ok 'leaves no figures' nothing_temporary
rm -rf "$work/tmp"/*
ok 'or that without names' behind_figures report --anonymous "$work/given"
ok 'leaves no copy' nothing_temporary

# ---- Two runs into one folder ------------------------------------------------------------------

fresh
cp "$work/stubborn" "$work/do/two"
"$tree/suite/clustermark" run $plain --fresh "$dir" >"$work/out" 2>"$work/first" </dev/null &
runner=$!
wait_lines "$work/pids" 3
ok 'a second run is refused' ends 2 "$dir"
ok 'in one line' [ "$(grep -c . "$work/err")" -eq 1 ]
ok 'that says why' says 'run: .*results: another run is using it; wait for its end'
ok 'also with --fresh' ends 2 --fresh "$dir"
ok 'which takes nothing away' [ -f "$dir/one.txt" ]
kill -INT $runner
wait $runner
ok 'the first one, which was told --fresh, must go on without' \
    grep -q 'the same command without --fresh goes on' "$work/first" || show "$work/first"
rm "$work/do/two"
ok 'and does so' ends 0 "$dir"
ok 'with what there was' [ "$(tr '\n' ' ' <"$work/ran")" = 'one two two three ' ]

# ---- The user's own files ----------------------------------------------------------------------

for own in run two; do
    fresh
    mkdir "$dir"
    printf '# Notes\nof mine\n' >"$dir/$own.txt"
    cp "$dir/$own.txt" "$work/notes"
    ok "a user's own $own.txt: status 2" ends 2 "$dir"
    ok 'in one line that names it' \
        says "^clustermark: run: .*/results/$own.txt is not a file of clustermark's and would be"
    ok 'also with --fresh' ends 2 --fresh "$dir"
    ok 'it stays as it was' cmp -s "$dir/$own.txt" "$work/notes"
    ok 'and nothing was started' [ ! -e "$work/ran" ]
done

# ---- Programs that hang or fail ----------------------------------------------------------------

fresh
cp "$work/stubborn" "$work/do/two"
ok 'a benchmark that hangs: status 3' ends 3 --time-limit 1 "$dir"
ok 'it is named, with its limit' \
    says '^clustermark: two: failed: ended at its time limit of 1 s'
ok 'nothing of it is left' none_alive
ok 'the rest goes on' [ -f "$dir/three.txt" ]
ok 'the reason stays' grep -q '^ended at its time limit' "$dir/two.failed"
rm "$work/do/two"
ok 'the next run repeats it' ends 0 "$dir"
ok 'and it alone' [ "$(tr '\n' ' ' <"$work/ran")" = 'one two three two ' ]
ok 'the failure is forgotten' whole

fresh
cat >"$work/do/two" <<'EOF'
{
    echo '--------------------------------------------------------------'
    echo 'There are not enough slots available in the system.'
    echo 'Either request fewer slots, or make more available.'
    echo '--------------------------------------------------------------'
} >&2
exit 1
EOF
ok 'a launcher that fails: status 3' ends 3 "$dir"
ok 'its reason, not its frame' \
    says '^clustermark: two: failed: exit status 1: There are not enough slots available'
fresh
printf '%s\n' 'echo "cm-two: --upper 0: expected 1 or more" >&2' \
    'echo "mpiexec: something ended" >&2; exit 2' >"$work/do/two"
ok "a program's own line" ends 3 "$dir"
ok 'goes before the launcher' says '^clustermark: two: failed: exit status 2: cm-two: --upper 0: '
fresh
cat >"$work/do/two" <<'EOF'
{
    echo '# host: here'
    echo ' size_bytes median_s'
    echo '          1     1e-6'
    echo '# RESULT: PASS latency_us 1 us'
} >"$output"
"$record_json" "$output" >"$json"
exit 1
EOF
ok 'status 1 beside a result that passes: status 3' ends 3 "$dir"
ok 'is a failure' \
    says '^clustermark: two: failed: exit status 1, though its result knows no wrong answer'
ok 'without a result' [ ! -e "$dir/two.txt" ]
rm "$work/do/two"; : >"$work/ran"
ok 'that the next run repeats' ends 0 "$dir"
ok 'and it alone' [ "$(cat "$work/ran")" = two ]
fresh
cat >"$work/do/two" <<'EOF'
{
    echo '# host: here'
    echo ' size_bytes median_s'
    echo '          1     1e-6'
    echo '# RESULT: FAIL latency_us 1 us'
} >"$output"
"$record_json" "$output" >"$json"
exit 1
EOF
ok 'status 1 beside a wrong answer: status 1' ends 1 "$dir"
ok 'is a result' [ -e "$dir/two.txt" ]
fresh
echo 'kill -SEGV $$' >"$work/do/two"
ok 'a program that crashes' ends 3 "$dir"
ok 'by its signal' says 'two: failed: killed by signal 11'
fresh
echo 'json=/nowhere/file' >"$work/do/two"
ok 'a JSON that cannot be written: status 3' ends 3 "$dir"
ok 'is a failure' [ -f "$dir/two.failed" ]
rm "$work/do/two"
ok 'that the next run repeats' ends 0 "$dir"
ok 'whole' whole
: >"$work/ran"
printf '{"half": ' | tee "$dir/two.json" >"$dir/launches/two.1.json"
ok 'a JSON that is damaged' ends 0 "$dir"
ok 'is measured again, and it alone' [ "$(cat "$work/ran")" = two ]
ok 'and whole' cmp "$dir/one.json" "$dir/two.json"
rm "$dir/three.json"
ok 'a JSON that is lost' ends 0 "$dir"
ok 'is measured again' [ -f "$dir/three.json" ]

# A full disk, which only this test sees.
if unshare --mount sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
    fresh
    mkdir "$dir"
    cat >"$work/full" <<EOF
mount -t tmpfs -o size=64k none "$dir" || exit 99
"$tree/suite/clustermark" run $plain --only one "$dir" || exit 98
head -c 100000 /dev/zero >"$dir/filler" 2>/dev/null
"$tree/suite/clustermark" run $plain "$dir"
echo "status \$?"
ls "$dir" | sed 's/^/file /'
rm "$dir/filler"
"$tree/suite/clustermark" run $plain "$dir"
echo "then \$?"
ls "$dir" | sed 's/^/then file /'
EOF
    unshare --mount sh "$work/full" >"$work/out" 2>"$work/err" </dev/null
    ok 'a full disk: status 3' grep -q '^status 3$' "$work/out" || show "$work/out" "$work/err"
    ok 'in a few lines' [ "$(wc -l <"$work/err")" -lt 20 ]
    ok 'no half file' [ -z "$(grep '^file.*part' "$work/out")" ]
    ok 'what was there stays' grep -q '^file one.txt' "$work/out"
    ok 'with room again, the run goes on' grep -q '^then 0$' "$work/out" \
        || show "$work/out" "$work/err"
    ok 'and no failure stays' [ -z "$(grep '^then file.*\(failed\|part\|skipped\)' "$work/out")" ]
else skip 'a full disk' 'no right to mount'
fi

# ---- One folder, one way of running ------------------------------------------------------------

fresh
ok 'a run' ends 0 "$dir"
other() # KEY VALUE REGEX
{
    cp "$dir/run.txt" "$work/told"
    sed -i "s/^$1: .*/$1: $2/" "$dir/run.txt"
    ends 2 "$dir" && says "$3" && [ "$(wc -l <"$work/err")" -eq 1 ] && [ -f "$dir/one.txt" ]
    result=$?
    cp "$work/told" "$dir/run.txt"
    return $result
}
ok 'another backend is refused' other comm pigeons 'a run over the backend pigeons, not'
ok 'another version' other version 0.0.1 'a run of version 0.0.1, not'
ok 'another profile' other profile full 'a run of profile full, not quick'
ok 'other hosts' other hosts a,b 'a run on a,b, not this host'
ok 'another number of ranks' other ranks 64 'a run with 64 ranks, not'
ok 'another host' other host nodeB 'a run on the host nodeB, not'
fresh
ok 'localhost' ends 0 --hosts localhost "$dir"
sed -i 's/^host: .*/host: nodeB/' "$dir/run.txt"
ok 'of another host is refused, too' ends 2 --hosts localhost "$dir"
ok 'in one line' says 'a run on the host nodeB, not'
fresh
ok 'a run' ends 0 "$dir"
sed -i '/^host: /d' "$dir/run.txt"
ok 'a folder of an older version, without its name' ends 0 "$dir"
ok 'gets it' grep -q "^host: $(uname -n)\$" "$dir/run.txt"
sed -i 's/^version: .*/version: 0.0.1/' "$dir/run.txt"
ok 'part of it in another way is refused, fresh or not' ends 2 --fresh --only one "$dir"
: >"$work/ran"
ok '--fresh replaces all of it' ends 0 --fresh "$dir"
ok 'every run' [ "$(tr '\n' ' ' <"$work/ran")" = 'one two three ' ]

# ---- Names -------------------------------------------------------------------------------------

odd=$work/"a 'b' \"c\" \$d
e"
fresh
ok 'a folder with blanks, quotes and a newline' ends 0 "$odd"
ok 'has its results' [ -f "$odd/two.txt" ]
without_locale() { (LC_ALL=C; export LC_ALL; ends 0 --fresh "$odd"); }
ok 'without a locale' without_locale
"$tree/suite/clustermark" report "$odd" >"$work/out" 2>"$work/err"
ok 'and a report' [ -s "$odd/report.html" ] || show "$work/err"
mkdir "$work/a b"
printf '#!/bin/sh\nexec "$@"\n' >"$work/a b/start it"
chmod +x "$work/a b/start it"
fresh
spaced()
{
    "$tree/suite/clustermark" run --launches 1 --launcher "'$work/a b/start it' env R=%n" "$dir" \
        2>"$work/err"
}
ok 'a launcher whose path has blanks' spaced
ok 'a launcher with an open quotation' ends 2 --launcher "'start" "$work/more"
ok 'is named' says 'a quotation does not end'
refused() { [ "$(grep -c . "$work/err")" -eq 1 ] && [ ! -e "$work/more" ] && says "$1"; }
ok 'a launcher that is not there' ends 2 --launcher 'nosuch -n %n' "$work/more"
ok 'is named, and nothing is made' \
    refused "^clustermark: run: --launcher 'nosuch -n %n': .*not there"
ok 'an empty one' ends 2 --launcher '' "$work/more"
ok 'likewise' refused "^clustermark: run: --launcher '': it is empty; expected"
ok 'nothing named by --only' ends 2 --only '' "$work/more"
ok 'likewise' refused "^clustermark: run: --only '': expected names"

# ---- Whose launcher ----------------------------------------------------------------------------

configured=$(sed -n 's/^#define CM_MPI_LAUNCHER "\(.*\)"/\1/p' ../config.h)
case $configured in
mpiexec | mpiexec.hydra) other=mpiexec.mpich ;;
mpiexec.mpich) other=mpiexec.hydra ;;
*) other= ;;
esac
if [ "$comm" != mpi ] || ! grep -q 'CM_MPI_NAME "MPICH"' ../config.h || [ -z "$other" ]; then
    skip "another MPI's mpiexec" 'the programs do not start by an mpiexec of MPICH'
else
    mkdir "$work/bin"
    cat >"$work/bin/$configured" <<'EOF'
#!/bin/sh
[ "$1" != --version ] || { echo 'mpiexec (OpenRTE) 4.1.4'; exit; }
echo 'the wrong launcher ran' >&2; exit 1
EOF
    cat >"$work/bin/$other" <<'EOF'
#!/bin/sh
[ "$1" != --version ] || { echo 'HYDRA build details:'; exit; }
shift 2; exec "$@"
EOF
    chmod +x "$work/bin"/*
    under()
    {
        (PATH=$1; export PATH
            "$tree/suite/clustermark" run --launches 1 "$dir" >"$work/out" 2>"$work/err" </dev/null)
    }
    fresh
    ok "another MPI's mpiexec first in PATH" under "$work/bin:$PATH" || show "$work/err"
    ok 'is not used, and that is said' \
        says "^clustermark: $configured belongs to Open MPI; programs start by $other$"
    for tool in sh env echo mv; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
    rm "$work/bin/$other"
    fresh
    under "$work/bin"
    ok 'no other there: status 3' [ $? -eq 3 ]
    ok 'with advice' says 'belongs to Open MPI, but the programs are linked with MPICH: put its'
fi
finish
