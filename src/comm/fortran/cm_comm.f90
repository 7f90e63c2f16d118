! SPDX-License-Identifier: BSD-3-Clause
!> cm_comm: clustermark's communication layer for Fortran; src/comm/comm.h says what each call does.
!>
!> Buffers are of any type and rank. The whole array is sent or received; its length in bytes comes
!> from its descriptor. It must be contiguous, which is checked: a(:, 1:n) is, a(1:n, :) is not.
!> Buffers of non-blocking calls belong to the layer until completion; declare them asynchronous.
!> Ranks count from 0, as in C; indices of requests count from 1. Lengths and offsets of the v-forms
!> are bytes, of kind c_size_t. Algorithms default to CM_AUTO.
module cm_comm
    use, intrinsic :: iso_c_binding, only: c_associated, c_bool, c_char, c_double, c_f_pointer, &
        c_float, c_funloc, c_funptr, c_int, c_int64_t, c_null_char, c_null_funptr, c_null_ptr, &
        c_ptr, c_size_t
    implicit none
    private

    public :: cm_group, cm_request, cm_status, cm_algorithm, cm_op, cm_float_index, cm_double_index
    public :: cm_init, cm_finalize, cm_abort, cm_launch_rank, cm_describe
    public :: cm_on_failure, cm_failed, cm_failures
    public :: cm_world, cm_rank, cm_size, cm_host, cm_split, cm_group_free, cm_is_member
    public :: cm_time, cm_time_resolution
    public :: cm_send, cm_recv, cm_sendrecv, cm_isend, cm_irecv
    public :: cm_wait, cm_waitall, cm_waitany, cm_waitsome, cm_test, cm_cancel, cm_is_open
    public :: cm_probe, cm_iprobe, cm_progress, cm_coalesce
    public :: cm_algorithm_parse, cm_algorithm_name, cm_collective_name, cm_algorithm_available
    public :: cm_tree, cm_chain, cm_record, cm_type_bytes, cm_user_op
    public :: cm_op_function, cm_describe_function
    public :: cm_barrier, cm_bcast, cm_reduce, cm_allreduce, cm_scan
    public :: cm_reduce_in_place, cm_allreduce_in_place, cm_scan_in_place
    public :: cm_gather, cm_gatherv, cm_scatter, cm_scatterv, cm_allgather, cm_allgatherv
    public :: cm_alltoall, cm_alltoallv, cm_ibcast, cm_iallreduce, cm_iallreduce_in_place

    integer(c_int), parameter, public :: CM_EXIT_PASS = 0, CM_EXIT_WRONG = 1, CM_EXIT_USAGE = 2, &
        CM_EXIT_SYSTEM = 3
    integer(c_int), parameter, public :: CM_END_JOB = 0, CM_RETURN = 1   !< cm_on_failure
    integer(c_int), parameter, public :: CM_ANY = -1            !< any source, any tag
    integer(c_int), parameter, public :: CM_COALESCE_BYTES = 4096   !< cm_coalesce
    integer(c_int), parameter, public :: CM_TAG_LIMIT = 2**28   !< 0 <= tag < CM_TAG_LIMIT

    !> Ranks that talk on a message space of their own.
    type, bind(c) :: cm_group
        type(c_ptr) :: handle = c_null_ptr
    end type cm_group

    !> An operation under way; complete when its handle is null.
    type, bind(c) :: cm_request
        type(c_ptr) :: handle = c_null_ptr
    end type cm_request

    type, bind(c) :: cm_status
        integer(c_int) :: source = CM_ANY   !< rank in the group
        integer(c_int) :: tag = CM_ANY
        integer(c_size_t) :: bytes = 0      !< length of the message
        integer(c_int) :: failed = -1       !< rank whose failure ended the operation; else -1
    end type cm_status

    type, bind(c) :: cm_algorithm
        integer(c_int) :: kind = 0
        integer(c_int64_t) :: argument = 0  !< leaves per node of a tree, bytes per segment
    end type cm_algorithm

    type(cm_algorithm), parameter, public :: &
        CM_AUTO = cm_algorithm(0, 0), &
        CM_NATIVE = cm_algorithm(1, 0), &
        CM_LINEAR = cm_algorithm(2, 0), &
        CM_BINOMIAL = cm_algorithm(3, 0), &
        CM_RING = cm_algorithm(6, 0), &
        CM_DOUBLING = cm_algorithm(7, 0), &
        CM_SCATTER_ALLGATHER = cm_algorithm(8, 0)

    integer(c_int), parameter, public :: &
        CM_COLLECTIVE_BARRIER = 0, CM_COLLECTIVE_BCAST = 1, CM_COLLECTIVE_REDUCE = 2, &
        CM_COLLECTIVE_ALLREDUCE = 3, CM_COLLECTIVE_SCAN = 4, CM_COLLECTIVE_GATHER = 5, &
        CM_COLLECTIVE_GATHERV = 6, CM_COLLECTIVE_SCATTER = 7, CM_COLLECTIVE_SCATTERV = 8, &
        CM_COLLECTIVE_ALLGATHER = 9, CM_COLLECTIVE_ALLGATHERV = 10, CM_COLLECTIVE_ALLTOALL = 11, &
        CM_COLLECTIVE_ALLTOALLV = 12

    !> Elements of CM_MINLOC and CM_MAXLOC.
    type, bind(c) :: cm_float_index
        real(c_float) :: value
        integer(c_int64_t) :: index
    end type cm_float_index

    type, bind(c) :: cm_double_index
        real(c_double) :: value
        integer(c_int64_t) :: index
    end type cm_double_index

    !> Element types. Reductions find out integers and reals by themselves (int8 is CM_UINT8, with
    !> bitwise operators); value-index pairs need the argument type, and any other derived type is a
    !> record for an operator of the user's.
    integer(c_int64_t), parameter, public :: CM_UINT8 = 1, CM_INT32 = 2, CM_INT64 = 3, &
        CM_FLOAT = 4, CM_DOUBLE = 5, CM_FLOAT_INDEX_TYPE = 6, CM_DOUBLE_INDEX_TYPE = 7

    type, bind(c) :: cm_op
        integer(c_int) :: kind = 0
        integer(c_int) :: commutative = 1
        type(c_funptr) :: operation = c_null_funptr
    end type cm_op

    type(cm_op), parameter, public :: &
        CM_SUM = cm_op(1, 1, c_null_funptr), &
        CM_PROD = cm_op(2, 1, c_null_funptr), &
        CM_MIN = cm_op(3, 1, c_null_funptr), &
        CM_MAX = cm_op(4, 1, c_null_funptr), &
        CM_AND = cm_op(5, 1, c_null_funptr), &
        CM_OR = cm_op(6, 1, c_null_funptr), &
        CM_XOR = cm_op(7, 1, c_null_funptr), &
        CM_MINLOC = cm_op(8, 1, c_null_funptr), &
        CM_MAXLOC = cm_op(9, 1, c_null_funptr)

    abstract interface
        !> right(i) = left(i) op right(i), i = 1..count; left comes from lower ranks.
        subroutine cm_op_function(left, right, count, type) bind(c)
            import :: c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: left, right
            integer(c_size_t), value :: count
            integer(c_int64_t), value :: type
        end subroutine cm_op_function

        !> key and value are C strings that end with the call.
        subroutine cm_describe_function(key, value, context) bind(c)
            import :: c_ptr
            type(c_ptr), value :: key, value, context
        end subroutine cm_describe_function
    end interface

    ! ---- Life, groups, time ----------------------------------------------------------------------
    interface
        !> 0, or an exit status after one line on stderr.
        function cm_init() bind(c, name='cm_fortran_init') result(status)
            import :: c_int
            integer(c_int) :: status
        end function cm_init

        !> 0, or an exit status after one line on stderr; mode: CM_END_JOB, CM_RETURN.
        function cm_on_failure(mode) bind(c, name='cm_on_failure') result(status)
            import :: c_int
            integer(c_int), value :: mode
            integer(c_int) :: status
        end function cm_on_failure

        subroutine cm_finalize() bind(c, name='cm_finalize')
        end subroutine cm_finalize

        function cm_launch_rank() bind(c, name='cm_launch_rank') result(rank)
            import :: c_int
            integer(c_int) :: rank
        end function cm_launch_rank

        subroutine cm_describe(each, context) bind(c, name='cm_describe')
            import :: c_ptr, cm_describe_function
            procedure(cm_describe_function) :: each
            type(c_ptr), value :: context
        end subroutine cm_describe

        function cm_world() bind(c, name='cm_fortran_world') result(group)
            import :: cm_group
            type(cm_group) :: group
        end function cm_world

        function cm_rank(group) bind(c, name='cm_fortran_rank') result(rank)
            import :: c_int, cm_group
            type(cm_group), intent(in) :: group
            integer(c_int) :: rank
        end function cm_rank

        function cm_size(group) bind(c, name='cm_fortran_size') result(size)
            import :: c_int, cm_group
            type(cm_group), intent(in) :: group
            integer(c_int) :: size
        end function cm_size

        !> The caller's new group; with a negative color none: cm_is_member says so.
        function cm_split(group, color, key) bind(c, name='cm_fortran_split') result(part)
            import :: c_int, cm_group
            type(cm_group), intent(in) :: group
            integer(c_int), value :: color, key
            type(cm_group) :: part
        end function cm_split

        subroutine cm_group_free(group) bind(c, name='cm_fortran_group_free')
            import :: cm_group
            type(cm_group), intent(inout) :: group
        end subroutine cm_group_free

        !> How many members are known to have failed.
        function cm_failures(group) bind(c, name='cm_fortran_failures') result(failures)
            import :: c_int, cm_group
            type(cm_group), intent(in) :: group
            integer(c_int) :: failures
        end function cm_failures

        function cm_time() bind(c, name='cm_time') result(time_s)
            import :: c_double
            real(c_double) :: time_s
        end function cm_time

        function cm_time_resolution() bind(c, name='cm_time_resolution') result(resolution_s)
            import :: c_double
            real(c_double) :: resolution_s
        end function cm_time_resolution
    end interface

    ! ---- Point to point --------------------------------------------------------------------------
    interface
        subroutine cm_send(group, data, dest, tag) bind(c, name='cm_fortran_send')
            import :: c_int, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: data
            integer(c_int), value :: dest, tag
        end subroutine cm_send

        subroutine cm_recv(group, data, source, tag, status) bind(c, name='cm_fortran_recv')
            import :: c_int, cm_group, cm_status
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout) :: data
            integer(c_int), value :: source, tag
            type(cm_status), intent(out), optional :: status
        end subroutine cm_recv

        subroutine cm_sendrecv(group, out, dest, out_tag, in, source, in_tag, status) &
            bind(c, name='cm_fortran_sendrecv')
            import :: c_int, cm_group, cm_status
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: out
            integer(c_int), value :: dest, out_tag
            type(*), dimension(..), intent(inout) :: in
            integer(c_int), value :: source, in_tag
            type(cm_status), intent(out), optional :: status
        end subroutine cm_sendrecv

        subroutine cm_isend(group, data, dest, tag, request) bind(c, name='cm_fortran_isend')
            import :: c_int, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: data
            integer(c_int), value :: dest, tag
            type(cm_request), intent(out) :: request
        end subroutine cm_isend

        subroutine cm_irecv(group, data, source, tag, request) bind(c, name='cm_fortran_irecv')
            import :: c_int, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout), asynchronous :: data
            integer(c_int), value :: source, tag
            type(cm_request), intent(out) :: request
        end subroutine cm_irecv

        subroutine cm_wait(request, status) bind(c, name='cm_wait')
            import :: cm_request, cm_status
            type(cm_request), intent(inout) :: request
            type(cm_status), intent(inout), optional :: status
        end subroutine cm_wait

        subroutine cm_waitall(requests) bind(c, name='cm_fortran_waitall')
            import :: cm_request
            type(cm_request), intent(inout) :: requests(:)
        end subroutine cm_waitall

        !> Index of one that completed; 0: there was none to wait for.
        function cm_waitany(requests, status) bind(c, name='cm_fortran_waitany') result(index)
            import :: c_int, cm_request, cm_status
            type(cm_request), intent(inout) :: requests(:)
            type(cm_status), intent(inout), optional :: status
            integer(c_int) :: index
        end function cm_waitany

        !> How many completed, their indices and statuses; 0: there was none to wait for.
        function cm_waitsome(requests, indices, statuses) bind(c, name='cm_fortran_waitsome') &
            result(completed)
            import :: c_int, cm_request, cm_status
            type(cm_request), intent(inout) :: requests(:)
            integer(c_int), intent(inout) :: indices(:)
            type(cm_status), intent(inout), optional :: statuses(:)
            integer(c_int) :: completed
        end function cm_waitsome

        subroutine cm_cancel(request) bind(c, name='cm_cancel')
            import :: cm_request
            type(cm_request), intent(inout) :: request
        end subroutine cm_cancel

        subroutine cm_probe(group, source, tag, status) bind(c, name='cm_fortran_probe')
            import :: c_int, cm_group, cm_status
            type(cm_group), intent(in) :: group
            integer(c_int), value :: source, tag
            type(cm_status), intent(inout), optional :: status
        end subroutine cm_probe

        subroutine cm_progress() bind(c, name='cm_progress')
        end subroutine cm_progress
    end interface

    ! ---- Collectives -----------------------------------------------------------------------------
    ! What is read or written on root alone (out of gather, in of scatter, out of reduce) may be any
    ! array elsewhere.
    interface
        subroutine cm_barrier(group, algorithm) bind(c, name='cm_fortran_barrier')
            import :: cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_barrier

        subroutine cm_bcast(group, data, root, algorithm) bind(c, name='cm_fortran_bcast')
            import :: c_int, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout) :: data
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_bcast

        !> in and out: as many elements of one type. type: see above.
        subroutine cm_reduce(group, in, out, op, root, algorithm, type) &
            bind(c, name='cm_fortran_reduce')
            import :: c_int, c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            type(cm_op), intent(in) :: op
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_reduce

        subroutine cm_allreduce(group, in, out, op, algorithm, type) &
            bind(c, name='cm_fortran_allreduce')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            type(cm_op), intent(in) :: op
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_allreduce

        subroutine cm_scan(group, in, out, op, algorithm, type) bind(c, name='cm_fortran_scan')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            type(cm_op), intent(in) :: op
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_scan

        !> The result replaces data where it arrives (C's in == out, which Fortran forbids).
        subroutine cm_reduce_in_place(group, data, op, root, algorithm, type) &
            bind(c, name='cm_fortran_reduce_in_place')
            import :: c_int, c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout) :: data
            type(cm_op), intent(in) :: op
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_reduce_in_place

        subroutine cm_allreduce_in_place(group, data, op, algorithm, type) &
            bind(c, name='cm_fortran_allreduce_in_place')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout) :: data
            type(cm_op), intent(in) :: op
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_allreduce_in_place

        subroutine cm_scan_in_place(group, data, op, algorithm, type) &
            bind(c, name='cm_fortran_scan_in_place')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout) :: data
            type(cm_op), intent(in) :: op
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_scan_in_place

        !> All of in from each rank, one after the other, into out.
        subroutine cm_gather(group, in, out, root, algorithm) bind(c, name='cm_fortran_gather')
            import :: c_int, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_gather

        subroutine cm_gatherv(group, in, out, out_bytes, out_offsets, root, algorithm) &
            bind(c, name='cm_fortran_gatherv')
            import :: c_int, c_size_t, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            integer(c_size_t), intent(in) :: out_bytes(:), out_offsets(:)
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_gatherv

        !> Equal parts of in, each as long as all of out.
        subroutine cm_scatter(group, in, out, root, algorithm) bind(c, name='cm_fortran_scatter')
            import :: c_int, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_scatter

        subroutine cm_scatterv(group, in, in_bytes, in_offsets, out, root, algorithm) &
            bind(c, name='cm_fortran_scatterv')
            import :: c_int, c_size_t, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            integer(c_size_t), intent(in) :: in_bytes(:), in_offsets(:)
            type(*), dimension(..), intent(inout) :: out
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_scatterv

        subroutine cm_allgather(group, in, out, algorithm) bind(c, name='cm_fortran_allgather')
            import :: cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_allgather

        subroutine cm_allgatherv(group, in, out, out_bytes, out_offsets, algorithm) &
            bind(c, name='cm_fortran_allgatherv')
            import :: c_size_t, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            integer(c_size_t), intent(in) :: out_bytes(:), out_offsets(:)
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_allgatherv

        !> in and out: one part a rank, all of the same length.
        subroutine cm_alltoall(group, in, out, algorithm) bind(c, name='cm_fortran_alltoall')
            import :: cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_alltoall

        subroutine cm_alltoallv(group, in, in_bytes, in_offsets, out, out_bytes, out_offsets, &
            algorithm) bind(c, name='cm_fortran_alltoallv')
            import :: c_size_t, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            integer(c_size_t), intent(in) :: in_bytes(:), in_offsets(:)
            type(*), dimension(..), intent(inout) :: out
            integer(c_size_t), intent(in) :: out_bytes(:), out_offsets(:)
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_alltoallv

        subroutine cm_ibcast(group, data, root, request, algorithm) &
            bind(c, name='cm_fortran_ibcast')
            import :: c_int, cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout), asynchronous :: data
            integer(c_int), value :: root
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_ibcast

        subroutine cm_iallreduce(group, in, out, op, request, algorithm, type) &
            bind(c, name='cm_fortran_iallreduce')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            type(cm_op), intent(in) :: op
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_iallreduce

        subroutine cm_iallreduce_in_place(group, data, op, request, algorithm, type) &
            bind(c, name='cm_fortran_iallreduce_in_place')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout), asynchronous :: data
            type(cm_op), intent(in) :: op
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_iallreduce_in_place

        !> Bytes of an element type; 0 for what is not one.
        pure function cm_type_bytes(type) bind(c, name='cm_type_bytes') result(bytes)
            import :: c_int64_t, c_size_t
            integer(c_int64_t), intent(in), value :: type
            integer(c_size_t) :: bytes
        end function cm_type_bytes
    end interface

    ! ---- Calls with strings or logicals; wrapped below -------------------------------------------
    interface
        function c_test(request, status) bind(c, name='cm_test') result(complete)
            import :: c_bool, cm_request, cm_status
            type(cm_request), intent(inout) :: request
            type(cm_status), intent(inout), optional :: status
            logical(c_bool) :: complete
        end function c_test

        function c_iprobe(group, source, tag, status) bind(c, name='cm_fortran_iprobe') &
            result(found)
            import :: c_bool, c_int, cm_group, cm_status
            type(cm_group), intent(in) :: group
            integer(c_int), value :: source, tag
            type(cm_status), intent(inout), optional :: status
            logical(c_bool) :: found
        end function c_iprobe

        function c_coalesce(on) bind(c, name='cm_coalesce') result(does)
            import :: c_bool
            logical(c_bool), value :: on
            logical(c_bool) :: does
        end function c_coalesce

        function c_algorithm_available(collective, algorithm) &
            bind(c, name='cm_fortran_algorithm_available') result(available)
            import :: c_bool, c_int, cm_algorithm
            integer(c_int), value :: collective
            type(cm_algorithm), intent(in) :: algorithm
            logical(c_bool) :: available
        end function c_algorithm_available

        function c_failed(group, rank) bind(c, name='cm_fortran_failed') result(failed)
            import :: c_bool, c_int, cm_group
            type(cm_group), intent(in) :: group
            integer(c_int), value :: rank
            logical(c_bool) :: failed
        end function c_failed

        subroutine c_abort(status, text) bind(c, name='cm_fortran_abort')
            import :: c_char, c_int
            integer(c_int), value :: status
            character(kind=c_char), intent(in) :: text(*)
        end subroutine c_abort

        function c_host(group, rank) bind(c, name='cm_fortran_host') result(text)
            import :: c_int, c_ptr, cm_group
            type(cm_group), intent(in) :: group
            integer(c_int), value :: rank
            type(c_ptr) :: text
        end function c_host

        function c_algorithm_parse(text, algorithm) bind(c, name='cm_algorithm_parse') result(valid)
            import :: c_bool, c_char, cm_algorithm
            character(kind=c_char), intent(in) :: text(*)
            type(cm_algorithm), intent(inout) :: algorithm
            logical(c_bool) :: valid
        end function c_algorithm_parse

        function c_algorithm_name(algorithm) bind(c, name='cm_fortran_algorithm_name') result(text)
            import :: c_ptr, cm_algorithm
            type(cm_algorithm), intent(in) :: algorithm
            type(c_ptr) :: text
        end function c_algorithm_name

        function c_collective_name(collective) bind(c, name='cm_collective_name') result(text)
            import :: c_int, c_ptr
            integer(c_int), value :: collective
            type(c_ptr) :: text
        end function c_collective_name

        pure function c_strlen(text) bind(c, name='strlen') result(length)
            import :: c_ptr, c_size_t
            type(c_ptr), intent(in), value :: text
            integer(c_size_t) :: length
        end function c_strlen
    end interface

