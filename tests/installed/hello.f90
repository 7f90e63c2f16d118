! SPDX-License-Identifier: BSD-3-Clause
!> hello: a user's Fortran program on the installed library and its module; a message to itself,
!> said so.
program hello
    use cm_comm, only: CM_EXIT_WRONG, cm_finalize, cm_group, cm_init, cm_rank, cm_sendrecv, &
        cm_size, cm_status, cm_world
    implicit none
    type(cm_group) :: world
    type(cm_status) :: status
    integer :: failed, rank, out(4), in(4)

    failed = cm_init()
    if (failed /= 0) error stop failed
    world = cm_world()
    rank = cm_rank(world)
    print '(a, i0, a, i0)', 'rank ', rank, ' of ', cm_size(world)

    out = [1, 2, 3, 4]
    in = 0
    call cm_sendrecv(world, out, rank, 7, in, rank, 7, status)
    call cm_finalize()
    if (any(in /= out) .or. status%source /= rank) error stop CM_EXIT_WRONG
end program hello
