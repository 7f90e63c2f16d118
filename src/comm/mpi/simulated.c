/* SPDX-License-Identifier: BSD-3-Clause */
/* simulated.c: waiting beside schedules under a simulator, without looking again and again. */
#include "comm/mpi/backend_mpi.h"

/* Adds a request to the view, unless it is complete. Returns false if it is. */
static bool await(cm_request *request, int *n, cm_request **awaited, MPI_Request *view)
{
    if (request->mpi == MPI_REQUEST_NULL) return false;
    awaited[*n] = request;
    view[(*n)++] = request->mpi;
    return true;
}

void cm_mpi_pause(int n, cm_request **requests)
{
    enum { MOST = 64 };
    cm_request *pending[MOST], *awaited[2 * MOST];
    MPI_Request view[2 * MOST];
    if (n > MOST) {
        cm_backend_pause();
        return;
    }
    cm_schedule_progress();
    int all = 0, index = 0;
    for (int k = 0; k < n; k++) {
        if (!requests[k]) continue;
        if (requests[k]->base.schedule) {
            if (cm_schedule_advance(requests[k]->base.schedule)) return;
        } else if (!await(requests[k], &all, awaited, view)) {
            return;
        }
    }
    const int schedules = cm_schedule_awaited(MOST, pending);
    for (int k = 0; k < schedules; k++)
        if (!await(pending[k], &all, awaited, view)) return;
    MPI_Status got;
    int error = all == 1 ? MPI_Wait(view, &got) : MPI_Waitany(all, view, &index, &got);
    if (UNLIKELY(error)) cm_mpi_fail("waiting", &cm_mpi.world, CM_ANY, error);
    if (index == MPI_UNDEFINED) return;
    awaited[index]->mpi = MPI_REQUEST_NULL;
    awaited[index]->ended = true;
    awaited[index]->got = got;
}
