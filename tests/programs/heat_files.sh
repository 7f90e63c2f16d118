#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# heat_files.sh: files that cm-heat writes while it runs: checkpoints and their use, frames and
# their pictures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
program=$(pwd)/../heat/cm-heat
few='--no-stream --warm-up 0 --quiet -n 33 --rows 30'
two=2
[ "$comm" != dummy ] || two=1

# no REGEX ARGUMENT...: refused with this line.
no() { what=$1 regex=$2; shift 2; ok "$what" refuses "^cm-heat: $regex" "$program" $few "$@"; }

# ---- Checkpoints --------------------------------------------------------------------------------

# A run that is cut in two, the second part with another number of ranks, ends with the same bits.
for method in jacobi sor chebyshev; do
    ok "$method in one go" \
        run 1 0 '' "$program" $few -m $method --iterations 60 --checkpoint "$work/whole"
    ok "$method, the first part" \
        run 1 0 '' "$program" $few -m $method --iterations 25 --checkpoint "$work/part"
    ok "$method, the rest" \
        run $two 0 '' "$program" $few -m $method --iterations 60 --restart "$work/part" \
        --checkpoint "$work/part" -o "$work/rest.txt"
    ok "$method: the same bits" cmp "$work/whole" "$work/part"
    ok "$method: it began where it was" grep -q '^# restart_iteration: 25$' "$work/rest.txt"
    rm -f "$work/whole" "$work/part" "$work/rest.txt"
done

# Only rank 0 reads the file of a side.
awk 'BEGIN { for (k = 1; k <= 33; k++) print k }' >"$work/side"
north="--north file:$work/side"
ok 'a side from a file, the first part' \
    run $two 0 '' "$program" $few $north --iterations 20 --checkpoint "$work/part"
ok 'and the rest' run $two 0 '' "$program" $few $north --iterations 40 --restart "$work/part"
rm -f "$work/part"

# A run killed at any time leaves a complete checkpoint or none, never a torn one, and continues
# from it.
killed=$work/killed
CM_DUMMY=ranks=1 "$program" $few --iterations 100000000 --collect 0 --checkpoint-every 10 \
    --checkpoint "$killed" >/dev/null 2>&1 &
