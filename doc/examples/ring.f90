! SPDX-License-Identifier: BSD-3-Clause
! ring.f90: every rank's number goes round the ring of all ranks; each adds up what passes.
module comm
    use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
    implicit none
    private
    public :: cm_init, cm_finalize, cm_world, cm_rank, cm_size, cm_sendrecv
    interface
        function cm_init(argc, argv) bind(c) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: argc, argv
            integer(c_int) :: status
        end function cm_init
        subroutine cm_finalize() bind(c)
        end subroutine cm_finalize
        function cm_world() bind(c) result(group)
            import :: c_ptr
            type(c_ptr) :: group
        end function cm_world
        function cm_rank(group) bind(c) result(rank)
            import :: c_int, c_ptr
            type(c_ptr), value :: group
            integer(c_int) :: rank
        end function cm_rank
        function cm_size(group) bind(c) result(size)
            import :: c_int, c_ptr
            type(c_ptr), value :: group
            integer(c_int) :: size
        end function cm_size
        subroutine cm_sendrecv(group, out, out_bytes, dest, out_tag, &
                               in, capacity, source, in_tag, status) bind(c)
            import :: c_int, c_ptr, c_size_t
            type(c_ptr), value :: group, out, in, status
            integer(c_size_t), value :: out_bytes, capacity
            integer(c_int), value :: dest, out_tag, source, in_tag
        end subroutine cm_sendrecv
    end interface
end module comm

program ring
    use, intrinsic :: iso_c_binding, only: c_int, c_int32_t, c_loc, c_null_ptr, c_ptr, c_size_t
    use comm, only: cm_init, cm_finalize, cm_world, cm_rank, cm_size, cm_sendrecv
    implicit none
    integer(c_int), parameter :: tag = 1
    integer(c_size_t), parameter :: bytes = storage_size(0_c_int32_t) / 8
    integer(c_int32_t), target :: mine, theirs
    integer(c_int) :: rank, ranks, status, step
    integer(c_int32_t) :: total
    type(c_ptr) :: world

    status = cm_init(c_null_ptr, c_null_ptr)
    if (status /= 0) stop status
    world = cm_world()
    rank = cm_rank(world)
    ranks = cm_size(world)

    mine = rank
    total = 0
    do step = 1, ranks
        call cm_sendrecv(world, c_loc(mine), bytes, modulo(rank + 1, ranks), tag, &
                         c_loc(theirs), bytes, modulo(rank - 1, ranks), tag, c_null_ptr)
        total = total + theirs
        mine = theirs
    end do
    if (rank == 0) print '(a, i0, a, i0)', 'sum of 0 to ', ranks - 1, ': ', total
    call cm_finalize()
    if (total /= ranks * (ranks - 1) / 2) error stop 1
end program ring
