! SPDX-License-Identifier: BSD-3-Clause
!> cm_comm_life: life, groups, time, memory and failures.
module cm_comm_life
    use, intrinsic :: iso_c_binding, only: c_associated, c_bool, c_char, c_double, c_int, &
        c_null_char, c_ptr, c_size_t
    use cm_comm_text, only: cm_text_copy
    use cm_comm_types, only: cm_group
    implicit none
    private

    public :: cm_init, cm_finalize, cm_abort, cm_launch_rank, cm_describe, cm_describe_function
    public :: cm_on_failure, cm_failed, cm_failures, cm_comm_has
    public :: cm_world, cm_rank, cm_size, cm_host, cm_split, cm_split_host
    public :: cm_group_free, cm_is_member
    public :: cm_time, cm_time_resolution, cm_compute, cm_item_s
    public :: cm_allocate, cm_free

    !> cm_comm_has
    integer(c_int), parameter, public :: CM_HAS_PROCESSES = 0, CM_HAS_PMI = 1, CM_HAS_NATIVE = 2, &
        CM_HAS_SURVIVAL = 3, CM_HAS_SOCKET_BUFFERS = 4, CM_HAS_RAILS = 5, &
        CM_HAS_SIMULATOR = 6, CM_HAS_SHARED = 7

    abstract interface
        !> key and value are C strings that are valid during the call only.
        subroutine cm_describe_function(key, value, context) bind(c)
            import :: c_ptr
            type(c_ptr), value :: key, value, context
        end subroutine cm_describe_function
    end interface

    interface
        !> Returns 0, or an exit status after one line on stderr.
        function cm_init() bind(c, name='cm_fortran_init') result(status)
            import :: c_int
            integer(c_int) :: status
        end function cm_init

        !> Returns 0, or an exit status after one line on stderr; mode: CM_END_JOB, CM_RETURN.
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

        !> Returns the new group of the caller. With a negative color there is none (cm_is_member).
        function cm_split(group, color, key) bind(c, name='cm_fortran_split') result(part)
            import :: c_int, cm_group
            type(cm_group), intent(in) :: group
            integer(c_int), value :: color, key
            type(cm_group) :: part
        end function cm_split

        !> The ranks of the caller's host.
        function cm_split_host(group) bind(c, name='cm_fortran_split_host') result(part)
            import :: cm_group
            type(cm_group), intent(in) :: group
            type(cm_group) :: part
        end function cm_split_host

        subroutine cm_group_free(group) bind(c, name='cm_fortran_group_free')
            import :: cm_group
            type(cm_group), intent(inout) :: group
        end subroutine cm_group_free

        !> Returns the number of members that are known to have failed.
        function cm_failures(group) bind(c, name='cm_fortran_failures') result(failures)
            import :: c_int, cm_group
            type(cm_group), intent(in) :: group
            integer(c_int) :: failures
        end function cm_failures

        function cm_time() bind(c, name='cm_time') result(time_s)
            import :: c_double
            real(c_double) :: time_s
        end function cm_time

        subroutine cm_compute(flop, seconds) bind(c, name='cm_compute')
            import :: c_double
            real(c_double), value :: flop, seconds
        end subroutine cm_compute

        function cm_item_s() bind(c, name='cm_item_s') result(item_s)
            import :: c_double
            real(c_double) :: item_s
        end function cm_item_s

        function cm_time_resolution() bind(c, name='cm_time_resolution') result(resolution_s)
            import :: c_double
            real(c_double) :: resolution_s
        end function cm_time_resolution

        !> Returns the address of zeroed memory, for c_f_pointer, or c_null_ptr if memory is short.
        function cm_allocate(bytes) bind(c, name='cm_allocate') result(memory)
            import :: c_ptr, c_size_t
            integer(c_size_t), value :: bytes
            type(c_ptr) :: memory
        end function cm_allocate

        subroutine cm_free(memory) bind(c, name='cm_free')
            import :: c_ptr
            type(c_ptr), value :: memory
        end subroutine cm_free
    end interface

    ! Calls with strings or logicals; wrapped below.
    interface
        function c_comm_has(property) bind(c, name='cm_comm_has') result(has)
            import :: c_bool, c_int
            integer(c_int), value :: property
            logical(c_bool) :: has
        end function c_comm_has

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
    end interface

contains

    !> Ends the whole job with this exit status; text goes to stderr with rank and host.
    subroutine cm_abort(status, text)
        integer, intent(in) :: status
        character(len=*), intent(in) :: text

        call c_abort(int(status, c_int), trim(text) // c_null_char)
    end subroutine cm_abort

    !> Returns the node name of a rank. Equal strings mean the same host.
    function cm_host(group, rank) result(name)
        type(cm_group), intent(in) :: group
        integer, intent(in) :: rank
        character(len=:), allocatable :: name

        name = cm_text_copy(c_host(group, int(rank, c_int)))
    end function cm_host

    !> Returns false after a split with a negative color, and after cm_group_free.
    pure logical function cm_is_member(group)
        type(cm_group), intent(in) :: group

        cm_is_member = c_associated(group%handle)
    end function cm_is_member

    !> Returns true if the backend has this property. May be called before cm_init.
    logical function cm_comm_has(property) result(has)
        integer(c_int), intent(in) :: property

        has = c_comm_has(property)
    end function cm_comm_has

    !> Returns true if this rank has noticed the failure of that rank.
    logical function cm_failed(group, rank) result(failed)
        type(cm_group), intent(in) :: group
        integer, intent(in) :: rank

        failed = c_failed(group, int(rank, c_int))
    end function cm_failed

end module cm_comm_life
