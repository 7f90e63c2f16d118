! SPDX-License-Identifier: BSD-3-Clause
!> cm_comm_algorithm: collective operations and their algorithms, by number and by name.
module cm_comm_algorithm
    use, intrinsic :: iso_c_binding, only: c_bool, c_char, c_int, c_int64_t, c_null_char, c_ptr
    use cm_comm_text, only: cm_text_copy
    implicit none
    private

    public :: cm_algorithm, cm_tree, cm_chain
    public :: cm_algorithm_parse, cm_algorithm_name, cm_collective_name, cm_algorithm_available

    type, bind(c) :: cm_algorithm
        integer(c_int) :: kind = 0
        integer(c_int64_t) :: argument = 0  !< C's parameter
    end type cm_algorithm

    ! CM_AUTO, ..., CM_KIND_AUTO, ..., CM_KINDS: made from comm.h's list by algorithms.awk.
    include 'comm/fortran/algorithms.inc'

    integer(c_int), parameter, public :: &
        CM_COLLECTIVE_BARRIER = 0, CM_COLLECTIVE_BCAST = 1, CM_COLLECTIVE_REDUCE = 2, &
        CM_COLLECTIVE_ALLREDUCE = 3, CM_COLLECTIVE_SCAN = 4, CM_COLLECTIVE_GATHER = 5, &
        CM_COLLECTIVE_GATHERV = 6, CM_COLLECTIVE_SCATTER = 7, CM_COLLECTIVE_SCATTERV = 8, &
        CM_COLLECTIVE_ALLGATHER = 9, CM_COLLECTIVE_ALLGATHERV = 10, CM_COLLECTIVE_ALLTOALL = 11, &
        CM_COLLECTIVE_ALLTOALLV = 12, CM_COLLECTIVE_REDUCE_SCATTER = 13

    ! Calls with strings or logicals; wrapped below.
    interface
        function c_algorithm_available(collective, algorithm) &
            bind(c, name='cm_fortran_algorithm_available') result(available)
            import :: c_bool, c_int, cm_algorithm
            integer(c_int), value :: collective
            type(cm_algorithm), intent(in) :: algorithm
            logical(c_bool) :: available
        end function c_algorithm_available

        function c_algorithm_parse(text, algorithm) bind(c, name='cm_algorithm_parse') result(valid)
            import :: c_bool, c_char, cm_algorithm
            character(kind=c_char), intent(in) :: text(*)
            type(cm_algorithm), intent(inout) :: algorithm
            logical(c_bool) :: valid
        end function c_algorithm_parse

        function c_algorithm_name(algorithm) bind(c, name='cm_fortran_algorithm_name') result(text)
            import :: c_ptr, cm_algorithm
            type(cm_algorithm), intent(in) :: algorithm
            type(c_ptr) :: text
        end function c_algorithm_name

        function c_collective_name(collective) bind(c, name='cm_collective_name') result(text)
            import :: c_int, c_ptr
            integer(c_int), value :: collective
            type(c_ptr) :: text
        end function c_collective_name
    end interface

contains

    !> Returns true if this backend has the combination.
    logical function cm_algorithm_available(collective, algorithm) result(available)
        integer, intent(in) :: collective
        type(cm_algorithm), intent(in) :: algorithm

        available = c_algorithm_available(int(collective, c_int), algorithm)
    end function cm_algorithm_available

    !> Reads "binomial", "chain:65536", ... Returns false for anything else.
    logical function cm_algorithm_parse(text, algorithm) result(valid)
        character(len=*), intent(in) :: text
        type(cm_algorithm), intent(inout) :: algorithm

        valid = c_algorithm_parse(trim(text) // c_null_char, algorithm)
    end function cm_algorithm_parse

    !> Returns the name without the parameter.
    function cm_algorithm_name(algorithm) result(name)
        type(cm_algorithm), intent(in) :: algorithm
        character(len=:), allocatable :: name

        name = cm_text_copy(c_algorithm_name(algorithm))
    end function cm_algorithm_name

    function cm_collective_name(collective) result(name)
        integer(c_int), intent(in) :: collective
        character(len=:), allocatable :: name

        name = cm_text_copy(c_collective_name(collective))
    end function cm_collective_name

    !> Returns the tree in which every node has this number of leaves.
    pure function cm_tree(leaves) result(algorithm)
        integer, intent(in) :: leaves
        type(cm_algorithm) :: algorithm

        algorithm = cm_algorithm(CM_KIND_TREE, int(leaves, c_int64_t))
    end function cm_tree

    !> Returns the chain that passes on segments of this number of bytes.
    pure function cm_chain(segment_bytes) result(algorithm)
        integer, intent(in) :: segment_bytes
        type(cm_algorithm) :: algorithm

        algorithm = cm_algorithm(CM_KIND_CHAIN, int(segment_bytes, c_int64_t))
    end function cm_chain

end module cm_comm_algorithm
