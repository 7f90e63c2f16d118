#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# deaf.sh: a rank dies under a launcher that does not end the others (launch/deaf.c; srun is one):
# the layer notices by itself.
. "${srcdir:-.}/launch/tap.sh"
DEAF=${DEAF:-./launch/deaf}
PROGRAM=${PROGRAM:-./faults/program}
export CM_TIMEOUT_S=1
if command -v flock >/dev/null 2>&1; then
    lock=${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}
    exec 9>>"$lock" && flock 9
fi

run "$DEAF" 3 "$CLIENT" layer
ok 'nobody dies' is 0
ok 'nothing is said' err_lines 0
run "$DEAF" 4 "$CLIENT" layer-late
ok 'nor if a rank computes for longer than CM_TIMEOUT_S' is 0
ok 'nothing is said then' err_lines 0
for how in receive any chain leave; do
    for ranks in 2 4; do
        run "$DEAF" $ranks "$CLIENT" layer-dies $how
        ok "rank 1 of $ranks dies: $how" is 3
        ok "$how: the first line names it" err_has '^clustermark: rank [0-9]* on .*: rank 1 on '
    done
done
for stage in joined header data-in allreduce barrier alltoall finalize; do
    run "$DEAF" 3 "$PROGRAM" $stage 9
    ok "rank 1 is killed, $stage" is 3
    ok "$stage: it is named" err_has '^clustermark: rank [02] on .*: rank 1 on '
done

# Before the ranks know each other. PMI-1 cannot tell who is missing.
run "$DEAF" 3 /bin/sh -c '[ $PMI_RANK = 1 ] || exec "$0" layer; exit 7' "$CLIENT"
ok 'a rank that dies before it joins: the others end' [ "$status" -eq 3 -o "$status" -eq 7 ]
ok 'and say that it is missing' \
    err_has '^clustermark: rank [02] on .*: not all 3 ranks have joined the job within 1 s (CM_TIME'

done_testing
