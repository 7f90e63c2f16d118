#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# recipes.sh: contrib/'s recipes for packagers against the tree: versions, configure's options,
# make's targets, programs, files, dependencies. Then copies of them with planted errors, each of
# which must be found. Tools that are installed read the recipes, too.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
top=$(cd "$srcdir/.." && pwd)
contrib=$top/contrib
table=$srcdir/programs/recipes.tab
recipes='debian spack easybuild conda rpm guix docker apptainer modules'

words() { tr -s ' \t' '\n' | sed '/^-*$/d' | sort -u; }
version=$(configured PACKAGE_VERSION)
"$top/configure" --help >"$work/help"
options='--(with|without|enable|disable)-[a-z-]+'
grep -oE -e "$options" "$work/help" | sed 's/--[a-z]*-//' | sort -u >"$work/options"
sed -n 's/^ *--with-comm=\([a-z|]*\).*/\1/p' "$work/help" | tr '|' '\n' >"$work/backends"
sed -n 's/^\([a-z][a-z -]*\):.*/\1/p' ../Makefile | words >"$work/targets"
sed -n 's/^program: *//p; s/^also: *\(cm-[a-z]*\):.*/\1/p' "$top"/*/manifest "$top"/*/*/manifest \
    >"$work/programs"

# column NAME: the words of a column of recipes.tab.
column()
{
    awk -F ' *[|] *' -v name="$1" '
        /^#/ {next}
        !k {for (k = 1; k <= NF && $k != name; k++); next}
        {print $k}' "$table" | words
}

# dependencies FOLDER: what a recipe asks for, each in its own syntax.
dependencies()
{
    case ${1##*/} in
    debian) awk '/^[A-Z]/ {inside = 0} sub(/^Build-Depends:/, "") {inside = 1} inside' \
        "$1/control" | tr ',' '\n' | sed 's/[|<(].*//' ;;
    rpm) sed -n 's/^BuildRequires: *//p' "$1"/*.spec ;;
    spack) sed -n 's/^ *depends_on("\([a-z0-9-]*\).*/\1/p' "$1/package.py" ;;
    easybuild) sed -n "/^builddependencies/,/^\$/s/^ *('\\([^']*\\)'.*/\\1/p" "$1"/*.eb ;;
    conda) sed -n '/^requirements:/,/^tests:/{
        s/.*{{ \([a-z]*\) }}.*/\1/p
        s/.*compiler("\([a-z]*\)").*/\1/p
        s/.*\(stdlib\)(.*/\1/p
        s/^ *- \([a-z][a-z0-9-]*\)$/\1/p
        }' "$1/recipe.yaml" ;;
    guix) sed -n '/(native-inputs/,/(home-page/{
        /home-page/d
        s/[^"]*"\([^"]*\)"[^"]*/\1 /gp
        }' "$1/guix.scm" | words | grep -vx lib ;;
    esac | words
}

# unlike WHAT FOUND WANTED: says which lines only one of two sorted files has.
unlike()
{
    comm -23 "$2" "$3" | sed "s/^/$1: only here: /"
    comm -13 "$2" "$3" | sed "s/^/$1: missing: /"
}
# unknown WHAT: says which lines of stdin are no WHAT of the tree.
unknown() { grep -vxFf "$work/$1" | sort -u | sed "s/^/$1: unknown: /"; }

# wrong FOLDER: says what does not agree with the tree, one thing a line.
wrong()
{
    find "$1" -type f | sort | while read -r file; do echo "${file##*/}"; cat "$file"; done \
        >"$work/text"
    grep -i -e version -e clustermark "$work/text" | grep -v '^Standards-Version' |
        grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | sort -u >"$work/found"
    echo "$version" >"$work/wanted"
    unlike version "$work/found" "$work/wanted"

    grep -oE -e "$options" "$work/text" | sed 's/--[a-z]*-//' | unknown options
    { grep -oE -e '--with-comm=[a-z]+' "$work/text" | sed 's/.*=//'
        sed -n 's/^ *values=(\(.*\)),$/\1/p' "$work/text" | tr -d '",' | words; } | unknown backends
    grep -owE -e '[a-z]*check' -e 'install-[a-z]+' "$work/text" |
        grep -v -e nocheck -e shellcheck -e install-deps -e install-recommends | unknown targets
    grep -owE 'cm-[a-z]+' "$work/text" | unknown programs
    grep -oE -e 'contrib/[A-Za-z0-9/._-]+' -e 'examples/[a-z0-9]+\.[a-z0-9]+' -e '\./bootstrap' \
        -e 'COPYING[A-Za-z.]*' -e 'NEWS[A-Za-z.]*' -e 'README[A-Za-z.]*' "$work/text" |
        while read -r file; do
            [ -e "$top/$file" ] || [ -e "$top/doc/$file" ] || echo "files: not in the tree: $file"
        done

    case ${1##*/} in
    docker | apptainer)
        grep -q '\./bootstrap --install-deps' "$work/text" ||
            echo 'dependencies: missing: bootstrap --install-deps' ;;
    modules) ;;
    *)
        dependencies "$1" >"$work/found"
        column "${1##*/}" >"$work/wanted"
        unlike dependencies "$work/found" "$work/wanted" ;;
    esac
}
silent() { "$@" >"$work/said" 2>&1; [ ! -s "$work/said" ] || { show "$work/said"; false; }; }

