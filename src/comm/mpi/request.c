/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c: requests, and waiting for one of them. */
#include "comm/mpi/backend_mpi.h"

void cm_mpi_refill_requests(void)
{
    enum { BLOCK = 64 };
    cm_request *block = cm_mpi_allocate(BLOCK * sizeof *block);
    for (int k = 0; k < BLOCK; k++) {
        block[k].next_free = cm_mpi.free_requests;
        cm_mpi.free_requests = &block[k];
    }
}

cm_request *cm_backend_request_new(cm_schedule *schedule)
{
    cm_request *request = cm_mpi_request_new(&cm_mpi.world, CM_REQUEST_COLLECTIVE, CM_ANY);
    request->base.schedule = schedule;
    cm_mpi.schedules++;
    return request;
}

void cm_backend_request_free(cm_request *request)
{
    if (request->base.schedule) cm_mpi.schedules--;
    cm_mpi_request_free(request);
}

cm_request *cm_isend(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    cm_mpi_check_send("cm_isend", group, data, bytes, dest, tag);
    cm_delay_message(cm_mpi.delay_ns);
    cm_request *request = cm_mpi_request_new(group, CM_REQUEST_SEND, dest);
    if (cm_mpi_eager_to_self(group, bytes, dest)) {
        cm_mpi_send_copy(group, data, bytes, tag);
        return request; /* complete; its mpi is MPI_REQUEST_NULL */
    }
    cm_mpi_shape s = cm_mpi_shape_of(bytes);
    int error = cm_mpi_start_send(group, data, s, dest, tag, &request->mpi);
    if (UNLIKELY(error)) cm_mpi_fail("cm_isend", group, dest, error);
    cm_mpi_shape_free(bytes, &s);
    return request;
}

cm_request *cm_irecv(cm_group *group, void *data, size_t capacity, int source, int tag)
{
    cm_mpi_check_receive("cm_irecv", group, data, capacity, source, tag);
    cm_request *request = cm_mpi_request_new(group, CM_REQUEST_RECEIVE, source);
    request->capacity = capacity;
    cm_mpi_shape s = cm_mpi_shape_of(capacity);
    int error = LARGE(MPI_Irecv)(data, s.count, s.type, cm_mpi_source(source), cm_mpi_tag(tag),
                                 group->comm, &request->mpi);
    if (UNLIKELY(error)) cm_mpi_fail("cm_irecv", group, source, error);
    cm_mpi_shape_free(capacity, &s);
    return request;
}

bool cm_mpi_complete(const char *operation, cm_request **where, cm_status *status)
{
    cm_request *request = *where;
    if (request->base.schedule) {
        if (!cm_schedule_advance(request->base.schedule)) return false;
        if (status) status->failed = -1;
        cm_schedule_free(request->base.schedule);
        cm_backend_request_free(request);
    } else {
        MPI_Status got;
        int done = request->ended, error = MPI_SUCCESS;
        if (UNLIKELY(done)) got = request->got;
        else error = MPI_Test(&request->mpi, &done, status ? &got : MPI_STATUS_IGNORE);
        if (UNLIKELY(error)) cm_mpi_fail_request(operation, request, error);
        if (!done) return false;
        cm_mpi_take_end(request, &got, status);
        cm_mpi_request_free(request);
    }
    *where = NULL;
    return true;
}

bool cm_test(cm_request **request, cm_status *status)
{
    if (!*request) return true;
    cm_mpi_move_schedules((*request)->group);
    return cm_mpi_complete("cm_test", request, status);
}

void cm_wait(cm_request **where, cm_status *status)
{
    cm_request *request = *where;
    if (!request) return;
    if (UNLIKELY(cm_mpi.schedules)) {
        while (!cm_mpi_complete("cm_wait", where, status)) cm_mpi_pause(1, where);
        return;
    }
    MPI_Status got;
    int error = MPI_Wait(&request->mpi, status ? &got : MPI_STATUS_IGNORE);
    if (UNLIKELY(error)) cm_mpi_fail_request("cm_wait", request, error);
    cm_mpi_take_end(request, &got, status);
    cm_mpi_request_free(request);
    *where = NULL;
}

void cm_cancel(cm_request **where)
{
    cm_request *request = *where;
    if (!request) return;
    if (request->kind != CM_REQUEST_RECEIVE)
        cm_abort(CM_EXIT_USAGE, "cm_cancel: only receives can be cancelled");
    int error = MPI_Cancel(&request->mpi);
    if (error) cm_mpi_fail_request("cm_cancel", request, error);
    cm_wait(where, NULL);
}
