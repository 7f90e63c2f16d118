#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How a job ends when a call is wrong or a message does not fit: the status of comm.h, and one line
# that names the rank, its host, and the value at fault. Ranks that wait for others end too.
host=$(hostname)
counts='1 2'

# CASE STATUS REGEX: what the line says after rank and host.
case_of()
{
    ./run-ranks -n "$counts" -t 20 -s "$2" -m "rank [0-9]+ on $host: .*($3)" ./contract/wrong "$1"
}

# A job of one starts without a launcher, with every backend.
{
    TEST_RANKS=1 timeout 60 ./contract/contract.ranks life </dev/null
    case_of truncation 3 'trunc|100 bytes'
    case_of truncation-posted 3 'trunc|100 bytes'
    case_of truncation-exchange 3 'trunc|100 bytes'
    (
        export CM_EAGER_BYTES=0
        case_of truncation-rendezvous 3 'trunc|100 bytes'
    )
    # MPICH 4.0 fails an assertion of its own if a rank sends this message to itself.
    counts=2
    case_of truncation-large 3 'trunc|8388608 bytes'
    case_of truncation-shared 3 'trunc|99999 bytes'
    case ${TEST_COMM-} in
    shm | hybrid) case_of free-sending 2 'cm_free: a send from this memory' ;;
    esac
    counts='1 2'
    case_of send-rank 2 'rank [12]'
    case_of send-any 2 'rank -1|CM_ANY|any'
    case_of isend-negative 2 '-7'
    case_of recv-rank 2 'rank [45]'
    case_of recv-negative 2 '-2'
    case_of send-tag 2 'tag.*-5'
    case_of send-tag-any 2 'tag.*-1|CM_ANY'
    case_of send-tag-limit 2 'tag.*268435456'
    case_of recv-tag 2 'tag.*-2'
    case_of probe-rank 2 'rank [12]'
    case_of probe-tag 2 'tag.*268435456'
    case_of send-null 2 'NULL'
    case_of recv-null 2 'NULL'
    case_of cancel-send 2 'cancel'
    case_of alltoall-algorithm 2 'alltoall.*binomial'
    case_of unknown-algorithm 2 'barrier.*77'
    case_of bcast-root 2 'root.*[12]'
    case_of reduce-type 2 'xor.*double'
    case_of reduce-unknown-type 2 'type.*99'
    case_of host-rank 2 'rank [12]'
    # What is offered and what is sent by direct, each with what another length makes of it.
    case ${TEST_COMM-} in
    shm | hybrid)
        counts=2
        case_of gather:16000:20000 2 'cm_gather: rank 1 sent 20000 bytes but 16000 were expected'
        case_of gather:40000:8 2 'cm_gather: rank 1 sent 8 bytes but 40000 were expected'
        case_of gather:20000:100000 2 'cm_gather: rank . .* 100000'
        case_of scatter:100000:24 2 'cm_scatter: rank 0 sent 100000 bytes but 24 were expected'
        # A block as long as an offer.
        case_of bcast:100000:23 2 'cm_bcast: rank 0 sent 100000 bytes but 23 were expected'
        case_of bcast:22:23 2 'cm_bcast: rank 0 sent 22 bytes but 23 were expected'
        case_of gather:23:22 2 'cm_gather: rank 1 sent 22 bytes but 23 were expected'
        case_of gather:22:23 2 'cm_gather: rank 1 sent 0 or 23 bytes but 22 were expected'
        case_of bcast:23:40 2 'cm_bcast: rank 0 sent 0 or 23 bytes but 40 were expected'
        case_of scatter:23:100000 2 'cm_scatter: rank 0 sent 0 or 23 bytes but 100000 were expected'
        case_of reduce:23:100000 2 'cm_reduce: rank 1 sent 100000 bytes but 23 were expected'
        case_of reduce:100000:23 2 'cm_reduce: rank 1 sent 0 or 23 bytes but 100000 were expected'
        case_of bcast:100000:24 2 'cm_bcast: rank 0 sent 100000 bytes but 24 were expected'
        case_of bcast:24:100000 2 'cm_bcast: rank 0 sent 24 bytes but 100000 were expected'
        case_of reduce:24:100000 2 'cm_reduce: rank 1 sent 100000 bytes but 24 were expected'
        counts=3
        case_of gather:100:100000 2 'cm_gather: rank [12] sent 100000 bytes but 100 were expected'
        case_of gather:100000:100 2 'cm_gather: rank [12] sent 100 bytes but 100000 were expected'
        case_of gather:20000:30000 2 'cm_gather: rank 0 expects 20000 bytes .* has 30000'
        case_of reduce:24:100000 2 'cm_reduce: rank [12] sent 100000 bytes but 24 were expected'
        case_of reduce:23:100000 2 'cm_reduce: rank [12] sent 100000 bytes but 23 were expected'
        case_of reduce:40:23 2 'cm_reduce: rank [12] sent 0 or 23 bytes but 40 were expected'
        counts='1 2'
        ;;
    esac
    # A single process of a native backend has no launcher that would notice the hang.
    case ${TEST_COMM-} in
    mpi) case_of exit 3 'exited with status 0 without cm_finalize' ;;
    esac
    # run-ranks ends a job that hangs; before that each rank prints where it is.
    case ${TEST_COMM-} in
    dummy) ;;
    *) ./run-ranks -n 2 -t 12 -s 124 -m "late: rank 1 of 2 is in 'a message that never comes'" \
           ./contract/wrong hang ;;
    esac
    case_of abort 42 'ends by its own will, value 17'
} | "${srcdir-.}/tap-merge"
