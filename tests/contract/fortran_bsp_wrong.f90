! SPDX-License-Identifier: BSD-3-Clause
!> fortran_bsp_wrong: mistakes of BSPlib programs in Fortran; bsp_wrong.sh knows what is said of
!> each.
program fortran_bsp_wrong
    use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
    use cm_bsp
    implicit none

    character(len=16) :: mistake
    integer(c_int), asynchronous :: area(4)
    integer(c_int) :: tag_bytes
    integer(c_int64_t) :: bytes

    call get_command_argument(1, mistake)
    call bsp_begin(1)
    area = 0
    tag_bytes = 8
    call bsp_push_reg(area)
    call bsp_set_tagsize(tag_bytes)
    call bsp_sync()
    call bsp_send(0, area, area)
    select case (mistake)
    case ('tag')
        call bsp_send(0, 1_c_int, area)
    case ('queue')
        tag_bytes = 4
        call bsp_set_tagsize(tag_bytes)
        call bsp_sync()
        call bsp_get_tag(bytes, area(1))
    case ('contiguous')
        call bsp_put(0, area(1:3:2), area)
    case ('beyond')
        call bsp_put(0, area, area, 4_c_int64_t)
    case ('abort')
        call bsp_abort('all is lost   ')
    end select
    call bsp_sync()
    call bsp_get_tag(bytes, area)
    if (bytes /= 16) call bsp_abort('a message of another length')
    call bsp_end()
end program fortran_bsp_wrong
