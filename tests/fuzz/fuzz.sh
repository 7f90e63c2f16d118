#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The fuzzing harnesses under the address, undefined-behaviour and leak sanitizers: the whole
# corpus, then mutations of it for FUZZ_CHECK_SECONDS each (2). make fuzz takes longer, with
# libFuzzer.
set -u
srcdir=${srcdir-.}
. "$srcdir/sanitize.inc"
sanitize_begin fuzz.dir address,undefined
export CC CFLAGS="$flags"
export CPPFLAGS="-I$top_builddir -I$top_builddir/src $CRYPTO_CFLAGS $JANSSON_CFLAGS"
export LIBS="$CRYPTO_LIBS $JANSSON_LIBS -lm"
points=0 failed=0
for harness in wire start pmi_line pmi2_message pmi_server hosts proxy step text record ring \
    hpl market; do
    points=$((points + 1))
    { sh "$srcdir/fuzz/build" "$folder" $harness &&
        timeout 300 "$folder/$harness" -t "${FUZZ_CHECK_SECONDS:-2}" "$srcdir/fuzz/corpus/$harness"
    } >"$folder/said" 2>&1
    status=$?
    if [ $status -eq 0 ]; then
        echo "ok $points - $harness: $(tail -n 1 "$folder/said")"
    else
        echo "not ok $points - $harness: status $status"
        sed -e 's/^/# /' -e 100q "$folder/said"
        failed=1
    fi
done
echo "1..$points"
exit $failed
