#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ranks die by SIGKILL, and the others go on (cm_on_failure), under each launcher that can.
work=$(mktemp -d "${TMPDIR:-/tmp}/contract_failure.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# PROGRAM CASE [VARIANT]: runs on each number of ranks in $counts.
run()
{
    rm -rf "$work/case"
    mkdir "$work/case"
    ./run-ranks -k -n "$counts" -t 240 "./contract/$1" "$2" "${3-}" "$work/case"
}

# REGEX CASE VARIANT: the job ends with status 3 and one line that matches; VICTIM in REGEX stands
# for the named rank. Hydra shows the lines of all ranks that detect the failure. The first line may
# come from a rank that saw another rank end because of the victim: $victims.
victims=3
end_of()
{
    ./run-ranks -k -n 2 -t 240 -s 3 -m "$(echo "$1" | sed 's/VICTIM/1/')" \
        ./contract/survival "$2" "${3-}"
    ./run-ranks -k -n 4 -l cmrun -t 240 -s 3 -m "$(echo "$1" | sed "s/VICTIM/$victims/")" \
        ./contract/survival "$2" "${3-}"
}

case $TEST_COMM in
mpi)
    ./run-ranks -n '1 2' -s 2 -m 'cm_on_failure.*mpi backend.*sockets' ./contract/survival refuse ;;
dummy)
    ./run-ranks ./contract/survival accept ;;
*)
    ./run-ranks -n 2 -l cmrun -s 2 -m 'cm_on_failure.*cmrun --keep-going' ./contract/survival refuse
    counts='1 3'
    run survival accept
    counts='2 4'
    run failure received kept
    run failure received unread
    run failure received unaccepted
    run failure any
    run failure waits
    run failure probes
    run failure never
    run failure never dead
    run failure coalesced
    run failure shared
    CM_UNEXPECTED_BYTES=4Mi run failure flood
    run survival leave
    CM_UNEXPECTED_BYTES=16Ki run survival owed
    CM_TIMEOUT_S=1 run survival stopped
    run failure half named
    run failure half any
    counts=3
    run failure half unexpected
    # Plain rendezvous; then eager messages that are longer than the sockets' buffers.
    CM_AHEAD_BYTES=0 run failure half any
    export CM_EAGER_BYTES=64Mi CM_UNEXPECTED_BYTES=1Gi
    run failure half named
    run failure half any
    run failure half unexpected
    unset CM_EAGER_BYTES CM_UNEXPECTED_BYTES
    counts=7
    run survival cascade
    for seed in 1 2 3 4 5 6; do
        ./run-ranks -k -n '3 6' -t 240 ./contract/farm $seed
    done
    end_of 'cm_recv: rank VICTIM on .* failed earlier' again recv
    end_of 'cm_send: rank VICTIM on .* failed earlier' again send
    victims='[0-3]'
    for variant in before under-way split; do
        end_of 'rank [0-9] on .* rank VICTIM on .*collective' collective $variant
    done
    end_of 'rank [0-9] on .* rank VICTIM on .*collective' direct
    end_of 'rank [0-9] on .* rank VICTIM on ' direct all
esac | "${srcdir-.}/tap-merge"
