#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run_ranks.sh: run-ranks and tap-merge detect everything that goes wrong in the program they run.
work=$(mktemp -d "${TMPDIR:-/tmp}/run_ranks.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
points=0
# These tests do not spin and need not wait for others.
export TEST_LOCK="$work/lock"
unset TEST_TURNS

# try NAME OPTIONS EXPECTED: the program is on stdin; EXPECTED has all points of run-ranks without
# their numbers.
try()
{
    { echo '#!/bin/sh'; cat; } >"$work/prog"
    chmod +x "$work/prog"
    # shellcheck disable=SC2086
    got=$(./run-ranks -n 1 -l none $2 "$work/prog" 2>&1 |
        sed -n -e 's/^ok [0-9]* - /ok: /p' -e 's/^not ok [0-9]* - /not ok: /p' -e '/^1\.\./p')
    points=$((points + 1))
    if test "$got" = "$3"; then echo "ok $points - $1"
    else
        echo "not ok $points - $1"
        printf '%s\n' "got:" "$got" "want:" "$3" | sed 's/^/# /'
    fi
}

try 'a program that passes' '' 'ok: [none 1] one
ok: [none 1] two
ok: [none 1] runs to its end
1..3' <<'E1'
echo "ok 1 - one"; echo "# words"; echo "ok 2 two"; echo 1..2
E1
try 'it finds its number of ranks' '' 'ok: [none 1] ranks 1
ok: [none 1] runs to its end
1..2' <<'E1'
echo "ok - ranks $TEST_RANKS"; echo 1..1
E1
try 'a failed point' '' 'not ok: [none 1] one
ok: [none 1] runs to its end
1..2' <<'E1'
echo 1..1; echo "not ok 1 - one"; exit 1
E1
try 'a status that is not 0 though all points passed' '' 'ok: [none 1] one
not ok: [none 1] runs to its end
1..2' <<'E1'
echo 1..1; echo "ok 1 - one"; exit 3
E1
try 'a crash' '' 'ok: [none 1] one
not ok: [none 1] runs to its end
1..2' <<'E1'
echo "ok 1 - one"; kill -SEGV $$
E1
try 'a program that hangs' '-t 1' 'ok: [none 1] one
not ok: [none 1] runs to its end
1..2' <<'E1'
echo "ok 1 - one"; exec sleep 100
E1
try 'no plan' '' 'ok: [none 1] one
not ok: [none 1] runs to its end
1..2' <<'E1'
echo "ok 1 - one"
E1
try 'two plans, as from two jobs of one instead of a job of two' '' 'ok: [none 1] one
ok: [none 1] one
not ok: [none 1] runs to its end
1..3' <<'E1'
for i in 1 2; do echo "ok 1 - one"; echo 1..1; done
E1
try 'fewer points than planned' '' 'ok: [none 1] one
not ok: [none 1] runs to its end
1..2' <<'E1'
echo 1..2; echo "ok 1 - one"
E1
try 'no output at all' '' 'not ok: [none 1] runs to its end
1..1' <<'E1'
exit 0
E1
try 'a program that gives up' '' 'not ok: [none 1] runs to its end
1..1' <<'E1'
echo "Bail out! no"; exit 0
E1
try 'a program that is skipped' '' 'ok: [none 1] runs to its end # SKIP not here
1..1' <<'E1'
echo "1..0 # SKIP not here"
E1
try 'an expected status and line' '-s 4 -m wrong' \
    'ok: [none 1] prog ends with status 4, with one line that matches wrong
1..1' <<'E1'
echo "a wrong number" >&2; exit 4
E1
try 'another status' '-s 4' 'not ok: [none 1] prog ends with status 4
1..1' <<'E1'
exit 0
E1
try 'the line twice' '-m wrong' 'not ok: [none 1] prog ends, with one line that matches wrong
1..1' <<'E1'
echo "a wrong number" >&2; echo "a wrong number" >&2
E1

# Several jobs at once, each of which would see the others. Without flock they do not wait, nor does
# one process alone.
cat >"$work/alone" <<'E1'
#!/bin/sh
test "${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}}" = 0 || exit 0
mkdir "$1/busy" && sleep 0.3 && rmdir "$1/busy"
E1
chmod +x "$work/alone"
points=$((points + 1))
if test "${TEST_COMM-}" != mpi; then
    echo "ok $points - programs take turns # SKIP ranks of native backends sleep and need none"
elif command -v flock >/dev/null 2>&1; then
    for i in 1 2 3; do
        TEST_TURNS=1 ./run-ranks -n 2 -s 0 "$work/alone" "$work" >"$work/alone.$i" 2>&1 &
    done
    wait
    if grep -q '^ok' "$work/alone.1" && grep -q '^ok' "$work/alone.2" &&
        grep -q '^ok' "$work/alone.3" && ! grep -q '^not ok' "$work"/alone.[123]; then
        echo "ok $points - programs take turns"
    else
        echo "not ok $points - programs take turns"
        sed 's/^/# /' "$work"/alone.[123]
    fi
else
    echo "ok $points - programs take turns # SKIP no flock"
fi

# together WORDS TURNS: two jobs of which each waits until the other has begun.
cat >"$work/meets" <<'E1'
#!/bin/sh
test "${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}}" = 0 || exit 0
: >"$1/begun.$2"
tries=0
until test -e "$1/begun.1" && test -e "$1/begun.2"; do
    tries=$((tries + 1))
    test $tries -lt 600 || exit 1
    sleep 0.1
done
E1
chmod +x "$work/meets"
together()
{
    points=$((points + 1))
    if test "${TEST_COMM-}" = dummy; then
        echo "ok $points - $1 # SKIP the dummy backend has one process"
        return
    fi
    rm -f "$work"/begun.*
    for i in 1 2; do
        TEST_TURNS=$2 ./run-ranks -n 2 -s 0 "$work/meets" "$work" $i >"$work/meets.$i" 2>&1 &
    done
    wait
    if grep -q '^ok' "$work/meets.1" && grep -q '^ok' "$work/meets.2" &&
        ! grep -q '^not ok' "$work"/meets.[12]; then
        echo "ok $points - $1"
    else
        echo "not ok $points - $1"
        sed 's/^/# /' "$work"/meets.[12]
    fi
}
together 'two turns are two jobs at once' 2
case ${TEST_COMM-} in sockets | shm | hybrid) together 'native jobs need no turns' '' ;; esac

