#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pieces.sh: the contract's programs over a network and a system that transfer small pieces: sends
# and receives of 1 to 7 bytes that sometimes fail, small socket buffers, and a timer that
# interrupts all calls.
. "${srcdir:-.}/faults/tap.sh"
exec 9>&-                                           # run-ranks takes turns itself

# A preloaded shim does not see transfers through memory. With the hybrid backend this tests TCP;
# writes into shared memory are cut into pieces where the shim is linked (faults/program).
[ "$backend" != hybrid ] || export CM_TRANSPORT=tcp
shim=$here/faults/shim.so
# through NAME SUBJECT COUNTS PREPARE: runs PREPARE, then the contract's SUBJECT by run-ranks, with
# the test name NAME.
through() {
    printf '#!/bin/sh\n%s\nexec "%s/contract/contract.ranks" %s\n' "$4" "$here" "$2" >"$work/$2.$1"
    chmod +x "$work/$2.$1"
    ./run-ranks -n "$3" -l "${LAUNCHERS-cmrun}" -t 300 "$work/$2.$1" >"$work/tap" 2>&1
    cat "$work/tap" >>"$work/all"
    grep '^not ok\|^#' "$work/tap" | grep -A 3 '^not ok' | sed 's/^/# /'
    ok "$2 with $1, $3 ranks" \
        [ -n "$(grep '^ok' "$work/tap")" -a -z "$(grep '^not ok' "$work/tap")" ]
}
# Checks that the faults took place. FIELD is one of the shim's report.
happened() { [ "$(awk -v field="$1" '{ for (i = 1; i < NF; i += 2) if ($i == field) n += $(i + 1) }
    END { print n + 0 }' "$work/report")" -gt "$2" ]; }

cut="export FAULTS_CUT=1 FAULTS_REPORT='$work/report' LD_PRELOAD='$shim'"
through cuts requests 3 "$cut"
through cuts collectives 3 "$cut"
through cuts overlap 2 "$cut"
if [ "$backend" != shm ]; then
    ok 'transfers were cut' happened cuts 10000
    ok 'and some failed' happened failures 1000
else
    for stage in joined idle quiet busy; do
        run env FAULTS_CUT=1 "$work/cmrun" -n 3 "$work/program" $stage 0
        ok "cuts in memory, $stage" is 0
    done
fi

# The others start late, so that ranks wait for them in cm_init while signals arrive. The subject
# life is not used: it sleeps itself, and too briefly if it is interrupted.
rm -f "$work/report"
timer="[ \"\$PMI_RANK\" != 1 ] || sleep 0.2
export FAULTS_TIMER_US=1000 FAULTS_REPORT='$work/report' LD_PRELOAD='$shim'"
LAUNCHERS= through timer p2p 3 "$timer"
through timer requests 2 "$timer"
through timer collectives 3 "$timer"
ok 'signals came' happened alarms 500

if [ "$backend" != shm ]; then
    # With the kernel's smallest buffers TCP moves long messages at only a few KB/s: it advances
    # only by its probes of full receivers, one every 0.2 s.
    through least-buffers life 3 'export CM_SOCKET_BUFFER_BYTES=1'
    through least-buffers groups 3 'export CM_SOCKET_BUFFER_BYTES=1'
    through small-buffers probe 3 'export CM_SOCKET_BUFFER_BYTES=4096'
    through small-buffers collectives 3 'export CM_SOCKET_BUFFER_BYTES=4096'
    through small-buffers overlap 2 'export CM_SOCKET_BUFFER_BYTES=8192'
    run env CM_SOCKET_BUFFER_BYTES=4096 "$work/cmrun" -n 2 "$work/program" describe 0
    ok 'CM_SOCKET_BUFFER_BYTES is said' grep -q '^socket_buffer_bytes 4096$' "$work/out"
    ok 'and set; the kernel doubles it' grep -q '^send_buffer 8192$' "$work/out"
    run "$work/cmrun" -n 2 "$work/program" describe 0
    ok 'without it the kernel chooses' grep -q '^socket_buffer_bytes auto$' "$work/out"
fi
run env CM_SOCKET_BUFFER_BYTES=-1 "$here/$CLIENT" layer
ok 'CM_SOCKET_BUFFER_BYTES=-1: status 2' is 2
ok 'in one line' err_lines 1
ok 'that says what would be right' err_has '^clustermark: CM_SOCKET_BUFFER_BYTES=-1: expected 0 to '

if [ -n "$FAULTS_ALL" ]; then
    for each in life p2p requests probe groups collectives reductions overlap; do
        through cuts $each '2 4' "export FAULTS_CUT=2 LD_PRELOAD='$shim'"
        [ $each = life ] || through timer $each '2 7' "$timer"
        through small-buffers $each '2 3 7' 'export CM_SOCKET_BUFFER_BYTES=4096'
    done
    through small-buffers large 2 'export CM_SOCKET_BUFFER_BYTES=262144'
fi
done_testing
