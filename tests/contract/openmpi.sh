#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# openmpi.sh: the mpi backend over Open MPI, whatever the backend of this build. Builds it in a
# folder of its own, configured like this build, and runs the contract's programs, BSPlib's, and two
# benchmarks. OPENMPI_MPICC names the wrapper if it is not found.
set -u
srcdir=$(cd "${srcdir-.}" && pwd)

skip() { echo "1..0 # SKIP $1"; exit 0; }
is_open_mpi()
{
    case $("$@" 2>/dev/null </dev/null) in
    *'Open MPI'* | *open-mpi*) ;;
    *) false ;;
    esac
}

looked_for=${OPENMPI_MPICC:-mpicc.openmpi /usr/lib64/openmpi/bin/mpicc mpicc}
wrapper=
for candidate in $looked_for; do
    ! is_open_mpi "$candidate" --showme:version || { wrapper=$(command -v "$candidate"); break; }
done
[ "$wrapper" ] || skip "no Open MPI by $looked_for; HACKING says how to get one"
launcher=${wrapper%/*}/mpiexec${wrapper##*/mpicc}
is_open_mpi "$launcher" --version || skip "no launcher $launcher beside $wrapper"
# shellcheck disable=SC2046
! is_open_mpi $(sed -n 's/^MPIEXEC = //p' Makefile) --version ||
    skip 'this build is over Open MPI: the other tests test it'
case "$CC " in *mpicc\ *) skip "CC=$CC brings an MPI of its own" ;; esac
[ ! -e "$srcdir/../config.status" ] ||
    skip 'the sources were configured in place, which allows no second build'

work=$(pwd)/openmpi.dir
rm -rf "$work" && mkdir "$work" || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
cd "$work" || exit 99
echo '#include <mpi.h>' >header.c
"$wrapper" -c header.c >said 2>&1 || skip "$wrapper finds no mpi.h"

# The inner build must not inherit make's own variables or those of this folder's tests. Root needs
# no variable to start jobs: configure has found the launcher's options for that.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS
unset CC TEST_COMM TEST_CXX NM CRYPTO_CFLAGS CRYPTO_LIBS HWLOC_CFLAGS HWLOC_LIBS
unset top_builddir MPIEXEC
unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# stage NAME COMMAND...: one test point. If it fails, nothing further can be tested. The command's
# output stays in the file said.
stage()
{
    name=$1; shift
    "$@" >"$work/said" 2>&1 && { echo "ok 1 - $name"; echo 1..1; return; }
    echo "not ok 1 - $name"
    tail -n 40 "$work/said" | sed 's/^/# /'
    echo 1..1
    exit 1
}

# This build's options, followed by those that differ: of two, the last one counts.
configured()
{
    eval "set x $(../../config.status --config)"
    shift
    timeout 900 "$srcdir/../configure" "$@" --srcdir="$srcdir/.." --with-comm=mpi \
        MPICC="$wrapper" MPIEXEC= || return 1
    cp "$work/said" "$work/configured"
}

# What configure's summary says of KEY.
summary() { sed -n "s/^  $1  *//p" "$work/configured"; }
summary_names_it()
{
    case $(summary backend) in
    'mpi: Open MPI, by '*) ;;
    *) cat configured; false ;;
    esac
}
# The launcher is the one beside the wrapper and starts more ranks than cores, also for root.
summary_names_launcher()
{
    summary mpiexec
    # shellcheck disable=SC2046
    set -- $(summary mpiexec)
    [ "$(command -v "$1")" = "$launcher" ] || return 1
    ranks=$(($(getconf _NPROCESSORS_ONLN) + 3))
    # shellcheck disable=SC2016
    timeout 60 "$@" -n $ranks sh -c 'echo "one of $OMPI_COMM_WORLD_SIZE"' | tee started
    [ "$(grep -c "^one of $ranks\$" started)" = $ranks ]
}

programs='contract coalesce delay bsp_textbook bsp_few bsp_part fortran_comm fortran_bsp'
built()
{
    for part in src suite netpipe network/collective sscrap/common sscrap/sort; do
        timeout 1800 make -j2 -C $part || return 1
    done
    # shellcheck disable=SC2046,SC2086
    timeout 1800 make -j2 -C tests run-ranks contract/wrong contract/bsp_wrong \
        contract/fortran_bsp_wrong $(printf 'contract/%s.ranks ' $programs)
}

{
    stage 'configure works with this wrapper' configured
    stage 'its summary says that this is Open MPI' summary_names_it
    stage 'and with which options its launcher starts ranks' summary_names_launcher
    stage 'the library, benchmarks and tests are built' built
    cd tests || exit 99
    for program in $programs; do ./run-ranks "./contract/$program.ranks"; done
    for script in wrong bsp_wrong; do srcdir=$srcdir "$srcdir/contract/$script.sh"; done
    # Run as a user runs them, by the launcher that configure found. run-ranks takes turns and
    # limits the time.
    if [ -x ../suite/clustermark ]; then # configure found jansson
        ./run-ranks -l none -n 1 -t 200 -s 0 \
            ../suite/clustermark run --only netpipe,collective ../results
        for result in netpipe collective; do
            stage "$result passes" grep '^# RESULT: PASS' "../results/$result.txt"
        done
    fi
} | "$srcdir/tap-merge"
