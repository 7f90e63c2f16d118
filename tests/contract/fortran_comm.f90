! SPDX-License-Identifier: BSD-3-Clause
!> fortran_comm: the communication layer from Fortran, module cm_comm: buffers of all shapes,
!> requests, groups, reductions and the other collectives. A point's failures on any rank reach rank
!> 0, which prints TAP.
module fortran_comm_points
    use, intrinsic :: iso_c_binding, only: c_double, c_int64_t, c_int, c_ptr, c_size_t, c_f_pointer
    use cm_comm
    implicit none
    private
    public :: start, expect, point_done, finish, last_of_two

    integer :: points = 0, failures = 0, here = 0
    type(cm_group) :: world

contains

    subroutine start(group)
        type(cm_group), intent(in) :: group

        world = group
        here = 0
    end subroutine start

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

    function finish() result(failed)
        logical :: failed

        if (cm_rank(world) == 0) print '(a, i0)', '1..', points
        failed = failures > 0
    end function finish

    !> The right operand; associative, not commutative.
    subroutine last_of_two(left, right, count, type) bind(c)
        type(c_ptr), value :: left, right
        integer(c_size_t), value :: count
        integer(c_int64_t), value :: type
        real(c_double), pointer :: a(:), b(:)

        call c_f_pointer(left, a, [2 * count])
        call c_f_pointer(right, b, [2 * count])
        if (type == cm_record(16_c_size_t)) b(1::2) = a(1::2) + b(1::2)
    end subroutine last_of_two
end module fortran_comm_points

program fortran_comm
    use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_f_pointer, c_float, c_int, &
        c_int8_t, c_int64_t, c_ptr, c_size_t
    use cm_comm
    use fortran_comm_points, only: start, expect, point_done, finish, last_of_two
    implicit none

    type(cm_group) :: world
    integer :: rank, size_, right, left, status
    character(len=12) :: wanted

    status = cm_init()
    if (status /= 0) stop status, quiet=.true.
    world = cm_world()
    rank = cm_rank(world)
    size_ = cm_size(world)
    right = mod(rank + 1, size_)
    left = mod(rank + size_ - 1, size_)
    call get_environment_variable('TEST_RANKS', wanted)
    if (wanted /= '') then
        read (wanted, *) status
        if (status /= size_) then
            print '(a, i0, 2a)', 'Bail out! this job has ', size_, ' ranks instead of ', wanted
            call cm_finalize()
            stop 1, quiet=.true.
        end if
    end if

    call start(world)
    call test_life()
    call test_shapes()
    call test_requests()
    call test_probe()
    call test_coalesce()
    call test_groups()
    call test_reductions()
    call test_pairs_and_records()
    call test_moves()
    call test_moves_under_way()
    call test_memory()
    call test_names()
    status = merge(1, 0, finish())
    call cm_finalize()
    if (status /= 0) stop status, quiet=.true.

