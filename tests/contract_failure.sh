#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ranks die by SIGKILL, and the others go on (cm_on_failure), under each launcher that can.
work=$(mktemp -d "${TMPDIR:-/tmp}/contract_failure.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# CASE [VARIANT]: at the numbers of ranks in $counts.
case_of()
{
    rm -rf "$work/case"
    mkdir "$work/case"
    ./run-ranks -k -n "$counts" -t 60 ./contract_failure "$1" "${2-}" "$work/case"
}

# REGEX CASE VARIANT: the job ends with status 3 and one such line. Hydra shows the lines of all who see it.
end_of()
{
    ./run-ranks -k -n 2 -t 60 -s 3 -m "$1" ./contract_failure "$2" "$3"
    ./run-ranks -k -n 4 -l cmrun -t 60 -s 3 -m "$1" ./contract_failure "$2" "$3"
}

case $CM_COMM in
mpi)
    ./run-ranks -n '1 2' -s 2 -m 'cm_on_failure.*mpi backend.*sockets' ./contract_failure refuse ;;
dummy)
    ./run-ranks ./contract_failure accept ;;
*)
    ./run-ranks -n 2 -l cmrun -s 2 -m 'cm_on_failure.*cmrun --keep-going' ./contract_failure refuse
    counts='1 3'
    case_of accept
    counts='2 4'
    case_of received kept
    case_of received unread
    case_of received unaccepted
    case_of any
    case_of waits
    case_of probes
    case_of never
    case_of never dead
    CM_POOL_BYTES=4Mi case_of flood
    case_of leave
    CM_POOL_BYTES=16Ki case_of owed
    CM_TIMEOUT_S=1 case_of stopped
    case_of half named
    case_of half any
    counts=3
    case_of half unexpected
    # Plain rendezvous; then eager messages that are longer than the sockets' buffers.
    CM_AHEAD_BYTES=0 case_of half any
    export CM_EAGER_BYTES=64Mi CM_POOL_BYTES=1Gi
    case_of half named
    case_of half any
    case_of half unexpected
    unset CM_EAGER_BYTES CM_POOL_BYTES
    counts=7
    case_of cascade
    for seed in 1 2 3 4 5 6; do
        ./run-ranks -k -n '3 6' -t 60 ./contract_farm $seed
    done
    end_of 'rank [0-9] on .* rank [13] on .*collective' collective before
    end_of 'rank [0-9] on .* rank [13] on .*collective' collective under-way
    end_of 'rank [0-9] on .* rank [13] on .*collective' collective split
    end_of 'cm_recv: rank [13] on .* failed before' again recv
    end_of 'cm_send: rank [13] on .* failed before' again send
esac | "${srcdir-.}/tap-merge"
