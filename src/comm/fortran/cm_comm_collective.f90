! SPDX-License-Identifier: BSD-3-Clause
!> cm_comm_collective: collective operations other than reductions.
module cm_comm_collective
    use, intrinsic :: iso_c_binding, only: c_int, c_size_t
    use cm_comm_algorithm, only: cm_algorithm
    use cm_comm_types, only: cm_group, cm_request
    implicit none
    private

    public :: cm_barrier, cm_bcast, cm_ibcast, cm_gather, cm_gatherv, cm_scatter, cm_scatterv
    public :: cm_allgather, cm_allgatherv, cm_alltoall, cm_alltoallv

    ! What is read or written on root alone (out of gather, in of scatter) may be any array
    ! elsewhere.
    interface
        subroutine cm_barrier(group, algorithm) bind(c, name='cm_fortran_barrier')
            import :: cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_barrier

        subroutine cm_bcast(group, data, root, algorithm) bind(c, name='cm_fortran_bcast')
            import :: c_int, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout) :: data
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_bcast

        subroutine cm_ibcast(group, data, root, request, algorithm) &
            bind(c, name='cm_fortran_ibcast')
            import :: c_int, cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(inout), asynchronous :: data
            integer(c_int), value :: root
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_ibcast

        !> All of in from each rank, one after the other, into out.
        subroutine cm_gather(group, in, out, root, algorithm) bind(c, name='cm_fortran_gather')
            import :: c_int, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_gather

        subroutine cm_gatherv(group, in, out, out_bytes, out_offsets, root, algorithm) &
            bind(c, name='cm_fortran_gatherv')
            import :: c_int, c_size_t, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            integer(c_size_t), intent(in) :: out_bytes(:), out_offsets(:)
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_gatherv

        !> Equal parts of in, each as long as all of out.
        subroutine cm_scatter(group, in, out, root, algorithm) bind(c, name='cm_fortran_scatter')
            import :: c_int, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_scatter

        subroutine cm_scatterv(group, in, in_bytes, in_offsets, out, root, algorithm) &
            bind(c, name='cm_fortran_scatterv')
            import :: c_int, c_size_t, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            integer(c_size_t), intent(in) :: in_bytes(:), in_offsets(:)
            type(*), dimension(..), intent(inout) :: out
            integer(c_int), value :: root
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_scatterv

        subroutine cm_allgather(group, in, out, algorithm) bind(c, name='cm_fortran_allgather')
            import :: cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_allgather

        subroutine cm_allgatherv(group, in, out, out_bytes, out_offsets, algorithm) &
            bind(c, name='cm_fortran_allgatherv')
            import :: c_size_t, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            integer(c_size_t), intent(in) :: out_bytes(:), out_offsets(:)
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_allgatherv

        !> in and out: one part a rank, all of the same length.
        subroutine cm_alltoall(group, in, out, algorithm) bind(c, name='cm_fortran_alltoall')
            import :: cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            type(*), dimension(..), intent(inout) :: out
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_alltoall

        subroutine cm_alltoallv(group, in, in_bytes, in_offsets, out, out_bytes, out_offsets, &
            algorithm) bind(c, name='cm_fortran_alltoallv')
            import :: c_size_t, cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in) :: in
            integer(c_size_t), intent(in) :: in_bytes(:), in_offsets(:)
            type(*), dimension(..), intent(inout) :: out
            integer(c_size_t), intent(in) :: out_bytes(:), out_offsets(:)
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_alltoallv
    end interface

end module cm_comm_collective
