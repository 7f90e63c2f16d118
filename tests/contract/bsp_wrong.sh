#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bsp_wrong.sh: mistakes of BSPlib programs end with one line that names rank and
# superstep; what CM_BSP_CHECK and CM_BSP_TRACE do.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/contract/bsp_wrong

# says MISTAKE RANK REGEX: status 2 and the line, from this rank.
says()
{
    ok "$1" run 2 2 "rank $2 .*$3" "$program" "$1"
}
if [ "$comm" = dummy ]; then
    ok 'no BSP without processes' run 2 2 'BSP needs one process for each rank' "$program" none
    ok 'one process' run 1 0 '' "$program" none
    finish
fi
says beyond 0 'bsp_put in superstep 2: bytes 4 to 12 of an area that has 8 bytes on process 1'
says beyond-word 0 'bsp_put in superstep 2: bytes 1 to 9 of an area that has 8 bytes on process 1'
says beyond-hp 0 'bsp_hpput in superstep 2: bytes 8 to 9 of an area that has 8 bytes on process 1'
says beyond-get 0 'bsp_get in superstep 2: bytes 8 to 12 of an area that has 8 bytes on process 1'
says beyond-hpget 0 \
    'bsp_hpget in superstep 2: bytes 5 to 9 of an area that has 8 bytes on process 1'
says far 0 \
    'bsp_put in superstep 2: bytes 18446744073709551612 to .* of an area that has 8 bytes on'
says shorter 0 'bsp_put in superstep 3: bytes 4 to 8 of an area that has 4 bytes on process 0'
says negative 0 'bsp_put in superstep 2: offset is -4; expected at least 0'
says negative-bytes 0 'bsp_put in superstep 2: size is -1; expected at least 0'
says negative-get 0 'bsp_get in superstep 2: offset is -1; expected at least 0'
says negative-hpput 0 'bsp_hpput in superstep 2: size is -2; expected at least 0'
says negative-hpget 0 'bsp_hpget in superstep 2: offset is -3; expected at least 0'
says negative-send 0 'bsp_send in superstep 2: a payload of -4 bytes; expected at least 0'
says negative-move 0 'bsp_move in superstep 2: room for -5 bytes; expected at least 0'
says negative-area 0 'bsp_push_reg in superstep 2: an area of -6 bytes; expected at least 0'
says negative-tag 0 'bsp_set_tagsize in superstep 2: a tag of -7 bytes; expected at least 0'
says large-tag 0 \
    'bsp_set_tagsize in superstep 2: a tag of 2147483648 bytes; expected at most 2147483647'
