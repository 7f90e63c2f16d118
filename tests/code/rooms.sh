#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# rooms.sh: which room of suite/ may include headers of which other room. A room is below those that
# include it and knows nothing of them, so there are no circles. The test also adds an include that
# the rule must refuse.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

# ROOM: the rooms that it may include. It must include each of them somewhere.
floors='common:
results: common
papers: common results
places: common results papers
figures: common results places
compare: common results places figures
nodes: common results figures
seal: common results
report: common results papers places figures compare nodes seal
export: common results places
fleet: common results export
history: common results figures fleet
run: common results places compare'

# Prints what is wrong in a folder that has the rooms.
wrong() # FOLDER
{
    printf '%s\n' "$floors" | awk -v folder="$1" '
        BEGIN { FS = ": *" }
        { room[$1] = $2 }
        END {
            for (r in room) {
                list = "ls " folder "/" r "/*.[ch]"
                files = 0
                while ((list | getline file) > 0) {
                    files++
                    while ((getline line < file) > 0) {
                        if (line !~ /^#include "[a-z_]+\//) continue
                        split(line, part, /["\/]/)
                        to = part[2]
                        if (!(to in room)) continue
                        used[r, to] = 1
                        if (index(" " room[r] " ", " " to " ") == 0)
                            print r " may not include " to ": " file
                    }
                    close(file)
                }
                close(list)
                if (files == 0) print r ": no files"
                n = split(room[r], may, " ")
                for (k = 1; k <= n; k++)
                    if (!((r, may[k]) in used)) print r " does not include " may[k]
            }
        }' | sort
}

rooms=$srcdir/../suite
found=$(wrong "$rooms")
[ -z "$found" ] || printf '%s\n' "$found" | sed 's/^/# /'
ok 'no room of suite/ includes what it may not' test -z "$found"

known=$(printf '%s\n' "$floors" | sed 's/:.*//' | sort)
there=$(cd "$rooms" && for folder in */; do
    ls "$folder"*.c >/dev/null 2>&1 && echo "${folder%/}"; done | sort)
ok 'each room of suite/ is in the list' test "$known" = "$there"

mkdir -p "$work/planted"
cp -R "$rooms"/*/ "$work/planted/"
chmod -R u+w "$work/planted"
echo '#include "report/page.h"' >>"$work/planted/results/over.c"
ok 'an include of what is above is found' test \
    "$(wrong "$work/planted" | sed 's/:.*//')" = 'results may not include report'
finish
