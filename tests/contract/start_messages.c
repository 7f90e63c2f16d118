/* SPDX-License-Identifier: BSD-3-Clause */
/* start_messages.c: the messages of the mpi backend's cm_init, counted by MPI's profiling
   interface. Their number grows with the ranks, not with their square. */
#include "contract.h"
#include <mpi.h>

static bool counting = true;
static int messages, gathers;

int MPI_Isend(const void *data, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    messages += counting;
    return PMPI_Isend(data, n, type, dest, tag, comm, request);
}

int MPI_Send(const void *data, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    messages += counting;
    return PMPI_Send(data, n, type, dest, tag, comm);
}

#if MPI_VERSION >= 4
int MPI_Isend_c(const void *data, MPI_Count n, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    messages += counting;
    return PMPI_Isend_c(data, n, type, dest, tag, comm, request);
}

int MPI_Send_c(const void *data, MPI_Count n, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    messages += counting;
    return PMPI_Send_c(data, n, type, dest, tag, comm);
}
#endif

/* How many messages a library needs for it is not known. */
int MPI_Allgather(const void *in, int n_in, MPI_Datatype type_in, void *out, int n_out,
                  MPI_Datatype type_out, MPI_Comm comm)
{
    gathers += counting;
    return PMPI_Allgather(in, n_in, type_in, out, n_out, type_out, comm);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    counting = false;
    int32_t mine[2] = {messages, gathers}, all[2];
    point("the start takes 2 (p - 1) messages at most, and no allgather");
    cm_allreduce(world, mine, all, 2, CM_INT32, CM_SUM, CM_AUTO);
    EXPECT(all[0] <= 2 * (size - 1) && (all[0] >= size - 1) && all[1] == 0,
           "%d messages, %d calls of MPI_Allgather", (int)all[0], (int)all[1]);
    return contract_done();
}