job=$!
tries=0
while [ ! -s "$killed" ] && [ $tries -lt 600 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -9 $job
wait $job 2>/dev/null
ok 'a killed run left a checkpoint' [ -s "$killed" ]
at=$(od -A n -t d8 -j 64 -N 8 "$killed" | tr -d ' ')
end=$((${at:-0} + 1000))
ok 'it goes on' run 1 0 '' \
    "$program" $few --iterations $end --collect 0 --restart "$killed" --checkpoint "$work/resumed"
ok 'a run of its own' \
    run 1 0 '' "$program" $few --iterations $end --collect 0 --checkpoint-every $end \
        --checkpoint "$work/end"
ok 'has the same bits' cmp "$work/end" "$work/resumed"

ok 'a checkpoint' run $two 0 '' "$program" $few --iterations 20 --checkpoint "$work/good"
ok 'and no temporary beside it' [ "$(ls "$work" | grep -c '^good')" = 1 ]
go="--iterations 40 --restart"
no 'none' '--restart [^ ]*: No such file' $go "$work/none"
longer='something else, which is longer than the header of a checkpoint of cm-heat is by itself'
printf '%s, %0100d' "$longer" 0 >"$work/foreign"
no 'a foreign file' '--restart [^ ]* is no checkpoint of cm-heat' $go "$work/foreign"
: >"$work/empty"
no 'an empty one' '--restart [^ ]* is no checkpoint of cm-heat' $go "$work/empty"
dd if="$work/good" of="$work/torn" bs=1000 count=3 2>/dev/null
no 'a torn one' '--restart [^ ]* is torn: 3000 bytes instead of' $go "$work/torn"
cp "$work/good" "$work/longer"; echo >>"$work/longer"
no 'one with more at its end' '--restart [^ ]* is torn' $go "$work/longer"
cp "$work/good" "$work/changed"
printf 'X' | dd of="$work/changed" bs=1 seek=2000 conv=notrunc 2>/dev/null
no 'one with a byte changed' '--restart [^ ]* is damaged' $go "$work/changed"
another='--restart [^ ]* is of another run'
no 'one of another size' "$another: its size is 33, here it is 34" --size 34 $go "$work/good"
no 'one of another precision' "$another: of another precision" -p single $go "$work/good"
no 'one of another method' "$another: of another method" -m sor $go "$work/good"
no 'one with other sides' '--restart [^ ]* is of another run: its sides' --west 74 $go "$work/good"
no 'one that is farther' '--restart [^ ]* is at iteration 20; --iterations 20 must be more' \
    --iterations 20 --restart "$work/good"
no 'its own result' '--restart and --output [^ ]*: give two different files' \
    $go "$work/good" --force -o "$work/good"
no 'the file of a side as its result' '--north and --output [^ ]*: give two different files' \
    $north --force -o "$work/../heat_files.work/side"
ok 'which is still there' [ "$(wc -l <"$work/side")" = 33 ]
no 'a file that is there' '--checkpoint [^ ]* exists; ' --iterations 20 --checkpoint "$work/good"
no 'a folder that is not' '--checkpoint [^ ]* cannot be created: folder' \
    --iterations 20 --checkpoint "$work/none/cp"
no 'a folder as a file' '--checkpoint [^ ]* is not a regular file' \
    --iterations 20 --checkpoint "$work"

# A run killed while it writes leaves FILE.part, which is removed when FILE is next read or written.
large='--no-stream --warm-up 0 --quiet -n 1500 --iterations 100000000 --collect 0'
large="$large --checkpoint-every 1"
CM_DUMMY=ranks=1 "$program" $large --force --checkpoint "$work/cut" >/dev/null 2>&1 &
job=$!
is_stopped() { [ ! -e "/proc/$1" ] || grep -q '^State:[[:space:]]*[TZ]' "/proc/$1/status"; }
# While stopped, it cannot finish writing between the check and the kill.
tries=0
while [ $tries -lt 1000 ]; do
    tries=$((tries + 1))
    kill -STOP $job
    until is_stopped $job; do :; done
    [ ! -s "$work/cut.part" ] || break
    kill -CONT $job
    sleep 0.02
done
kill -9 $job
wait $job 2>/dev/null
ok 'a run killed while it wrote' [ -f "$work/cut.part" ]
ok 'and the next to the same file' \
    run $two 0 '' "$program" $few --iterations 20 --force --checkpoint "$work/cut"
ok 'leaves nothing of it' [ ! -e "$work/cut.part" ]
for bytes in 0 4 3000; do
    dd if="$work/good" of="$work/good.part" bs=1 count=$bytes 2>/dev/null
    ok "what goes on elsewhere from a run killed after $bytes bytes" run $two 0 '' \
        "$program" $few $go "$work/good" --checkpoint "$work/elsewhere" --force
    ok 'leaves nothing of it' [ ! -e "$work/good.part" ]
done
cp "$work/foreign" "$work/mine.part"
no 'a foreign file with that name' \
    '--checkpoint [^ ]*/mine is first written to [^ ]*/mine.part, which exists and is not' \
    --iterations 20 --checkpoint "$work/mine"
mkdir "$work/folder.part"
no 'a folder with that name' '--checkpoint [^ ]* is first written to [^ ]*/folder.part, which' \
    --iterations 20 --checkpoint "$work/folder"
ok 'stay' sh -c "cmp '$work/foreign' '$work/mine.part' && [ -d '$work/folder.part' ]"
cp "$work/foreign" "$work/good.part"
ok 'as they do where FILE is only read' \
    run 1 0 '' "$program" $few $go "$work/good" --checkpoint "$work/elsewhere" --force
ok 'with the same bytes' cmp "$work/foreign" "$work/good.part"
if command -v flock >/dev/null 2>&1; then
    cp "$work/good" "$work/good.part"
    exec 8<"$work/good.part"
    flock 8
    no 'one that another run is writing' '--checkpoint [^ ]* is being written by another run' \
        --iterations 20 --checkpoint "$work/good" --force
    ok 'which does not end one that only reads' \
        run 1 0 '' "$program" $few $go "$work/good" --checkpoint "$work/elsewhere" --force
    ok 'stays' cmp "$work/good" "$work/good.part"
    exec 8<&-
else skip 'a checkpoint that another run is writing' 'flock is not there'
fi

# ---- Frames --------------------------------------------------------------------------------------

frames=$work/frames
ok 'frames' run $two 0 '' "$program" $few --iterations 60 --frames "$frames"
ok 'of the beginning and every 20 iterations' [ "$(cd "$frames" && echo frame-*.dat)" = \
    'frame-0000000000.dat frame-0000000020.dat frame-0000000040.dat frame-0000000060.dat' ]
ok 'of all points' [ "$(wc -c <"$frames/frame-0000000020.dat")" = $((4 * 34 * 31)) ]
no 'frames that are there' '--frames [^ ]* holds 4 frames' --iterations 20 --frames "$frames"
echo precious >"$work/precious"
ln -sf ../precious "$frames/frames.txt"
ok 'replaced by --force' \
    run 1 0 '' "$program" $few --iterations 40 -k 40 --collect-points 11 --frames "$frames" --force
ok 'and follows no link' grep -q precious "$work/precious"
ok 'leaves none of the former' \
    [ "$(cd "$frames" && echo frame-*.dat)" = 'frame-0000000000.dat frame-0000000040.dat' ]
ok 'and is thinned' [ "$(wc -c <"$frames/frame-0000000040.dat")" = $((4 * 12 * 11)) ]
if command -v gnuplot >/dev/null 2>&1; then
    ok 'heat-frames.gp' sh -c "gnuplot -d -e \"frames='$frames'\" \
        '$srcdir/../heat/figures/heat-frames.gp' 2>'$work/gnuplot'"
    ok 'draws each frame' is_png "$frames/frame-0000000040.png"
    ok 'and an animation' [ "$(dd if="$frames/plate.gif" bs=6 count=1 2>/dev/null)" = GIF89a ]
    GNUTERM='dumb' ok 'live, as text' sh -c "GNUTERM='unknown' CM_DUMMY=ranks=1 \
        '$program' $few --iterations 40 --watch >'$work/watched' 2>'$work/live'"
    ok 'and the result is as always' grep -q '^# RESULT: PASS rate_GLUP_per_s' "$work/watched"
else skip 'heat-frames.gp' 'gnuplot is not there'
fi
finish
