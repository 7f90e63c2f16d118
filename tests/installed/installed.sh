#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Is the installed library usable as a user would use it, by pkg-config's flags alone? Called by make
# installcheck with CC, FC, PKG_CONFIG, pkgconfigdir, includedir, libdir and DESTDIR in the environment.
#
#   installed.sh FOLDER-OF-THE-SOURCES run|link
set -eu
sources=$1 run=$2
fail() { echo "installcheck: $*" >&2; exit 1; }

work=$(mktemp -d "${TMPDIR:-/tmp}/cm-installed.XXXXXX")
trap 'rm -rf "$work"' EXIT
PKG_CONFIG_PATH=${DESTDIR:-}$pkgconfigdir${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=${DESTDIR:-}$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH

# DESTDIR stands before our folders only; a sysroot would stand before those of the MPI too.
flags() {
    $PKG_CONFIG --define-variable=includedir="${DESTDIR:-}$includedir" \
        --define-variable=libdir="${DESTDIR:-}$libdir" "$@" clustermark
}
flags --validate || fail "clustermark.pc is not valid"
# shellcheck disable=SC2046  # flags are words
for language in c f90; do
    case $language in c) compiler=$CC;; f90) compiler=$FC;; esac
    program=$work/hello_$language
    $compiler $(flags --cflags) "$sources/hello.$language" -o "$program" $(flags --libs) ||
        fail "hello.$language does not compile and link by clustermark.pc"
    if test "$run" = run; then
        "$program" || fail "hello.$language, linked by clustermark.pc, fails with status $?"
    fi
done
echo "installcheck: C and Fortran programs build by clustermark.pc${run:+ ($run)}"
