#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# xhpl_hpcc.sh: cm-xhpl beside HPL itself, that of the HPC Challenge (Debian's hpcc; TEST_HPCC names
# another): on the files of xhpl_files.txt, with grids of one rank, both print the same lines but
# for times, rates and residuals.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
hpcc=${TEST_HPCC:-$(command -v hpcc)} || { echo '1..0 # SKIP there is no hpcc'; exit 0; }
. "$srcdir/programs/xhpl.inc"

# hpl FOLDER: HPL's output for the folder's file, which is one of several programs'.
hpl()
{
    mkdir -p "$1/hpcc" && cp "$1/HPL.dat" "$1/hpcc/hpccinf.txt" &&
        (cd "$1/hpcc" && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$hpcc") \
            >"$1/hpcc/said" 2>&1
    sed -n '/^Begin of HPL section/,/^End of HPL section/p' "$1/hpcc/hpccoutf.txt" >"$1/hpcc/out"
    has '^End of Tests' "$1/hpcc/out" || { show "$1/hpcc/said"; false; }
}
agrees() # FOLDER
{
    cat "$1/out" "$1/err" "$1"/HPL*out* >"$1/all" 2>/dev/null
    plain "$1/hpcc/out" >"$1/want"
    plain "$1/all" >"$1/got"
    diff "$1/want" "$1/got" >"$1/diff" || { show "$1/diff"; false; }
}

number=0
awk -v want=0 -f "$srcdir/programs/xhpl_file.awk" "$files" >"$work/list"
while read -r ranks said cut name <&3; do
    number=$((number + 1))
    folder=$work/$number
    dat $number "$folder"
    # hpcc writes into a file of its own, whatever the device, and takes the least N as it is.
    sed -i -e '11s/[0-9][0-9]*/1/g' -e '12s/[0-9][0-9]*/1/g' "$folder/HPL.dat"
    status=$(grep -q '^0.0001 ' "$folder/HPL.dat" && echo 1 || echo 0)
    ok "$name: HPL" hpl "$folder" && ok "$name: cm-xhpl" xhpl 1 "$status" "$folder" &&
        ok "$name: the same lines" agrees "$folder"
done 3<"$work/list"
finish
