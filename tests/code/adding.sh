#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# adding.sh: runs the commands of HACKING's "Adding a benchmark" in a copy of the tree. The program
# is built, tested, and found wherever a user looks for it.
set -u
srcdir=$(cd "${srcdir:-.}" && pwd)
. "$srcdir/script.inc"
top=$srcdir/..
build=$(cd .. && pwd)

if [ ! -e "$top/.git" ]; then
    skip 'a benchmark is added' 'these sources are not in git, which says what belongs to them'
    finish
fi
# The build in the copy must not inherit make's own variables or those of this folder's tests.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS
unset CC TEST_COMM TEST_CXX NM CRYPTO_CFLAGS CRYPTO_LIBS HWLOC_CFLAGS HWLOC_LIBS
unset top_builddir MPIEXEC

# quiet COMMAND...: shows the end of its output only if it fails.
quiet() { "$@" >"$work/said" 2>&1 || { tail -n 30 "$work/said" | sed 's/^/# /'; false; }; }
copy()
{
    mkdir "$work/tree" &&
        (cd "$top" && git ls-files -z | xargs -0 tar -cf -) | tar -C "$work/tree" -xf - &&
        cd "$work/tree" && git init -q . && git add -A &&
        git -c user.name=test -c user.email=test@localhost commit -q -m 'the tree as it is'
}
# The lines of the chapter that begin with "    $ ".
steps() { sed -n '/^Adding a benchmark$/,/^Manifests$/s/^    \$ //p' HACKING; }
configured()
{
    mkdir b && cd b || return 1
    eval "set x $("$build/config.status" --config)"
    shift
    timeout 900 ../configure "$@" --srcdir=..
}
shared() { git diff --name-only | sort | tr '\n' ' '; }

ok 'a copy of the tree' quiet copy || finish
cd "$work/tree" || exit 99
steps >"$work/steps"
ok 'HACKING has the steps' grep -q '^cp -R doc/examples/benchmark ' "$work/steps" || finish
ok 'they work' quiet timeout 900 sh -e "$work/steps" || finish
ok 'two shared files are touched' [ "$(shared)" = 'NEWS tests/programs/local.mk ' ] ||
    shared | sed 's/^/# /'
ok 'the table of programs has its row' \
    grep -q '^@item @command{cm-sum} @tab How soon do all ranks know the sum' \
    doc/benchmarks-programs.texi
ok 'configured' quiet configured || finish
ok 'built' quiet timeout 1200 make -j2 || finish
ok 'a man page' grep -q 'cm.*-sum' doc/cm-sum.1
ok 'a completion' grep -q 'complete .*cm-sum$' doc/completions/cm-sum
ok 'no metric without a meaning' sh -c \
    './sum/cm-sum --print-metrics | awk -F "\t" \
        "\$2 == \"labels\" { next } NF != 5 || \$4 == \"\" || \$5 == \"\" { bad = 1 }
            { n++ } END { exit bad || !n }"'
if [ -s doc/clustermark.info ]; then
    ok 'a chapter of the manual' grep -q 'Node: sum,' doc/clustermark.info
else skip 'a chapter of the manual' 'makeinfo is not there'
fi
# Runs only these tests. make check would first build all others.
passes() { (cd tests && srcdir=../../tests quiet timeout 900 "../../tests/$1"); }
ok 'what its test needs' quiet timeout 900 make -C tests run-ranks
ok 'its test passes' passes programs/sum.sh
ok 'so does that of the lists' passes doc/manifests.sh
ok 'and that of the manual' passes doc/manual.sh
if [ "$have_json" = yes ]; then
    suite_runs() { timeout 900 suite/clustermark run --only sum --profile quick results; }
    if [ "$comm" = dummy ]; then
        suite_runs >"$work/said" 2>&1
        status=$?
        ok 'the suite skips it' [ $status -eq 3 ]
        ok 'and says why' grep -q 'dummy backend' results/sum.skipped
    else
        ok 'the suite runs it' quiet suite_runs
        ok 'and it passes' grep -q '^# RESULT: PASS sum_us' results/sum.txt
        ok 'the report is made' quiet suite/clustermark report results
        ok 'it has its part, its metric and what that means' grep -q \
            'time until all ranks know the sum of one number per rank' results/report.html
        if command -v gnuplot >/dev/null 2>&1; then
            ok 'and its figure' grep -q '<figure id="sum-sum">' results/report.html
        fi
    fi
else skip 'the suite' 'without jansson there is none'
fi
ok 'make dist takes it along' quiet timeout 900 make dist
finish
