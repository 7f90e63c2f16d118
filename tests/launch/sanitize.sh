#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests of cmrun with cmrun and their client compiled anew under the address, undefined-
# behaviour and leak sanitizers.
set -u
srcdir=${srcdir-.}
. "$srcdir/sanitize.inc"
sanitize_begin launch-sanitized.dir address,undefined
here=$(pwd)/$folder
# Leaves out the check of the processors that the whole library was built for.
machine=$(files 'machine/*.c' | grep -v -e /built_for -e /sets -e /require_cpu -e /describe)
sanitize_compile $(files 'comm/pmi/*.c' 'option/*.c' 'launch/*.c') $machine \
    base/launch_rank.c base/environment.c base/spelling.c comm/computer.c comm/engine/auth.c \
    measure/clock.c
sanitize_link cmrun
export CMRUN="$here/cmrun"
if has_native; then
    sanitize_compile \
        $(files 'base/*.c' 'comm/*.c' 'comm/engine/*.c' 'comm/engine/*/*.c' 'comm/pmi/*.c') \
        machine/interface.c machine/memory.c machine/cgroup.c machine/file.c machine/cpus.c \
        machine/processors.c
    sanitize_link client ../tests/launch/client.c
    sanitize_link hosts_program ../tests/launch/hosts_program.c
    export CLIENT="$here/client" PROGRAM="$here/hosts_program"
fi

# Reports of a sanitizer go to files, because the tests count the lines of cmrun's stderr.
export ASAN_OPTIONS="log_path=$here/report ${ASAN_OPTIONS-}"
export UBSAN_OPTIONS="log_path=$here/report print_stacktrace=1 ${UBSAN_OPTIONS-}"
{
    for script in run end pmi hosts; do
        "$srcdir/launch/$script.sh"
    done
    if cat "$here"/report* 2>/dev/null | sed -e 's/^/# /' -e 200q | grep .; then
        echo 'not ok 1 - no reports'
    else
        echo 'ok 1 - no reports'
    fi
    echo 1..1
} | "$srcdir/tap-merge"
