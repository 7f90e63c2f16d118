#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# papers_second.sh: all expressions of the papers' items and of the places, computed a second time
# by a program that has nothing of clustermark's; and that nothing is compared on another place.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

if ! command -v python3 >/dev/null 2>&1; then
    echo '1..0 # SKIP python3 is not there'
    exit 0
fi
python3 "$srcdir/programs/papers_second.py" "$srcdir/.." "$suite" "$work/second"
