#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# examples.sh: the manual's examples do what the manual says.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

# outlive RANKS LINE: the master prints LINE when its last worker dies.
outlive()
{
    timeout 60 ../src/cmrun --keep-going -n "$1" ./doc/master >"$work/out" 2>"$work/err"
    grep -Eq "$2" "$work/out" "$work/err" || { show "$work/out" "$work/err"; return 1; }
}

ok 'the example in C, two ranks' run 2 0 '' ./doc/pingpong
ok 'and three' run 3 0 '' ./doc/pingpong
ok 'one rank is refused' run 1 2 'a message needs two ranks' ./doc/pingpong
ok 'the example in Fortran, one rank' run 1 0 '' ./doc/ring
if [ "$comm" = dummy ]; then skip 'and three' 'echo peers send back what they got; that is no ring'
else ok 'and three' run 3 0 '' ./doc/ring
fi
case $comm in
mpi) ok 'the master whose workers die, which an MPI does not have' \
        run 2 2 'cm_on_failure.*mpi backend' ./doc/master ;;
dummy) skip 'the master whose workers die' 'echo peers do no work' ;;
*)
    ok 'the master whose workers die' outlive 5 '^333833500 by 3 of 4 workers'
    ok 'and when there is no other' outlive 2 'no worker is left'
    ok 'cmrun ends them when it is not told to go on' run 3 2 'cmrun --keep-going' ./doc/master ;;
esac

# As the manual says of the dummy backend, the fit returns the parameters that were set.
if [ "$comm" = dummy ]; then
    settings=$(sed -n '/^CM_DUMMY=ranks=2/,/cm-netpipe$/p' "$srcdir/../doc/running.texi" \
        | tr -d '\\\n' | sed 's/^CM_DUMMY=//; s/ cm-netpipe$//')
    found=$work/dummy.txt
    CM_DUMMY=$settings ../netpipe/cm-netpipe --quiet --time-limit 0.02 >"$found" || show "$found"
    line='model=two_lines rendezvous_latency_us=52[23].*rendezvous_bandwidth_MB_per_s=10\.6'
    ok 'the settings in the manual give the line in the paper' grep -q "$line" "$found" \
        || grep '# fit' "$found" | show
fi
finish
