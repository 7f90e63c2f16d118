! SPDX-License-Identifier: BSD-3-Clause
!> linpack_layout: assigns rows and columns to a grid of ranks: `block` rows at a time are dealt out
!> cyclically to the grid's rows, `width` columns at a time to its columns.
!>
!> C calls some of it (linpack.h).
!>
!> Global and local rows and columns count from 1, ranks from 0. A rank's rows keep their order, so
!> that the rows from some global row on are always the last ones of each rank; columns likewise.
!> Locally the matrix is stored by rows: a(c, l) is local column c of local row l. So a row is
!> contiguous for exchanges and broadcasts, and the BLAS sees the transposed matrix.
module linpack_layout
    use, intrinsic :: iso_c_binding, only: c_int, c_ptr
    use cm_comm, only: cm_algorithm, cm_group
    implicit none
    private

    public :: layout, owner, local_row, global_row, first_local
    public :: column_owner, first_local_column, global_column, all_ranks, has_right

    !> linpack_layout of linpack.h.
    type, bind(c) :: layout
        type(cm_group) :: group   !< the ranks of this rank's column of the grid
        integer(c_int) :: rank, ranks
        integer(c_int) :: order   !< of the matrix
        integer(c_int) :: block   !< rows dealt out at a time
        integer(c_int) :: rows    !< of this rank
        integer(c_int) :: ld      !< elements from one local row to the next, >= columns
        type(cm_group) :: across  !< the ranks of this rank's row of the grid
        integer(c_int) :: grid_column, grid_columns
        integer(c_int) :: width   !< columns dealt out at a time
        integer(c_int) :: columns !< of this rank
        type(cm_group) :: all     !< all ranks of the grid
        type(cm_group) :: roll    !< as group, for rows of U sent round a ring; null: direct
        type(cm_algorithm) :: broadcast !< of a panel, along a row of the grid
        integer(c_int) :: tournament    !< 1: pivots by a tournament, 0: partial pivoting
        !> The column of the grid that has the right-hand side as local column columns + 1; -1: it
        !> is not factored along.
        integer(c_int) :: right
        type(c_ptr) :: low              !< cm_blas_low of the updates; null: as the matrix
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

        global_row = global(l, map%block, map%ranks, map%rank)
    end function global_row

    !> Returns the first of this rank's rows that is not above `row`; rows + 1 if there is none, as
    !! for row = order + 1.
    pure integer function first_local(map, row)
        type(layout), intent(in) :: map
        integer, intent(in) :: row

        first_local = first(row, map%block, map%ranks, map%rank)
    end function first_local

    !> Returns the column of the grid that has a column.
    pure integer function column_owner(map, column)
        type(layout), intent(in) :: map
        integer, intent(in) :: column

        column_owner = mod((column - 1) / map%width, map%grid_columns)
    end function column_owner

    pure integer(c_int) function global_column(map, c) bind(c, name='linpack_global_column')
        type(layout), intent(in) :: map
        integer(c_int), value :: c

        global_column = global(c, map%width, map%grid_columns, map%grid_column)
    end function global_column

    !> As first_local, for columns.
    pure integer(c_int) function first_local_column(map, column) &
        bind(c, name='linpack_first_local_column')
        type(layout), intent(in) :: map
        integer(c_int), value :: column

        first_local_column = first(column, map%width, map%grid_columns, map%grid_column)
    end function first_local_column

    !> Returns true if this rank has a part of the right-hand side beside the matrix.
    pure logical function has_right(map)
        type(layout), intent(in) :: map

        has_right = map%right == map%grid_column
    end function has_right

    !> Returns the number of ranks of the grid.
    pure integer function all_ranks(map)
        type(layout), intent(in) :: map

        all_ranks = map%ranks * map%grid_columns
    end function all_ranks

    !> Returns how many of `order` rows or columns a rank has, if `block` are dealt out at a time.
    pure integer(c_int) function dealt(order, block, ranks, rank) bind(c, name='linpack_dealt')
        integer(c_int), value :: order, block, ranks, rank

        dealt = first(order + 1, block, ranks, rank) - 1
    end function dealt

    pure integer function global(l, block, ranks, rank)
        integer, intent(in) :: l, block, ranks, rank

        global = ((l - 1) / block * ranks + rank) * block + mod(l - 1, block) + 1
    end function global

    pure integer function first(at, block, ranks, rank)
        integer, intent(in) :: at, block, ranks, rank
        integer :: blocks, turn

        blocks = (at - 1) / block
        turn = mod(blocks, ranks)
        first = blocks / ranks * block + 1
        if (rank < turn) then
            first = first + block
        else if (rank == turn) then
            first = first + mod(at - 1, block)
        end if
    end function first

end module linpack_layout
