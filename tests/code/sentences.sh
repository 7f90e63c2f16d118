#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sentences.sh: no program and no figure decides by the words of a comment or a finding, so they may
# be reworded. Only src/result reads them, from results before schema 3. The list below has every
# other use of such a text, with its purpose.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
top=$(cd "$srcdir/.." && pwd)

# ---- What is allowed -----------------------------------------------------------------------------

# FILE KIND TIMES # purpose. KIND is comment: the file uses the text of a comment; words: the text
# of a finding; lead: a text begins like the line of a finding; anything else: a figure reads lines
# "# KIND: ...".
sed 's/ *#.*//' >"$work/allowed" <<'END'
heat/figures/plate.gp plate 2 # the temperatures of a plate
heat/figures/plate.gp side 1 # and of its sides
netpipe/figures/turns.gp histogram 1 # counts, KEY=VALUE
network/linkmap/figures/linkmap.gp box 3 # a block of the matrix, KEY=VALUE
network/sockets/figures/delayed_ack.gp histogram 4 # counts, KEY=VALUE
nodes/figures/burn_in.gp part 3 # a part of a burn-in, in numbers
src/run/counters.h lead 1 # describes a line
sscrap/bspbench/figures/extrapolation.gp extrapolation 2 # a model's times, KEY=VALUE
sscrap/bspbench/figures/prediction.gp prediction 2 # a model's times, KEY=VALUE
suite/results/combine.c comment 1 # adds one
suite/results/combine_findings.c words 6 # compares findings without a quantity (schema 2); writes
suite/results/together_loss.c words 4 # adds to them, and writes its own
suite/results/together_tell.c words 4 # writes what all launches say together
suite/command_nodes.c lead 1 # writes one, of a run that did not end
suite/command_nodes.c words 2 # prints them
suite/command_run.c lead 1 # writes one, of a run that did not end
suite/fleet/judge_words.c lead 2 # writes what was judged
suite/findings.awk finding 1 # the data in brackets: for figures
suite/nodes/nodes_page.c words 2 # prints them
suite/report/page_distances.c words 1 # of its own
suite/report/page_disturbed.c words 5 # a list of words of its own
suite/report/page_result.c comment 2 # prints it, but no lines that figures draw (box, histogram)
END

# ---- What there is -------------------------------------------------------------------------------

# The possible beginnings of a finding's line, as one regular expression.
leads=$(sed -n 's/^ *{CM_FINDING_[A-Z_]*, "\(.*\): ".*/\1/p' "$top/src/result/finding.c" |
    tr '\n' '|' | sed 's/|$//')

# Lines "# KEY: ..." that are neither comments nor findings: metadata, metrics, fits; and C's.
others='program|ranks|ranks_per_host|comm|transport|oversubscribed|RESULT|CHECK|fit|define'
others="$others"'|"\.key\."|%s'

# uses ROOT FILE...: lines "FILE KIND" for each use, in files below ROOT.
uses()
{
    (
        cd "$1" || exit
        shift
        for file; do
            case $file in
            src/result/*) ;;
            *.[ch])
                grep -oE '(->|\.)comment\[' "$file" | sed "s|.*|$file comment|"
                ! grep -q 'cm_record' "$file" ||
                    grep -oE '(->|\]\.)words\>' "$file" | sed "s|.*|$file words|"
                grep -oE "\"(# )?($leads): ?" "$file" | sed "s|.*|$file lead|"
                ;;
            *)
                grep -oE '\^# ?\(?["$%A-Za-z_][^:/ ]*' "$file" |
                    sed "s|^^# *(*||" | grep -vxE "$others" | sed "s|^|$file |"
                ;;
            esac
        done
    ) | sort | uniq -c | awk '{ print $2, $3, $1 }' | sort
}

# ---- Is it found at all? -------------------------------------------------------------------------

mkdir -p "$work/planted/src/result" || exit 99
cat >"$work/planted/one.c" <<'END'
#include "result/read.h"
bool is_slow(const cm_record *r) { return strncmp(r->comment[0], "slow", 4) == 0; }
bool is_late(const cm_record_finding *f) { return strstr(f->words, "late"); }
static const char begin[] = "finding: ";
END
cp "$work/planted/one.c" "$work/planted/src/result/read.c"
echo 'slow = system("grep -c '"'^# slowest latency: '"' ".result)' >"$work/planted/one.gp"
echo '/^# (finding|period): / { print $3 } /^#/ { next }' >"$work/planted/one.awk"
uses "$work/planted" one.c src/result/read.c one.gp one.awk >"$work/found"
printf '%s\n' 'one.awk finding|period) 1' 'one.c comment 1' 'one.c lead 1' 'one.c words 1' \
    'one.gp slowest 1' >"$work/expected"
ok 'planted uses are found' cmp "$work/found" "$work/expected" || show "$work/found"

# ---- The tree ------------------------------------------------------------------------------------

(cd "$top" && find . -name '*.[ch]' -o -name '*.gp' -o -name '*.awk') | sed 's|^\./||' |
    grep -vE '^(b|b-[^/]*|tests|doc|build-aux|autom4te\.cache)/|/(\.libs|\.deps)/' |
    sort >"$work/files"
ok 'there are files' [ "$(wc -l <"$work/files")" -gt 300 ]
# shellcheck disable=SC2046
uses "$top" $(cat "$work/files") >"$work/found"
sort "$work/allowed" >"$work/expected"
ok 'no other use than those allowed' cmp "$work/found" "$work/expected"
diff "$work/expected" "$work/found" | sed -n 's/^</# allowed, not found:/p; s/^>/# found:/p'
finish
