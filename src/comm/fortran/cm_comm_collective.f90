! SPDX-License-Identifier: BSD-3-Clause
!> cm_comm_collective: collective operations other than reductions.
module cm_comm_collective
    use, intrinsic :: iso_c_binding, only: c_int, c_size_t
    use cm_comm_algorithm, only: cm_algorithm
    use cm_comm_types, only: cm_group, cm_request
    implicit none
    private

    public :: cm_barrier, cm_bcast, cm_gather, cm_gatherv, cm_scatter, cm_scatterv
    public :: cm_allgather, cm_allgatherv, cm_alltoall, cm_alltoallv
    public :: cm_ibarrier, cm_ibcast, cm_igather, cm_igatherv, cm_iscatter, cm_iscatterv
    public :: cm_iallgather, cm_iallgatherv, cm_ialltoall, cm_ialltoallv

    ! Arrays that only root uses (out of gather, in of scatter) may be any array on other ranks.
    ! The lengths and offsets of a non-blocking call belong to the layer until completion, too:
    ! pass variables, not expressions.
    interface
        subroutine cm_barrier(group, algorithm) bind(c, name='cm_fortran_barrier')
            import :: cm_algorithm, cm_group
            type(cm_group), intent(in) :: group
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_barrier

        subroutine cm_ibarrier(group, request, algorithm) bind(c, name='cm_fortran_ibarrier')
            import :: cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_ibarrier

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

        !> Gathers all of in from each rank into out, in the order of the ranks.
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

        !> in consists of equal parts, each as long as all of out.
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

        !> in and out: one part for each rank, all of the same length.
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

        subroutine cm_igather(group, in, out, root, request, algorithm) &
            bind(c, name='cm_fortran_igather')
            import :: c_int, cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            integer(c_int), value :: root
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_igather

        subroutine cm_igatherv(group, in, out, out_bytes, out_offsets, root, request, algorithm) &
            bind(c, name='cm_fortran_igatherv')
            import :: c_int, c_size_t, cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            integer(c_size_t), intent(in), asynchronous :: out_bytes(:), out_offsets(:)
            integer(c_int), value :: root
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_igatherv

        subroutine cm_iscatter(group, in, out, root, request, algorithm) &
            bind(c, name='cm_fortran_iscatter')
            import :: c_int, cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            integer(c_int), value :: root
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_iscatter

        subroutine cm_iscatterv(group, in, in_bytes, in_offsets, out, root, request, algorithm) &
            bind(c, name='cm_fortran_iscatterv')
            import :: c_int, c_size_t, cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            integer(c_size_t), intent(in), asynchronous :: in_bytes(:), in_offsets(:)
            type(*), dimension(..), intent(inout), asynchronous :: out
            integer(c_int), value :: root
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_iscatterv

        subroutine cm_iallgather(group, in, out, request, algorithm) &
            bind(c, name='cm_fortran_iallgather')
            import :: cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_iallgather

        subroutine cm_iallgatherv(group, in, out, out_bytes, out_offsets, request, algorithm) &
            bind(c, name='cm_fortran_iallgatherv')
            import :: c_size_t, cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            integer(c_size_t), intent(in), asynchronous :: out_bytes(:), out_offsets(:)
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_iallgatherv

        subroutine cm_ialltoall(group, in, out, request, algorithm) &
            bind(c, name='cm_fortran_ialltoall')
            import :: cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            type(*), dimension(..), intent(inout), asynchronous :: out
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_ialltoall

        subroutine cm_ialltoallv(group, in, in_bytes, in_offsets, out, out_bytes, out_offsets, &
            request, algorithm) bind(c, name='cm_fortran_ialltoallv')
            import :: c_size_t, cm_algorithm, cm_group, cm_request
            type(cm_group), intent(in) :: group
            type(*), dimension(..), intent(in), asynchronous :: in
            integer(c_size_t), intent(in), asynchronous :: in_bytes(:), in_offsets(:)
            type(*), dimension(..), intent(inout), asynchronous :: out
            integer(c_size_t), intent(in), asynchronous :: out_bytes(:), out_offsets(:)
            type(cm_request), intent(out) :: request
            type(cm_algorithm), intent(in), optional :: algorithm
        end subroutine cm_ialltoallv
    end interface

end module cm_comm_collective
