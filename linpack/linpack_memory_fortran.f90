! SPDX-License-Identifier: BSD-3-Clause
!> linpack_memory: linpack_memory.c's memory for Fortran.
module linpack_memory
    use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
    implicit none
    private

    public :: linpack_large, linpack_large_free

    interface
        !> So many zeros of so many bytes each; ends the job when there is no memory.
        function linpack_large(elements, bytes) bind(c) result(memory)
            import :: c_ptr, c_size_t
            integer(c_size_t), value :: elements, bytes
            type(c_ptr) :: memory
        end function linpack_large

        subroutine linpack_large_free(memory) bind(c)
            import :: c_ptr
            type(c_ptr), value :: memory
        end subroutine linpack_large_free
    end interface
end module linpack_memory
