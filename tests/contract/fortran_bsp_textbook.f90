! SPDX-License-Identifier: BSD-3-Clause
!> fortran_bsp_textbook: an inner product as textbooks have it (Bisseling, Parallel Scientific
!> Computation, section 1.3), by BSPlib's own calls alone: the SPMD part is a subroutine.
module fortran_bsp_textbook_part
    use, intrinsic :: iso_c_binding, only: c_double, c_size_t
    use cm_bsp, only: bsp_abort, bsp_begin, bsp_end, bsp_nprocs, bsp_pid, bsp_pop_reg, &
        bsp_push_reg, bsp_put, bsp_sync
    implicit none
    private
    public :: spmd, wanted

    integer :: wanted = 0   !< set by process 0 alone

contains

    subroutine spmd() bind(c)
        real(c_double), allocatable, asynchronous :: sums(:)
        real(c_double) :: inner
        integer :: p, s, i, t

        call bsp_begin(wanted)
        p = bsp_nprocs()
        s = bsp_pid()
        allocate (sums(0:p - 1))
        call bsp_push_reg(sums)
        call bsp_sync()
        inner = 0
        do i = s, 999, p
            inner = inner + real(i, c_double)**2
        end do
        do t = 0, p - 1
            call bsp_put(t, inner, sums, 8_c_size_t * s)
        end do
        call bsp_sync()
        if (sum(sums) /= 332833500) call bsp_abort('a wrong inner product')
        call bsp_pop_reg(sums)
        if (s == 0) print '(a)', 'ok 1 - inner product', '1..1'
        call bsp_end()
    end subroutine spmd
end module fortran_bsp_textbook_part

program fortran_bsp_textbook
    use cm_bsp, only: bsp_init, bsp_nprocs
    use fortran_bsp_textbook_part, only: spmd, wanted
    implicit none

    call bsp_init(spmd)
    wanted = bsp_nprocs()
    call spmd()
end program fortran_bsp_textbook
