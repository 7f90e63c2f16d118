#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cross.sh: the package cross-built for 64-bit Arm, over sockets and over shared memory, without the
# libraries that are not there for this processor. qemu runs its functions, the contract of comm.h
# and cm-netpipe. An MPI that links is believed. qemu on x86 keeps the order of stores, so a barrier
# that Arm needs and the sources lack is not found here.
set -u
srcdir=$(cd "${srcdir:-.}" && pwd)
. "$srcdir/script.inc"
. "$srcdir/installed/stub_mpi.inc"
host=aarch64-linux-gnu
emulator="qemu-aarch64 -L /usr/$host"
for tool in $host-gcc $host-gfortran ${emulator%% *}; do
    command -v "$tool" >/dev/null || { echo "1..0 # SKIP there is no $tool"; exit 0; }
done
top=$srcdir/..
[ ! -e "$top/config.status" ] || {
    echo '1..0 # SKIP the sources were configured in place, which allows no second build'
    exit 0
}
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS LD_PRELOAD
unset CC CFLAGS FCFLAGS TEST_COMM TEST_CXX NM CRYPTO_CFLAGS CRYPTO_LIBS HWLOC_CFLAGS HWLOC_LIBS
unset JANSSON_CFLAGS JANSSON_LIBS top_builddir MPICC MPIEXEC HYDRA_MPIEXEC CHECK_LONG

# quiet COMMAND...: shows the end of its output only if it fails.
quiet() { "$@" >"$work/said" 2>&1 || { tail -n 30 "$work/said" | show; false; }; }
configured() # BACKEND OPTION...
{
    mkdir "$work/$1" && cd "$work/$1" || return
    backend=$1; shift
    quiet timeout 900 "$top/configure" --host=$host --with-comm="$backend" "$@"
}
made() # BACKEND ARGUMENT...
{
    folder=$work/$1; shift
    quiet timeout 3000 make -C "$folder" -j2 "$@"
}
# What tests ran, and no warning of the compilers.
clean() { ! grep 'warning:' "$work/said" | show | grep .; }
# tested BACKEND LEAST ARGUMENT...: make in tests/; at least LEAST tests pass and none fails.
tested()
{
    folder=$work/$1/tests least=$2; shift 2
    find "$folder" -name '*.trs' -exec rm -f {} +
    TEST_EMULATOR=$emulator made "${folder#"$work"/}" "$@" || {
        find "$folder" -name '*.log' -exec grep -H '^not ok' {} + | head -n 20 | show
        false
    } && passed=$(find "$folder" -name '*.trs' -exec cat {} + | grep -c '^:test-result: PASS') &&
        [ "$passed" -ge "$least" ] || { echo "# ${passed:-0} points passed"; false; }
}
for_arm() { $host-readelf -h "$1" | grep -q 'Machine: *AArch64'; }
# Two ranks under qemu, started by cmrun under qemu.
pings() # BACKEND
{
    cd "$work/$1" || return
    # shellcheck disable=SC2086  # the emulator is words
    quiet timeout 900 $emulator src/cmrun -n 2 $emulator netpipe/cm-netpipe --upper 65536 \
        --perturbation 0 --time-limit 0.01 --trial-seconds 1e-3 --output "$work/netpipe.txt" \
        --force &&
        has "^# comm: $1\$" "$work/netpipe.txt" && has '^# RESULT: PASS ' "$work/netpipe.txt" &&
        [ "$(rows_of "$work/netpipe.txt" | wc -l)" -ge 10 ]
}

# ---- Sockets: all of the package ----------------------------------------------------------------

here=$(pwd)
ok 'sockets: configured' configured sockets || finish
ok 'kernels are for the baseline' has '^  sets  *baseline$' "$work/said"
for lost in BLAS jansson crypto; do
    ok "what the lack of $lost costs is said" has "^  $lost  *no: " "$work/said"
done
ok 'sockets: built' made sockets || finish
ok 'without a warning' clean
ok 'for Arm' for_arm "$work/sockets/netpipe/cm-netpipe"
ok 'the functions' tested sockets 1000 check-unit
for backend in sockets shm; do
    if [ $backend = shm ]; then
        ok 'shm: configured' configured shm || finish
        ok 'shm: built' made shm "SUBDIRS=src netpipe" || finish
        ok 'without a warning' clean
    fi
    ok "$backend: the contract of comm.h" tested $backend 100 check \
        TESTS=contract/contract.ranks check_PROGRAMS=contract/contract.ranks TEST_COUNTS=2
    ok "$backend: cm-netpipe" pings $backend || show "$work/said"
done

# ---- MPI: believed -------------------------------------------------------------------------------

mkdir "$work/stub"
ok 'an MPI that links for Arm is made' stub_mpi "$work/stub" $host-gcc $host-ar
ok 'mpi: configured' configured mpi MPICC="$work/stub/mpicc" MPIEXEC='srun --mpi=none' || finish
ok 'a warning says that it was not run' \
    has '^configure: WARNING: .*/stub/mpicc links; a cross build runs none' "$work/said"
ok 'the summary, too' has '^  backend  *mpi: unknown MPI, by .*mpicc (not run here)$' "$work/said"
ok 'its launcher is as given' has '^  mpiexec  *srun --mpi=none$' "$work/said"
cd "$here" || exit 99
finish
