! SPDX-License-Identifier: BSD-3-Clause
!> fortran_bsp: BSPlib from Fortran, module cm_bsp, in a job of the layer's. A point's failures on
!> any rank reach rank 0, which prints TAP.
program fortran_bsp
    use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_float, c_int, c_int64_t, &
        c_ptr, c_size_t
    use cm_bsp
    use cm_comm
    implicit none

    integer, parameter :: LARGE = 40000   ! doubles: beyond every limit between ways of transport
    type(cm_group) :: world
    integer :: points = 0, failures = 0, here = 0
    integer :: p, s, right, left, status
    character(len=12) :: wanted

    status = cm_init()
    if (status /= 0) stop status, quiet=.true.
    world = cm_world()
    call get_environment_variable('TEST_RANKS', wanted)
    if (wanted /= '') then
        read (wanted, *) status
        if (status /= cm_size(world)) then
            print '(a, i0, 2a)', 'Bail out! this job has ', cm_size(world), ' ranks instead of ', &
                wanted
            call cm_finalize()
            stop 1, quiet=.true.
        end if
    end if

    call cm_bsp_begin(world)
    p = bsp_nprocs()
    s = bsp_pid()
    right = mod(s + 1, p)
    left = mod(s + p - 1, p)
    call expect(p == cm_size(world) .and. s == cm_rank(world) .and. bsp_time() >= 0)
    call point_done('processes are the ranks of the group')
    call test_writes()
    call test_reads()
    call test_large()
    call test_registrations()
    call test_messages()
    call test_sums()
    call cm_bsp_end()

    if (cm_rank(world) == 0) print '(a, i0)', '1..', points
    call cm_finalize()
    if (failures > 0) stop 1, quiet=.true.