says null-tagsize 0 'bsp_set_tagsize in superstep 2: the size is NULL'
says null-tagsize-plain 0 'bsp_set_tagsize in superstep 2: the size is NULL'
says null-get-tag-plain 0 'bsp_get_tag in superstep 2: the status is NULL'
says null-tagsize64 0 'bsp_set_tagsize in superstep 2: the size is NULL'
says null-payload 0 'bsp_send in superstep 2: the payload is NULL'
says null-tag 0 'bsp_send in superstep 3: the tag is NULL'
says null-status 0 'bsp_get_tag in superstep 4: the status is NULL'
says null-status64 0 'bsp_get_tag in superstep 4: the status is NULL'
says null-get 0 'bsp_get_tag in superstep 4: the tag is NULL'
says null-move 0 'bsp_move in superstep 4: the payload is NULL'
says null-hpmove-tag 0 "bsp_hpmove in superstep 4: the tag's pointer is NULL"
says null-hpmove 0 "bsp_hpmove in superstep 4: the payload's pointer is NULL"
says bcast-negative 0 'bsp_bcast in superstep 2: size is -1; expected at least 0'
says gather-nobody 0 'bsp_gather in superstep 2: process is 2; expected 0 to 1'
says scatter-null 0 'bsp_scatter in superstep 2: the source is NULL'
says exchange-null 0 'bsp_total_exchange in superstep 2: the destination is NULL'
says fold-null 0 'bsp_fold in superstep 2: the operator is NULL'
says bcast-sizes 0 'bsp_hpput in superstep 3: bytes 0 to 4 of an area that has 3 bytes on process 1'
messages='4294967301 messages do not fit into an' bytes='4294967299 bytes do not fit into an'
says int-messages 0 "bsp_qsize in superstep 3: $messages int; use bsp_qsize64"
says int-unsigned 0 "bsp_qsize in superstep 3: $messages unsigned int; use a size_t"
says int-bytes 0 "bsp_qsize in superstep 3: $bytes int; use bsp_qsize64"
says int-payload 0 "bsp_get_tag in superstep 3: $bytes int; use bsp_get_tag64"
says int-hpmove 0 "bsp_hpmove in superstep 3: $bytes int; use bsp_hpmove64"
ok 'a size_t has room for them' run 2 0 '' "$program" int-fits
says null-put 0 'bsp_put in superstep 2: the source is NULL'
says null-put-short 0 'bsp_put in superstep 2: the source is NULL'
says null-hpput 0 'bsp_hpput in superstep 2: the source is NULL'
says null-read 0 'bsp_get in superstep 2: the destination is NULL'
says null-hpget 0 'bsp_hpget in superstep 2: the destination is NULL'
says no-area 0 'bsp_push_reg in superstep 2: NULL with 4 bytes; expected 0'
says null-there 0 'bsp_put in superstep 5: bytes 0 to 4 of an area that has 0 bytes on process 1'
says unregistered 0 'bsp_put in superstep 2: 0x[0-9a-f]* is not registered'
says too-early 0 'bsp_put in superstep 2: 0x[0-9a-f]* is registered only from the next superstep on'
says popped 0 'bsp_put in superstep 3: 0x[0-9a-f]* is not registered'
says pop-nothing 0 'bsp_pop_reg in superstep 2: 0x[0-9a-f]* is not registered'
says pop-twice 0 'bsp_pop_reg in superstep 2: 0x[0-9a-f]* is not registered'
says pop-null 0 'bsp_pop_reg in superstep 2: NULL is not registered'
says pop-nulls-twice 0 'bsp_pop_reg in superstep 2: NULL is not registered'
says pop-nulls 0 \
    'bsp_sync in superstep 2: all processes call bsp_pop_reg for NULL, but there is no area'
says pop-other 1 \
    'bsp_sync in superstep 2: process 1 calls bsp_pop_reg for NULL, but process 0 for an area that'
says nobody-empty 0 'bsp_put in superstep 2: process is -1; expected 0 to 1'
says nobody 0 'bsp_send in superstep 2: process is 2; expected 0 to 1'
says pushes 0 'bsp_sync in superstep 2: process 0 calls bsp_push_reg 1 .*process 1 0 and 0'
says pops 0 \
    'bsp_sync in superstep 2: processes 0 and 1 call bsp_pop_reg for areas that do not correspond'
says order 0 \
    'bsp_sync in superstep 2: processes 0 and 1 call bsp_pop_reg for areas that do not correspond'
says tags 0 'bsp_sync in superstep 2: bsp_set_tagsize: process 0 sets 0 bytes, but process 1 sets 4'
three='in superstep 3'
says syncs 0 "bsp_sync $three: process 0 calls bsp_sync $three, but process 1 calls bsp_end $three"
says empty 0 'bsp_move in superstep 2: the queue is empty'
ok 'a program that only asks for the number of processes' run 2 0 '' "$program" asks
ok 'and one of which a process fails' run 2 3 '' "$program" asks-fails
ok 'a program that ends before its SPMD part' run 2 0 '' "$program" no-part
ok 'and one that fails there' run 2 3 '' "$program" no-part-fails
ok 'abort' run 2 1 'rank 1 .*all 42 is lost' "$program" abort
"$program" abort 2>"$work/abort.txt"
ok 'one line, whatever it ends with' [ "$(wc -l <"$work/abort.txt")" -eq 1 ]
ok 'abort before bsp_begin' run 1 1 'before all, anyway' "$program" early
says nobody-at-all 0 'bsp_begin with 0 processes; expected at least 1'
ok 'a part in the part' run 1 2 \
    'bsp_begin between bsp_begin and bsp_end; expected one SPMD part' "$program" twice
ok 'bsp_init in the part' \
    run 1 2 'bsp_init between bsp_begin and bsp_end; expected one' "$program" init-late
ok 'no function' run 1 2 'bsp_init with NULL; expected the function' "$program" init-null
ends='process 1 ends before process 0 does, outside of an SPMD part'
says parts-never 1 "$ends"
says parts-exit 1 "$ends"
says parts-return 1 "$ends"
ok 'two parts of different processes in a function' \
    run 4 2 'rank 1 .*some processes begin part 2 of the function, others part 1' \
    "$program" parts-two