contains

    !> Ends the whole job with this exit status; text goes to stderr with rank and host.
    subroutine cm_abort(status, text)
        integer, intent(in) :: status
        character(len=*), intent(in) :: text

        call c_abort(int(status, c_int), trim(text) // c_null_char)
    end subroutine cm_abort

    !> Node name of a rank; the same string means the same host.
    function cm_host(group, rank) result(name)
        type(cm_group), intent(in) :: group
        integer, intent(in) :: rank
        character(len=:), allocatable :: name

        name = string(c_host(group, int(rank, c_int)))
    end function cm_host

    !> Whether there is a group: false after a split with a negative color, and after cm_group_free.
    pure logical function cm_is_member(group)
        type(cm_group), intent(in) :: group

        cm_is_member = c_associated(group%handle)
    end function cm_is_member

    !> Whether this rank has noticed the failure of that one.
    logical function cm_failed(group, rank) result(failed)
        type(cm_group), intent(in) :: group
        integer, intent(in) :: rank

        failed = c_failed(group, int(rank, c_int))
    end function cm_failed

    !> Whether a request is still to be completed.
    pure logical function cm_is_open(request)
        type(cm_request), intent(in) :: request

        cm_is_open = c_associated(request%handle)
    end function cm_is_open

    !> Whether a request is complete now; then it is freed, and status, when present, is set.
    logical function cm_test(request, status) result(complete)
        type(cm_request), intent(inout) :: request
        type(cm_status), intent(inout), optional :: status

        complete = c_test(request, status)
    end function cm_test

    !> Whether there is a message.
    logical function cm_iprobe(group, source, tag, status) result(found)
        type(cm_group), intent(in) :: group
        integer, intent(in) :: source, tag
        type(cm_status), intent(inout), optional :: status

        found = c_iprobe(group, int(source, c_int), int(tag, c_int), status)
    end function cm_iprobe

    !> Lets short cm_isends wait for one another; whether this backend does so.
    logical function cm_coalesce(on) result(does)
        logical, intent(in) :: on

        does = c_coalesce(logical(on, c_bool))
    end function cm_coalesce

    !> Whether this backend has the combination.
    logical function cm_algorithm_available(collective, algorithm) result(available)
        integer, intent(in) :: collective
        type(cm_algorithm), intent(in) :: algorithm

        available = c_algorithm_available(int(collective, c_int), algorithm)
    end function cm_algorithm_available

    !> "binomial", "chain:65536", ...; false for anything else.
    logical function cm_algorithm_parse(text, algorithm) result(valid)
        character(len=*), intent(in) :: text
        type(cm_algorithm), intent(inout) :: algorithm

        valid = c_algorithm_parse(trim(text) // c_null_char, algorithm)
    end function cm_algorithm_parse

    !> Without the argument.
    function cm_algorithm_name(algorithm) result(name)
        type(cm_algorithm), intent(in) :: algorithm
        character(len=:), allocatable :: name

        name = string(c_algorithm_name(algorithm))
    end function cm_algorithm_name

    function cm_collective_name(collective) result(name)
        integer(c_int), intent(in) :: collective
        character(len=:), allocatable :: name

        name = string(c_collective_name(collective))
    end function cm_collective_name

    !> A tree in which every node has so many leaves.
    pure function cm_tree(leaves) result(algorithm)
        integer, intent(in) :: leaves
        type(cm_algorithm) :: algorithm

        algorithm = cm_algorithm(4, int(leaves, c_int64_t))
    end function cm_tree

    !> A chain that passes on segments of so many bytes.
    pure function cm_chain(segment_bytes) result(algorithm)
        integer, intent(in) :: segment_bytes
        type(cm_algorithm) :: algorithm

        algorithm = cm_algorithm(5, int(segment_bytes, c_int64_t))
    end function cm_chain

    !> The type of a record of so many bytes, for user operators.
    pure function cm_record(bytes) result(type)
        integer(c_size_t), intent(in) :: bytes
        integer(c_int64_t) :: type

        type = ior(ishft(int(bytes, c_int64_t), 8), int(z'ff', c_int64_t))
    end function cm_record

    function cm_user_op(operation, commutative) result(op)
        procedure(cm_op_function) :: operation
        logical, intent(in) :: commutative
        type(cm_op) :: op

        op = cm_op(10, merge(1_c_int, 0_c_int, commutative), c_funloc(operation))
    end function cm_user_op

    !> A copy of a C string.
    function string(text) result(copy)
        type(c_ptr), intent(in) :: text
        character(len=:), allocatable :: copy
        character(kind=c_char), pointer :: characters(:)
        integer :: k

        call c_f_pointer(text, characters, [c_strlen(text)])
        allocate (character(len=size(characters)) :: copy)
        do k = 1, size(characters)
            copy(k:k) = characters(k)
        end do
    end function string

end module cm_comm
