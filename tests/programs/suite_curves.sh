#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_curves.sh: what curves.gp draws of several results, by results whose answer is known.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
suite_files=$srcdir/../suite

# head FILE OVERSUBSCRIBED
head_of() { printf '# %s\n' 'program: cm-x' "oversubscribed: $2" >"$1"; }
ended() { echo '# RESULT: PASS x 1 1' >>"$1"; }
head_of "$work/a.txt" no
# The interval is a range of fewer than six values.
awk '{ print $0, NR == 1 ? "interval" : $10 < 6 ? "range" : "95%" }' >>"$work/a.txt" <<'END'
 size way ranks median_s low_s high_s within_low_s within_high_s MB_per_s n disturbed summarized
    1   x     1     2e-6  1e-6   4e-6         1e-6          4e-6       10 9         3        all
    1   x     2     3e-6  1e-6   4e-6         1e-6          4e-6       10 9         3 undisturbed
   10   y     2     4e-6  2e-6   8e-6         2e-6          8e-6       20 3         3        all
    0   y     2     4e-6  2e-6   8e-6         2e-6          8e-6       20 3         0        all
    2   x     2     6e-6  3e-6   9e-6         3e-6          9e-6      nan 9         0        all
    1   x     2     7e-6  1e-6   8e-6         1e-6          8e-6       10 3         0        all
END
ended "$work/a.txt"
# rows CURVES [VALUE]: what is drawn, in one line.
told() { awk -v curves="$2" -v what="$1" -v value="${3-}" -v names="${4-}" \
    -f "$suite_files/curves.awk" "$work/a.txt" | tr '\n' ';'; }
is() { [ "$1" = "$2" ] || { echo "# $1"; false; }; }
ok 'panels are the values of a column' is "$(told panels 'median_s size way')" 'way;x;y;'
ok 'without one there is one' is "$(told panels 'median_s size')" '-;-;'
ok 'a time has its interval, an empty line where sizes begin anew' is \
    "$(told rows 'median_s size way ranks=2' x)" \
    '1 3e-6 1e-6 4e-6 1e-6 4e-6 0 95% 9;2 6e-6 3e-6 9e-6 3e-6 9e-6 0 95% 9;;'\
'1 7e-6 1e-6 8e-6 1e-6 8e-6 0 range 3;;'
ok 'a rate has that of its time, the other way round' is \
    "$(told rows 'MB_per_s size way ranks=2' y)" \
    '10 20 10 40 10 40 1 range 3;;'
ok 'no number, no point' is "$(told rows 'MB_per_s size way ranks=2 disturbed=0' x)" \
    '1 10 8.75 70 8.75 70 0 range 3;;'
ok 'the largest of a column' is "$(told rows 'median_s size way ranks=max size=max' y)" \
    '10 4e-6 2e-6 8e-6 2e-6 8e-6 1 range 3;;'
ok 'the largest of the rows that are left' is "$(told rows 'median_s size way way=x size=max' x)" \
    '2 6e-6 3e-6 9e-6 3e-6 9e-6 0 95% 9;;'
ok 'names instead of sizes' is "$(told names 'median_s way')" 'x;y;'
ok 'stand in their order' is "$(told rows 'median_s way ranks size=10' 2 'x y')" \
    '2 4e-6 2e-6 8e-6 2e-6 8e-6 1 range 3;;'

if command -v gnuplot >/dev/null 2>&1; then
    curves()
    {
        gnuplot -d -e "figure='$work/f.svg'; $1" "$suite_files/curves.gp" >"$work/gnuplot" 2>&1 &&
            [ ! -s "$work/gnuplot" ] || { show "$work/gnuplot"; false; }
    }
    shows() { has ">$1<" "$work/f.svg" || { grep -o '>[^<]*<' "$work/f.svg" | show; false; }; }
    sed 's/oversubscribed: no/oversubscribed: yes/' "$work/a.txt" >"$work/over.txt"
    both="results='$work/a.txt $work/a.txt'; titles='\"one of_two\" two'"
    ok 'a figure of two results' curves "$both; curves='median_s size way'; heading='It''s A'"
    ok 'it is well-formed' is_svg "$work/f.svg"
    ok 'a panel for each value' shows 'way y'
    ok 'its heading' shows 'It.s A'
    ok 'a key by titles' shows 'one of_two'
    ok 'for both' shows two
    ok 'the level within a launch' shows 'interval within a launch'
    ok 'open marks' shows disturbed
    ok 'a figure for a page' curves \
        "for_page=1; results='$work/a.txt'; titles='a'; curves='median_s size way'"
    ok 'its points have intervals, with a star where they are ranges' \
        has '4e-06 *, 2e-06 to 8e-06[*], 3 trials' "$work/f.svg"
    ok 'and none where they are not' has '3e-06 *, 1e-06 to 4e-06, 9 trials' "$work/f.svg"
    ok 'names on the axis' curves "$both; curves='MB_per_s way'"
    ok 'each' shows y
    ok 'one of two that cannot be drawn' curves \
        "results='$work/over.txt $work/a.txt'; titles='o a'; curves='median_s size'"
    ok 'is named' has 'o: Not drawn: there were more ranks' "$work/f.svg"
    ok 'none can' curves "results='$work/over.txt'; titles='o'; curves='median_s size'"
    ok 'which is said' has 'Not drawn: none of the results' "$work/f.svg"
    ok 'no such column' curves "results='$work/a.txt'; titles='o'; curves='speed size'"
    ok 'which is said, too' has 'Not drawn: no row has both' "$work/f.svg"
    refused()
    {
        ! gnuplot -d -e "figure='$work/f.svg'; $1" "$suite_files/curves.gp" 2>"$work/gnuplot" &&
            grep -q -e "$2" "$work/gnuplot"
    }
    ok 'no curves' refused "results='$work/a.txt'" '^usage: gnuplot'
    ok 'a title for each' refused "$both; titles='a b c'; curves='median_s size'" \
        '3 titles for 2 results'
else skip 'figures' 'gnuplot is not there'
fi

# ---- relative.gp ---------------------------------------------------------------------------------

gain() { timeout 20 awk -f "$srcdir/../sscrap/common/figures/gain.awk" "$1" "$2" | tr '\n' ';'; }
head_of "$work/s.txt" no
printf '%s\n' 'processes size cycles_per_item' '1 5 40' '2 5 20' '2 9 10' >>"$work/s.txt"
sed 's/^2 9 10/2 9 40/' "$work/s.txt" >"$work/t.txt"
ok 'what is saved at the largest size' is "$(gain "$work/s.txt" "$work/t.txt")" '2 75 9;'
ok 'a result saves nothing over itself' is "$(gain "$work/s.txt" "$work/s.txt")" '2 0 9;'
finish
