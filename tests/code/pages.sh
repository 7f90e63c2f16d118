#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pages.sh: the HTML and the sentences of the pages are only in suite/pages/. A mistake in a piece
# is reported with its line, and every piece is used somewhere.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
suite_source=$srcdir/../suite
awk=${AWK:-awk}

# made KIND FILE...: the output of pages.awk for these files.
made()
{
    kind=$1
    shift
    $awk -v make="$kind" -f "$suite_source/pages.awk" "$@" >"$work/made" 2>"$work/said"
}

# ---- A piece -------------------------------------------------------------------------------------

cat >"$work/good.html" <<'END_OF_PAGE'
# A comment.
== first: text who, html part, count n, \
    real ratio, flag odd
<p>{{who}} has "{{n}}" \
    {{one n}}part{{else}}parts{{end}}{{if ratio}} ({{ratio %.2f}}){{end}}: {{part}}</p>
#id { }
{{if not odd}}like others{{end}}\

== second
\n

-- third: text who
{{who}} & co.

-- fourth
"All" \
    & none
END_OF_PAGE
ok 'pieces become functions' made header "$work/good.html"
ok 'with their places' grep -qxF "void piece_first(FILE *out, const char *who, const char *part,\
 size_t n, double ratio, bool odd);" "$work/made"
mkdir -p "$work/common"
cp "$work/made" "$work/pages.h" &&
    cp "$suite_source/common/html.h" "$suite_source/common/memory.h" "$work/common" &&
    : >"$work/config.h" && made code "$work/good.html" && cp "$work/made" "$work/pages.c"
cat >"$work/main.c" <<'END_OF_PAGE'
#include <math.h>
#include "common/html.h"
#include "common/memory.h"
#include "pages.h"
void *suite_there(void *memory) { return memory; }
void html_escape(FILE *out, const char *text) { fprintf(out, "[%s]", text); }
void html_put(FILE *out, const char *html) { fputs(html, out); }
int main(void)
{
    piece_first(stdout, "a", "b", 1, NAN, 0);
    piece_first(stdout, "c", "d", 2, 0.5, 1);
    piece_second(stdout);
    puts(said_third("a<b"));
    puts(SAID_FOURTH);
    return 0;
}
END_OF_PAGE
cat >"$work/expected" <<'END_OF_PAGE'
<p>[a] has "1" part: b</p>
#id { }
like others<p>[c] has "2" parts (0.50): d</p>
#id { }
\n
a<b & co.
"All" & none
END_OF_PAGE
ok 'that compile' sh -c "${CC:-cc} -I$work -o $work/main $work/main.c $work/pages.c -lm"
"$work/main" >"$work/written"
ok 'and write the page' cmp "$work/expected" "$work/written" || show "$work/written"

# ---- What is refused -----------------------------------------------------------------------------

# wrong PIECE NAME WORDS: the piece, after printf, is refused with WORDS, which begin with its line
# number.
wrong()
{
    # shellcheck disable=SC2059
    printf "$1" >"$work/bad.html"
    shift
    made code "$work/bad.html"
    ok "refused: $1" sh -c '[ "$1" != 0 ] && grep -qF "bad.html:$2" "$3" &&
        [ "$(wc -l <"$3")" = 1 ]' sh $? "$2" "$work/said" || show "$work/said"
}
wrong '== a: text x\n{{y}}\n{{x}}\n' 'an unknown place' "3: 'y' is no place of piece a"
wrong '== a: text x\nno\n' 'an unused place' "2: piece a does not use 'x'"
wrong '== a: text x\n{{x\n' 'an open place' '2: {{ without }}'
wrong '== a: flag x\n{{if x}}y\n' 'an open condition' '2: {{if}} without {{end}} in piece a'
wrong '== a\n{{else}}\n' 'else alone' '2: {{else}} without {{if}}'
wrong '== a\n{{end}}\n' 'end alone' '2: {{end}} without {{if}}'
wrong '== a: real x\n{{x}}\n' 'a number without a format' \
    "2: number 'x' needs a format such as %.3g"
wrong '== a: real x\n{{x %%n}}\n' 'another format' \
    "2: number 'x' needs a format such as %.3g"
wrong '== a: text x\n{{one x}}{{end}}\n' 'the singular of a text' "2: {{one}}: 'x' is no count"
wrong '== a: word x\n{{x}}\n' 'an unknown type' "1: expected TYPE NAME, not ' word x'"
wrong '== a\nx\n== a\ny\n' 'a second one' '3: piece a stands in line 1, too'
wrong 'x\n' 'a text without a name' '1: expected == NAME or -- NAME'

# ---- The pages -----------------------------------------------------------------------------------

ok 'the pages' made header "$suite_source"/pages/*.html
grep -oE '^[^(]*(piece|said|SAID)_[a-zA-Z0-9_]+' "$work/made" | sed 's/.*[ *]//' >"$work/pieces"
cat "$suite_source"/*/*.c | grep -oE '(piece|said|SAID)_[a-zA-Z0-9_]+' | sort -u >"$work/used"
sort "$work/pieces" | comm -23 - "$work/used" >"$work/unused"
ok 'there are pieces' [ "$(wc -l <"$work/pieces")" -gt 100 ]
ok 'every piece is used' [ ! -s "$work/unused" ] || show "$work/unused"

# foreign FILE...: lines of C with HTML in a text. Exempt are figures/, which reads and mends SVG,
# and history_figure.c, which draws it.
foreign()
{
    grep -nE '"[^"]*</?(p|li|ul|h[1-6]|t[dhr]|table|div|span|section|details|strong|code|a)[ >]' \
        "$@" /dev/null | grep -v '^[^:]*history_figure\.c:'
}
echo 'fputs("<p>no", out);' >"$work/planted.c"
ok 'HTML in C is found' [ "$(foreign "$work/planted.c" | wc -l)" = 1 ]
# shellcheck disable=SC2046  # no file here has a blank in its name
foreign $(find "$suite_source" -name '*.c' -not -path '*/figures/*' -not -name pages.c) \
    >"$work/foreign"
ok 'no C file has any' [ ! -s "$work/foreign" ] || show "$work/foreign"
ok 'lines of 100 columns' [ -z "$(awk 'length($0) > 100' "$suite_source"/pages/*)" ]
finish
