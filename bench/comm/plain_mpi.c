/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_mpi.c: the lower bound for the mpi backend, by MPI_Send and MPI_Recv. Usage: mpiexec -n 2
   plain_mpi BYTES... */
#include "config.h"
#include <mpi.h>
#include "pingpong.h"

static void mpi_send(void *place, char *data, size_t bytes)
{
    MPI_Send(data, (int)bytes, MPI_BYTE, *(int *)place, 0, MPI_COMM_WORLD);
}

static void mpi_recv(void *place, char *data, size_t bytes)
{
    MPI_Recv(data, (int)bytes, MPI_BYTE, *(int *)place, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) MPI_Abort(MPI_COMM_WORLD, 2);
    int other = 1 - rank;
    bench_pin(rank);
    int status = bench_pingpong(rank, mpi_send, mpi_recv, &other, argc, argv);
    MPI_Finalize();
    return status;
}
