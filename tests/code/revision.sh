#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# revision.sh: the git revision that results name, even if git refuses to report it.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

sources=$work/sources file=$work/revision.h
mkdir -p "$sources/.git" "$work/bin"
# A git that does what $work/git says.
printf '#!/bin/sh\n. "%s/git"\n' "$work" >"$work/bin/git"
chmod +x "$work/bin/git"
answers() { echo "echo $1" >"$work/git"; }
refuses()
{
    echo "echo \"fatal: detected dubious ownership in repository at '/x'\" >&2; exit 128" \
        >"$work/git"
}
make_header()
{
    PATH=$work/bin:$PATH sh "$srcdir/../src/write-revision" "$sources" "$file" 2>"$work/err"
}
names() { grep -qx "#define CM_REVISION \"$1\"" "$file" || { show "$file"; false; }; }
silent() { [ ! -s "$work/err" ] || { show "$work/err"; false; }; }
says() { grep -q -e "$1" "$work/err" || { show "$work/err"; false; }; }

answers v1-2-gabc
make_header
ok 'the revision that git tells' names v1-2-gabc
ok 'without a word' silent
touch -d '2001-01-01' "$file"
make_header
ok 'the file is left alone if nothing has changed' [ ! "$file" -nt "$srcdir/script.inc" ]
refuses
make_header
ok 'of another user git refuses: the recorded revision stays' names v1-2-gabc
ok 'and the file with it' [ ! "$file" -nt "$srcdir/script.inc" ]
ok 'in words' says 'the git revision stays v1-2-gabc; .*fatal: detected dubious ownership'
answers v1-3-gdef
make_header
ok 'a later revision' names v1-3-gdef
refuses
rm "$file"
make_header
ok 'nothing was recorded: unknown' names unknown
ok 'also in words' says 'the git revision stays unknown; .*dubious'
echo v1 >"$sources/.tarball-revision"
make_header
ok "a tarball's revision" names v1
ok 'needs no git' silent
finish
