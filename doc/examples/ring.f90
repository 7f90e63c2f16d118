! SPDX-License-Identifier: BSD-3-Clause
! ring.f90: every rank's numbers go round all ranks; each rank adds up those that pass.
program ring
    use, intrinsic :: iso_c_binding, only: c_double, c_int
    use cm_comm, only: cm_group, cm_init, cm_finalize, cm_abort, cm_world, &
        cm_rank, cm_size, cm_sendrecv, cm_allreduce, cm_time, CM_EXIT_WRONG, CM_MAX
    implicit none
    integer, parameter :: items = 1000
    integer(c_int), parameter :: tag = 1
    type(cm_group) :: world
    integer(c_int) :: rank, ranks, status, step
    integer(c_int) :: mine(items), theirs(items), total(items)
    real(c_double) :: elapsed_s, slowest_s

    status = cm_init()
    if (status /= 0) stop status
    world = cm_world()
    rank = cm_rank(world)
    ranks = cm_size(world)

    mine = rank
    total = 0
    elapsed_s = -cm_time()
    do step = 1, ranks
        call cm_sendrecv(world, mine, modulo(rank + 1, ranks), tag, &
                         theirs, modulo(rank - 1, ranks), tag)
        total = total + theirs
        mine = theirs
    end do
    elapsed_s = elapsed_s + cm_time()

    if (any(total /= ranks * (ranks - 1) / 2)) &
        call cm_abort(CM_EXIT_WRONG, 'the sum is wrong')
    call cm_allreduce(world, elapsed_s, slowest_s, CM_MAX)
    if (rank == 0) print '(i0, a, es9.2, a)', &
        ranks, ' ranks, ', slowest_s / ranks, ' s a step'
    call cm_finalize()
end program ring