contains

    subroutine expect(holds)
        logical, intent(in) :: holds

        if (.not. holds) here = here + 1
    end subroutine expect

    !> Closes a point on all ranks.
    subroutine point_done(name)
        character(len=*), intent(in) :: name
        integer(c_int) :: total

        call cm_allreduce(world, here, total, CM_SUM)
        points = points + 1
        if (cm_rank(world) == 0) print '(2a, i0, 2a)', &
            trim(merge('ok    ', 'not ok', total == 0)), ' ', points, ' - ', name
        if (total /= 0) failures = failures + 1
        here = 0
    end subroutine point_done

    subroutine test_writes()
        real(c_double), asynchronous :: matrix(3, 0:9)
        real(c_double) :: column(3)
        integer(c_int), asynchronous :: number
        integer(c_int) :: source

        matrix = -1
        number = -1
        call bsp_push_reg(matrix)
        call bsp_push_reg(number)
        call bsp_sync()
        column = [s + 0.25_c_double, s + 0.5_c_double, s + 0.75_c_double]
        source = s
        call bsp_put(right, column, matrix, 24_c_size_t * s)
        call bsp_put(right, source, number)
        column = 0
        source = -2
        call expect(number == -1 .and. all(matrix == -1))
        call bsp_sync()
        call expect(number == left)
        call expect(all(matrix(:, left) == [left + 0.25_c_double, left + 0.5_c_double, &
                                            left + 0.75_c_double]))
        call expect(count(matrix == -1) == 27)
        call point_done('a put takes its source at once and arrives at the end of the superstep')

        matrix(:, 4:5) = s
        call bsp_put(right, matrix(:, 4:5), matrix, 3_c_size_t * 8 * 8)
        call bsp_sync()
        call expect(all(matrix(:, 8:9) == left))
        call bsp_pop_reg(number)
        call bsp_pop_reg(matrix)
        call bsp_sync()
        call point_done('a contiguous section is written')
    end subroutine test_writes

    subroutine test_reads()
        real(c_float), asynchronous :: values(8), got(2)
        real(c_float) :: news

        values = [(100.0_c_float * s + status, status = 1, 8)]
        got = -1
        call bsp_push_reg(values)
        call bsp_sync()
        news = -7
        call bsp_put(left, news, values, 8_c_size_t)
        call bsp_get(right, values, got, 4_c_size_t)
        call expect(all(got == -1))
        call bsp_sync()
        call expect(all(got == 100 * right + [2, 3]))
        call expect(values(3) == -7 .and. values(2) == 100 * s + 2)
        call bsp_pop_reg(values)
        call bsp_sync()
        call point_done('a get reads what was there before the puts of the superstep')
    end subroutine test_reads

    subroutine test_large()
        real(c_double), allocatable, asynchronous :: out(:), in(:), got(:)
        integer :: k

        allocate (out(LARGE), in(LARGE), got(LARGE))
        out = [(real(s, c_double) * LARGE + k, k = 1, LARGE)]
        in = 0
        got = 0
        call bsp_push_reg(in)
        call bsp_push_reg(out)
        call bsp_sync()
        call bsp_hpput(right, out, in)
        call bsp_hpget(left, out, got)
        call cm_bsp_progress()
        call bsp_sync()
        call expect(all(in == [(real(left, c_double) * LARGE + k, k = 1, LARGE)]))
        call expect(all(got == in))
        got = 0
        call bsp_direct_get(left, out, got(2:3), 8_c_size_t)
        call expect(got(2) == real(left, c_double) * LARGE + 2 .and. got(3) == got(2) + 1)
        call expect(got(1) == 0 .and. got(4) == 0)
        call bsp_pop_reg(in)
        call bsp_pop_reg(out)
        call bsp_sync()
        call point_done('unbuffered writes and reads, and one that is complete at once')
    end subroutine test_large

    subroutine test_registrations()
        integer(c_int), asynchronous :: area(4)

        area = -1
        call bsp_push_reg(area)
        call bsp_sync()
        call bsp_push_reg(area(1:merge(1, 0, s == 0)))
        call bsp_sync()
        call bsp_put(0, p, area(1:merge(1, 0, s == 0)))
        call bsp_sync()
        if (s == 0) call expect(area(1) == p)
        call expect(all(area(2:) == -1))
        call bsp_pop_reg(area(1:merge(1, 0, s == 0)))
        call bsp_sync()
        call bsp_put(right, s, area, 12_c_size_t)
        call bsp_pop_reg(area)
        call bsp_sync()
        call expect(area(4) == left)
        call point_done('processes without an area register an empty array; pops')
    end subroutine test_registrations

    subroutine test_messages()
        integer(c_int) :: tag_bytes, tag(2)
        integer(c_int64_t) :: bytes
        integer(c_size_t) :: n, total
        real(c_double) :: payload(3)
        real(c_double), pointer :: there(:)
        type(c_ptr) :: tag_at, payload_at
        integer :: pid, seen

        tag_bytes = 8
        call bsp_set_tagsize(tag_bytes)
        call expect(tag_bytes == 0)
        call bsp_sync()
        do pid = 0, p - 1
            call bsp_send(pid, [s, pid], [real(c_double) :: s, 2 * s, 3 * s])
        end do
        call bsp_send(s, [-1, -1], payload(1:0))
        call bsp_sync()
        call bsp_qsize(n, total)
        call expect(n == p + 1 .and. total == 24 * p)
        seen = 0
        do pid = 0, p - 1
            call bsp_get_tag(bytes, tag)
            if (tag(1) == -1) then
                call expect(bytes == 0)
                call bsp_move(payload)
                call bsp_get_tag(bytes, tag)
            end if
            call expect(bytes == 24 .and. tag(2) == s)
            if (mod(pid, 2) == 0) then
                payload = -1
                call bsp_move(payload(1:2))
            else
                call expect(bsp_hpmove(tag_at, payload_at) == 24)
                call c_f_pointer(payload_at, there, [3])
                payload = [there(1:2), -1.0_c_double]
            end if
            call expect(all(payload == [real(c_double) :: tag(1), 2 * tag(1), -1]))
            seen = seen + 1 + tag(1)
        end do
        call expect(seen == p * (p + 1) / 2)
        call bsp_qsize(n)
        if (n == 1) call bsp_move(payload)
        call bsp_get_tag(bytes, tag)
        call expect(bytes == -1 .and. bsp_hpmove(tag_at, payload_at) == -1)
        tag_bytes = 0
        call bsp_set_tagsize(tag_bytes)
        call expect(tag_bytes == 8)
        call bsp_sync()
        call point_done('messages with tags')
    end subroutine test_messages

    subroutine test_sums()
        type(cm_bsp_sums) :: before, after
        integer(c_int64_t), asynchronous :: area

        call cm_bsp_trace_open()
        before = cm_bsp_total()
        call cm_bsp_name('sums of Fortran')
        call bsp_push_reg(area)
        call bsp_sync()
        call bsp_put(right, int(s, c_int64_t), area)
        call bsp_sync()
        call bsp_pop_reg(area)
        call bsp_sync()
        after = cm_bsp_total()
        call expect(after%supersteps - before%supersteps == 3)
        call expect(after%out_bytes - before%out_bytes == merge(8, 0, p > 1))
        call expect(after%in_messages - before%in_messages == merge(1, 0, p > 1))
        call expect(after%sync_s > before%sync_s .and. area == left)
        call point_done('supersteps and what they moved are counted')
    end subroutine test_sums
end program fortran_bsp
