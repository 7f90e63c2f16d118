/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c: advances schedules (collectives made of messages) in addition to MPI's own calls. */
#include <sched.h>
#include "comm/mpi/backend_mpi.h"

void cm_backend_pause(void)
{
    if (cm_mpi.schedules) cm_schedule_progress();
    if (cm_mpi.oversubscribed) sched_yield();
}

int cm_mpi_finish(MPI_Request *request, MPI_Status *status)
{
    for (;;) {
        int done, error = MPI_Test(request, &done, status);
        if (error || done) return error;
        cm_backend_pause();
    }
}

/* A non-blocking collective of MPI would not match the blocking one on ranks without pending
   operations. So the pending ones are completed first, which is possible because all members of a
   group start its collectives in the same order. Ranks would wait for each other only if they
   started collectives of two groups in opposite orders. */
void cm_mpi_complete_schedules(void)
{
    while (cm_schedule_pending()) cm_mpi_pause(0, NULL);
}

void cm_progress(void)
{
    int flag;
    if (cm_mpi.schedules) cm_schedule_progress();
    const cm_group *world = &cm_mpi.world;
    int error = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world->comm, &flag, MPI_STATUS_IGNORE);
    if (UNLIKELY(error)) cm_mpi_fail("cm_progress", world, CM_ANY, error);
}

/* MPI holds no messages back, and a program over it cannot do so without frames of its own. */
bool cm_coalesce(bool on)
{
    (void)on;
    return false;
}
