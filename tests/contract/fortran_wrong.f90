! SPDX-License-Identifier: BSD-3-Clause
!> fortran_wrong: calls of modules cm_comm and cm_bsp whose arrays are wrong, one a run, named by
!> the argument.
program fortran_wrong
    use, intrinsic :: iso_c_binding, only: c_double, c_float, c_int, c_size_t
    use cm_bsp
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
    case ('bsp-row')
        call bsp_within(a(2, :), b(:, 1), f(1:2))
    case ('bsp-area')
        call bsp_within(a(:, 2), b(:, 2), f(1:2))
    case ('bsp-tag')
        call bsp_within(a(:, 2), b(:, 1), f(1:1))
    case ('bsp-abort')
        call cm_bsp_begin(world)
        call bsp_abort('the end of BSP')
    case ('abort')
        call cm_abort(42, 'the end, value 17')
    end select
    call cm_finalize()

contains

    !> b(:, 1) is registered, tags have 8 bytes.
    subroutine bsp_within(src, dst, tag)
        real(c_double), intent(in) :: src(:)
        real(c_double), intent(inout), asynchronous :: dst(:)
        real(c_float), intent(in) :: tag(:)
        integer(c_int) :: tag_bytes

        call cm_bsp_begin(world)
        tag_bytes = 8
        call bsp_set_tagsize(tag_bytes)
        call bsp_push_reg(b(:, 1))
        call bsp_sync()
        call bsp_send(rank, tag, src(1:1))
        call bsp_put(rank, src, dst)
        call cm_bsp_end()
    end subroutine bsp_within

    subroutine pass(x)
        real(c_float), intent(inout) :: x(*)

        call cm_bcast(world, x, 0)
    end subroutine pass
end program fortran_wrong
