! SPDX-License-Identifier: BSD-3-Clause
!> linpack_memory: large arrays (cm_run_array, cm_memory_free) for Fortran, in huge pages if the
!> system has them. Without these a matrix product that reads across thousands of rows misses the
!> TLB for each of them.
module linpack_memory
    use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
    implicit none
    private

    public :: cm_memory_free, cm_run_array, linpack_shared

    interface
        !> Returns this number of bytes, set to zero; ends the job if there is no memory.
        function cm_run_array(bytes) bind(c) result(memory)
            import :: c_ptr, c_size_t
            integer(c_size_t), value :: bytes
            type(c_ptr) :: memory
        end function cm_run_array

        !> As cm_allocate of comm.h; ends the job if there is no memory.
        function linpack_shared(bytes) bind(c) result(memory)
            import :: c_ptr, c_size_t
            integer(c_size_t), value :: bytes
            type(c_ptr) :: memory
        end function linpack_shared

        subroutine cm_memory_free(memory) bind(c)
            import :: c_ptr
            type(c_ptr), value :: memory
        end subroutine cm_memory_free
    end interface
end module linpack_memory
