! SPDX-License-Identifier: BSD-3-Clause
!> linpack_spent: measures the parts of a factorization's time and reports its progress.
module linpack_spent
    use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_f_procpointer, c_funptr, &
        c_int, c_ptr
    use cm_comm, only: cm_time
    implicit none
    private

    public :: spent_time, lap, tell
    integer, parameter, public :: SEARCH = 1, EXCHANGE = 2, BROADCAST = 3, UPDATE = 4

    !> linpack_spent of linpack.h. seconds: of the four parts above; since: start of the current
    !> part.
    type, bind(c) :: spent_time
        real(c_double) :: seconds(4)
        real(c_double) :: since
        type(c_funptr) :: tell
        type(c_ptr) :: context
    end type spent_time

    abstract interface
        subroutine tell_function(column, context) bind(c)
            import :: c_int, c_ptr
            integer(c_int), value :: column
            type(c_ptr), value :: context
        end subroutine tell_function
    end interface

contains

    !> Adds the time since the last call to this part.
    subroutine lap(spent, part)
        type(spent_time), intent(inout) :: spent
        integer, intent(in) :: part
        real(c_double) :: now

        now = cm_time()
        spent%seconds(part) = spent%seconds(part) + (now - spent%since)
        spent%since = now
    end subroutine lap

    !> Reports that this number of columns is eliminated.
    subroutine tell(spent, column)
        type(spent_time), intent(in) :: spent
        integer, intent(in) :: column
        procedure(tell_function), pointer :: function

        if (.not. c_associated(spent%tell)) return
        call c_f_procpointer(spent%tell, function)
        call function(int(column, c_int), spent%context)
    end subroutine tell

end module linpack_spent