for recipe in $recipes; do
    ok "$recipe agrees with the tree" silent wrong "$contrib/$recipe"
    ok "contrib/README.md has a line for $recipe" has "^| .$recipe/" "$contrib/README.md"
done
ok 'contrib/README.md agrees with the tree' silent wrong "$contrib/README.md"

# packages MANAGER BOOTSTRAP: what only one of bootstrap and recipes.tab has.
packages()
{
    sed -n "/^$1_packages='/,/'\$/p" "$2" | sed "s/.*='//; s/'\$//; s/|[^ ]*//g" | words \
        >"$work/found"
    column "$1" >"$work/wanted"
    unlike "$1" "$work/found" "$work/wanted"
}
for manager in apt dnf; do
    ok "recipes.tab has bootstrap's packages for $manager" silent packages $manager "$top/bootstrap"
    sed "s/^${manager}_packages='/&other-devel /" "$top/bootstrap" >"$work/bootstrap"
    packages $manager "$work/bootstrap" >"$work/said"
    ok 'a package that only bootstrap has is found' has 'only here: other-devel' "$work/said"
done

# finds RECIPE WHAT COMMAND...: the command changes a copy of the recipe, and wrong says WHAT.
finds()
{
    recipe=$1 what=$2; shift 2
    rm -rf "$work/planted" && mkdir "$work/planted" && cp -R "$contrib/$recipe" "$work/planted" &&
        chmod -R u+w "$work/planted" && (cd "$work/planted/$recipe" && "$@") || return 1
    if diff -r "$contrib/$recipe" "$work/planted/$recipe" >"$work/diff"; then
        echo "# nothing of $recipe is changed by $*"
        return 1
    fi
    wrong "$work/planted/$recipe" >"$work/said"
    has "$what" "$work/said" || { show "$work/diff" "$work/said"; false; }
}
edit() { find . -type f -exec sed -i "$1" {} +; }

plain=$(echo "$version" | sed 's/\./\\./g')
for recipe in $recipes; do
    for place in $(cd "$contrib/$recipe" && grep -rn "$plain" . | cut -d : -f 1,2); do
        ok "$recipe: another version in $place" finds $recipe 'version: only here: 7\.0\.7' \
            sed -i "${place##*:}s/$plain/7.0.7/" "${place%:*}"
    done
done
ok "easybuild: another version in the file's name" finds easybuild 'version: only here: 7\.0\.7' \
    sh -c 'mv clustermark-*.eb clustermark-7.0.7-foss.eb'
for recipe in debian spack easybuild conda rpm guix docker apptainer; do
    ok "$recipe: an option that configure lacks" finds $recipe 'options: unknown: natife' \
        edit 's/-native/-natife/'
    ok "$recipe: a backend that there is not" finds $recipe 'backends: unknown: mpq' \
        edit 's/=mpi /=mpq /; s/comm=mpi"/comm=mpq"/; s/("mpi", "sock/("mpq", "sock/'
done
for recipe in easybuild conda rpm guix; do
    ok "$recipe: a target that make lacks" finds $recipe 'targets: unknown: tinycheck' \
        edit 's/smallcheck/tinycheck/'
done
for recipe in debian spack easybuild conda apptainer; do
    ok "$recipe: a program that there is not" finds $recipe 'programs: unknown: cm-netpike' \
        edit 's/cm-netpipe/cm-netpike/'
