! SPDX-License-Identifier: BSD-3-Clause
!> linpack_single: LINPACK in single precision. The algorithms are in linpack_*.inc, the same
!> source for both precisions; this file defines wp, the BLAS names and the PREFIX of the names
!> that C calls.
module linpack_single
    use, intrinsic :: iso_c_binding, only: wp => c_float, c_associated, c_double, &
        c_f_pointer, c_funloc, c_int, c_int64_t, c_loc, c_null_ptr, c_ptr, c_size_t
    use cm_comm, only: cm_allreduce_in_place, cm_bcast, cm_compute, cm_free, cm_group, &
        cm_iallgatherv, cm_ibcast, cm_irecv, cm_isend, cm_progress, cm_request, cm_sendrecv, &
        cm_test, cm_time, cm_wait, cm_waitall, CM_MAXLOC, CM_RING, CM_SUM, &
        value_index => cm_float_index, VALUE_INDEX_TYPE => CM_FLOAT_INDEX_TYPE
    use linpack_blas, only: iamax => isamax, axpy => saxpy, dot => sdot, gemm => sgemm, &
        gemv => sgemv, scal => sscal, subtract => linpack_single_subtract, &
        trsm => strsm, trsv => strsv
    use linpack_layout, only: all_ranks, column_owner, first_local, first_local_column, &
        global_column, global_row, has_right, layout, local_row, owner
    use linpack_memory, only: cm_memory_free, cm_run_array, linpack_shared
    use linpack_pivot, only: linpack_pivot_choose, linpack_pivot_start, linpack_tournament_start, &
        pivot_head
    use linpack_spent, only: lap, spent_time, tell, BROADCAST, EXCHANGE, SEARCH, UPDATE
    implicit none
    private

    !> Prefix of the names in linpack.h.
    character(*), parameter :: PREFIX = 'linpack_single_'

    include 'linpack_types.inc'

contains

    include 'linpack_classic.inc'
    include 'linpack_search.inc'
    include 'linpack_panel.inc'
    include 'linpack_tournament.inc'
    include 'linpack_exchange.inc'
    include 'linpack_broadcast.inc'
    include 'linpack_blocked.inc'
    include 'linpack_solve.inc'
    include 'linpack_transposed.inc'
    include 'linpack_serial.inc'

end module linpack_single
