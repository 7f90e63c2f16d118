#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# form.sh: the layout of the sources: clang-format's in C and C++, at most 100 columns there, in
# Fortran, in scripts, in the build's files and in prose. Tables, examples and commands in prose may
# be longer, and data files with one record a line (paper*.dat, papers.tab, agreements.tab,
# JSON).
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
top=$srcdir/..

# The files of the tarball or of git, never those that a build created.
sources() # PATTERN...
{
    for pattern in "$@"; do
        find "$top/src" "$top/hint" "$top/netpipe" "$top/network" "$top/stream" "$top/linpack" \
            "$top/heat" "$top/sscrap" "$top/farm" "$top/nodes" "$top/suite" "$top/doc" \
            "$top/tests" "$top/bench" "$top/clusters" "$top/m4" "$top/.ci" \
            -name "$pattern" -type f -not -path '*/corpus/*' -print 2>/dev/null
    done | sort
}
c_files() { sources '*.c' '*.h' '*.cc' | grep -v -e /revision.h -e '/doc/clustermark\.'; }
# Files with these endings (.inc is also Fortran's), and files whose first line begins with #! and
# that are not made from a .in file.
scripts()
{
    sources '*.sh' '*.bash' '*.inc' '*.in' '*.awk' '*.gp' '*.css' |
        grep -v -e '/Makefile\.in$' -e '/config\.h\.in$'
    sources '*' | grep '/[^./]*$' | while read -r file; do
        if [ ! -e "$file.in" ] && [ "$(head -c 2 "$file")" = '#!' ]; then echo "$file"; fi
    done
}
build_files()
{
    echo "$top/configure.ac" "$top/Makefile.am" "$top/bootstrap"
    sources Makefile.am '*.mk' 'cm_*.m4'
}

# within_100 FILE...: lines that are longer are shown.
within_100()
{
    ! awk 'length($0) > 100 { print "# " FILENAME ":" FNR ": " length($0) " columns" }' "$@" |
        grep .
}
# Prose: all lines but those that begin with blanks or "|" (tables, commands), items of tables, and
# examples.
prose_within_100()
{
    ! awk 'FNR == 1 { kept = 0 }
        /^@(example|smallexample|display|verbatim|menu|multitable)/ || /^```/ && !kept {
            kept = 1
            next
        }
        /^@end / || /^```/ { kept = 0 }
        !kept && length($0) > 100 && $0 !~ /^(    |\||@)/ { print "# " FILENAME ":" FNR }' "$@" |
        grep .
}

format=
for program in clang-format-14 clang-format; do
    command -v $program >/dev/null 2>&1 && $program --version | grep -q 'version 14\.' &&
        format=$program && break
done
# shellcheck disable=SC2046  # no file here has a blank in its name
if [ -z "$format" ]; then skip "clang-format's layout" 'clang-format 14 is not there'
else
    $format --style=file --dry-run $(c_files) >"$work/said" 2>&1
    ok "clang-format's layout" [ ! -s "$work/said" ] || head -n 20 "$work/said" | sed 's/^/# /'
fi
# shellcheck disable=SC2046
ok 'C and C++: 100 columns' within_100 $(c_files)
# shellcheck disable=SC2046
ok 'Fortran: 100 columns' within_100 $(sources '*.f90')
# shellcheck disable=SC2046
ok 'scripts: 100 columns' within_100 $(scripts)
# shellcheck disable=SC2046
ok "the build's files: 100 columns" within_100 $(build_files)
# shellcheck disable=SC2046
ok 'prose: 100 columns' \
    prose_within_100 "$top/README.md" "$top/NEWS" "$top/HACKING" $(sources 'README' '*.texi')

# What no run of .ci/run has of LONG_TESTS is listed in HACKING; launch/*end.sh are TESTS elsewhere.
tests_in() { grep -o '[a-z_]*/[a-z_0-9]*\.\(sh\|ranks\)' | sort -u; }
only_big()
{
    awk '/^LONG_(RANKS_)?TESTS \+=/ { on = 1 } on { print; on = /\\$/ }' "$srcdir"/*/local.mk |
        tests_in | grep -v 'end\.sh$' >"$work/long"
    sed -n '/^run hybrid/,/^no_warnings/p' "$top/.ci/run" | tests_in >"$work/landing"
    sed -n '/^LONG_TESTS it runs/,/^Adding/p' "$top/HACKING" | tests_in >"$work/told"
    comm -23 "$work/long" "$work/landing" | diff - "$work/told" >"$work/said" ||
        { show "$work/said"; false; }
}
ok 'HACKING lists the tests that only make bigcheck runs' only_big
finish
