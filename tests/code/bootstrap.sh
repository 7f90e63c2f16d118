#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bootstrap.sh: what bootstrap does in a release and in a clone, with stand-ins for the tools that
# it calls.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

tree=$work/tree
mkdir -p "$tree/suite" "$work/bin"
cp "$srcdir/../bootstrap" "$tree/bootstrap"
touch "$tree/configure.ac"
# stand_in FILE INTERPRETER BODY
stand_in() { printf '#!%s\n%s\n' "$2" "$3" >"$1"; chmod +x "$1"; }
for tool in autoreconf automake libtoolize pkg-config apt-get; do
    stand_in "$work/bin/$tool" /bin/sh "echo $tool \"\$@\" >>'$work/called'"
done
stand_in "$work/bin/dpkg-query" /bin/sh 'exit 1' # nothing is installed
stand_in "$work/bin/sudo" /bin/sh 'exec "$@"'
# Guix has no /bin/sh.
manifests() { stand_in "$tree/suite/manifests" /nowhere/sh "echo manifests >>'$work/called'; $1"; }
manifests true
# bootstraps [ARGUMENT...]
bootstraps()
{
    : >"$work/called"
    PATH=$work/bin:$PATH sh "$tree/bootstrap" "$@" >"$work/out" 2>&1 || { show "$work/out"; false; }
}
called() { [ "$(cut -d ' ' -f 1 "$work/called" | tr '\n' ' ')" = "$1" ] || show_calls; }
show_calls() { show "$work/called"; false; }
installs() { tr ' ' '\n' <"$work/called" | grep -qx "$1"; }

ok 'in a clone' bootstraps
ok 'the manifests are read by the shell, then configure is made' called 'manifests autoreconf '
ok 'packages are installed' bootstraps --install-deps
ok 'those that make configure, too' installs autoconf
stand_in "$tree/configure" /bin/sh ''
ok 'once more in a clone' bootstraps
ok 'configure is made anew' called 'manifests autoreconf '

touch "$tree/.tarball-revision"
ok 'in a release' bootstraps
ok 'nothing is made' called 'manifests '
ok 'which is one line' [ "$(grep -c 'this release has configure already' "$work/out")" -eq \
    "$(wc -l <"$work/out")" ]
ok 'packages are installed' bootstraps --install-deps
ok 'those of a build' installs gfortran
ok 'without those that make configure' sh -c "! grep -qw 'auto.*\|libtool' '$work/called'"
manifests 'test "$*" != --check'
ok 'in a release with a further benchmark' bootstraps
ok 'configure is made' called 'manifests manifests autoreconf '
finish
