#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# debian.sh: Debian's packages from the content of make dist, by contrib/debian; lintian finds no
# error in them.
set -u
srcdir=$(cd "${srcdir:-.}" && pwd)
. "$srcdir/script.inc"
for tool in dpkg-buildpackage dh lintian; do
    command -v $tool >/dev/null || { echo "1..0 # SKIP there is no $tool"; exit 0; }
done
# The packages' build must not inherit make's own variables or those of this folder's tests.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS LD_PRELOAD
unset CC TEST_COMM TEST_CXX NM CRYPTO_CFLAGS CRYPTO_LIBS HWLOC_CFLAGS HWLOC_LIBS JANSSON_CFLAGS \
    JANSSON_LIBS top_builddir HYDRA_MPIEXEC

# quiet COMMAND...: shows the end of its output only if it fails.
quiet() { "$@" >"$work/said" 2>&1 || { tail -n 40 "$work/said" | show; false; }; }
version=$(configured PACKAGE_VERSION)
tree=clustermark-$version
ok 'the content of make dist' \
    quiet make -C .. distdir distdir="tests/${work#"$(pwd)/"}/$tree" || finish
cd "$work" || exit 99
tar cf "clustermark_$version.orig.tar.xz" -I 'xz -0' "$tree" && cp -R "$tree/contrib/debian" "$tree"
cd "$tree" || exit 99
# -d: the MPI of this machine may be another than Debian's default.
ok 'packages' quiet env DEB_BUILD_OPTIONS='nocheck parallel=2' timeout 2400 \
    dpkg-buildpackage -d -us -uc || finish
cd ..
ok 'lintian finds no error' quiet lintian --allow-root --fail-on error --tag-display-limit 0 \
    ./*.changes
for package in clustermark libclustermark-dev clustermark-doc; do
    dpkg-deb -c ${package}_*.deb >$package.list
done
ok 'programs are in clustermark' has ' \./usr/bin/cm-netpipe\( -> .*\)\?$' clustermark.list
ok 'their pages, too' has ' \./usr/share/man/man1/cm-netpipe\.1\.gz$' clustermark.list
ok 'the library is in libclustermark-dev' has '/libclustermark[-a-z]*\.a$' libclustermark-dev.list
ok 'the manual is in clustermark-doc' has '/clustermark\.html/index\.html$' clustermark-doc.list
finish
