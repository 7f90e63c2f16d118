#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run_ranks.sh: run-ranks and tap-merge detect everything that goes wrong in the program they run.
work=$(mktemp -d "${TMPDIR:-/tmp}/run_ranks.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
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
