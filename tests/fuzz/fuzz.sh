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
harnesses='wire start pmi_line pmi2_message pmi_server hosts proxy step text record ring hpl market'
seconds=${FUZZ_CHECK_SECONDS:-2}

# Builds all harnesses before the first one runs, because they share objects; then runs two at a
# time. If one cannot be built, each is tried by itself.
if sh "$srcdir/fuzz/build" "$folder" $harnesses >"$folder/said" 2>&1; then
    for harness in $harnesses; do echo 0 >"$folder/$harness.status"; done
else
    for harness in $harnesses; do
        sh "$srcdir/fuzz/build" "$folder" $harness >"$folder/$harness.said" 2>&1
        echo $? >"$folder/$harness.status"
    done
fi
export folder srcdir seconds
echo "$harnesses" | tr ' ' '\n' | xargs -P 2 -I '{}' sh -c '
    harness={}
    [ "$(cat "$folder/$harness.status")" = 0 ] || exit 0
    timeout 300 "$folder/$harness" -t "$seconds" "$srcdir/fuzz/corpus/$harness" \
        >"$folder/$harness.said" 2>&1
    echo $? >"$folder/$harness.status"'

points=0 failed=0
for harness in $harnesses; do
    points=$((points + 1))
    status=$(cat "$folder/$harness.status")
    if [ "$status" = 0 ]; then
        echo "ok $points - $harness: $(tail -n 1 "$folder/$harness.said")"
    else
        echo "not ok $points - $harness: status $status"
        sed -e 's/^/# /' -e 100q "$folder/$harness.said"
        failed=1
    fi
done
echo "1..$points"
exit $failed
