#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_page.sh: the report's page of a small frozen tree (suite_frozen/), byte for byte, with
# figures and without gnuplot. After a change of the page that is meant, make renew-page writes the
# kept pages anew (TEST_RENEW).
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
frozen=$(cd "$srcdir/programs/suite_frozen" && pwd) || exit 99
# No references of whoever runs this.
XDG_CONFIG_HOME=$work/config
export XDG_CONFIG_HOME
version=$("$suite" --version | sed -n '1s/^[^)]*) \([^ ]*\).*/\1/p')

# An installation that was moved: the programs say what their metrics mean, gnuplot draws a small
# figure of its own or none.
install=$work/install
mkdir -p "$install/bin" "$install/share" "$work/tools" "$work/gnuplot"
cp "$suite" "$install/bin/clustermark" && cp -R "$frozen/share" "$install/share/clustermark" ||
    exit 99
chmod -R u+w "$install/share"
for metrics in "$frozen"/metrics/*; do
    program=$install/bin/$(basename "$metrics")
    printf '#!/bin/sh\n[ "$*" = --print-metrics ] && exec cat "%s"\n' "$metrics" >"$program"
    chmod +x "$program"
done
cat >"$work/gnuplot/gnuplot" <<EOF
#!/bin/sh
figure=\$(printf '%s' "\$3" | sed "s/.*figure='\([^']*\)'.*/\1/")
case \$figure in *signature*) echo 'no such figure' >&2; exit 1 ;; esac
cat "$frozen/figure.svg" >"\$figure"
EOF
chmod +x "$work/gnuplot/gnuplot"
for tool in sh sed cat; do ln -s "$(command -v $tool)" "$work/tools"; done

# report PATH RESULTS: with these tools, and no others.
report() { PATH=$1 "$install/bin/clustermark" report "$2" >"$work/out" 2>"$work/err"; }
# page PATH NAME: NAME.html is the page that is made of a copy of the results, without the version.
page()
{
    cp -R "$frozen/results" "$work/$2" && chmod -R u+w "$work/$2" || return
    report "$1" "$work/$2" || { show "$work/err"; return 1; }
    sed "s/clustermark $version/clustermark VERSION/" "$work/$2/report.html" >"$work/$2.html"
}
well_formed()
{
    command -v xmllint >/dev/null 2>&1 || { echo '# xmllint is not there'; return; }
    xmllint --noout --nonet "$work/$1/report.html"
}
same()
{
    diff "$1" "$2" >"$work/diff" || { head -n 20 "$work/diff" | cut -c 1-300 | show; false; }
}

ok 'a report with figures' page "$work/gnuplot:$work/tools" with
ok 'the figure that gnuplot could not draw is told' has 'report: gnuplot could not draw' "$work/err"
told_status()
{
    "$suite" report --help | tr -s ' \n' ' ' | has ' 0 the page [^2]* could not be drawn' -
}
ok 'with the status that the help has' told_status
[ -z "${TEST_RENEW-}" ] || cp "$work/with.html" "$frozen/page.html"
ok 'the page is the same as ever' same "$frozen/page.html" "$work/with.html"
ok 'a report without gnuplot' page "$work/tools" without
ok 'which it says' grep -q 'gnuplot is not there' "$work/err"
diff "$work/with.html" "$work/without.html" >"$work/without.diff"
[ -z "${TEST_RENEW-}" ] || cp "$work/without.diff" "$frozen/without.diff"
ok 'only the figures are missing' same "$frozen/without.diff" "$work/without.diff"
ok 'it is well-formed' well_formed with
ok 'nothing else is left in the folder' [ -z "$(ls "$work/with" | grep '[.]part')" ]

# What a failed run said may be any bytes.
printf 'a \033[1mbold\033[0m word, Latin \351, UTF-8 \303\251, <tag>\n' \
    >>"$work/with/sockets.failed"
ok 'a report of any bytes' report "$work/gnuplot:$work/tools" "$work/with"
ok 'shows what a page may have' grep -q \
    "^a ?.1mbold?.0m word, Latin ?, UTF-8 $(printf '\303\251'), &lt;tag&gt;" \
    "$work/with/report.html"
ok 'and stays well-formed' well_formed with

# A program that hangs, with a child of its own, is not waited for; nor does one count that fails.
printf '#!/bin/sh\nsleep 1000 &\necho $! >"%s"\nwait\n' "$work/sleeper" >"$install/bin/cm-farm"
printf '#!/bin/sh\nprintf "peak*\\t1\\thigh\\tnonsense\\n"; exit 1\n' >"$install/bin/cm-netpipe"
chmod +x "$install/bin/cm-farm" "$install/bin/cm-netpipe"
ok 'a report in spite of it' report "$work/tools:$PATH" "$work/without"
# Who is nobody's child may stay as a zombie. On a busy machine the program may have been ended
# before it had a child.
ended()
{
    [ -s "$work/sleeper" ] || return 0
    tries=0
    sleeper=$(cat "$work/sleeper")
    while [ -e "/proc/$sleeper" ] && ! grep -q '^State:.*Z' "/proc/$sleeper/status"; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || return 1
        sleep 0.1
    done
} 2>/dev/null
ok 'which ends it' ended
ok 'and has its numbers' grep -q 'units_<wbr />per_<wbr />s</code>' "$work/without/report.html"
ok 'and nothing from the other' sh -c "! grep nonsense '$work/without/report.html'"

# ---- What cannot be written is left as it was --------------------------------------------------

# fails REGEX: a report ends with status 3 and this line, and the page before it stands.
fails()
{
    report "$work/gnuplot:$work/tools" "$work/with"
    [ $? -eq 3 ] && grep -q -e "$1" "$work/err" && grep -q '<svg ' "$work/with/report.html" ||
        { show "$work/err"; false; }
}
limited() (trap '' XFSZ; ulimit -f 4; fails 'cannot write .*/with/report.html: File too large')
mkdir "$work/with/report.html.part"
ok 'a page that cannot be written' fails 'cannot write .*/with/report.html: File exists'
rmdir "$work/with/report.html.part"
# Four blocks: the page is longer.
ok 'a file that cannot be so long' limited
ok 'leaves nothing behind' [ ! -e "$work/with/report.html.part" ]
echo theirs >"$work/theirs"
ln -s "$work/theirs" "$work/with/report.html.part"
chmod 600 "$work/with/report.html"
ok 'a link under the name of the part' report "$work/gnuplot:$work/tools" "$work/with"
ok 'is not followed' has '^theirs$' "$work/theirs"
ok 'and the rights stay' [ "$(stat -c %a "$work/with/report.html")" = 600 ]

# ---- A folder in which nothing can be made -----------------------------------------------------

# Root may write everywhere, so somebody else tries.
closed() # COMMAND
{
    setpriv --reuid 65534 --regid 65534 --clear-groups "$install/bin/clustermark" "$1" \
        "$work/with" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ "$(grep -c . "$work/err")" -eq 1 ] &&
        has "^clustermark: $1: cannot write into .*/with: Permission denied" "$work/err" ||
        { show "$work/err"; false; }
}
chmod 755 "$work/with"
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups \
    test -x "$install/bin/clustermark" -a -r "$work/with/run.txt" 2>/dev/null; then
    ok 'report into the folder of another user: one line' closed report
    ok 'figures likewise' closed figures
else skip "another user's folder" 'no right to be another user, or no path for that'
fi
finish
