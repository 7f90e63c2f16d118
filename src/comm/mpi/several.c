/* SPDX-License-Identifier: BSD-3-Clause */
/* several.c: waiting for several requests. */
#include <stdlib.h>
#include "comm/mpi/backend_mpi.h"

/* MPI's view of n requests, in memory that is valid until the next call. Returns false if one of
   them is already complete, which MPI would treat as no request. */
static struct {
    int n;
    MPI_Request *requests;
    MPI_Status *statuses;
} view;

static bool view_requests(int n, cm_request **requests)
{
    if (UNLIKELY(n > view.n)) {
        free(view.requests);
        free(view.statuses);
        view.n = n < 64 ? 64 : n;
        view.requests = cm_mpi_allocate((size_t)view.n * sizeof *view.requests);
        view.statuses = cm_mpi_allocate((size_t)view.n * sizeof *view.statuses);
    }
    bool all_open = true;
    for (int k = 0; k < n; k++) {
        view.requests[k] = requests[k] ? requests[k]->mpi : MPI_REQUEST_NULL;
        all_open &= !requests[k] || requests[k]->mpi != MPI_REQUEST_NULL;
    }
    return all_open;
}

/* With several requests, MPI puts the error of each request into its status if any of them
   failed. */
__attribute__((cold, noreturn)) static void
fail_several(const char *operation, int n, cm_request **requests, const int *indices, int error)
{
    int class;
    MPI_Error_class(error, &class);
    for (int k = 0; class == MPI_ERR_IN_STATUS && k < n; k++) {
        const cm_request *request = requests[indices ? indices[k] : k];
        int own = view.statuses[k].MPI_ERROR;
        if (request && own != MPI_SUCCESS && own != MPI_ERR_PENDING)
            cm_mpi_fail_request(operation, request, own);
    }
    cm_mpi_fail(operation, &cm_mpi.world, CM_ANY, error);
}

void cm_waitall(int n, cm_request **requests, cm_status *statuses)
{
    if (UNLIKELY(cm_mpi.schedules)) {
        for (int k = 0; k < n; k++) cm_wait(&requests[k], statuses ? &statuses[k] : NULL);
        return;
    }
    view_requests(n, requests);
    int error = MPI_Waitall(n, view.requests, view.statuses);
    if (UNLIKELY(error)) fail_several("cm_waitall", n, requests, NULL, error);
    for (int k = 0; k < n; k++)
        if (requests[k]) {
            cm_mpi_take_end(requests[k], &view.statuses[k], statuses ? &statuses[k] : NULL);
            cm_mpi_request_free(requests[k]);
            requests[k] = NULL;
        }
}

/* Checks all n requests until at least one is complete, and fills at most `most` indices. Returns
   -1 if all are NULL. */
static int wait_looking(const char *operation, int n, cm_request **requests, int most, int *indices,
                        cm_status *statuses)
{
    for (;;) {
        int present = 0, completed = 0;
        for (int k = 0; k < n && completed < most; k++) {
            if (!requests[k]) continue;
            present++;
            if (cm_mpi_complete(operation, &requests[k], statuses ? &statuses[completed] : NULL))
                indices[completed++] = k;
        }
        if (!present) return -1;
        if (completed) return completed;
        cm_mpi_pause(n, requests);
    }
}

int cm_waitany(int n, cm_request **requests, cm_status *status)
{
    int index;
    if (UNLIKELY(cm_mpi.schedules || !view_requests(n, requests)))
        return wait_looking("cm_waitany", n, requests, 1, &index, status) < 0 ? -1 : index;
    MPI_Status got;
    int error = MPI_Waitany(n, view.requests, &index, &got);
    if (UNLIKELY(error)) {
        if (index >= 0 && index < n) cm_mpi_fail_request("cm_waitany", requests[index], error);
        cm_mpi_fail("cm_waitany", &cm_mpi.world, CM_ANY, error);
    }
    if (index == MPI_UNDEFINED) return -1;
    cm_mpi_take_end(requests[index], &got, status);
    cm_mpi_request_free(requests[index]);
    requests[index] = NULL;
    return index;
}

int cm_waitsome(int n, cm_request **requests, int *indices, cm_status *statuses)
{
    if (UNLIKELY(cm_mpi.schedules || !view_requests(n, requests)))
        return wait_looking("cm_waitsome", n, requests, n, indices, statuses);
    int completed;
    int error = MPI_Waitsome(n, view.requests, &completed, indices, view.statuses);
    if (UNLIKELY(error)) fail_several("cm_waitsome", completed, requests, indices, error);
    if (completed == MPI_UNDEFINED) return -1;
    for (int k = 0; k < completed; k++) {
        cm_request **request = &requests[indices[k]];
        cm_mpi_take_end(*request, &view.statuses[k], statuses ? &statuses[k] : NULL);
        cm_mpi_request_free(*request);
        *request = NULL;
    }
    return completed;
}
