#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# matmul.sh: cm-matmul: what it refuses, both inputs and precisions at all numbers of processes, its
# result; that the verification finds a wrong product.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/../sscrap/matmul/cm-matmul
if ! [ -x "$program" ]; then program=$(pwd)/programs/matmul_faulty; fi   # without a BLAS

ok 'no rows' run 1 2 '^cm-matmul: .*--order.*0' "$program" -n 0
OPENBLAS_CORETYPE=SkylakeX; export OPENBLAS_CORETYPE
of_another()
{
    "$program" -n 10 2>&1 | grep -Eq '^cm-matmul: the BLAS uses its SkylakeX|RESULT: PASS'
}
if grep -qw avx512f /proc/cpuinfo || ! [ -x ../sscrap/matmul/cm-matmul ]; then
    skip 'kernels of another processor' 'it is none'
else ok 'kernels of another processor' of_another
fi
unset OPENBLAS_CORETYPE

[ "$comm" = dummy ] && counts=1 || counts=$(tier '1 2 3' '1 2 3 4 7')
for p in $counts; do
    case $p in 1 | 4) precision=double input=integer ;; 2) precision=single input=integer ;;
    3) precision=single input=real ;; *) precision=double input=real ;; esac
    for n in 5 150; do
        ok "order $n ($precision, $input), $p processes" run "$p" 0 '' "$program" -q -n $n \
            --repeat 2 -p $precision -i $input -o "$work/$p.$n.txt" || continue
        ok 'the product is right' has '^# CHECK: freivalds_.* PASS$' "$work/$p.$n.txt"
        ok 'as many supersteps as processes' \
            [ "$(awk '/^ *[0-9]/ { print $19 }' "$work/$p.$n.txt")" = "$p" ]
    done
done

# A plain product in place of the BLAS's agrees with it, and an error in a single element is found.
faulty=$(pwd)/programs/matmul_faulty
ranks=2; [ "$comm" = dummy ] && ranks=1
for input in integer real; do
    ok "a plain product is right ($input)" run $ranks 0 '' "$faulty" -q -n 20 --repeat 1 -i $input
done
for fault in one half left low nan; do
    TEST_FAULT=$fault; export TEST_FAULT
    ok "one wrong element is found ($fault)" run $ranks 1 '' "$faulty" -q -n 20 --repeat 1
    unset TEST_FAULT
done
for fault in one left low nan; do
    TEST_FAULT=$fault; export TEST_FAULT
    ok "among reals, too ($fault)" run $ranks 1 '' "$faulty" -q -n 20 --repeat 1 -i real
    unset TEST_FAULT
done

# Threads: asked for, said and measured.
threads() # SAYS BUSY REGEX OPTION...
{
    TEST_SAYS=$1 TEST_BUSY=$2; export TEST_SAYS TEST_BUSY
    regex=$3; shift 3
    run 1 0 "$regex" "$faulty" -q -n 10 --repeat 1 -o "$work/threads.txt" --force "$@"
    set -- $?
    unset TEST_SAYS TEST_BUSY
    return "$1"
}
ok 'threads that the BLAS does not take' threads 1 1 '--threads 2: the BLAS uses 1$' -t 2
ok 'are not in the result' has '^# blas_threads: 1$' "$work/threads.txt"
ok 'more threads than it says' threads 1 3 \
    'says that it uses 1 threads, but its matrix product keeps 3.0 processors busy' -t 1
ok 'are in the result' has '^# blas_threads_busy: 3.00$' "$work/threads.txt"
ok 'threads that are not there' threads 2 1 'uses 2 threads, .* keeps 1.0 processors busy' -t 2
ok 'a BLAS that says nothing' threads 0 1 '--threads 2: this BLAS cannot be told' -t 2
ok 'has no number of threads' sh -c "! grep -q '^# blas_threads:' '$work/threads.txt'"
ok 'one thread where others work, too' threads 1 0.3 '' -t 1

ok 'a series' run $ranks 0 '' "$program" -q --each --from 10 -n 30 --repeat 2 -o "$work/series.txt"
ok 'orders, elements and processes' \
    [ "$(awk '/^ *[0-9]/ { printf "%s:%s:%s ", $1, $2, $3 }' "$work/series.txt")" = \
    "$(for p in $(seq $ranks); do printf '%s:10:100 %s:20:400 %s:30:900 ' $p $p $p; done)" ]
for key in clock_hz place precision input slices blas_threads; do
    ok "metadata: $key" has "^# $key: ." "$work/series.txt"
done
finish
