#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# copies.sh: long messages inside a host, in each way that the user may request and the system may
# allow. TEST_COMM comes from the Makefile.
files=$(mktemp -d "${TMPDIR:-/tmp}/contract_copies.XXXXXX") || exit 1
trap 'rm -rf "$files"' EXIT
trap 'exit 1' HUP INT TERM
case $TEST_COMM in
shm | hybrid) ;;
*) echo '1..0 # SKIP for backends with shared memory'; exit 0 ;;
esac

# case_of WAY COUNTS COMMAND...: WAY is the way that results must name.
case_of() {
    way=$1 counts=$2; shift 2
    for n in $counts; do
        rm -f "$files/complete"
        # shellcheck disable=SC2086
        ./run-ranks -l cmrun -n "$n" -t 120 "$@" "$way" "$files/complete" $refused
    done
}

refused=
# RANK:IN:OUT: rank 0, or both, may no longer copy after this number of bytes in, and out: at once,
# in the first chunk, in a later one or in a later look, in one direction only; c: first in
# collective operations.
never=99999999999
refusals="0:0:0 -1:0:0 0:50000:$never 0:$never:50000 0:0:$never -1:$never:0 0:2000000:1000000
    -1:5000000:300000 0:9000000:9000000 0:$never:6000000
    0:0:0:c -1:0:0:c 0:0:$never:c 0:700000:$never:c"

# said WAY CAUSE COMMAND...: a result names the way that its messages took, once, after its rows,
# and why there is no other.
said() {
    way=$1 cause=$2; shift 2
    ./run-ranks -l cmrun -n 2 -s 0 "$@" ../netpipe/cm-netpipe --lower 256Ki --upper 256Ki \
        --trials 2 --repetitions 8 --warm-up 0 --quiet --force --output "$files/result"
    awk -v way="$way" -v cause="$cause" '
        !/^#/ { rows++ }
        /^# copy/ { found = found (rows == 2 ? "" : "early") $0 }
        END {
            wanted = "# copy: " way (cause ? "# copy_refused: " cause : "")
            print (found == wanted ? "ok" : "not ok") " 1 - a result ends with " wanted ": " found
            print "1..1"
        }' "$files/result"
}

# If these tests themselves run under such a filter, the kernel allows no pair to copy.
if ./contract/forbid; then allowed=halves; else allowed=ring; fi
{
    CM_COPY=ring case_of ring 2 ./contract/copies
    CM_COPY=halves case_of $allowed '2 3' ./contract/copies
    case_of $allowed 3 ./contract/copies
    CM_COPY=halves case_of ring 2 ./contract/forbid ./contract/copies
    CM_COPY=ring said ring ''
    CM_COPY=halves said ring 'Operation not permitted' ./contract/forbid
    # The reason is that of rank 1, which writes no result.
    CM_COPY=halves said ring 'Operation not permitted' /bin/sh -c \
        '[ "$PMI_RANK" = 0 ] || exec ./contract/forbid "$@"; exec "$@"' sh
    if [ $allowed = halves ]; then
        CM_COPY=halves said halves ''
        for refused in $refusals; do CM_COPY=halves case_of ring 2 ./contract/copies; done
    fi
} | "${srcdir-.}/tap-merge"
