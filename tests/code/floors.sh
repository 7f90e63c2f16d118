#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# floors.sh: which module may include which: src/base includes no other; option, result, launch and
# machine do not include the communication layer, which is built on them. In a folder without
# circles, no file needs another file that needs it, directly or indirectly.
set -u
nm=${NM:-nm}
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
src=$srcdir/../src

# free_of FOLDER REGEX: no file of the folder includes such a header.
free_of()
{
    ! grep -rn -E "^ *# *include +\"$2" --include='*.[ch]' "$src/$1" | sed 's/^/# /' | grep .
}
# objects FOLDER COMMAND...: finds the folder's objects, but for those that tests compile from its
# sources, and runs find's COMMAND on them.
objects()
{
    folder_of=../$1
    shift
    find "$folder_of" -maxdepth 1 -name '*.o' ! -name 'programs_*' ! -name 'unit_*' \
        ! -name 'contract_*' "$@" 2>/dev/null
}
# without_circle FOLDER: sorts by tsort which of the folder's objects uses a name of which other.
without_circle()
{
    # shellcheck disable=SC2086
    objects "$1" -exec $nm -P -A -g {} + | awk '
        { object = $1; sub(/^.*\//, "", object); sub(/:$/, "", object) }
        $3 == "U" { user[++n] = object; used[n] = $2 }
        $3 ~ /^[TDBRC]$/ { definer[$2] = object }
        END { for (k = 1; k <= n; k++) if (used[k] in definer) print user[k], definer[used[k]] }
        ' >"$work/uses"
    [ -s "$work/uses" ] && tsort "$work/uses" >"$work/order" 2>"$work/circle" ||
        { show "$work/circle"; false; }
}
ok 'there are files to look at' [ -e "$src/base/exit.h" ]
ok 'src/base includes itself' free_of base '([^b]|b[^a])[^"]*/'
for room in option result launch machine; do
    ok "src/$room does not include comm.h" free_of $room 'comm/comm\.h"'
done
ok 'src/machine includes nothing of src/comm' free_of machine comm/
# These folders have circles: src/comm, whose list of algorithms names their builders, one of which
# (hosts) uses the others; src/comm/engine and src/comm/dummy, where an arriving message may
# complete a request, and a waiting request lets messages arrive.
without='clusters/virtual farm heat hint linpack netpipe network/bisection network/collective
    network/congestion network/linkmap network/loggp network/patterns network/sockets nodes
    noise src/base src/blas src/bsp src/comm/engine/shm src/comm/engine/tcp src/comm/fortran
    src/comm/mpi src/comm/pmi src/launch src/machine src/measure src/memory src/option src/pairs
    src/result src/run src/sample sscrap/bspbench sscrap/common sscrap/listrank sscrap/matmul
    sscrap/sort stream suite suite/common suite/compare suite/export suite/figures suite/fleet
    suite/history suite/papers suite/places suite/report suite/results suite/run suite/seal'
for folder in $without; do
    if ! command -v "${nm%% *}" >/dev/null 2>&1; then
        skip "$folder is without a circle" "there is no $nm"
    elif [ -n "$(objects "$folder" -print)" ]; then
        ok "$folder is without a circle" without_circle "$folder"
    else skip "$folder is without a circle" 'it is not built'; fi
done
finish
