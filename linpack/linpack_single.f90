! SPDX-License-Identifier: BSD-3-Clause
!> linpack_single: LINPACK in single precision. The algorithms are in linpack_*.inc, the same
!> source for both precisions; this file says what wp and the BLAS names in them mean, and gives C
!> what linpack.h declares.
module linpack_single
    use, intrinsic :: iso_c_binding, only: wp => c_float, c_double, c_f_pointer, c_int, &
        c_int64_t, c_loc, c_ptr, c_size_t
    use cm_comm, only: cm_allreduce_in_place, cm_bcast, cm_group, cm_irecv, cm_isend, cm_request, &
        cm_sendrecv, cm_test, cm_time, cm_wait, cm_waitall, CM_MAXLOC, CM_SUM, &
        value_index => cm_float_index, VALUE_INDEX_TYPE => CM_FLOAT_INDEX_TYPE
    use linpack_blas, only: iamax => isamax, axpy => saxpy, dot => sdot, gemm => sgemm, &
        gemv => sgemv, scal => sscal, trsm => strsm, trsv => strsv
    use linpack_layout, only: layout, first_local, global_row, local_row, owner
    use linpack_memory, only: cm_memory_free, cm_run_array
    use linpack_pivot, only: linpack_pivot_start, pivot_head
    use linpack_spent, only: lap, spent_time, tell, BROADCAST, EXCHANGE, SEARCH, UPDATE
    implicit none
    private

    include 'linpack_types.inc'

contains

    include 'linpack_classic.inc'
    include 'linpack_panel.inc'
    include 'linpack_exchange.inc'
    include 'linpack_blocked.inc'
    include 'linpack_solve.inc'
    include 'linpack_transposed.inc'
    include 'linpack_serial.inc'

    subroutine c_classic(map, a, diagonal, pivots, failed, spent) &
        bind(c, name='linpack_single_classic')
        type(layout), intent(in) :: map
        real(wp), intent(inout) :: a(map%ld, *)
        real(wp), intent(out) :: diagonal(1, 1, map%order)
        integer(c_int), intent(out) :: pivots(map%order), failed
        type(spent_time), intent(inout) :: spent

        call classic(map, a, diagonal, pivots, failed, spent)
    end subroutine c_classic

    subroutine c_blocked(map, nb, slices, a, diagonal, pivots, failed, spent) &
        bind(c, name='linpack_single_blocked')
        type(layout), intent(in) :: map
        integer(c_int), value :: nb, slices
        real(wp), intent(inout) :: a(map%ld, *)
        real(wp), intent(out) :: diagonal(nb, nb, *)
        integer(c_int), intent(out) :: pivots(map%order), failed
        type(spent_time), intent(inout) :: spent

        call blocked(map, nb, slices, a, diagonal, pivots, failed, spent)
    end subroutine c_blocked

    subroutine c_solve(map, nb, a, diagonal, pivots, x) bind(c, name='linpack_single_solve')
        type(layout), intent(in) :: map
        integer(c_int), value :: nb
        real(wp), intent(in) :: a(map%ld, *), diagonal(nb, nb, *)
        integer(c_int), intent(in) :: pivots(map%order)
        real(wp), intent(inout) :: x(map%order)

        call solve(map, nb, a, diagonal, pivots, x)
    end subroutine c_solve

    subroutine c_transposed(map, nb, a, diagonal, pivots, x) &
        bind(c, name='linpack_single_transposed')
        type(layout), intent(in) :: map
        integer(c_int), value :: nb
        real(wp), intent(in) :: a(map%ld, *), diagonal(nb, nb, *)
        integer(c_int), intent(in) :: pivots(map%order)
        real(wp), intent(inout) :: x(map%order)

        call solve_transposed(map, nb, a, diagonal, pivots, x)
    end subroutine c_transposed

    subroutine c_gefa(n, a, lda, pivots, failed) bind(c, name='linpack_single_gefa')
        integer(c_int), value :: n, lda
        real(wp), intent(inout) :: a(lda, *)
        integer(c_int), intent(out) :: pivots(n), failed

        call gefa(n, a, lda, pivots, failed)
    end subroutine c_gefa

    subroutine c_gesl(n, a, lda, pivots, x) bind(c, name='linpack_single_gesl')
        integer(c_int), value :: n, lda
        real(wp), intent(in) :: a(lda, *)
        integer(c_int), intent(in) :: pivots(n)
        real(wp), intent(inout) :: x(n)

        call gesl(n, a, lda, pivots, x)
    end subroutine c_gesl

end module linpack_single
