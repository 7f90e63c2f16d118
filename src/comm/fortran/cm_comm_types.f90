! SPDX-License-Identifier: BSD-3-Clause
!> cm_comm_types: groups, requests, statuses, and the constants that go with them.
module cm_comm_types
    use, intrinsic :: iso_c_binding, only: c_int, c_null_ptr, c_ptr, c_size_t
    implicit none
    private

    public :: cm_group, cm_request, cm_status

    integer(c_int), parameter, public :: CM_EXIT_PASS = 0, CM_EXIT_WRONG = 1, CM_EXIT_USAGE = 2, &
        CM_EXIT_SYSTEM = 3
    integer(c_int), parameter, public :: CM_END_JOB = 0, CM_RETURN = 1   !< cm_on_failure
    integer(c_int), parameter, public :: CM_ANY = -1            !< any source, any tag
    integer(c_int), parameter, public :: CM_COALESCE_BYTES = 4096   !< cm_coalesce
    integer(c_int), parameter, public :: CM_TAG_LIMIT = 2**28   !< 0 <= tag < CM_TAG_LIMIT

    !> A group: ranks with a message space of their own.
    type, bind(c) :: cm_group
        type(c_ptr) :: handle = c_null_ptr
    end type cm_group

    !> An operation in progress; complete when its handle is null.
    type, bind(c) :: cm_request
        type(c_ptr) :: handle = c_null_ptr
    end type cm_request

    type, bind(c) :: cm_status
        integer(c_int) :: source = CM_ANY   !< rank in the group
        integer(c_int) :: tag = CM_ANY
        integer(c_size_t) :: bytes = 0      !< length of the message
        integer(c_int) :: failed = -1       !< rank whose failure ended the operation; else -1
    end type cm_status

end module cm_comm_types