# launchers OPTION...: which ones a program runs under.
cat >"$work/plain" <<'E1'
#!/bin/sh
echo 1..1
echo "ok 1 - one${1:+ $1}"
E1
chmod +x "$work/plain"
launchers()
{
    ./run-ranks -n 1 "$@" "$work/plain" 2>&1 |
        sed -n 's/^ok [0-9]* - \[\([a-z]*\) 1\] one\(.*\)$/\1\2/p' | tr '\n' ' '
}
points=$((points + 1))
case ${TEST_COMM-} in
sockets | shm | hybrid) first='cmrun ' ;;
*) first=$(launchers) ;;
esac
others=$(launchers) others=${others%"$first"}
few="$(printf '%s' "$others" | sed 's/ / few /g')$first"
if test "$(launchers -o other)" = "$first" && test "$(launchers -o "$work/plain few")" = "$few" &&
    test "$(TEST_LAUNCHERS=all launchers -o "$work/plain few")" = "$others$first"; then
    echo "ok $points - -o: one launcher for all, the others for a part of one program"
else
    echo "not ok $points - -o: one launcher for all, the others for a part of one program"
    echo "# $(launchers) / $(launchers -o other) / $(launchers -o "$work/plain few")"
fi

sources=$(cd "${srcdir-.}" && pwd)
# point NAME CONDITION...
point()
{
    name=$1; shift
    points=$((points + 1))
    if "$@"; then echo "ok $points - $name"; else echo "not ok $points - $name"; fi
}

