#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pages.sh: every program has a man page that groff reads without warnings and a completion that
# bash can read; both name every option; once installed, both have the programs' installed names.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/doc/words.inc"
need_suite # its page
if grep -q "^#cmrun\.1 completions/cmrun: " ../doc/Makefile; then
    skip 'man pages' 'programs do not run where this was built'
    finish
fi

renders()
{
    groff -man -Tascii -P-cbou -ww -rLL=80n "../doc/$1.1" >"$work/page" 2>"$work/err" \
        && [ ! -s "$work/err" ] && [ -s "$work/page" ] || { show "$work/err"; false; }
}
narrow()
{
    awk 'length($0) > 80 { bad = 1; print "# " $0 } END { exit bad }' "$work/page"
}
programs >"$work/programs"
ok 'there are programs' grep -q '^cm-netpipe$' "$work/programs"
while read -r page <&3; do
    ok "$page has a man page" [ -s "../doc/$page.1" ] || continue
    # groff without its macros is only half installed.
    if echo .TH x 1 | groff -man -Tascii >/dev/null 2>&1; then
        ok "$page.1 has no warnings" renders "$page"
        ok "$page.1 fits a terminal of 80 columns" narrow
    else skip "$page.1 renders" 'there is no groff with man macros'
    fi
    ok "$page.1 begins with what the program is for" \
        grep -q "^$(echo "$page" | sed 's/-/.*-/g') .*- [^ ]" "../doc/$page.1"
    ok "$page.1 names every option" all_in "../doc/$page.1" options_of "$page"
    ok "$page.1 names every variable" all_in "../doc/$page.1" variables
    if bash --version >/dev/null 2>&1; then
        ok "$page: bash reads its completion" bash -n "../doc/completions/$page"
    else skip "$page: bash reads its completion" 'there is no bash'
    fi
    long() { options_of "$page" | grep '^--'; }
    ok "$page: completion of every option" all_in "../doc/completions/$page" long
done 3<"$work/programs"

# ---- Installed, by other names ------------------------------------------------------------------

unset MAKEFLAGS MFLAGS MAKELEVEL
installed=$work/installed
folder=$installed/p/share/bash-completion/completions
install_pages()
{
    "${MAKE:-make}" -C ../doc install-man install-data DESTDIR="$installed" prefix=/p \
        link_transform_name='s/^/my-/' program_transform_name="s/^/my-/;s/\$\$/-$comm/" \
        >"$work/out" 2>&1 || { show "$work/out"; false; }
}
if ok 'they are installed' install_pages; then
    while read -r page <&3; do
        ok "man page of my-$page" [ -s "$installed/p/share/man/man1/my-$page.1" ]
        ok "completion of my-$page and my-$page-$comm" \
            grep -q "^complete .* my-$page my-$page-$comm\$" "$folder/my-$page-$comm"
    done 3<"$work/programs"
    if bash --version >/dev/null 2>&1; then
        cat >"$work/complete.bash" <<'BASH'
source "$1/my-cm-netpipe-$2"
COMP_WORDS=(my-cm-netpipe --pert) COMP_CWORD=1
_cm_netpipe
[[ ${COMPREPLY[*]} == --perturbation= ]] || { echo "# ${COMPREPLY[*]}"; exit 1; }
source "$1/my-clustermark-$2"
COMP_WORDS=(my-clustermark run --profile st) COMP_CWORD=3
_clustermark
[[ ${COMPREPLY[*]} == standard ]] || { echo "# ${COMPREPLY[*]}"; exit 1; }
BASH
        ok 'completions complete' bash "$work/complete.bash" "$folder" "$comm"
    else skip 'completions complete' 'there is no bash'
    fi
fi
finish
