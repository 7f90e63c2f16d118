#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts_named.sh: the contract's collectives where ranks share hosts and there are several. The
# hosts are names that a launcher gives to processes of this one.
. "${srcdir:-.}/launch/hosts_tap.sh"

backend=$("$CLIENT" layer 2>/dev/null | cut -d ' ' -f 1)
case $backend in sockets | hybrid) why= ;; *) why="the backend is $backend" ;; esac
if [ -n "$why" ]; then skip 'ranks that share hosts' "$why"
elif [ -z "$rename" ]; then skip 'ranks that share hosts' 'hosts cannot be given names here'
else
    there --hosts a,b,c -n 7 uname -n
    ok 'three hosts' sorted 'a
a
a
b
b
c
c'
    contract=$here/contract/contract.ranks
    subjects='groups collectives reductions nonblocking overlap'
    run_limit_s=300
    there --hosts a,b,c -n 7 "$contract" $subjects
    ok 'collectives on three hosts, ranks in turn' is 0
    for subject in $subjects; do
        ok "$subject: points pass" \
            [ "$(grep -c "^ok [0-9]* - $subject: " "$work/out")" -gt 5 ]
    done
    there --hosts a:3,b:2 "$contract" reductions
    ok 'reductions on two hosts, one after the other' is 0
fi
done_testing
