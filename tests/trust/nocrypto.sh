#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# nocrypto.sh: the layer compiled anew as where there is no libcrypto: it works on one host,
# and refuses several. CC and top_builddir come from the Makefile.
set -u
srcdir=${srcdir-.}
folder=nocrypto.dir
rm -rf $folder && mkdir $folder || exit 99
trap 'rm -rf $folder' EXIT
grep -v HAVE_CRYPTO "$top_builddir/config.h" >$folder/config.h
src=$srcdir/../src
flags="-std=gnu11 -O1 -w -I$folder -I$top_builddir -I$top_builddir/src -I$src -I$srcdir"
sources="$src/base/*.c $src/comm/*.c $src/comm/engine/*.c $src/comm/engine/*/*.c $src/comm/pmi/*.c"
sources="$sources $src/machine/interface.c $src/machine/memory.c $src/machine/cgroup.c"
sources="$sources $src/machine/file.c $src/machine/cpus.c $src/machine/processors.c"
# link PROGRAM SOURCE...
link()
{
    name=$1; shift
    # shellcheck disable=SC2086
    $CC $flags -o "$folder/$name" "$@" $sources -lm && return
    echo '1..1'
    echo "not ok 1 - $name compiles and links without libcrypto"
    exit 1
}
link impostor "$srcdir/trust/impostor.c"
link p2p "$srcdir/contract/contract.c" "$srcdir/contract/p2p.c"
{
    $folder/impostor
    ./run-ranks -n 3 $folder/p2p
} | "$srcdir/tap-merge"
