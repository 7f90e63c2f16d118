#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# exported.sh: the library defines no external names but cm_*, bsp_* and those of its Fortran
# modules (__cm_*), the communication's inner names are not exported, and a user's program with
# names of its own links and runs.
set -u
srcdir=${srcdir:-.}
nm=${NM:-nm}
skip_all() { echo "1..0 # SKIP $1"; exit 0; }
command -v "${nm%% *}" >/dev/null 2>&1 || skip_all "there is no $nm"
. "$srcdir/script.inc"
libs=../src/.libs

# foreign FILE: external names that may collide with those of a user's program.
foreign()
{
    # shellcheck disable=SC2086  # nm may have arguments
    $nm -P -g "$@" 2>/dev/null |
        awk '$2 ~ /^[A-TX-Z]$/ && $1 !~ /^(cm_|bsp_|__cm_)/ { print $1 }' | sort -u
}
none_foreign()   # FILE
{
    foreign "$1" >"$work/foreign"
    [ ! -s "$work/foreign" ] || { show "$work/foreign"; false; }
}

# ---- Is it found at all? ------------------------------------------------------------------------

echo 'int engine = 5; int cm_good(void); int cm_good(void) { return engine; }' >"$work/planted.c"
(cd "$work" && ${CC:-cc} -c -o planted.o planted.c) || exit 99
foreign "$work/planted.o" >"$work/found"
echo engine >"$work/expected"
ok 'a foreign name is found' cmp -s "$work/found" "$work/expected" || show "$work/found"

# ---- The library --------------------------------------------------------------------------------

library=$libs/libclustermark.a
if [ -f "$library" ] && $nm -P -g "$library" 2>/dev/null | grep -q '^cm_init T'; then
    ok 'the static library defines cm_*, bsp_* and modules only' none_foreign "$library"
else
    skip 'the static library' 'there is none here that shows its symbols'
fi
library=$libs/libclustermark-$comm.so
if [ -f "$library" ]; then
    $nm -P -D "$library" >"$work/dynamic"
    ok 'the shared library exports cm_init' grep -q '^cm_init T' "$work/dynamic"
    dynamic_only() { nm="$nm -D" none_foreign "$library"; }
    ok 'the shared library exports cm_*, bsp_* and modules only' dynamic_only
    inner() { grep -e '^cm_engine' -e '^cm_pmi' -e '^cm_auth' "$work/dynamic" >"$work/inner"; }
    none_inner() { ! inner || { show "$work/inner"; false; }; }
    ok 'the shared library does not export the engine, PMI and authentication' none_inner
else
    skip 'the shared library' 'configured without --enable-shared'
fi
own_names() { code/own_names >"$work/output" 2>&1 || { show "$work/output"; false; }; }
if [ -x code/own_names ]; then
    ok "a user's program with a variable named engine links and runs" own_names
else
    skip "a user's program with a variable named engine" 'simulated programs run in smpirun only'
fi
finish
