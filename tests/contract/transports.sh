#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# transports.sh: to add a third transport takes only its folder (toy/) and its name in
# CM_TRANSPORTS. The contract runs with the third transport alone, and with it before TCP in a job
# where each transport reaches some of the peers.
set -u
srcdir=${srcdir-.}
. "$srcdir/sanitize.inc"
has_native || skip "for the native backends: an MPI has transports of its own"
folder=contract/transports.work
rm -rf "$folder" && mkdir -p "$folder" || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
src=$srcdir/../src

# build NAME TRANSPORT...: the programs in $folder/NAME, with these transports. Objects compiled
# here precede the library on the command line, so its own table of transports is not linked.
build()
{
    to=$folder/$1; shift
    mkdir "$to" || exit 99
    words=$(printf 'each(%s) ' "$@")
    sed "s/^#define CM_TRANSPORTS(each).*/#define CM_TRANSPORTS(each) $words/" \
        "$top_builddir/config.h" >"$to/config.h"
    for file in "$src"/comm/engine/transport.c "$src"/comm/engine/tcp/*.c \
        "$srcdir"/contract/toy/toy.c; do
        compile -c -o "$to/$(basename "$file" .c).o" "$file"
    done
    # shellcheck disable=SC2046
    link contract $(printf "$srcdir/contract/%s.c " contract $subjects)
    link coalesce "$srcdir/contract/coalesce.c"
    link describe "$srcdir/contract/toy/describe.c"
}
# shellcheck disable=SC2086
compile()
{
    $CC -std=gnu11 -g -O1 -w $CRYPTO_CFLAGS $HWLOC_CFLAGS -I"$to" -I"$top_builddir" \
        -I"$top_builddir/src" -I"$src" -I"$srcdir" "$@" && return
    echo '1..1'
    echo "not ok 1 - a third transport compiles: $*"
    exit 1
}
# shellcheck disable=SC2086
link() # PROGRAM SOURCE...
{
    linked=$1; shift
    compile -o "$to/$linked" "$@" "$to"/*.o "$top_builddir/src/.libs/libclustermark.a" \
        $CRYPTO_LIBS $HWLOC_LIBS -lm -lpthread
}

# said NAME KEY=VALUE...: one point each.
said()
{
    n=0
    name=$1; shift
    ../src/cmrun -n 3 "$folder/$name/describe" >"$folder/said" 2>&1
    for pair; do
        n=$((n + 1))
        grep -q -x "${pair%%=*} ${pair#*=}" "$folder/said" && echo "ok $n - $name: $pair" || {
            sed 's/^/# /' "$folder/said"
            echo "not ok $n - $name: $pair"
        }
    done
    echo "1..$n"
}

subjects='p2p requests probe overlap groups collectives nonblocking allocate'
(
    build alone toy
    said alone transport=toy toy=works
    for program in contract coalesce; do
        ./run-ranks -l cmrun -n '2 3' -t 280 "$folder/alone/$program"
    done
    build first toy tcp
    said first transport=toy toy_peers=2 tcp_peers=0
    export TOY_PAIRS=1
    said first transport=toy+tcp toy_peers=1 tcp_peers=1
    for program in contract coalesce; do
        ./run-ranks -l cmrun -n 3 -t 280 "$folder/first/$program"
    done
    ./run-ranks -l cmrun -n 3 -s 2 \
        -m 'rank [0-2] on .* is of another pair; expected one pair, or ' "$folder/alone/describe"
    CM_TRANSPORT=tcp ./run-ranks -l cmrun -n 3 -t 280 "$folder/first/contract" p2p
    CM_TRANSPORT=shm ./run-ranks -l cmrun -n 1 -s 2 \
        -m 'CM_TRANSPORT=shm: expected auto, toy or tcp in this build' "$folder/first/describe"
) | "$srcdir/tap-merge"
