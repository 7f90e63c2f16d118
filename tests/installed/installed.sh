#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Is the installed library usable as a user would use it, by pkg-config's flags alone? Called by
# make installcheck with CC, CXX (empty: there is none), FC, PKG_CONFIG, pkgconfigdir, includedir,
# libdir and DESTDIR in the environment.
#
#   installed.sh FOLDER-OF-THE-SOURCES MODULE run|link
set -eu
sources=$1 module=$2 run=$3
fail() { echo "installcheck: $*" >&2; exit 1; }

if test -z "$PKG_CONFIG"; then
    echo "installcheck: no program was built by $module.pc, for configure found no pkg-config" >&2
    exit 0
fi
# It may be a path, or have options.
command -v "${PKG_CONFIG%% *}" >/dev/null ||
    fail "PKG_CONFIG='$PKG_CONFIG': there is no such program"
work=$(mktemp -d "${TMPDIR:-/tmp}/cm-installed.XXXXXX")
trap 'rm -rf "$work"' EXIT
PKG_CONFIG_PATH=${DESTDIR:-}$pkgconfigdir${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=${DESTDIR:-}$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH

# DESTDIR is put before our folders only; a sysroot would also be put before those of the MPI. It
# becomes that of the modules that ours requires, too, whose libraries are then those of the system.
flags() {
    $PKG_CONFIG ${DESTDIR:+--define-variable=includedir="$DESTDIR$includedir"} \
        ${DESTDIR:+--define-variable=libdir="$DESTDIR$libdir"} "$@" "$module"
}
flags --validate || fail "$module.pc is not valid"
# build NAME SOURCE COMPILER...: builds with the flags of the module, and runs the program if
# programs can be run.
build()
{
    name=$1 source=$2; shift 2
    # shellcheck disable=SC2046  # flags are words
    "$@" $(flags --cflags) "$source" -o "$work/$name" $(flags --libs) ||
        fail "$name does not compile and link by $module.pc"
    if test "$run" = run; then
        "$work/$name" || fail "$name, linked by $module.pc, fails with status $?"
    fi
}
# Compilers may be words.
# shellcheck disable=SC2086
{
    build hello_c "$sources/hello.c" $CC
    build hello_f90 "$sources/hello.f90" $FC
    build bsp_c "$sources/bsp.c" $CC -Wall -Wextra -Werror
    build bsp_c99 "$sources/bsp.c" $CC -std=c99 -Wall -Wextra -Werror
    cp "$sources/bsp.c" "$work/bsp.cc"
    test -z "$CXX" || build bsp_cxx "$work/bsp.cc" $CXX -Wall -Wextra -Werror
}
echo "installcheck: C${CXX:+, C++} and Fortran programs build by $module.pc${run:+ ($run)}"
