#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# floors.sh: which module may include which: src/base none, and option, result, launch and machine
# not the communication layer that stands on them.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
src=$srcdir/../src

# free_of FOLDER REGEX: no file of the folder includes such a header.
free_of()
{
    ! grep -rn -E "^ *# *include +\"$2" --include='*.[ch]' "$src/$1" | sed 's/^/# /' | grep .
}
ok 'there are files to look at' [ -e "$src/base/exit.h" ]
ok 'src/base includes itself' free_of base '([^b]|b[^a])[^"]*/'
for room in option result launch machine; do
    ok "src/$room does not include comm.h" free_of $room 'comm/comm\.h"'
done
ok 'src/machine includes nothing of src/comm' free_of machine comm/
finish
