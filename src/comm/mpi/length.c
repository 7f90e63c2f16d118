/* SPDX-License-Identifier: BSD-3-Clause */
/* length.c: makes a message whose length exceeds MPI's counts one element of a derived type. */
#include "comm/mpi/length.h"

#if !LARGE_COUNTS
/* The type consists of chunks of 2^30 bytes and the rest. */
MPI_Datatype cm_mpi_long_type(size_t bytes)
{
    const int chunk_bytes = 1 << 30;
    int chunks = (int)(bytes / (size_t)chunk_bytes);
    MPI_Datatype chunk, whole;
    MPI_Type_contiguous(chunk_bytes, MPI_BYTE, &chunk);
    int lengths[] = {chunks, (int)(bytes % (size_t)chunk_bytes)};
    MPI_Aint offsets[] = {0, (MPI_Aint)chunks * chunk_bytes};
    MPI_Datatype types[] = {chunk, MPI_BYTE};
    MPI_Type_create_struct(2, lengths, offsets, types, &whole);
    MPI_Type_commit(&whole);
    MPI_Type_free(&chunk);
    return whole;
}
#endif
