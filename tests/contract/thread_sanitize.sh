#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The thread sanitizer on code with threads (collective algorithms over ranks that are threads), and
# on the contract's programs, which must have only one thread. thread_sanitize_long.sh uses more
# ranks.
set -u
srcdir=${srcdir-.}
. "$srcdir/sanitize.inc"
long=${long-}
sanitize_begin threads${long:+-long}.dir thread
export TSAN_OPTIONS="halt_on_error=1 exitcode=66 ${TSAN_OPTIONS-}"

# One point for a serial program, whose own TAP output is reduced to the failures.
whole() # NAME LIMIT COMMAND...
{
    name=$1 limit=$2; shift 2
    if timeout "$limit" $plain "$@" >"$folder/out" 2>"$folder/err"; then
        echo "ok 1 - $name: $(grep -c '^ok' "$folder/out") points"
    else
        echo "not ok 1 - $name: status $?"
        { grep '^not ok' "$folder/out"; cat "$folder/err"; } | sed -e 's/^/# /' -e 60q
    fi
    echo 1..1
}

{
    sanitize_compile $(files 'base/*.c' 'comm/*.c') \
        machine/memory.c machine/cgroup.c machine/file.c machine/cpus.c machine/processors.c
    sanitize_link schedule ../tests/unit/schedule.c ../tests/unit/ranks.c \
        ../tests/unit/collective_checks.c
    whole 'collective algorithms over threads' 900 "$folder/schedule" ${long:-3}
    [ -z "$long" ] || whole 'at further numbers of ranks' 900 "$folder/schedule" more

    if [ -z "$long" ] && has_native; then
        sanitize_compile \
            $(files 'base/*.c' 'comm/*.c' 'comm/engine/*.c' 'comm/engine/*/*.c' 'comm/pmi/*.c') \
            machine/interface.c machine/memory.c machine/cgroup.c machine/file.c machine/cpus.c \
            machine/processors.c
        sanitize_link contract ../tests/contract/contract.c ../tests/contract/p2p.c \
            ../tests/contract/requests.c ../tests/contract/overlap.c
        $plain ./run-ranks -n 3 -t 400 $folder/contract
    fi
} | "$srcdir/tap-merge"
