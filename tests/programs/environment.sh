#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# environment.sh: every program refuses an unknown CM_ variable before it does anything, and accepts
# those of other backends.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/doc/words.inc"

refuses()   # PROGRAM
{
    program=$1
    set -- --output "$work/result"
    [ "$program" != cm-xhpl ] || set -- # the file of its results stands in HPL.dat
    CM_EAGERBYTES=1000 timeout 60 "$(path_of "$program")" "$@" \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    want='clustermark: unknown environment variable CM_EAGERBYTES; did you mean CM_EAGER_BYTES?'
    [ $status -eq 2 ] && [ ! -s "$work/out" ] && [ ! -e "$work/result" ] \
        && [ "$(cat "$work/err")" = "$want" ] \
        || { echo "# status $status"; show "$work/out" "$work/err"; false; }
}
programs | grep '^cm-' >"$work/programs"
ok 'there are programs' grep -q '^cm-netpipe$' "$work/programs"
while read -r program <&3; do
    if runs "$program"; then ok "$program refuses an unknown variable" refuses "$program"
    else skip "$program refuses an unknown variable" 'it does not run here'
    fi
done 3<"$work/programs"

env=$(command -v env)
# One valid value for each variable; run sets CM_DUMMY where it has an effect.
others='CM_EAGER_BYTES=1000 CM_RAILS=1 CM_SPIN_US=0'
[ "$comm" = dummy ] || others="$others CM_DUMMY=ranks=2"
ok 'several ranks refuse it in one line' run 2 2 \
    '^clustermark: unknown environment variable CM_NODELY; did you mean CM_NODELAY\?$' \
    "$env" CM_NODELY=1 ../netpipe/cm-netpipe --upper 16 --time-limit 0.01 --quiet
# shellcheck disable=SC2086
ok 'variables of any backend are accepted' run 2 0 '' "$env" $others ../netpipe/cm-netpipe \
    --upper 16 --time-limit 0.01 --warm-up 0 --trial-seconds 1e-4 --quiet
finish