# A turn whose file cannot be made is one of the build's own. Turns are of processors allowed here.
took_turn()
{
    (
        TEST_LOCK=$work/turn TEST_TURNS=2
        . "$sources/turns.inc"
        exec 8>"$work/turn.0" && flock 8 && turn_take mpi "$work/fallback"
    ) && [ -e "$work/fallback.1" ]
}
one_processor()
{
    one=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
    [ "$(export OMP_NUM_THREADS=7; taskset -c "$one" sh -c '. "$0"; turn_count' \
        "$sources/turns.inc")" = 1 ]
}
mkdir "$work/turn.1"
if command -v flock >/dev/null 2>&1; then point 'a turn that cannot be used' took_turn; fi
if command -v taskset >/dev/null 2>&1; then point 'one processor has one turn' one_processor; fi

# A script that a signal ends. Its folder is in that of a build.
mkdir "$work/tests" && : >"$work/config.h"
printf '%s\n' '. "$srcdir/script.inc"' 'kill -$1 $$' 'exit 0' >"$work/tests/ended.sh"
for signal in HUP INT TERM; do
    (cd "$work/tests" && srcdir=$sources sh ./ended.sh $signal) 2>/dev/null
    point "$signal: a script's folder goes with it" [ ! -e "$work/tests/ended.work" ]
done

# timeout passes the signal on to its process group, as a terminal does.
printf '#!/bin/sh\necho $$ >"$1"\nexec sleep 100\n' >"$work/sleeps"
chmod +x "$work/sleeps"
timeout 60 ./run-ranks -n 1 -l none "$work/sleeps" "$work/pid" >"$work/signalled" 2>&1 &
signalled=$!
# within CONDITION...: waits until it holds.
within()
{
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        test $tries -lt 600 || return 1
        sleep 0.05
    done
}
within [ -s "$work/pid" ]
kill $signalled
ended() { ! kill -0 "$1" 2>/dev/null; }
point 'a job ends with run-ranks' within ended "$(cat "$work/pid")"
kill -9 "$(cat "$work/pid")" 2>/dev/null
wait $signalled

# timed-driver, by a driver that only runs the test. As in automake's, signals do not end what does.
cat >"$work/driver" <<'E1'
while test "$1" != --; do shift; done
shift
(trap : HUP INT TERM; "$@"; exit $?)
E1
cat >"$work/drive" <<'E1'
export TEST_MOST_S="$1" SHELL=sh TAP_DRIVER="$2/driver"
shift 2
test "${MOMENT-}" != 0 || : >reached
exec /bin/sh "$srcdir/timed-driver" --test-name a/b.sh --trs-file b.trs -- "$@"
E1
driven() # SECONDS COMMAND...
{
    most=$1; shift
    (cd "$work" && srcdir=$sources timeout 60 sh ./drive "$most" "$work" "$@") >"$work/driven" 2>&1
}
driven 1 sh -c 'sleep 100; echo "not ended"'
point 'a test that hangs is ended' [ $? = 124 ]
point 'which is said' \
    [ "$(cat "$work/driven")" = 'Bail out! a/b.sh: ended by the time limit of 1 s' ]
driven 50 sh -c 'printf "%s, " "$@"; exit 3' sh 'one word' -- ''
point 'the status of others is their own' [ $? = 3 ]
point 'and their arguments' [ "$(cat "$work/driven")" = 'one word, --, , ' ]
point 'with the time that they took' grep -q '^:cm-seconds: [0-9]* [0-9.]*$' "$work/b.trs"
rm "$work/pid"
(cd "$work" && srcdir=$sources exec timeout 60 sh ./drive 50 "$work" ./sleeps pid) &
driven=$!
within [ -s "$work/pid" ]
kill $driven
point 'a test ends with its driver' within ended "$(cat "$work/pid")"
kill -9 "$(cat "$work/pid")" 2>/dev/null
wait $driven