contains

    subroutine test_life()
        character(len=:), allocatable :: host
        real(c_double) :: time_s

        host = cm_host(world, rank)
        call expect(len(host) > 0)
        call expect(cm_host(world, rank) == host)
        time_s = cm_time()
        call expect(cm_time() >= time_s .and. cm_time_resolution() > 0)
        call expect(cm_is_member(world))
        call point_done('host, time, world')

        call expect(cm_on_failure(CM_END_JOB) == 0)
        call expect(cm_failures(world) == 0 .and. .not. cm_failed(world, rank))
        call point_done('where nothing fails nothing has failed')
    end subroutine test_life

    !> Around the ring: scalars, whole arrays, contiguous sections, strings, derived types, nothing.
    subroutine test_shapes()
        type(cm_status) :: got
        integer(c_int) :: number, number_in
        real(c_double) :: matrix(5, 4), matrix_in(5, 4), cube(3, 4, 5), cube_in(3, 4, 5)
        real(c_double), allocatable :: empty(:, :)
        real(c_float) :: vector(100), vector_in(100)
        character(len=7) :: text, text_in
        type(cm_double_index) :: pair, pair_in
        integer :: k

        number = 100 + rank
        call cm_sendrecv(world, number, right, 1, number_in, left, 1, got)
        call expect(number_in == 100 + left)
        call expect(got%source == left .and. got%tag == 1 .and. got%bytes == 4)
        call expect(got%failed == -1)
        call cm_sendrecv(world, number, right, CM_TAG_LIMIT - 1, number_in, left, CM_ANY, got)
        call expect(got%tag == CM_TAG_LIMIT - 1)
        call point_done('a scalar around the ring, and its status')

        matrix = reshape([(real(k + 1000 * rank, c_double), k = 1, 20)], [5, 4])
        matrix_in = -1
        call cm_sendrecv(world, matrix, right, 2, matrix_in, left, 2, got)
        call expect(all(matrix_in == matrix + 1000 * (left - rank)) .and. got%bytes == 160)
        matrix_in = -1
        call cm_sendrecv(world, matrix(:, 2:3), right, 2, matrix_in(:, 3:4), left, 2, got)
        call expect(all(matrix_in(:, 3:4) == matrix(:, 2:3) + 1000 * (left - rank)))
        call expect(all(matrix_in(:, 1:2) == -1) .and. got%bytes == 80)
        matrix_in = -1
        call cm_sendrecv(world, matrix(2:4, 2), right, 2, matrix_in(1:3, 1), left, 2, got)
        call expect(all(matrix_in(1:3, 1) == matrix(2:4, 2) + 1000 * (left - rank)))
        call expect(all(matrix_in(4:5, 1) == -1) .and. all(matrix_in(:, 2:) == -1))
        call point_done('matrices and contiguous sections of them')

        call random_number(cube)
        cube(1, 1, 1) = rank
        cube_in = -1
        call cm_sendrecv(world, cube(:, :, 2:4), right, 3, cube_in(:, :, 3:5), left, 3, got)
        call expect(got%bytes == 3 * 4 * 3 * 8 .and. all(cube_in(:, :, :2) == -1))
        call expect(all(cube_in(:, :, 3:) >= 0))
        cube_in = -1
        call cm_sendrecv(world, cube(1:1, 1, 1), right, 3, cube_in(2:2, 3, 4), left, 3, got)
        call expect(cube_in(2, 3, 4) == left .and. count(cube_in /= -1) == 1)
        call point_done('arrays of rank 3; extents of 1 make no gaps')

        vector = rank
        vector_in = -1
        call cm_sendrecv(world, vector(11:60), right, 4, vector_in, left, 4, got)
        call expect(got%bytes == 200)
        call expect(all(vector_in(:50) == left) .and. all(vector_in(51:) == -1))
        call point_done('a message shorter than its receive')

        allocate (empty(0, 7))
        call cm_sendrecv(world, empty, right, 5, empty, left, 5, got)
        call expect(got%bytes == 0 .and. got%source == left)
        call cm_sendrecv(world, matrix(1:0, 2), right, 5, vector_in(1:0), left, 5, got)
        call expect(got%bytes == 0 .and. got%tag == 5)
        write (text, '(a, i0)') 'abc', rank
        call cm_sendrecv(world, text, right, 6, text_in, left, 6)
        call expect(text_in(1:3) == 'abc' .and. (text_in == text .eqv. left == rank))
        pair = cm_double_index(0.5_c_double, 7_c_int64_t * rank)
        call cm_sendrecv(world, pair, right, 7, pair_in, left, 7, got)
        call expect(pair_in%value == 0.5 .and. pair_in%index == 7 * left .and. got%bytes == 16)
        call point_done('nothing, strings, derived types')

        if (size_ > 1) then
            if (mod(rank, 2) == 0 .and. rank + 1 < size_) then
                call cm_send(world, matrix, rank + 1, 8)
                call cm_recv(world, matrix_in, rank + 1, 9)
                call expect(all(matrix_in == matrix))
            else if (mod(rank, 2) == 1) then
                call cm_recv(world, matrix_in, CM_ANY, CM_ANY, got)
                call expect(got%source == rank - 1 .and. got%tag == 8 .and. got%bytes == 160)
                call cm_send(world, matrix_in, rank - 1, 9)
            end if
        end if
        call point_done('there and back by cm_send and cm_recv, any source, any tag')
    end subroutine test_shapes

    subroutine test_requests()
        integer, parameter :: n = 6
        type(cm_request) :: receives(n), sends(n), one
        type(cm_status) :: got, statuses(n)
        real(c_double), asynchronous :: out(10, n), in(10, n)
        integer(c_int) :: indices(n), completed, seen
        integer :: k

        call expect(.not. cm_is_open(one))
        call cm_wait(one)
        call expect(cm_test(one))
        call expect(cm_waitany(receives) == 0)
        call expect(cm_waitsome(receives, indices) == 0)
        call point_done('requests that are none are complete')

        in = -1
        do k = 1, n
            out(:, k) = 100 * rank + k
            call cm_irecv(world, in(:, k), left, k, receives(k))
        end do
        call expect(cm_is_open(receives(1)))
        do k = n, 1, -1
            call cm_isend(world, out(:, k), right, k, sends(k))
        end do
        call cm_wait(receives(2), got)
        call expect(got%tag == 2 .and. got%source == left .and. got%bytes == 80)
        call expect(.not. cm_is_open(receives(2)))
        seen = 1
        k = cm_waitany(receives, got)
        call expect(k >= 1 .and. k <= n .and. k /= 2 .and. got%tag == k)
        seen = seen + 1
        do
            completed = cm_waitsome(receives, indices, statuses)
            if (completed == 0) exit
            seen = seen + completed
            do k = 1, completed
                call expect(statuses(k)%tag == indices(k) .and. statuses(k)%bytes == 80)
            end do
        end do
        call cm_waitall(sends, statuses)
        call expect(seen == n .and. all(statuses%failed == -1))
        do k = 1, n
            call expect(all(in(:, k) == 100 * left + k) .and. .not. cm_is_open(sends(k)))
        end do
        call point_done('cm_isend, cm_irecv, cm_wait, cm_waitany, cm_waitsome, cm_waitall')

        call cm_irecv(world, in(:, 1), left, 20, receives(1))
        call cm_irecv(world, in(:, 2), left, 21, receives(2))
        call cm_cancel(receives(2))
        call expect(.not. cm_is_open(receives(2)))
        call cm_send(world, out(:, 3), right, 20)
        do while (.not. cm_test(receives(1), got))
            call cm_progress()
        end do
        call expect(got%tag == 20 .and. all(in(:, 1) == 100 * left + 3))
        call point_done('cm_test, cm_cancel')
    end subroutine test_requests

    subroutine test_probe()
        type(cm_status) :: got
        integer(c_int64_t) :: out(3), in(3)

        out = rank
        in = -1
        call expect(.not. cm_iprobe(world, CM_ANY, 31))
        call cm_send(world, out, right, 30)
        call cm_probe(world, left, 30, got)
        call expect(got%bytes == 24 .and. got%source == left .and. got%tag == 30)
        call expect(cm_iprobe(world, CM_ANY, 30, got))
        call cm_recv(world, in, got%source, got%tag)
        call expect(all(in == left))
        call point_done('cm_probe, cm_iprobe')
    end subroutine test_probe

    subroutine test_coalesce()
        integer, parameter :: n = 20
        type(cm_request) :: sends(n)
        integer(c_int64_t), asynchronous :: out(n)
        integer(c_int64_t) :: in
        logical :: does
        integer :: k

        does = cm_coalesce(.true.)
        out = [(100 * rank + k, k = 1, n)]
        do k = 1, n
            call cm_isend(world, out(k:k), right, 40, sends(k))
        end do
        do k = 1, n
            call cm_recv(world, in, left, 40)
            call expect(in == 100 * left + k)
        end do
        call cm_waitall(sends)
        call expect(does .eqv. cm_coalesce(.false.))
        call expect(CM_COALESCE_BYTES == 4096)
        call point_done('cm_coalesce')
    end subroutine test_coalesce

    subroutine test_groups()
        type(cm_group) :: part, backwards, none
        integer(c_int) :: first
        integer :: k

        part = cm_split(world, mod(rank, 2), rank)
        call expect(cm_is_member(part))
        call expect(cm_rank(part) == rank / 2 .and. cm_size(part) == (size_ + 1 - mod(rank, 2)) / 2)
        first = rank
        call cm_bcast(part, first, 0)
        call expect(first == mod(rank, 2))
        backwards = cm_split(world, 0, -rank)
        call expect(cm_rank(backwards) == size_ - 1 - rank)
        none = cm_split(world, merge(-1, 0, rank == 0), 0)
        call expect(cm_is_member(none) .eqv. rank /= 0)
        call cm_group_free(none)
        call cm_group_free(part)
        call cm_group_free(backwards)
        call expect(.not. cm_is_member(part))
        part = cm_split_host(world)
        call expect(cm_host(part, 0) == cm_host(world, rank))
        call expect(cm_size(part) == count([(cm_host(world, k) == cm_host(world, rank), &
            k = 0, size_ - 1)]))
        call cm_group_free(part)
        call point_done('cm_split, cm_split_host and cm_group_free')
    end subroutine test_groups

    subroutine test_reductions()
        integer(c_int) :: sum_of_ranks, bits
        integer(c_int8_t) :: bytes(3), bytes_out(3)
        integer(c_int64_t) :: longs(2, 3), longs_out(2, 3)
        real(c_float), asynchronous :: floats(10), floats_out(10)
        real(c_double), asynchronous :: doubles(4), doubles_out(4), blocks(2 * size_)
        integer(c_size_t), asynchronous :: counts(size_)
        real(c_double), asynchronous :: later(5)
        type(cm_request) :: request, request2
        integer :: k

        sum_of_ranks = size_ * (size_ - 1) / 2
        call cm_allreduce(world, rank, k, CM_SUM)
        call expect(k == sum_of_ranks)
        longs = reshape([(int(k * 2_c_int64_t**33 + rank, c_int64_t), k = 1, 6)], [2, 3])
        longs_out = -1
        call cm_reduce(world, longs, longs_out, CM_MAX, size_ - 1)
        if (rank == size_ - 1) call expect(all(longs_out == longs))
        if (rank /= size_ - 1) call expect(all(longs_out == -1))
        floats = [(real(k, c_float), k = 1, 10)]
        call cm_allreduce(world, floats, floats_out, CM_SUM, CM_LINEAR)
        call expect(all(floats_out == size_ * floats))
        doubles = [1.0_c_double, 2.0_c_double, -1.0_c_double, real(rank, c_double)]
        call cm_allreduce(world, doubles, doubles_out, CM_MIN, algorithm=CM_BINOMIAL)
        call expect(all(doubles_out == [doubles(1:3), 0.0_c_double]))
        bytes = int([1, 2, 4], c_int8_t)
        call cm_allreduce(world, bytes, bytes_out, CM_OR)
        call expect(all(bytes_out == bytes))
        bits = 2**rank
        call cm_allreduce_in_place(world, bits, CM_XOR)
        call expect(bits == 2**size_ - 1)
        call point_done('reductions take type and length from the arrays')

        doubles = rank + 1
        call cm_scan(world, doubles(1:2), doubles_out(3:4), CM_SUM)
        call expect(all(doubles_out(3:4) == (rank + 1) * (rank + 2) / 2))
        call cm_scan_in_place(world, doubles, CM_SUM)
        call expect(all(doubles == (rank + 1) * (rank + 2) / 2))
        doubles = 2
        call cm_reduce_in_place(world, doubles, CM_PROD, 0)
        call expect(all(doubles == merge(2.0_c_double**size_, 2.0_c_double, rank == 0)))
        call point_done('scans; results in place')

        ! Rank k's block has mod(k, 2) + 1 elements.
        counts = [(int(mod(k, 2) + 1, c_size_t), k = 0, size_ - 1)]
        blocks = [(real(k, c_double), k = 1, size(blocks))]
        doubles = -1
        k = int(sum(counts(:rank)))
        call cm_reduce_scatter(world, blocks, doubles(:counts(rank + 1)), counts, CM_SUM)
        call expect(all(doubles(:counts(rank + 1)) == size_ * blocks(k + 1:k + counts(rank + 1))))
        call expect(all(doubles(counts(rank + 1) + 1:) == -1))
        call cm_reduce_scatter(world, blocks, doubles, counts, CM_MAX, CM_LINEAR)
        call expect(all(doubles(:counts(rank + 1)) == blocks(k + 1:k + counts(rank + 1))))
        call point_done('blocks of a sum')

        later = rank
        call cm_iallreduce_in_place(world, later, CM_SUM, request)
        call cm_wait(request)
        call expect(all(later == sum_of_ranks))
        later = merge(7, -1, rank == 0)
        call cm_ibcast(world, later, 0, request, CM_BINOMIAL)
        call cm_wait(request)
        call expect(all(later == 7))
        call cm_iallreduce(world, floats, floats_out, CM_SUM, request, CM_LINEAR)
        call cm_wait(request)
        call expect(all(floats_out == size_ * floats))
        later = rank
        call cm_iscan_in_place(world, later, CM_SUM, request)
        call cm_wait(request)
        call expect(all(later == rank * (rank + 1) / 2))
        later = 2
        call cm_ireduce_in_place(world, later, CM_SUM, size_ - 1, request)
        call cm_wait(request)
        call expect(all(later == merge(2 * size_, 2, rank == size_ - 1)))
        doubles = rank
        doubles_out = -1
        call cm_iscan(world, doubles, doubles_out, CM_MAX, request, CM_LINEAR)
        call cm_wait(request)
        call expect(all(doubles_out == rank))
        doubles_out = -1
        call cm_ireduce(world, doubles, doubles_out, CM_MAX, 0, request)
        call cm_wait(request)
        call expect(all(doubles_out == merge(size_ - 1, -1, rank == 0)))
        doubles = -1
        k = int(sum(counts(:rank)))
        call cm_ireduce_scatter(world, blocks, doubles, counts, CM_SUM, request)
        call cm_ibarrier(world, request2)
        call cm_wait(request2)
        call cm_wait(request)
        call expect(all(doubles(:counts(rank + 1)) == size_ * blocks(k + 1:k + counts(rank + 1))))
        call point_done('non-blocking barrier, broadcast and reductions')
    end subroutine test_reductions

    subroutine test_pairs_and_records()
        type(cm_double_index) :: pairs(3), pairs_out(3)
        type(cm_float_index) :: small, small_out
        type(cm_op) :: last

        pairs%value = [1.0_c_double, real(-rank, c_double), real(rank, c_double)]
        pairs%index = 10 + rank
        call cm_allreduce(world, pairs, pairs_out, CM_MINLOC, type=CM_DOUBLE_INDEX_TYPE)
        call expect(all(pairs_out%value == [1, 1 - size_, 0]))
        call expect(all(pairs_out%index == [10, 9 + size_, 10]))
        small = cm_float_index(real(mod(rank, 2), c_float), rank)
        call cm_allreduce(world, small, small_out, CM_MAXLOC, type=CM_FLOAT_INDEX_TYPE)
        call expect(small_out%value == min(1, size_ - 1) .and. small_out%index == min(1, size_ - 1))
        call point_done('least and greatest with their index, the lowest on ties')

        last = cm_user_op(last_of_two, .false.)
        pairs%value = 1
        pairs%index = rank
        call cm_allreduce(world, pairs, pairs_out, last)
        call expect(all(pairs_out%value == size_) .and. all(pairs_out%index == size_ - 1))
        call point_done('an operator of our own on a derived type, operands in the order of ranks')
    end subroutine test_pairs_and_records

    subroutine test_moves()
        integer(c_int) :: mine(2), all_(2, 0:size_ - 1), part(2), to_all(0:size_ - 1), &
            from_all(0:size_ - 1)
        integer(c_size_t) :: bytes(size_), offsets(size_)
        integer(c_int) :: ragged(size_ * (size_ + 1) / 2), ragged_in(size_ * (size_ + 1))
        integer :: k, root

        root = size_ / 2
        mine = [rank, -rank]
        all_ = 99
        call cm_gather(world, mine, all_, root)
        if (rank == root) call expect(all(all_(1, :) == [(k, k = 0, size_ - 1)]))
        if (rank /= root) call expect(all(all_ == 99))
        call cm_allgather(world, mine, all_, CM_LINEAR)
        call expect(all(all_(2, :) == [(-k, k = 0, size_ - 1)]))
        part = 99
        call cm_scatter(world, all_, part, root)
        call expect(all(part == mine))
        to_all = [(100 * rank + k, k = 0, size_ - 1)]
        call cm_alltoall(world, to_all, from_all)
        call expect(all(from_all == [(100 * k + rank, k = 0, size_ - 1)]))
        call point_done('gather, allgather, scatter, alltoall')

        ! Rank k has k + 1 numbers.
        bytes = [(4_c_size_t * k, k = 1, size_)]
        offsets = [(2_c_size_t * k * (k - 1), k = 1, size_)]
        ragged = 99
        to_all = rank
        call cm_gatherv(world, to_all(:rank), ragged, bytes, offsets, root)
        if (rank == root) call expect(sum(ragged) == sum([(k * (k + 1), k = 0, size_ - 1)]))
        if (rank /= root) call expect(all(ragged == 99))
        call cm_allgatherv(world, to_all(:rank), ragged, bytes, offsets)
        call expect(sum(ragged) == sum([(k * (k + 1), k = 0, size_ - 1)]))
        ragged_in = 99
        call cm_scatterv(world, ragged, bytes, offsets, ragged_in(:rank + 1), root)
        call expect(all(ragged_in(:rank + 1) == rank) .and. all(ragged_in(rank + 2:) == 99))
        ragged_in = 99
        call cm_alltoallv(world, ragged, bytes, offsets, ragged_in(:size_ * (rank + 1)), &
            spread(4_c_size_t * (rank + 1), 1, size_), &
            [(4_c_size_t * (rank + 1) * k, k = 0, size_ - 1)])
        call expect(all(ragged_in(:size_ * (rank + 1)) == rank))
        call cm_barrier(world)
        call cm_barrier(world, CM_LINEAR)
        call point_done('gatherv, allgatherv, scatterv, alltoallv, barrier')
    end subroutine test_moves

    subroutine test_moves_under_way()
        integer(c_int), asynchronous :: mine(2), all_(2, 0:size_ - 1), part(2), &
            to_all(0:size_ - 1), from_all(0:size_ - 1), everywhere(2, 0:size_ - 1)
        integer(c_size_t), asynchronous :: bytes(size_), offsets(size_), own_bytes(size_), &
            own_offsets(size_)
        integer(c_int), asynchronous :: ragged(size_ * (size_ + 1) / 2), &
            ragged_all(size_ * (size_ + 1) / 2), ragged_in(size_ * (size_ + 1)), &
            ragged_part(size_)
        type(cm_request) :: requests(4)
        integer :: k, root

        root = size_ / 2
        mine = [rank, -rank]
        all_ = 99
        to_all = [(100 * rank + k, k = 0, size_ - 1)]
        call cm_igather(world, mine, all_, root, requests(1))
        call cm_iallgather(world, mine, everywhere, requests(2), CM_LINEAR)
        call cm_ialltoall(world, to_all, from_all, requests(3))
        call cm_waitall(requests)
        if (rank == root) call expect(all(all_(1, :) == [(k, k = 0, size_ - 1)]))
        if (rank /= root) call expect(all(all_ == 99))
        call expect(all(everywhere(2, :) == [(-k, k = 0, size_ - 1)]))
        call expect(all(from_all == [(100 * k + rank, k = 0, size_ - 1)]))
        part = 99
        call cm_iscatter(world, all_, part, root, requests(1))
        call cm_wait(requests(1))
        call expect(all(part == mine))

        ! Rank k has k + 1 numbers.
        bytes = [(4_c_size_t * k, k = 1, size_)]
        offsets = [(2_c_size_t * k * (k - 1), k = 1, size_)]
        own_bytes = 4_c_size_t * (rank + 1)
        own_offsets = [(4_c_size_t * (rank + 1) * k, k = 0, size_ - 1)]
        to_all = rank
        ragged = 99
        ragged_in = 99
        call cm_igatherv(world, to_all(:rank), ragged, bytes, offsets, root, requests(1))
        call cm_iallgatherv(world, to_all(:rank), ragged_all, bytes, offsets, requests(2))
        call cm_waitall(requests)
        if (rank == root) call expect(sum(ragged) == sum([(k * (k + 1), k = 0, size_ - 1)]))
        call expect(sum(ragged_all) == sum([(k * (k + 1), k = 0, size_ - 1)]))
        ragged_part = 99
        call cm_iscatterv(world, ragged, bytes, offsets, ragged_part(:rank + 1), root, requests(4))
        call cm_ialltoallv(world, ragged_all, bytes, offsets, ragged_in(:size_ * (rank + 1)), &
            own_bytes, own_offsets, requests(2), CM_LINEAR)
        call cm_waitall(requests)
        call expect(all(ragged_part(:rank + 1) == rank) .and. all(ragged_part(rank + 2:) == 99))
        call expect(all(ragged_in(:size_ * (rank + 1)) == rank))
        call point_done('non-blocking gather, scatter, allgather, alltoall and their v-forms')
    end subroutine test_moves_under_way

    subroutine test_memory()
        integer, parameter :: N = 100000
        type(c_ptr) :: out_memory, in_memory
        real(c_double), pointer :: out(:), in(:)
        integer :: i

        out_memory = cm_allocate(int(8 * N, c_size_t))
        in_memory = cm_allocate(int(8 * N, c_size_t))
        call expect(c_associated(out_memory) .and. c_associated(in_memory))
        call c_f_pointer(out_memory, out, [N])
        call c_f_pointer(in_memory, in, [N])
        call expect(all(in == 0.0_c_double))
        out = [(real(i + rank, c_double), i = 1, N)]
        call cm_sendrecv(world, out, right, 7, in, left, 7)
        call expect(all(in == [(real(i + left, c_double), i = 1, N)]))
        call cm_free(out_memory)
        call cm_free(in_memory)
        call point_done('messages in memory of cm_allocate')
    end subroutine test_memory

    subroutine test_names()
        type(cm_algorithm) :: algorithm

        call expect(cm_algorithm_parse('chain:4096', algorithm))
        call expect(algorithm%argument == 4096 .and. cm_algorithm_name(algorithm) == 'chain')
        algorithm = cm_chain(4096)
        call expect(cm_algorithm_name(algorithm) == 'chain' .and. algorithm%argument == 4096)
        call expect(cm_algorithm_name(cm_tree(3)) == 'tree')
        call expect(.not. cm_algorithm_parse('nonsense', algorithm))
        call expect(cm_comm_has(CM_HAS_PROCESSES) .or. size_ == 1)
        call expect(cm_comm_has(CM_HAS_RAILS) .eqv. cm_comm_has(CM_HAS_SOCKET_BUFFERS))
        call expect(cm_algorithm_name(CM_NATIVE) == 'native')
        call expect(cm_algorithm_name(CM_AUTO) == 'auto')
        call expect(cm_algorithm_name(CM_LINEAR) == 'linear')
        call expect(cm_algorithm_name(CM_BINOMIAL) == 'binomial')
        call expect(cm_algorithm_name(CM_RING) == 'ring')
        call expect(cm_algorithm_name(CM_DOUBLING) == 'doubling')
        call expect(cm_algorithm_name(CM_SCATTER_ALLGATHER) == 'scatter-allgather')
        call expect(cm_algorithm_name(CM_HOSTS) == 'hosts')
        call expect(cm_algorithm_name(cm_algorithm(CM_KIND_CHAIN, 0)) == 'chain')
        call expect(cm_algorithm_name(cm_algorithm(CM_KINDS - 1, 0)) /= 'unknown')
        call expect(cm_algorithm_name(cm_algorithm(CM_KINDS, 0)) == 'unknown')
        call expect(cm_collective_name(CM_COLLECTIVE_BARRIER) == 'barrier')
        call expect(cm_collective_name(CM_COLLECTIVE_ALLTOALLV) == 'alltoallv')
        call expect(cm_algorithm_available(CM_COLLECTIVE_BCAST, CM_BINOMIAL))
        call expect(cm_type_bytes(CM_INT64) == 8 .and. cm_type_bytes(CM_FLOAT_INDEX_TYPE) == 16)
        call expect(cm_type_bytes(CM_UINT8) == 1 .and. cm_type_bytes(cm_record(24_c_size_t)) == 24)
        call point_done('names of algorithms and collectives, sizes of types')
    end subroutine test_names

end program fortran_comm