done
for recipe in debian conda rpm docker apptainer guix; do
    ok "$recipe: a file that there is not" finds $recipe 'files: not in the tree: ' \
        edit 's/COPYING/&S/; s/README\.md/README.txt/; s,contrib/[a-z]*/,&old-,'
done
for recipe in debian spack easybuild conda rpm guix; do
    ok "$recipe: a dependency that is missing" finds $recipe 'dependencies: missing: .*hwloc' \
        edit '/hwloc/d'
    ok "$recipe: a dependency that only it has" finds $recipe 'dependencies: only here: .*wlan' \
        edit 's/hwloc/wlan/'
done
for recipe in docker apptainer; do
    ok "$recipe: packages that bootstrap does not install" finds $recipe 'dependencies: missing: ' \
        edit '/bootstrap --install-deps/d'
done

# ---- By the tools that are there ----------------------------------------------------------------

# with TOOL NAME COMMAND...: a point, if the tool is installed.
with()
{
    tool=$1; shift
    if command -v "$tool" >/dev/null; then ok "$@"; else skip "$1" "there is no $tool"; fi
}
for script in "$contrib"/debian/tests/[!c]*; do ok "sh reads ${script##*/}" sh -n "$script"; done
ok 'make reads debian/rules' sh -c "make -n -f '$contrib/debian/rules' clean >/dev/null"
with python3 'python reads the recipes for Spack and EasyBuild' python3 -c \
    'import ast, sys; [ast.parse(open(name).read()) for name in sys.argv[1:]]' \
    "$contrib/spack/package.py" "$contrib"/easybuild/*.eb
debian_version()
{
    said=$(dpkg-parsechangelog -l "$contrib/debian/changelog" -S Version)
    [ "${said%-*}" = "$version" ]
}
with dpkg-parsechangelog "dpkg reads Debian's changelog" debian_version
rpm_version()
{
    [ "$(rpmspec -q --srpm --qf '%{version}' "$contrib/rpm/clustermark.spec")" = "$version" ]
}
with rpmspec 'rpm reads its specification' rpm_version
# As README has it: rpm finds the specification in the tarball, and takes that as its source.
rpm_source()
{
    packed=clustermark-$version
    tar -C "$top" --transform "s,^,$packed/," -cJf "$work/$packed.tar.xz" contrib &&
        rpmbuild -ts --nodeps --define "_topdir $work/rpm" "$work/$packed.tar.xz" \
            >"$work/said" 2>&1 || { show "$work/said"; return 1; }
    rpm -qpl "$work"/rpm/SRPMS/*.src.rpm 2>/dev/null | grep -qx "$packed.tar.xz"
}
with rpmbuild "rpm takes a release's tarball" rpm_source
# Guix adds #~.
with guile "guile reads Guix's definition" guile -c \
    '(read-hash-extend #\~ (lambda (char port) (list (quote gexp) (read port))))
     (with-input-from-file (cadr (command-line))
       (lambda () (let next ((form (read))) (unless (eof-object? form) (next (read))))))' \
    "$contrib/guix/guix.scm"

# Loaded and unloaded, by Environment Modules and by Lmod.
mkdir -p "$work/modules/clustermark"
sed "s,^set prefix .*,set prefix $work/prefix," "$contrib/modules/clustermark" \
    >"$work/modules/clustermark/$version"
for init in /usr/share/modules/init/sh /usr/share/lmod/lmod/init/sh; do
    if [ ! -e $init ]; then skip 'the module file' "there is no $init"; continue; fi
    env -i MODULEPATH="$work/modules" sh -c "
        . $init; export PATH=/usr/bin:/bin MANPATH=/man
        module load clustermark; echo loaded \$PATH \$MANPATH \$PKG_CONFIG_PATH \${INFOPATH-none}
        module unload clustermark; echo unloaded \$PATH \$MANPATH" >"$work/module" 2>&1
    ok "$init loads the module file" grep -qx "loaded $work/prefix/bin:/usr/bin:/bin \
$work/prefix/share/man:/man $work/prefix/lib/pkgconfig none" "$work/module" || show "$work/module"
    ok 'and unloads it' grep -qx 'unloaded /usr/bin:/bin /man' "$work/module" || show "$work/module"
done
finish
