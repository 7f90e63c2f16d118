#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_rows.sh: the result of every run of the quick profile has the columns that its manifest
# names as rows, and no two rows have the same values in them. Launches are joined by these columns.
# What compare draws of it (curves) is there, too.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
table=$srcdir/../suite/benchmarks.tab
results=$work/results

# distinct RUN FILE KEY: names the run and the key of each row that another row has, too.
distinct()
{
    awk -v run="$1" -v key="$3" '
        /^#/ || !NF { next }
        !at {
            for (i = 1; i <= NF; i++) at = column[$i] = i
            n = split(key, word, " ")
            for (k = 1; k <= n; k++)
                if (!(word[k] in column)) { print "# " run ": no column " word[k]; bad = 1 }
            next
        }
        {
            values = ""
            for (k = 1; k <= n; k++)
                values = values " " word[k] "=" (word[k] in column ? $column[word[k]] : "")
            if (seen[values]++) { print "# " run ": several rows have" values; bad = 1 }
            rows++
        }
        END { if (!rows) print "# " run ": no rows"; exit bad || !rows }' "$2"
}

printf '%s\n' '# x: y' 'size way n' '1 a 5' '1 b 5' >"$work/good"
ok 'rows that differ' distinct made-up "$work/good" 'size way'
names() { ! distinct made-up "$work/good" "$1" >"$work/out" && has "^# $2\$" "$work/out"; }
ok 'rows that do not' names size 'made-up: several rows have size=1'
ok 'a column that is missing' names 'size way place' 'made-up: no column place'

# Runs that this build or this machine cannot have are skipped: status 3.
quick() { "$suite" run --profile quick --launches 1 "$results" 2>"$work/err" || [ $? -eq 3 ]; }
ok 'a run of the quick profile' quick || show "$work/err"
draws()
{
    awk -v curves="$2" -v what=rows -v value="$(awk -v curves="$2" -v what=panels \
        -f "$srcdir/../suite/curves.awk" "$1" | sed -n 2p)" -f "$srcdir/../suite/curves.awk" "$1" |
        grep -q '^[0-9.e+-]* [0-9.e+-]* [0-9.e+-]* [0-9.e+-]* '
}
# value KEY: that of the line.
value() { printf '%s' "$line" | tr '|' '\n' | sed -n "s/^$1=//p"; }
while read -r line; do
    case $line in folder=*) ;; *) continue ;; esac
    run=$(value run | sed 's/^cm-//' | tr / -)
    [ -f "$results/$run.txt" ] || continue
    ok "$run" distinct "$run" "$results/$run.txt" "$(value rows)"
    curves=$(value curves)
    [ -z "$curves" ] || ok "$run: curves" draws "$results/$run.txt" "$curves"
done <"$table"
finish
