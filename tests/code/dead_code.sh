#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# dead_code.sh: every external function and variable of src/ and of the benchmarks is used by
# another file, or declared by an installed header. A name that only its own file uses should be
# static; one that nobody uses is dead.
set -u
srcdir=${srcdir:-.}
nm=${NM:-nm}
skip_all() { echo "1..0 # SKIP $1"; exit 0; }
command -v "${nm%% *}" >/dev/null 2>&1 || skip_all "there is no $nm"
. "$srcdir/script.inc"
top=$(cd "$srcdir/.." && pwd)

# The source of an object, without its ending: removes libtool's folder and the prefix that automake
# adds.
source_of='
function source_of(object)
{
    sub(/\.libs\//, "", object)
    sub(/[^\/]*-/, "", object)
    sub(/\.o:?$/, "", object)
    return object
}'

# symbols OBJECT...: "used NAME" and "defined NAME SOURCE". Names that the Fortran compiler makes up
# for types are left out. nm may have arguments.
symbols()
{
    # shellcheck disable=SC2086
    $nm -P -A -g "$@" 2>/dev/null | awk "$source_of"'
    $3 ~ /^[Uwv]$/ { print "used", $2 }
    $3 ~ /^[TDBRC]$/ && $2 != "main" && $2 !~ /_MOD___/ && ($2 !~ /_MOD_/ || $3 == "T") {
        print "defined", $2, source_of($1)
    }'
}

# unused FOLDER: the names in "$work/symbols" that are defined in FOLDER and used by no other
# object.
unused()
{
    awk -v folder="$1/" '
    $1 == "used" { used[$2] = 1 }
    $1 == "defined" && index($3, folder) == 1 { source[$2] = $3 }
    END { for (name in source) if (!used[name]) print name, source[name] }' "$work/symbols" | sort
}

# ---- Is it found at all? ------------------------------------------------------------------------

mkdir "$work/planted" || exit 99
cat >"$work/planted/prog-one.c" <<'END'
int cm_used(void), cm_dead(void), cm_dead_data;
int cm_used(void) { return 1; }
int cm_dead(void) { return cm_used() + cm_dead_data; }
END
echo 'int cm_used(void); int main(void) { return cm_used(); }' >"$work/planted/two.c"
for file in prog-one two; do
    (cd "$work" && ${CC:-cc} -c -o "planted/$file.o" "planted/$file.c") || exit 99
done
(cd "$work" && symbols planted/*.o) >"$work/symbols"
unused planted | awk '{ print $1, $2 }' >"$work/found"
printf 'cm_dead planted/one\ncm_dead_data planted/one\n' >"$work/expected"
ok 'what is dead is found' cmp -s "$work/found" "$work/expected" || show "$work/found"

# ---- The build ----------------------------------------------------------------------------------

# The folder that is configured here; that of an unpacked tarball in a build folder is not.
build=$(cd .. && pwd)
folders=$(cd "$top" && for file in */Makefile.am */*/Makefile.am; do
    folder=${file%/Makefile.am}
    [ ! -f "$build/$folder/Makefile" ] || echo "$folder"
done)
code=$(echo "$folders" | grep -v -x -e tests -e bench -e doc)
# Other tests compile files of their own below tests/ at the same time.
(cd .. && find $code -name '*.o' && ls tests/*/*.o) >"$work/objects"
# shellcheck disable=SC2046
(cd .. && symbols $(cat "$work/objects")) >"$work/symbols"
grep -q '^defined cm_init ' "$work/symbols" || skip_all "$nm shows no symbols of the objects here"

# Sources without objects in this build (other backends, fuzzing, code that needs a missing library)
# may use names, too.
awk "$source_of"' { print source_of($1) }' "$work/objects" | sort -u >"$work/built"
sources() { find $folders ! -path '*.work/*' | grep -e '\.c$' -e '\.cc$' -e '\.f90$'; }
(cd "$top" && sources) |
    while read -r file; do
        grep -q -x -F -e "${file%.*}" "$work/built" || echo "$top/$file"
    done >"$work/not-built"
# Lists go on where a line ends with a backslash.
installed=$(cd "$top/src" && sed -n -e ':join' -e '/\\$/{N; s/\\\n//; b join' -e '}' \
    -e 's/^nobase_pkginclude_HEADERS += //p' ./*/local.mk ./*/*/local.mk)

# Names of modules that are installed are for users.
listed()   # NAME: does it stand in an installed header or in what is not built?
{
    case $1 in __cm_*_MOD_*) return 0 ;; esac
    # shellcheck disable=SC2086
    (cd "$top/src" && grep -q -w -F -e "$1" $installed ./*/fortran/*.f90) && return
    xargs grep -q -w -F -e "$1" <"$work/not-built" 2>/dev/null
}

# An object may be left over from a file that no longer exists.
stands() { [ -f "$top/$1.c" ] || [ -f "$top/$1.cc" ] || [ -f "$top/$1.f90" ]; }

none_dead()   # FOLDER
{
    dead=
    unused "$1" >"$work/unused"
    while read -r symbol source; do
        stands "$source" && ! listed "$symbol" || continue
        echo "# $source: no other file uses $symbol: remove it, or make it static"
        dead=yes
    done <"$work/unused"
    [ -z "$dead" ]
}
for folder in $code; do
    if [ "$folder" = src ] && [ "$have_json" != yes ]; then
        skip "src/'s external names" 'without jansson the suite, which uses many, is not built'
        continue
    fi
    ok "$folder/ has no external name that nobody else uses" none_dead "$folder"
done
finish