# A signal before the test has begun: as timed-driver begins (moment 0), and before the first, the
# second and the third shell that it starts (of the driver, the time limit, the test), which begins
# only when the signal has been handled. What goes on has the FIFO open.
mkdir "$work/path" && mkfifo "$work/lives"
cat >"$work/path/sh" <<'E1'
#!/bin/sh
echo shell >>shells
if test "$(($(wc -l <shells)))" = "$MOMENT"; then
    trap : HUP INT TERM
    : >reached
    until test -e handled; do sleep 0.02; done
fi
exec /bin/sh "$@"
E1
chmod +x "$work/path/sh"
heeds='env --default-signal=INT'
$heeds true 2>/dev/null || heeds=
# timeout passes on what it gets while it waits; before it knows its child, it would end alone.
waits() { [ ! -e /proc/self/stat ] || grep -q '^[^)]*) S ' "/proc/$1/stat"; }
nothing_left() # SIGNAL MOMENT
(
    cd "$work" || exit
    rm -f pid shells reached handled
    sed 's/^/# /' lives &
    reader=$!
    srcdir=$sources PATH=$work/path:$PATH MOMENT=$2 \
        $heeds timeout 60 /bin/sh ./drive 50 "$work" ./sleeps pid >lives 2>&1 &
    driven=$!
    within [ -e reached ]
    within waits $driven
    kill -"$1" $driven
    within [ ! -e b.trs.go ]
    : >handled
    within ended $reader && [ ! -e b.trs.job ] && exit
    kill -9 $reader "$(cat pid)" 2>/dev/null
    exit 1
)
for signal in ${heeds:+INT} HUP TERM; do
    for moment in 0 1 2 3; do
        point "$signal at moment $moment: nothing of a test goes on" nothing_left "$signal" $moment
    done
done

# The end of a tier: of tests that ran in it, and whatever their end.
printf ':cm-seconds: 9 9.0\n' >"$work/tests/before.trs"
touch -d '1 minute ago' "$work/tests/before.trs"
cat >"$work/tests/tier" <<'E1'
#!/bin/sh
printf ':cm-seconds: 18 20.5\n' >slow.trs
printf ':cm-seconds: 42 21.0\n' >long.trs
printf ':cm-seconds: 25 2.5\n' >waits.trs
exit 5
E1
chmod +x "$work/tests/tier"
got=$(cd "$work/tests" && LONG_TESTS='long.sh other' TEST_TIER= "$sources/slowest" ./tier
    echo "status $?")
want='3 tests took N s, and 44 s of processors; the slowest (time, processors):
    42 s    21.0 s  long
    25 s     2.5 s  waits
    18 s    20.5 s  slow
more than 20 s of processors, too slow for make check: slow
status 5'
point 'a tier says what its tests took' \
    [ "$(echo "$got" | sed 's/took [0-9]* s,/took N s,/')" = "$want" ]
got=$(cd "$work/tests" && TEST_TIER=big "$sources/slowest" ./tier)
point 'and make bigcheck none that is too slow' [ "${got%too slow*}" = "$got" ]

points=$((points + 1))
got=$(printf 'ok 1 - a\n1..1\nnot ok 1 - b\nok 2 - c\n1..3\n1..0 # SKIP d\nok 1 - e\n' |
    "${srcdir-.}/tap-merge")
want='ok 1 - a
not ok 2 - b
ok 3 - c
not ok 4 - a plan of 3 points was followed by 2
ok 5 - all of it # SKIP d
ok 6 - e
not ok 7 - 1 points without a plan
1..7'
if test "$got" = "$want"; then echo "ok $points - streams are joined"
else
    echo "not ok $points - streams are joined"
    printf '%s\n' "$got" | sed 's/^/# /'
fi
echo "1..$points"
