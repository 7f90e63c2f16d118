! SPDX-License-Identifier: BSD-3-Clause
!> cm_comm_reduction: reductions, with their element types and operators.
module cm_comm_reduction
    use, intrinsic :: iso_c_binding, only: c_double, c_float, c_funloc, c_funptr, c_int, &
        c_int64_t, c_null_funptr, c_ptr, c_size_t
    use cm_comm_algorithm, only: cm_algorithm
    use cm_comm_types, only: cm_group, cm_request
    implicit none
    private

    public :: cm_op, cm_op_function, cm_float_index, cm_double_index
    public :: cm_record, cm_type_bytes, cm_user_op
    public :: cm_reduce, cm_allreduce, cm_scan, cm_reduce_scatter
    public :: cm_ireduce, cm_iallreduce, cm_iscan, cm_ireduce_scatter
    public :: cm_reduce_in_place, cm_allreduce_in_place, cm_scan_in_place
    public :: cm_ireduce_in_place, cm_iallreduce_in_place, cm_iscan_in_place

    !> Elements of CM_MINLOC and CM_MAXLOC.
    type, bind(c) :: cm_float_index
        real(c_float) :: value
        integer(c_int64_t) :: index
    end type cm_float_index

    type, bind(c) :: cm_double_index
        real(c_double) :: value
        integer(c_int64_t) :: index
    end type cm_double_index

    !> Element types. Reductions recognize integers and reals (int8 is CM_UINT8, with bitwise
    !> operators). Value-index pairs need the argument type. Any other derived type is a record for
    !> a user's operator.
    integer(c_int64_t), parameter, public :: CM_UINT8 = 1, CM_INT32 = 2, CM_INT64 = 3, &
        CM_FLOAT = 4, CM_DOUBLE = 5, CM_FLOAT_INDEX_TYPE = 6, CM_DOUBLE_INDEX_TYPE = 7

    type, bind(c) :: cm_op
        integer(c_int) :: kind = 0
        integer(c_int) :: commutative = 1
        type(c_funptr) :: operation = c_null_funptr
    end type cm_op

    type(cm_op), parameter, public :: &
        CM_SUM = cm_op(1, 1, c_null_funptr), &
        CM_PROD = cm_op(2, 1, c_null_funptr), &
        CM_MIN = cm_op(3, 1, c_null_funptr), &
        CM_MAX = cm_op(4, 1, c_null_funptr), &
        CM_AND = cm_op(5, 1, c_null_funptr), &
        CM_OR = cm_op(6, 1, c_null_funptr), &
        CM_XOR = cm_op(7, 1, c_null_funptr), &
        CM_MINLOC = cm_op(8, 1, c_null_funptr), &
        CM_MAXLOC = cm_op(9, 1, c_null_funptr)

    abstract interface
        !> right(i) = left(i) op right(i), i = 1..count; left comes from lower ranks.
        subroutine cm_op_function(left, right, count, type) bind(c)
            import :: c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: left, right
            integer(c_size_t), value :: count
            integer(c_int64_t), value :: type
        end subroutine cm_op_function
    end interface

    ! An array that only root uses (out of reduce) may be any array on other ranks.
    interface
        !> in and out: equal numbers of elements of one type. type: see above.
        subroutine cm_reduce(group, in, out, op, root, algorithm, type) &
            bind(c, name='cm_fortran_reduce')
            import :: c_int, c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            type(cm_op), intent(in) :: op
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_reduce

        subroutine cm_allreduce(group, in, out, op, algorithm, type) &
            bind(c, name='cm_fortran_allreduce')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            type(cm_op), intent(in) :: op
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_allreduce

        subroutine cm_scan(group, in, out, op, algorithm, type) bind(c, name='cm_fortran_scan')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            type(cm_op), intent(in) :: op
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_scan

        !> in: one block after another, with counts(r + 1) elements for rank r; out: this rank's
        !! block of the result.
        subroutine cm_reduce_scatter(group, in, out, counts, op, algorithm, type) &
            bind(c, name='cm_fortran_reduce_scatter')
            import :: c_int64_t, c_size_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            integer(c_size_t), intent(in) :: counts(:)
            type(cm_op), intent(in) :: op
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_reduce_scatter

        !> The result replaces data on the ranks that get it (in C in == out; Fortran forbids that).
        subroutine cm_reduce_in_place(group, data, op, root, algorithm, type) &
            bind(c, name='cm_fortran_reduce_in_place')
            import :: c_int, c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout) :: data
            type(cm_op), intent(in) :: op
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_reduce_in_place

        subroutine cm_allreduce_in_place(group, data, op, algorithm, type) &
            bind(c, name='cm_fortran_allreduce_in_place')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout) :: data
            type(cm_op), intent(in) :: op
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_allreduce_in_place

        subroutine cm_scan_in_place(group, data, op, algorithm, type) &
            bind(c, name='cm_fortran_scan_in_place')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout) :: data
            type(cm_op), intent(in) :: op
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_scan_in_place

        subroutine cm_ireduce(group, in, out, op, root, request, algorithm, type) &
            bind(c, name='cm_fortran_ireduce')
            import :: c_int, c_int64_t, cm_algorithm, cm_group, cm_op, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            type(cm_op), intent(in) :: op
            integer(c_int), value :: root
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_ireduce

        subroutine cm_iscan(group, in, out, op, request, algorithm, type) &
            bind(c, name='cm_fortran_iscan')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            type(cm_op), intent(in) :: op
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_iscan

        subroutine cm_ireduce_scatter(group, in, out, counts, op, request, algorithm, type) &
            bind(c, name='cm_fortran_ireduce_scatter')
            import :: c_int64_t, c_size_t, cm_algorithm, cm_group, cm_op, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            integer(c_size_t), intent(in), asynchronous :: counts(:)
            type(cm_op), intent(in) :: op
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_ireduce_scatter

        subroutine cm_ireduce_in_place(group, data, op, root, request, algorithm, type) &
            bind(c, name='cm_fortran_ireduce_in_place')
            import :: c_int, c_int64_t, cm_algorithm, cm_group, cm_op, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout), asynchronous :: data
            type(cm_op), intent(in) :: op
            integer(c_int), value :: root
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_ireduce_in_place

        subroutine cm_iscan_in_place(group, data, op, request, algorithm, type) &
            bind(c, name='cm_fortran_iscan_in_place')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout), asynchronous :: data
            type(cm_op), intent(in) :: op
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_iscan_in_place

        subroutine cm_iallreduce(group, in, out, op, request, algorithm, type) &
            bind(c, name='cm_fortran_iallreduce')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            type(cm_op), intent(in) :: op
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_iallreduce

        subroutine cm_iallreduce_in_place(group, data, op, request, algorithm, type) &
            bind(c, name='cm_fortran_iallreduce_in_place')
            import :: c_int64_t, cm_algorithm, cm_group, cm_op, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout), asynchronous :: data
            type(cm_op), intent(in) :: op
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
            integer(c_int64_t), intent(in), optional :: type
        end subroutine cm_iallreduce_in_place

        !> Returns the bytes of an element type; 0 if `type` is not one.
        pure function cm_type_bytes(type) bind(c, name='cm_type_bytes') result(bytes)
            import :: c_int64_t, c_size_t
            integer(c_int64_t), intent(in), value :: type
            integer(c_size_t) :: bytes
        end function cm_type_bytes
    end interface

contains

    !> Returns the type of a record of this number of bytes, for user operators.
    pure function cm_record(bytes) result(type)
        integer(c_size_t), intent(in) :: bytes
        integer(c_int64_t) :: type

        type = ior(ishft(int(bytes, c_int64_t), 8), int(z'ff', c_int64_t))
    end function cm_record

    function cm_user_op(operation, commutative) result(op)
        procedure(cm_op_function) :: operation
        logical, intent(in) :: commutative
        type(cm_op) :: op

        op = cm_op(10, merge(1_c_int, 0_c_int, commutative), c_funloc(operation))
    end function cm_user_op

end module cm_comm_reduction
