#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# refusals.sh: the refusals listed in refusals.tab; each program starts once for all of its lines
# (refusals.c).
set -u
srcdir=${srcdir:-.}
TEST_REFUSALS=$srcdir/programs/refusals.tab CM_DUMMY=ranks=1
export TEST_REFUSALS CM_DUMMY
programs=$(sed -n 's/^\(cm-[a-z]*\)	.*/\1/p' "$TEST_REFUSALS" | sort -u)
for name in $programs; do
    for program in ../"${name#cm-}/$name" ../*/"${name#cm-}/$name" ../*/"$name"; do
        [ ! -x "$program" ] || break
    done
    if [ -x "$program" ]; then
        LD_PRELOAD=$(pwd)/programs/refusals.so "$program" || echo "Bail out! $name: status $?"
    else
        case $name in
        cm-linpack | cm-xhpl | cm-farm) printf '1..0 # SKIP this build has no %s\n' "$name" ;;
        *) echo "Bail out! $name: there is no such program" ;;
        esac
    fi
done | "$srcdir/tap-merge"
