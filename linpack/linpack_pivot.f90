! SPDX-License-Identifier: BSD-3-Clause
!> linpack_pivot: the combined pivot search, row exchange and broadcast of linpack_record.c, for
!> Fortran.
module linpack_pivot
    use, intrinsic :: iso_c_binding, only: c_double, c_funptr, c_int64_t, c_size_t
    use cm_comm, only: cm_group, cm_request
    implicit none
    private

    public :: linpack_pivot_start, linpack_pivot_choose, linpack_tournament_start, pivot_head

    !> The head of a record. Two rows of row_bytes each follow: the candidate, and the row that
    !> the pivot displaces.
    type, bind(c) :: pivot_head
        real(c_double) :: value               !< absolute value of the candidate; < 0: there is none
        integer(c_int64_t) :: row             !< its row in the matrix
        integer(c_int64_t) :: has_current     !< 1: the second row is there
        integer(c_int64_t) :: row_bytes
    end type pivot_head

    interface
        !> Gives every rank the record with the largest value; among equal values, that of the
        !! uppermost row. The record belongs to the layer until the request completes.
        subroutine linpack_pivot_start(group, record, request) bind(c)
            import :: cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), intent(inout), asynchronous :: record(*)
            type(cm_request), intent(out) :: request
        end subroutine linpack_pivot_start

        !> Gives every rank the record of the winners. The cm_op_function play chooses the winners
        !! of two records. The record belongs to the layer until the request completes.
        subroutine linpack_tournament_start(group, record, bytes, play, request) bind(c)
            import :: cm_group, cm_request, c_funptr, c_size_t
            type(cm_group), intent(in) :: group
            type(*), intent(inout), asynchronous :: record(*)
            integer(c_size_t), value :: bytes
            type(c_funptr), value :: play
            type(cm_request), intent(out) :: request
        end subroutine linpack_tournament_start

        !> Makes `right` the better one of two records.
        subroutine linpack_pivot_choose(left, right) bind(c)
            type(*), intent(in) :: left(*)
            type(*), intent(inout) :: right(*)
        end subroutine linpack_pivot_choose
    end interface
end module linpack_pivot
