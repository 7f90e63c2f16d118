/* SPDX-License-Identifier: BSD-3-Clause */
/* self.c: eager messages to the rank itself. MPI_Send to the own rank may block until the receive
   is posted, which never happens with one thread (MPICH blocks at any length). So such messages are
   sent from a copy, which is kept until MPI has delivered it. */
#include <stdlib.h>
#include <string.h>
#include "comm/mpi/backend_mpi.h"

typedef struct kept_send {
    MPI_Request mpi;
    struct kept_send *next;
    char data[];
} kept_send;
static struct {
    kept_send *first, **end;
} kept = {NULL, &kept.first};

static void release_kept_sends(void)
{
    while (kept.first) {
        kept_send *send = kept.first;
        int done, error = MPI_Test(&send->mpi, &done, MPI_STATUS_IGNORE);
        if (error) cm_mpi_fail("cm_send", &cm_mpi.world, cm_mpi.world.base.rank, error);
        if (!done) return;
        kept.first = send->next;
        if (!kept.first) kept.end = &kept.first;
        free(send);
    }
}

void cm_mpi_drop_kept_sends(void)
{
    release_kept_sends();
    for (kept_send *send = kept.first; send; send = send->next)
        MPI_Request_free(&send->mpi); /* never received; its memory is not freed */
}

void cm_mpi_send_copy(cm_group *group, const void *data, size_t bytes, int tag)
{
    release_kept_sends();
    kept_send *send = cm_mpi_allocate(sizeof *send + bytes);
    if (bytes) memcpy(send->data, data, bytes);
    int error = cm_mpi_start_send(group, send->data, cm_mpi_shape_of(bytes), group->base.rank, tag,
                                  &send->mpi);
    if (error) cm_mpi_fail("cm_send", group, group->base.rank, error);
    send->next = NULL;
    *kept.end = send;
    kept.end = &send->next;
    release_kept_sends();
}
