! SPDX-License-Identifier: BSD-3-Clause
! hello.f90: a user's Fortran program on the installed library, by the C interface alone.
program hello
    use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_null_ptr
    implicit none
    interface
        function cm_init(argc, argv) bind(c) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: argc, argv
            integer(c_int) :: status
        end function cm_init
        subroutine cm_finalize() bind(c)
        end subroutine cm_finalize
        function cm_world() bind(c) result(group)
            import :: c_ptr
            type(c_ptr) :: group
        end function cm_world
        function cm_rank(group) bind(c) result(rank)
            import :: c_int, c_ptr
            type(c_ptr), value :: group
            integer(c_int) :: rank
        end function cm_rank
        function cm_size(group) bind(c) result(size)
            import :: c_int, c_ptr
            type(c_ptr), value :: group
            integer(c_int) :: size
        end function cm_size
    end interface
    integer(c_int) :: rank, size

    if (cm_init(c_null_ptr, c_null_ptr) /= 0) error stop 3
    rank = cm_rank(cm_world())
    size = cm_size(cm_world())
    print '(a, i0, a, i0)', 'rank ', rank, ' of ', size
    call cm_finalize()
    if (rank < 0 .or. rank >= size) error stop 1
end program hello
