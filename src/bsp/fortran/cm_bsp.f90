! SPDX-License-Identifier: BSD-3-Clause
!> cm_bsp: BSPlib (Hill et al. 1998) for Fortran; src/bsp/bsp.h says what each call does.
!>
!> Arrays are of any type and rank. The whole array is registered, written, read or sent. Its length
!> in bytes comes from its descriptor. It must be contiguous; this is checked. The registered array
!> names its area. Offsets into the area are bytes and default to 0. Processes count from 0. Declare
!> as asynchronous what other processes write, what bsp_get and bsp_hpget fill, and what bsp_hpput
!> reads: these arrays are used while no call names them.
module cm_bsp
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int64_t, c_null_char, c_ptr, &
        c_size_t
    use cm_comm, only: cm_group
    implicit none
    private

    public :: bsp_init, bsp_begin, bsp_end, bsp_abort, bsp_nprocs, bsp_pid, bsp_time, bsp_sync
    public :: bsp_push_reg, bsp_pop_reg, bsp_put, bsp_hpput, bsp_get, bsp_hpget, bsp_direct_get
    public :: bsp_set_tagsize, bsp_send, bsp_qsize, bsp_get_tag, bsp_move, bsp_hpmove
    public :: cm_bsp_begin, cm_bsp_end, cm_bsp_progress, cm_bsp_name, cm_bsp_total
    public :: cm_bsp_trace_open
    public :: cm_bsp_sums, bsp_spmd_part

    !> Sums of this process over the supersteps since the SPMD part began.
    type, bind(c) :: cm_bsp_sums
        integer(c_int64_t) :: supersteps
        real(c_double) :: work_s, sync_s                        !< outside of bsp_sync, inside
        integer(c_int64_t) :: out_bytes, in_bytes               !< to and from others
        integer(c_int64_t) :: out_messages, in_messages         !< writes, reads and messages
    end type cm_bsp_sums

    abstract interface
        subroutine bsp_spmd_part() bind(c)
        end subroutine bsp_spmd_part
    end interface

    ! ---- Life ------------------------------------------------------------------------------------
    interface
        !> Must be the first call of a program of which not all is the SPMD part.
        subroutine bsp_init(spmd_part) bind(c, name='cm_fortran_bsp_init')
            import :: bsp_spmd_part
            procedure(bsp_spmd_part) :: spmd_part
        end subroutine bsp_init

        subroutine bsp_begin(max_processes) bind(c, name='bsp_begin')
            import :: c_int
            integer(c_int), value :: max_processes
        end subroutine bsp_begin

        subroutine bsp_end() bind(c, name='bsp_end')
        end subroutine bsp_end

        function bsp_nprocs() bind(c, name='bsp_nprocs') result(processes)
            import :: c_int
            integer(c_int) :: processes
        end function bsp_nprocs

        function bsp_pid() bind(c, name='bsp_pid') result(pid)
            import :: c_int
            integer(c_int) :: pid
        end function bsp_pid

        function bsp_time() bind(c, name='bsp_time') result(time_s)
            import :: c_double
            real(c_double) :: time_s
        end function bsp_time

        subroutine bsp_sync() bind(c, name='bsp_sync')
        end subroutine bsp_sync

        !> Begins the SPMD part within a group, in a job that cm_init began; see bsp_group.h.
        subroutine cm_bsp_begin(group) bind(c, name='cm_fortran_bsp_group_begin')
            import :: cm_group
            type(cm_group), intent(in) :: group
        end subroutine cm_bsp_begin

        subroutine cm_bsp_end() bind(c, name='cm_bsp_end')
        end subroutine cm_bsp_end

        !> Creates the file of CM_BSP_TRACE, so that a program learns of an error before it writes.
        subroutine cm_bsp_trace_open() bind(c, name='cm_bsp_trace_open')
        end subroutine cm_bsp_trace_open

        !> Makes progress on unbuffered reads and writes; for long computations.
        subroutine cm_bsp_progress() bind(c, name='cm_bsp_progress')
        end subroutine cm_bsp_progress

        function cm_bsp_total() bind(c, name='cm_bsp_total') result(sums)
            import :: cm_bsp_sums
            type(cm_bsp_sums) :: sums
        end function cm_bsp_total
    end interface

    ! ---- Registration, direct access -------------------------------------------------------------
    interface
        !> Takes effect in the next superstep. An empty array means that this process has no area.
        subroutine bsp_push_reg(ident) bind(c, name='cm_fortran_bsp_push_reg')
            type(*), dimension(..), intent(in), asynchronous :: ident
        end subroutine bsp_push_reg

        subroutine bsp_pop_reg(ident) bind(c, name='cm_fortran_bsp_pop_reg')
            type(*), dimension(..), intent(in), asynchronous :: ident
        end subroutine bsp_pop_reg

        !> Writes all of src to the area of pid, from byte offset on.
        subroutine bsp_put(pid, src, dst, offset) bind(c, name='cm_fortran_bsp_put')
            import :: c_int, c_size_t
            integer(c_int), value :: pid
            type(*), dimension(..), intent(in) :: src
            type(*), dimension(..), intent(in), asynchronous :: dst
            integer(c_size_t), intent(in), optional :: offset
        end subroutine bsp_put

        subroutine bsp_hpput(pid, src, dst, offset) bind(c, name='cm_fortran_bsp_hpput')
            import :: c_int, c_size_t
            integer(c_int), value :: pid
            type(*), dimension(..), intent(in), asynchronous :: src, dst
            integer(c_size_t), intent(in), optional :: offset
        end subroutine bsp_hpput

        !> Fills all of dst from the area of pid, from byte offset on.
        subroutine bsp_get(pid, src, dst, offset) bind(c, name='cm_fortran_bsp_get')
            import :: c_int, c_size_t
            integer(c_int), value :: pid
            type(*), dimension(..), intent(in), asynchronous :: src
            type(*), dimension(..), intent(inout), asynchronous :: dst
            integer(c_size_t), intent(in), optional :: offset
        end subroutine bsp_get

        subroutine bsp_hpget(pid, src, dst, offset) bind(c, name='cm_fortran_bsp_hpget')
            import :: c_int, c_size_t
            integer(c_int), value :: pid
            type(*), dimension(..), intent(in), asynchronous :: src
            type(*), dimension(..), intent(inout), asynchronous :: dst
            integer(c_size_t), intent(in), optional :: offset
        end subroutine bsp_hpget

        !> MulticoreBSP's bsp_get that is complete when it returns.
        subroutine bsp_direct_get(pid, src, dst, offset) bind(c, name='cm_fortran_bsp_direct_get')
            import :: c_int, c_size_t
            integer(c_int), value :: pid
            type(*), dimension(..), intent(in), asynchronous :: src
            type(*), dimension(..), intent(inout), asynchronous :: dst
            integer(c_size_t), intent(in), optional :: offset
        end subroutine bsp_direct_get
    end interface

    ! ---- Messages --------------------------------------------------------------------------------
    interface
        !> Sets the bytes of a tag from the next superstep on. The argument becomes the old value.
        subroutine bsp_set_tagsize(tag_bytes) bind(c, name='bsp_set_tagsize')
            import :: c_int
            integer(c_int), intent(inout) :: tag_bytes
        end subroutine bsp_set_tagsize

        !> tag: at least the bytes of a tag; anything if tags have none.
        subroutine bsp_send(pid, tag, payload) bind(c, name='cm_fortran_bsp_send')
            import :: c_int
            integer(c_int), value :: pid
            type(*), dimension(..), intent(in) :: tag, payload
        end subroutine bsp_send

        subroutine bsp_qsize(messages, payload_bytes) bind(c, name='bsp_qsize64')
            import :: c_size_t
            integer(c_size_t), intent(out) :: messages
            integer(c_size_t), intent(out), optional :: payload_bytes
        end subroutine bsp_qsize

        !> payload_bytes: -1 if the queue is empty.
        subroutine bsp_get_tag(payload_bytes, tag) bind(c, name='cm_fortran_bsp_get_tag')
            import :: c_int64_t
            integer(c_int64_t), intent(out) :: payload_bytes
            type(*), dimension(..), intent(inout) :: tag
        end subroutine bsp_get_tag

        !> Takes the first message and copies its payload, as much as fits.
        subroutine bsp_move(payload) bind(c, name='cm_fortran_bsp_move')
            type(*), dimension(..), intent(inout) :: payload
        end subroutine bsp_move

        !> The same without a copy, valid until the superstep ends. Returns its bytes, or -1.
        function bsp_hpmove(tag, payload) bind(c, name='bsp_hpmove64') result(payload_bytes)
            import :: c_int64_t, c_ptr
            type(c_ptr), intent(out) :: tag, payload
            integer(c_int64_t) :: payload_bytes
        end function bsp_hpmove
    end interface

    ! ---- Calls with strings; wrapped below -------------------------------------------------------
    interface
        subroutine c_abort(text) bind(c, name='cm_fortran_bsp_abort')
            import :: c_char
            character(kind=c_char), intent(in) :: text(*)
        end subroutine c_abort

        subroutine c_name(text) bind(c, name='cm_bsp_name')
            import :: c_char
            character(kind=c_char), intent(in) :: text(*)
        end subroutine c_name
    end interface

contains

    !> Ends the job with status 1; the text goes to stderr.
    subroutine bsp_abort(text)
        character(len=*), intent(in) :: text

        call c_abort(trim(text) // c_null_char)
    end subroutine bsp_abort

    !> Names the current superstep, for CM_BSP_TRACE.
    subroutine cm_bsp_name(name)
        character(len=*), intent(in) :: name

        call c_name(trim(name) // c_null_char)
    end subroutine cm_bsp_name
end module cm_bsp
