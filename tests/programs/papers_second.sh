#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# papers_second.sh: all expressions of the papers' items and of the places, evaluated again by a
# program that shares no code with clustermark; and that nothing is compared on a place other than
# its own.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

if ! command -v python3 >/dev/null 2>&1; then
    echo '1..0 # SKIP python3 is not there'
    exit 0
fi
python3 "$srcdir/programs/papers_second.py" "$srcdir/.." "$suite" "$work/second"
