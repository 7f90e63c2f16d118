#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Arrays that modules cm_comm and cm_bsp must refuse: status 2 and
# one line that names call, argument and cause.

# CASE STATUS REGEX
case_of()
{
    ./run-ranks -n 1 -t 20 -s "$2" -m "rank 0 on .*: $3" ./contract/fortran_wrong "$1"
}

{
    case_of row 2 'cm_sendrecv: out is not contiguous .*dimension 1 are 48 bytes apart, not 8'
    case_of rows 2 'cm_bcast: data is not contiguous .*dimension 2 are 48 bytes apart, not 24'
    case_of stride 2 'cm_bcast: data is not contiguous .*dimension 1 are 8 bytes apart, not 4'
    case_of backwards 2 'cm_bcast: data is not contiguous .*dimension 1 are -4 bytes apart, not 4'
    case_of assumed-size 2 'cm_bcast: the length of data is unknown'
    case_of count 2 'cm_allreduce: in \(12 elements of 8 bytes\) and out \(6 of 8\)'
    case_of type 2 'cm_allreduce: in \(36 elements of 8 bytes\) and out \(36 of 4\)'
    case_of pair 2 'cm_allreduce: .*16 bytes.*CM_DOUBLE_INDEX_TYPE'
    case_of pair-bytes 2 'cm_allreduce: the given type has 16 bytes, .* elements have 8'
    case_of gather 2 'cm_gather: out has 240 bytes; .*1 times 288'
    case_of gatherv 2 'cm_allgatherv: 280 bytes at offset 16 .*288'
    case_of offsets 2 'cm_allgatherv: out_offsets has 0 elements; expected .* of the 1 ranks'
    case_of requests 2 'cm_waitall: requests is not contiguous'
    case_of tag 2 '.*tag.*268435456'
    case_of bsp-row 2 'bsp_put: src is not contiguous .*dimension 1 are 48 bytes apart, not 8'
    case_of bsp-area 2 'bsp_put in superstep 1: 0x[0-9a-f]* is not registered'
    case_of bsp-tag 2 'bsp_send in superstep 1: tag has 4 bytes; expected 8'
    case_of bsp-abort 1 'the end of BSP'
    case_of abort 42 'the end, value 17'
} | "${srcdir-.}/tap-merge"
