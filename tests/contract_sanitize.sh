#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The contract's programs with the layer compiled anew under the address, undefined-behaviour and leak
# sanitizers, at 2 and 3 ranks. CC, CRYPTO_LIBS and top_builddir come from the Makefile.
set -u
srcdir=${srcdir-.}
skip() { echo "1..0 # SKIP $1"; exit 0; }
[ "$CM_COMM" = sockets ] || skip "for the sockets backend: an MPI library has reports of its own"
folder=sanitized.dir
rm -rf $folder && mkdir $folder || exit 99
trap 'rm -rf $folder' EXIT
flags="-std=gnu11 -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
echo 'int main(void) { return 0; }' >$folder/empty.c
# shellcheck disable=SC2086
$CC $flags -o $folder/empty $folder/empty.c >/dev/null 2>&1 && $folder/empty ||
    skip "$CC has no sanitizers that work here"
src=$srcdir/../src
programs="contract_p2p contract_requests contract_probe contract_groups contract_overlap contract_collectives"
dying="contract_failure contract_farm"
for file in "$src"/comm/*.c "$src"/comm/engine/*.c "$src"/comm/pmi/*.c \
    "$src"/machine/interface.c; do
    object=$folder/$(echo "${file#"$src"/}" | tr / -).o     # two folders have a group.c
    # shellcheck disable=SC2086
    $CC $flags -w -I"$top_builddir" -I"$top_builddir/src" -I"$src" -c -o "$object" "$file" ||
        { echo '1..1'; echo "not ok 1 - $file compiles with sanitizers"; exit 1; }
done
for program in $programs $dying; do
    # shellcheck disable=SC2086
    $CC $flags -w -I"$top_builddir" -I"$src" -I"$srcdir" -o $folder/$program \
        "$srcdir/$program.c" $folder/*.o $CRYPTO_LIBS -lm ||
        { echo '1..1'; echo "not ok 1 - $program compiles with sanitizers"; exit 1; }
    case $program in
    contract_failure)
        for case in received:kept received:unread any waits probes never flood half:named half:any cascade; do
            case $case in *:*) variant=${case#*:} ;; *) variant= ;; esac
            mkdir $folder/files
            CM_POOL_BYTES=4Mi ./run-ranks -k -n 3 -t 100 $folder/$program "${case%:*}" "$variant" $folder/files
            rm -rf $folder/files
        done ;;
    contract_farm)
        for seed in 11 12; do ./run-ranks -k -n 5 -t 100 $folder/$program $seed; done ;;
    *) ./run-ranks -n "2 3" -t 100 $folder/$program ;;
    esac
done | "$srcdir/tap-merge"
