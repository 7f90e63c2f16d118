! SPDX-License-Identifier: BSD-3-Clause
!> cm_comm_text: C strings for the modules of cm_comm.
module cm_comm_text
    use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_ptr, c_size_t
    implicit none
    private

    public :: cm_text_copy

    interface
        pure function c_strlen(text) bind(c, name='strlen') result(length)
            import :: c_ptr, c_size_t
            type(c_ptr), intent(in), value :: text
            integer(c_size_t) :: length
        end function c_strlen
    end interface

contains

    !> Returns a copy of a C string.
    function cm_text_copy(text) result(copy)
        type(c_ptr), intent(in) :: text
        character(len=:), allocatable :: copy
        character(kind=c_char), pointer :: characters(:)
        integer :: k

        call c_f_pointer(text, characters, [c_strlen(text)])
        allocate (character(len=size(characters)) :: copy)
        do k = 1, size(characters)
            copy(k:k) = characters(k)
        end do
    end function cm_text_copy

end module cm_comm_text
