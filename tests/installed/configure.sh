#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# configure.sh: what configure and make install refuse in one line; an MPI whose programs do not run
# here, which configure takes with --with-comm=mpi only.
set -u
srcdir=$(cd "${srcdir:-.}" && pwd)
. "$srcdir/script.inc"
. "$srcdir/installed/stub_mpi.inc"
[ ! -e "$srcdir/../config.status" ] || {
    echo '1..0 # SKIP the sources were configured in place, which allows no second build'
    exit 0
}
compiler=$CC top=$(cd .. && pwd)
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS LD_PRELOAD
unset CC CFLAGS FCFLAGS MPICC MPIEXEC top_builddir

folder=build sources=$srcdir/..
configures() # OPTION...
{
    rm -rf "$work/$folder" && mkdir "$work/$folder" && cd "$work/$folder" || return 1
    timeout 900 "$sources/configure" --without-blas --without-highway "$@" >"$work/said" 2>&1
}
refuses() # LINE OPTION...
{
    line=$1; shift
    if (configures "$@"); then echo '# configure goes on'; return 1; fi
    if [ "$(grep -c '^configure: error' "$work/said")" = 1 ] && has "$line" "$work/said"; then
        return
    fi
    tail -n 3 "$work/said" | show
    false
}
takes() # LINE OPTION...
{
    line=$1; shift
    if (configures "$@") && has "$line" "$work/said"; then return; fi
    tail -n 30 "$work/said" | show
    false
}

ok 'a prefix with blanks' refuses "^configure: error: --prefix='/opt/a b': libtool cannot install" \
    --prefix='/opt/a b'
ok 'another folder' refuses "error: --mandir='/opt/a b': .*choose one without" --mandir='/opt/a b'
folder='a build'
ok 'a build folder with blanks' refuses "error: the build folder '/.*/a build': .*choose a folder"
mkdir "$work/a tree" && ln -s "$srcdir/.." "$work/a tree/clustermark" || exit 99
sources="$work/a tree/clustermark" folder=build
ok 'sources with blanks' refuses "error: the sources' folder '/.*/a tree/clustermark': "
sources=../tree folder='a tree/build'
ln -s "$srcdir/.." "$work/a tree/tree" || exit 99
ok 'by a relative path' refuses "error: the build folder '/.*/a tree/build': "
sources=$srcdir/.. folder=build
staged()
{
    make -s -C "$top" "$1" DESTDIR="$work/a stage" >"$work/said" 2>&1
    [ $? = 2 ] && [ "$(grep -vc '^make' "$work/said")" = 1 ] &&
        has "^DESTDIR='/.*/a stage': libtool cannot install into .*; choose one" "$work/said"
}
ok 'a DESTDIR with blanks' staged install
ok 'for programs only' staged install-exec
echo 'int main(void) { return 0; }' >"$work/empty.c"
if $compiler -m32 -o "$work/empty" "$work/empty.c" 2>"$work/said"; then
    ok 'addresses of 32 bits' refuses 'clustermark requires 64' CC="$compiler -m32"
else skip 'addresses of 32 bits' 'the C compiler has no libraries for them'
fi

# A BLAS with integers of 64 bits, and an OpenBLAS whose archive needs gfortran's library.
cat >"$work/wide.c" <<'END'
void saxpy_(const long *n, const float *a, const float *x, const long *dx, float *y, const long *dy)
{ for (long k = 0; k < *n; k++) y[k * *dy] += *a * x[k * *dx]; }
void sgemm_(void) {}
END
sed 's/long/int/g' "$work/wide.c" >"$work/narrow.c"
cat >>"$work/narrow.c" <<'END'
void _gfortran_stop_string(const char *, unsigned long, int);
char *openblas_get_corename(void) { _gfortran_stop_string("", 0, 0); return ""; }
END
ok 'two BLAS are made' eval "(cd '$work' && $compiler -c wide.c && $compiler -c narrow.c)"
ok 'integers of 64 bits' refuses "--with-blas=/.*/wide.o: this BLAS has integers of 64 bits; take" \
    --with-comm=dummy --with-blas="$work/wide.o"
ok 'as BLAS_LIBS' refuses "error: BLAS_LIBS='/.*/wide.o': this BLAS has integers of 64 bits; take" \
    --with-comm=dummy --with-blas BLAS_LIBS="$work/wide.o"
ok 'an OpenBLAS that needs the library of gfortran' takes '^  BLAS  *.*/narrow.o$' \
    --with-comm=dummy --with-blas="$work/narrow.o"
ok 'is known as one' has '^#define HAVE_OPENBLAS 1' "$work/build/config.h"

# MPI_Init ends the program, as on a login node.
ok 'an MPI that links is made' stub_mpi "$work" "$compiler" ar
ok 'it is not taken by itself' refuses 'links but does not run; --with-comm=mpi takes it' \
    MPICC="$work/mpicc"
ok '--with-comm=mpi takes it' takes '^  backend  *mpi: unknown MPI, by .*mpicc (not run here)$' \
    --with-comm=mpi MPICC="$work/mpicc" MPIEXEC='srun --mpi=none'
ok 'a warning says so' has "^configure: WARNING: .*mpicc does not run here" "$work/said"
ok 'its launcher is as given' has '^  mpiexec  *srun --mpi=none$' "$work/said"
finish
