! SPDX-License-Identifier: BSD-3-Clause
!> fortran_wrong: calls of module cm_comm whose arrays are wrong, one a run, named by the argument.
program fortran_wrong
    use, intrinsic :: iso_c_binding, only: c_double, c_float, c_int, c_size_t
    use cm_comm
    implicit none

    type(cm_group) :: world
    type(cm_request) :: requests(4)
    type(cm_double_index) :: pair, pair_out
    character(len=32) :: name
    real(c_double) :: a(6, 6), b(6, 6)
    real(c_float) :: f(36)
    integer :: rank, status

    status = cm_init()
    if (status /= 0) stop status, quiet=.true.
    world = cm_world()
    rank = cm_rank(world)
    a = 0
    call get_command_argument(1, name)
    select case (name)
    case ('row')
        call cm_sendrecv(world, a(2, :), rank, 1, b, rank, 1)
    case ('rows')
        call cm_bcast(world, a(1:3, :), 0)
    case ('stride')
        call cm_bcast(world, f(1:36:2), 0)
    case ('backwards')
        call cm_bcast(world, f(36:1:-1), 0)
    case ('assumed-size')
        call pass(f)
    case ('count')
        call cm_allreduce(world, a(:, 1:2), b(:, 1), CM_SUM)
    case ('type')
        call cm_allreduce(world, a, f, CM_SUM)
    case ('pair')
        pair = cm_double_index(1.0_c_double, 1)
        call cm_allreduce(world, pair, pair_out, CM_MINLOC)
    case ('pair-bytes')
        call cm_allreduce(world, a, b, CM_MINLOC, type=CM_DOUBLE_INDEX_TYPE)
    case ('gather')
        call cm_gather(world, a, b(:, :5), rank)
    case ('gatherv')
        call cm_allgatherv(world, a, b, [(280_c_size_t, status = 1, cm_size(world))], &
            [(16_c_size_t, status = 1, cm_size(world))])
    case ('offsets')
        call cm_allgatherv(world, a, b, [288_c_size_t], [integer(c_size_t) ::])
    case ('requests')
        call cm_waitall(requests(1:4:3))
    case ('tag')
        call cm_send(world, a, rank, CM_TAG_LIMIT)
    case ('abort')
        call cm_abort(42, 'the end, value 17')
    end select
    call cm_finalize()

contains

    subroutine pass(x)
        real(c_float), intent(inout) :: x(*)

        call cm_bcast(world, x, 0)
    end subroutine pass
end program fortran_wrong
