#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# configure.sh: what configure refuses in one line; an MPI whose programs do not run here, which it
# takes with --with-comm=mpi only.
set -u
srcdir=$(cd "${srcdir:-.}" && pwd)
. "$srcdir/script.inc"
[ ! -e "$srcdir/../config.status" ] || {
    echo '1..0 # SKIP the sources were configured in place, which allows no second build'
    exit 0
}
compiler=$CC
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS LD_PRELOAD
unset CC CFLAGS FCFLAGS MPICC MPIEXEC top_builddir

configures() # OPTION...
{
    rm -rf "$work/build" && mkdir "$work/build" && cd "$work/build" || return 1
    timeout 900 "$srcdir/../configure" --without-blas --without-highway "$@" >"$work/said" 2>&1
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
echo 'int main(void) { return 0; }' >"$work/empty.c"
if $compiler -m32 -o "$work/empty" "$work/empty.c" 2>"$work/said"; then
    ok 'addresses of 32 bits' refuses 'clustermark requires 64' CC="$compiler -m32"
else skip 'addresses of 32 bits' 'the C compiler has no libraries for them'
fi

# An MPI that links. MPI_Init ends the program, as on a login node.
cat >"$work/mpi.h" <<'END'
enum { MPI_COMM_WORLD, MPI_INT, MPI_SUM };
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_size(int comm, int *size);
int MPI_Allreduce(const void *in, void *out, int n, int type, int op, int comm);
int MPI_Finalize(void);
END
cat >"$work/stub.c" <<'END'
#include <stdlib.h>
#include "mpi.h"
int MPI_Init(int *argc, char ***argv) { (void)argc, (void)argv; exit(1); }
int MPI_Comm_size(int comm, int *size) { *size = 1; return comm; }
int MPI_Allreduce(const void *in, void *out, int n, int type, int op, int comm)
{ (void)in, (void)out, (void)type, (void)op; return n - 1 + comm; }
int MPI_Finalize(void) { return 0; }
END
cat >"$work/mpicc" <<END
#!/bin/sh
test "\$*" = -show && echo "cc -I$work $work/stub.a"
END
chmod +x "$work/mpicc"
ok 'an MPI that links is made' sh -c "cd '$work' && $compiler -c stub.c && ar rc stub.a stub.o"
ok 'it is not taken by itself' refuses 'links but does not run; --with-comm=mpi takes it' \
    MPICC="$work/mpicc"
ok '--with-comm=mpi takes it' takes '^  backend  *mpi: unknown MPI, by .*mpicc (not run here)$' \
    --with-comm=mpi MPICC="$work/mpicc" MPIEXEC='srun --mpi=none'
ok 'a warning says so' has "^configure: WARNING: .*mpicc does not run here" "$work/said"
ok 'its launcher is as given' has '^  mpiexec  *srun --mpi=none$' "$work/said"
finish
