#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# blas.sh: a result names the BLAS that is loaded, whatever the program was linked with: each BLAS
# of this machine (or of TEST_BLAS, separated by colons) is preloaded in turn.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/../linpack/cm-linpack

# The expected name and version come from the file and its folder; the program asks the library
# first.
name_of()
{
    case $1 in
    *openblas*) echo OpenBLAS ;;
    *blis*) echo BLIS ;;
    *atlas*) echo ATLAS ;;
    *mkl*) echo MKL ;;
    *) echo reference ;;
    esac
}
version_of()
{
    basename "$1" | sed -n -e 's/.*-r\([0-9.]*\)\.so$/\1/p' -e 's/.*\.so\.\([0-9]*\..*\)/\1/p'
}

found=0
check()
{
    file=$(readlink -f "$1") blas=$(name_of "$1") version=$(version_of "$(readlink -f "$1")")
    [ -r "$file" ] && env LD_PRELOAD="$1" "$program" --version >/dev/null 2>&1 || return 0
    found=$((found + 1))
    env LD_PRELOAD="$1" "$program" -q --repeat 1 -n 1000 -t 1 -o "$work/result" --force \
        >/dev/null 2>"$work/said" || { ok "$1" false; show "$work/said"; return; }
    ok "$blas: its name, of $1" has "^# blas: $blas\$" "$work/result"
    [ -z "$version" ] || ok "$blas: version $version" \
        has "^# blas_version: $version\$" "$work/result"
    ok "$blas: the threads that are busy" has '^# blas_threads_busy: [0-9]' "$work/result"
    case $1 in
    *libblas.so.3 | *atlas*) ;;
    *) ok "$blas: one thread" has '^# blas_threads: 1$' "$work/result" ;;
    esac
    case $1 in
    */blas/libblas.so.3 | *-serial/libopenblas*)
        env LD_PRELOAD="$1" "$program" -q --repeat 1 -n 50 -t 2 -o "$work/result" --force \
            >/dev/null 2>"$work/said"
        ok "$blas: no second thread" has '^# blas_threads: 1$' "$work/result"
        ok "$blas: which is said" has '^cm-linpack: --threads 2: the BLAS uses 1$' "$work/said"
        env LD_PRELOAD="$1" OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2 "$program" -q --repeat 1 \
            -n 50 -o "$work/result" --force >/dev/null 2>"$work/said"
        ok "$blas: but not of an option that nobody gave" sh -c "! grep -e --threads '$work/said'"
        ok "$blas: the environment's second thread" has '^# blas_threads: 1$' "$work/result" ;;
    esac
}

if "$program" -q --repeat 1 -n 20 -o "$work/result" >/dev/null 2>&1; then
    ok 'the BLAS that the program was linked with' has '^# blas: [A-Za-z]' "$work/result"
    for place in /usr/lib/*-linux-gnu /usr/lib64 /usr/lib; do
        for library in blas/libblas.so.3 openblas-pthread/libblas.so.3 \
            openblas-pthread/libopenblas.so.0 openblas-openmp/libopenblas.so.0 \
            openblas-serial/libopenblas.so.0 blis-pthread/libblis.so.4 blis-openmp/libblis.so.4 \
            blis-serial/libblis.so.4 atlas/libblas.so.3; do
            [ ! -e "$place/$library" ] || check "$place/$library"
        done
    done
    for library in $(echo "${TEST_BLAS-}" | tr : ' '); do check "$library"; done
    [ $found -gt 0 ] || skip 'other libraries' 'this machine has none'
else
    skip 'the BLAS' 'cm-linpack does not run alone here'
fi
finish
