#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# doc_examples.sh: the manual's examples do what it says of them.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

ok 'the example in C, two ranks' run 2 0 '' ./doc_pingpong
ok 'and three' run 3 0 '' ./doc_pingpong
ok 'one rank is refused' run 1 2 'a message needs two ranks' ./doc_pingpong
ok 'the example in Fortran, one rank' run 1 0 '' ./doc_ring
if [ "$comm" = dummy ]; then skip 'and three' 'echo peers send back what they got; that is no ring'
else ok 'and three' run 3 0 '' ./doc_ring
fi

# What the manual says of the dummy backend: the fit finds what went in.
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
