#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# backends.sh: this backend and two others in one prefix. All of them run, alone and in turns, and
# their libraries can be linked; uninstalling one leaves the others; in the end nothing is left.
# Builds parts of the package twice.
set -u
srcdir=$(cd "${srcdir:-.}" && pwd)
. "$srcdir/script.inc"
need_suite
top=$srcdir/..
build=$(cd .. && pwd)
if [ -e "$top/config.status" ]; then
    skip 'several backends' 'the sources were configured in place, which allows no second build'
    finish
fi

# The other builds must not inherit make's own variables or those of this folder's tests.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS
unset CC TEST_COMM TEST_CXX NM CRYPTO_CFLAGS CRYPTO_LIBS HWLOC_CFLAGS HWLOC_LIBS
unset top_builddir MPIEXEC CHECK_LONG

others=$(printf '%s\n' sockets shm hybrid | grep -vx "$comm" | head -n 2 | tr '\n' ' ')
first=${others%% *} second=${others#* } second=${second% }
root=$work/root
setting() { sed -n "s/^$1 = //p" "$build/Makefile"; }
prefix=$root$(setting prefix)
bin=$prefix/bin share=$prefix/share/clustermark man=$prefix/share/man/man1

# quiet COMMAND...: shows the end of its output only if it fails.
quiet() { "$@" >"$work/said" 2>&1 || { tail -n 30 "$work/said" | sed 's/^/# /'; false; }; }
# What the other backends have of the programs. Their tarball of the sources is whole.
parts="SUBDIRS=src netpipe clusters/virtual suite ."
all="DIST_SUBDIRS=$(setting SUBDIRS)"
configured() # BACKEND
{
    mkdir "$work/$1" && cd "$work/$1" || return
    eval "set x $("$build/config.status" --config) --with-comm=$1"
    shift
    timeout 900 "$top/configure" "$@" --srcdir="$top"
}
make_in() { folder=$1; shift; timeout 1800 make -C "$folder" DESTDIR="$root" "$@"; }
make_other() { other=$1; shift; make_in "$work/$other" "$parts" "$all" "$@"; }

# The program by its name, and as what the suite finds when it is asked for the backend.
runs() # BACKEND
{
    quiet "$bin/cmrun" -n 2 "$bin/cm-netpipe-$1" --upper 64 --time-limit 0.002 \
        --trial-seconds 1e-4 --output "$work/netpipe.txt" --force &&
        has "^# comm: $1\$" "$work/netpipe.txt"
}
found() { quiet "$bin/$1" run --backend "$2" --only netpipe --until 0 "$work/none"; }
leads() { [ "$(readlink "$1")" = "$2" ] || { ls -l "$1"; false; }; }
# cm-sockets is a program, whatever the backend.
files_of() { find "$prefix" '(' -name "*-$1" -o -name "*-$1.*" ')' ! -name 'cm-sockets*'; }
none_of() { [ -z "$(files_of "$1")" ] || { files_of "$1" | sed 's/^/# /'; false; }; }

nothing_left()
{
    { find "$root" ! -type d | grep -v '/info/dir$'
      find "$prefix" -mindepth 1 -type d -name clustermark; } >"$work/left"
    [ ! -s "$work/left" ] || { show "$work/left"; false; }
}

for each in $others; do
    ok "$each: configured" quiet configured "$each" || finish
    ok "$each: built" quiet make_other "$each" -j2 || finish
done
cd "$build/tests" || exit 99

# ---- Installed ----------------------------------------------------------------------------------

ok "$comm: installed" quiet make_in "$build" install || finish
ok 'its programs have its name' [ -x "$bin/cm-netpipe-$comm" ]
ok 'by a link they have none' leads "$bin/cm-netpipe" "cm-netpipe-$comm"
cp "$share/source.tar.gz" "$work/source.tar.gz"
for each in $others; do
    ok "$each: installed" quiet make_other "$each" install || finish
    ok "$each: the sources are packed to the same bytes" \
        cmp "$share/source.tar.gz" "$work/source.tar.gz"
done
ok 'the first one keeps the names' leads "$bin/clustermark" "clustermark-$comm"
ok 'there is one page for all' [ "$(ls "$man" | grep -c '^cm-netpipe')" = 1 ]
ok 'and a completion for each' quiet ls "$prefix/share/bash-completion/completions/cm-netpipe" \
    "$prefix/share/bash-completion/completions/cm-netpipe-$comm"
for each in $comm $others; do
    folder=$work/$each
    [ "$each" != "$comm" ] || folder=$build
    ok "$each: programs build with its library" quiet make_in "$folder/tests" installcheck
done
ok 'man pages and completions are looked up' quiet make_in "$build/doc" installcheck
for each in $others; do
    ok "$each: runs" runs "$each"
    ok "$each: is found" found clustermark "$each"
    ok "$each: in a prefix, too" found "clustermark-$comm" "$each=$prefix"
done
# On a busy machine it may take long.
ok 'two in turns' quiet "$bin/clustermark" run --backend "$first,$second" --only netpipe \
    --launches 1 --time-limit 600 "$work/turns"
for each in $others; do
    ok "$each: has its results" has "^# comm: $each\$" "$work/turns/$each/netpipe.txt"
done
ok 'there is a page' quiet "$bin/clustermark" report "$work/turns"
not_there() { ! "$bin/clustermark" run --backend other "$work/no" 2>"$work/err"; }
ok 'one that is not installed' not_there
ok 'is named' has 'no clustermark-other is beside it' "$work/err"

# ---- Others by default, and without one ----------------------------------------------------------

ok "$first: make install-default" quiet make_other "$first" install-default
ok 'takes the names' leads "$bin/cm-netpipe" "cm-netpipe-$first"
ok 'and the .pc' leads "$(find "$prefix" -name clustermark.pc)" "clustermark-$first.pc"
ok "$first: uninstalled" quiet make_other "$first" uninstall
ok 'nothing of it is left' none_of "$first"
ok 'its names go to another' [ -x "$bin/cm-netpipe" ]
ok 'shared files are kept' quiet ls "$share/suite/benchmarks.tab" "$share/source.tar.gz"
ok 'man pages, too' [ -s "$man/cm-netpipe.1" ]
ok "$second: still runs" runs "$second"
ok "$second: is still found" found clustermark "$second"
ok "$second: programs still build" quiet make_in "$work/$second/tests" installcheck
ok "$second: uninstalled" quiet make_other "$second" uninstall
ok "$comm: has the names again" leads "$bin/cm-netpipe" "cm-netpipe-$comm"
ok "$comm: uninstalled" quiet make_in "$build" uninstall
ok 'nothing is left, nor a folder of our own' nothing_left

# ---- Other names ---------------------------------------------------------------------------------

renamed()
{
    cd "$work/$second" || return
    eval "set x $(./config.status --config) --program-prefix=my- --program-suffix=-1.0"
    shift
    timeout 900 "$top/configure" "$@" --srcdir="$top" && cd "$build/tests" &&
        make_other "$second" && make_other "$second" install
}
if ok '--program-prefix and --program-suffix' quiet renamed; then
    ok 'have the backend between them' leads "$bin/my-cm-netpipe-1.0" "my-cm-netpipe-$second-1.0"
    ok 'the suite finds its programs' found my-clustermark-1.0 "$second"
    ok 'uninstalled' quiet make_other "$second" uninstall
    ok 'nothing is left, nor a folder of our own' nothing_left
fi
finish