other='bsp_begin in line [0-9]* of .*bsp_wrong.c: process 0 begins the SPMD part in line [0-9]*;'
ok 'a part of one process before another in a function' \
    run 3 2 "rank 1 .*$other expected bsp_init with" "$program" parts-one
ok 'a part of a function that bsp_init has not got' \
    run 3 2 "rank 1 .*$other expected bsp_init with" "$program" parts-unknown
ok 'a second part' run 2 0 '' "$program" again
ok 'after the part' run 1 2 'bsp_put outside of bsp_begin and bsp_end' "$program" after
ok 'who and how many, after the part' run 2 0 '' "$program" numbers
says gone 1 'exit in superstep 2: process 1 exits without bsp_end'
ok 'outside' run 1 2 'bsp_sync outside of bsp_begin and bsp_end' "$program" outside

fortran=$(pwd)/contract/fortran_bsp_wrong
ok 'in Fortran' run 1 0 '' "$fortran" none
ok 'a short tag' run 1 2 'bsp_send in superstep 1: tag has 4 bytes; expected 8' "$fortran" tag
ok 'a tag shorter than the message had' \
    run 1 2 'bsp_get_tag in superstep 2: tag has 4 bytes; expected 8' "$fortran" queue
ok 'beyond an array' \
    run 1 2 'bsp_put in superstep 1: bytes 4 to 20 of an area that has 16' "$fortran" beyond
ok 'every second element' run 1 2 'bsp_put.*src.*contiguous' "$fortran" contiguous
ok 'abort in Fortran' run 1 1 'all is lost$' "$fortran" abort

ok 'overlapping writes are allowed' run 2 0 '' "$program" conflict
export CM_BSP_CHECK=1
# overlap MISTAKE SUPERSTEP PROCESSES BYTE REGISTRATION
overlap()
{
    says "$1" 0 \
        "bsp_sync in superstep $2: writes of processes $3 overlap at byte $4 of registration $5"
}
overlap conflict 2 '0 and 1' 2 0
overlap conflict-hp 3 '0 and 1' 40000 2
overlap conflict-get 2 '0 and 1' 4 0
overlap conflict-self 2 '0 and 0' 3 0
ok 'writes that meet do not overlap' run 2 0 '' "$program" beside
ok 'nor do those of two supersteps' run 2 0 '' "$program" later
unset CM_BSP_CHECK

CM_BSP_TRACE=$work/trace.txt; export CM_BSP_TRACE
ok 'a trace' run 2 0 '' "$program" conflict
ok 'it has a row a superstep and process' \
    [ "$(grep -c '^[0-9]' "$CM_BSP_TRACE")" -eq 8 ]
ok 'and the bytes that moved' \
    [ "$(awk '$2 == 2 && $3 == 0 { print $7, $8, $9, $10 }' "$CM_BSP_TRACE")" = '0 4 0 1' ]
CM_BSP_TRACE=$work/parts.txt
ok 'a program of two parts' run 2 0 '' \
    "$(pwd)/contract/contract.ranks" bsp_conform
parts=$(awk '/^[0-9]/ && $2 == 0 { printf "%s:%s ", $1, $3 }' "$work/parts.txt")
ok 'has both in its trace' [ "$parts" = '0:0 0:1 1:0 1:1 ' ]
ok 'and names, each one word' \
    [ "$(awk '$4 == "sums_of_it" { n += NF == 10 } END { print n }' "$work/parts.txt")" = 2 ]
if command -v gnuplot >/dev/null 2>&1; then
    figure()
    {
        gnuplot -d -e "result='$work/parts.txt'; figure='$work/f.svg'; part=0; from=1; to=3" \
            "$srcdir/../sscrap/common/figures/supersteps.gp" >"$work/said" 2>&1 &&
            ! [ -s "$work/said" ]
    }
    ok 'its figure' figure || show "$work/said"
    ok 'shows what was asked for' grep -q 'Supersteps: 1 to 3 of part 0, 2 processes' "$work/f.svg"
else skip 'its figure' 'gnuplot is not there'
fi
ok 'an older trace stays' \
    run 2 2 'CM_BSP_TRACE=.*: File exists; expected the name of a new file' "$program" none
ok 'and no result is begun' run 1 2 'CM_BSP_TRACE=.*: File exists' \
    "$(pwd)/../sscrap/sort/cm-sort" -q -n 9 -o "$work/none.txt"
ok 'so that it is not there' [ ! -e "$work/none.txt" ]
finish
