! SPDX-License-Identifier: BSD-3-Clause
!> cm_comm: clustermark's communication layer for Fortran; src/comm/comm.h says what each call does.
!>
!> Buffers are of any type and rank. The whole array is sent or received. Its length in bytes comes
!> from its descriptor. It must be contiguous; this is checked: a(:, 1:n) is, a(1:n, :) is not.
!> Buffers of non-blocking calls belong to the layer until completion; declare them asynchronous.
!> Ranks count from 0, as in C; indices of requests count from 1. Lengths and offsets of the v-forms
!> are bytes, of kind c_size_t. Algorithms default to CM_AUTO.
!>
!> Each module below has the calls of one part of comm.h. cm_comm makes all of them public; programs
!> use cm_comm only.
module cm_comm
    use cm_comm_types
    use cm_comm_life
    use cm_comm_message
    use cm_comm_algorithm
    use cm_comm_reduction
    use cm_comm_collective
    implicit none
    public
end module cm_comm
