#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The contract's programs with the layer compiled anew under the address, undefined-behaviour and
# leak sanitizers, at 2 and 3 ranks.
set -u
srcdir=${srcdir-.}
. "$srcdir/sanitize.inc"
has_native || skip "for the native backends: an MPI library has reports of its own"
sanitize_begin sanitized.dir address,undefined
subjects=$(printf '../tests/contract/%s.c ' contract p2p allocate requests probe groups overlap \
    collectives nonblocking)
programs='flow coalesce failure survival farm copies'
sanitize_compile $subjects $(printf '../tests/contract/%s.c ' $programs)
sanitize_compile \
    $(files 'base/*.c' 'comm/*.c' 'comm/engine/*.c' 'comm/engine/*/*.c' 'comm/pmi/*.c') \
    machine/interface.c machine/memory.c machine/cgroup.c machine/file.c machine/cpus.c \
    machine/processors.c
{
    sanitize_link contract $subjects
    ./run-ranks -n "2 3" -t 400 $folder/contract
    for program in $programs; do
        [ $program != copies ] || flags="$flags -Wl,--wrap=cm_copy_bytes"
        sanitize_link $program ../tests/contract/$program.c
        case $program in
        failure)
            for case in received:kept received:unread any waits probes never flood coalesced \
                shared half:named half:any; do
                case $case in *:*) variant=${case#*:} ;; *) variant= ;; esac
                mkdir $folder/files
                CM_UNEXPECTED_BYTES=4Mi ./run-ranks -k -n 3 -t 400 \
                    $folder/$program "${case%:*}" "$variant" $folder/files
                rm -rf $folder/files
            done ;;
        survival)
            for case in cascade leave owed; do
                mkdir $folder/files
                CM_UNEXPECTED_BYTES=16Ki ./run-ranks -k -n 3 -t 400 \
                    $folder/$program $case '' $folder/files
                rm -rf $folder/files
            done ;;
        copies)
            if [ "$TEST_COMM" = sockets ]; then halves=- ring=-
            elif ./contract/forbid; then halves=halves ring=ring
            else halves=ring ring=ring; fi
            # case_of SETTING WAY [REFUSED]
            case_of() {
                rm -f $folder/complete
                CM_COPY=$1 ./run-ranks -l cmrun -n 2 -t 400 \
                    $folder/copies $2 $folder/complete ${3+"$3"}
            }
            case_of ring $ring
            case_of halves $halves
            # The kernel refuses in the midst of a message, each rank, both, in a later look.
            if [ $halves = halves ]; then
                for refused in 0:50000:50000 -1:0:0 -1:5000000:300000; do
                    case_of halves ring $refused
                done
            fi ;;
        farm)
            for seed in 11 12; do ./run-ranks -k -n 5 -t 400 $folder/$program $seed; done ;;
        *) ./run-ranks -n "2 3" -t 400 $folder/$program ;;
        esac
    done
} | "$srcdir/tap-merge"
