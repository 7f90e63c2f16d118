#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What cm_finalize reports about messages that nobody received and operations that never completed:
# one line on the rank concerned, with an unchanged exit status. TEST_COMM comes from the Makefile.
case $TEST_COMM in
mpi) echo '1..0 # SKIP MPI has its own words for it'; exit 0 ;;
dummy) export CM_DUMMY=ranks=1; last=0 ;;
*) last=1 ;;
esac
host=$(hostname)
said="^clustermark: rank 0 on $host: cm_finalize: "

# case_of NAME REGEX: the line must match REGEX.
case_of() { ./run-ranks -n 2 -t 20 -s 0 -m "$said$2\$" ./contract/leftover "$1"; }

# A line is printed for anything left over, so no line of another rank may appear beside it.
{
    case_of unreceived "never received: 100 bytes from rank $last, tag 7 \(and 2 more\)"
    case_of partly "never received: 101 bytes from rank $last, tag 8 \(and 1 more\)"
    case_of posted 'never completed: a receive of up to 40 bytes from rank 0, tag 5'
    case_of posted-any 'never completed: a receive of up to 40 bytes from any rank, any tag'
    case_of both "never received: .*; never completed: a receive of .*, tag 5 \(and 1 more\)"
    if [ "$TEST_COMM" != dummy ]; then
        case_of long-send 'never completed: a send of 8388608 bytes to rank 1, tag 3'
    fi
    for quiet in nothing cancelled; do
        ./run-ranks -n 2 -t 20 -s 0 /bin/sh -c \
            'test -z "$(./contract/leftover "$1" 2>&1)"' sh $quiet
    done
} | "${srcdir-.}/tap-merge"
