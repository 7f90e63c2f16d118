! SPDX-License-Identifier: BSD-3-Clause
!> linpack_layout: assigns rows to ranks: `block` rows at a time, dealt out cyclically.
!>
!> C calls some of it (linpack.h).
!>
!> Global and local rows count from 1, ranks from 0. A rank's rows keep their order, so that the
!> rows from some global row on are always the last ones of each rank. Locally the matrix is
!> stored by rows: a(j, l) is column j of local row l. So a row is contiguous for exchanges and
!> broadcasts, and the BLAS sees the transposed matrix.
module linpack_layout
    use, intrinsic :: iso_c_binding, only: c_int
    use cm_comm, only: cm_group
    implicit none
    private

    public :: layout, owner, local_row, global_row, first_local

    !> linpack_layout of linpack.h.
    type, bind(c) :: layout
        type(cm_group) :: group
        integer(c_int) :: rank, ranks
        integer(c_int) :: order   !< of the matrix
        integer(c_int) :: block   !< rows dealt out at a time
        integer(c_int) :: rows    !< of this rank
        integer(c_int) :: ld      !< elements from one local row to the next, >= order
    end type layout

contains

    pure integer function owner(map, row)
        type(layout), intent(in) :: map
        integer, intent(in) :: row

        owner = mod((row - 1) / map%block, map%ranks)
    end function owner

    !> Returns the local number of a row on its owner.
    pure integer function local_row(map, row)
        type(layout), intent(in) :: map
        integer, intent(in) :: row

        local_row = (row - 1) / map%block / map%ranks * map%block + mod(row - 1, map%block) + 1
    end function local_row

    pure integer(c_int) function global_row(map, l) bind(c, name='linpack_global_row')
        type(layout), intent(in) :: map
        integer(c_int), value :: l

        global_row = ((l - 1) / map%block * map%ranks + map%rank) * map%block &
                     + mod(l - 1, map%block) + 1
    end function global_row

    !> Returns the first of this rank's rows that is not above `row`; rows + 1 if there is none. For
    !> row = order + 1 it is one more than the rank's number of rows.
    pure integer function first_local(map, row)
        type(layout), intent(in) :: map
        integer, intent(in) :: row
        integer :: blocks, turn

        blocks = (row - 1) / map%block
        turn = mod(blocks, map%ranks)
        first_local = blocks / map%ranks * map%block + 1
        if (map%rank < turn) then
            first_local = first_local + map%block
        else if (map%rank == turn) then
            first_local = first_local + mod(row - 1, map%block)
        end if
    end function first_local

    !> Returns the number of rows that a rank has of a matrix.
    pure integer(c_int) function rows_of(order, block, ranks, rank) bind(c, name='linpack_rows_of')
        integer(c_int), value :: order, block, ranks, rank
        type(layout) :: map

        map%block = block
        map%ranks = ranks
        map%rank = rank
        rows_of = first_local(map, order + 1) - 1
    end function rows_of

end module linpack_layout
