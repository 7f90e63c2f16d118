! SPDX-License-Identifier: BSD-3-Clause
!> cm_comm_message: point to point.
module cm_comm_message
    use, intrinsic :: iso_c_binding, only: c_associated, c_bool, c_int
    use cm_comm_types, only: cm_group, cm_request, cm_status
    implicit none
    private

    public :: cm_send, cm_recv, cm_sendrecv, cm_isend, cm_irecv
    public :: cm_wait, cm_waitall, cm_waitany, cm_waitsome, cm_test, cm_cancel, cm_is_open
    public :: cm_probe, cm_iprobe, cm_progress, cm_coalesce

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

        !> statuses: one for each request; the status of a null request is not changed.
        subroutine cm_waitall(requests, statuses) bind(c, name='cm_fortran_waitall')
            import :: cm_request, cm_status
            type(cm_request), intent(inout) :: requests(:)
            type(cm_status), intent(inout), optional :: statuses(:)
        end subroutine cm_waitall

        !> Returns the index of a request that completed; 0 if there was none to wait for.
        function cm_waitany(requests, status) bind(c, name='cm_fortran_waitany') result(index)
            import :: c_int, cm_request, cm_status
            type(cm_request), intent(inout) :: requests(:)
            type(cm_status), intent(inout), optional :: status
            integer(c_int) :: index
        end function cm_waitany

        !> Returns the number that completed, their indices and statuses; 0: none to wait for.
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

    ! Calls with logicals; wrapped below.
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
    end interface

contains

    !> Returns true if the request is not complete yet.
    pure logical function cm_is_open(request)
        type(cm_request), intent(in) :: request

        cm_is_open = c_associated(request%handle)
    end function cm_is_open

    !> Returns true if the request is complete. Then it is freed, and status is set if present.
    logical function cm_test(request, status) result(complete)
        type(cm_request), intent(inout) :: request
        type(cm_status), intent(inout), optional :: status

        complete = c_test(request, status)
    end function cm_test

    !> Returns true if there is a message.
    logical function cm_iprobe(group, source, tag, status) result(found)
        type(cm_group), intent(in) :: group
        integer, intent(in) :: source, tag
        type(cm_status), intent(inout), optional :: status

        found = c_iprobe(group, int(source, c_int), int(tag, c_int), status)
    end function cm_iprobe

    !> Lets short cm_isends wait to be sent together. Returns true if this backend does so.
    logical function cm_coalesce(on) result(does)
        logical, intent(in) :: on

        does = c_coalesce(logical(on, c_bool))
    end function cm_coalesce

end module cm_comm_message
