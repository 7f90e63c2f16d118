#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# musl.sh: the C sources of the library and of the benchmarks compile with musl's headers, without
# a warning. They are not linked, as there is no gfortran for musl.
set -u
srcdir=$(cd "${srcdir:-.}" && pwd)
. "$srcdir/script.inc"
top=$srcdir/..
command -v musl-gcc >/dev/null || { echo '1..0 # SKIP there is no musl-gcc'; exit 0; }

# musl-gcc searches musl's headers only. The kernel's are beside glibc's.
mkdir "$work/kernel"
for folder in /usr/include /usr/include/"$(musl-gcc -print-multiarch)"; do
    for name in linux asm asm-generic; do
        [ ! -d "$folder/$name" ] || ln -sfn "$folder/$name" "$work/kernel/$name"
    done
done
# Without what configure found in glibc, and the libraries that were built for it.
sed -E '/^#define HAVE_(ON_EXIT|HWLOC|JANSSON|CRYPTO|HIGHWAY|BLAS|OPENBLAS) /d' ../config.h \
    >"$work/config.h"

# Without the mpi backend and what gfortran's header is for.
compiles() # FOLDER
{
    find "$top/$1" -name '*.c' ! -path '*/comm/mpi/*' ! -path '*/fortran/*' >"$work/sources"
    [ -s "$work/sources" ] || return 1
    # shellcheck disable=SC2046  # no file here has a blank in its name
    musl-gcc -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -DHAVE_CONFIG_H \
        -DCM_SETS_THIS=baseline -DRUN_MPIEXEC='"mpiexec"' -I"$work" -I"$top/src" -I../src \
        -I"$top/$1" -I"../$1" -I"$top/sscrap/common" -idirafter "$work/kernel" \
        $(cat "$work/sources") 2>"$work/said" || { head -n 20 "$work/said" | show; false; }
}
# cm-farm requires libcrypto.
for folder in src hint stream noise netpipe nodes linpack heat network/patterns network/bisection \
    network/linkmap network/congestion network/loggp network/collective network/sockets \
    sscrap/common sscrap/sort sscrap/listrank sscrap/matmul sscrap/bspbench; do
    ok "$folder" compiles $folder
done
finish
