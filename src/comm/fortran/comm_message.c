/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_message.c: the C side of module cm_comm_message. */
#include "comm/fortran/comm_fortran.h"

void cm_fortran_send(const group_t *group, const array *data, int dest, int tag)
{
    buffer b = whole("cm_send", "data", data);
    cm_send(group->handle, b.data, b.bytes, dest, tag);
}

void cm_fortran_recv(const group_t *group, const array *data, int source, int tag,
                     cm_status *status)
{
    buffer b = whole("cm_recv", "data", data);
    cm_recv(group->handle, b.data, b.bytes, source, tag, status);
}

void cm_fortran_sendrecv(const group_t *group, const array *out, int dest, int out_tag,
                         const array *in, int source, int in_tag, cm_status *status)
{
    buffer from = whole("cm_sendrecv", "out", out), to = whole("cm_sendrecv", "in", in);
    cm_sendrecv(group->handle, from.data, from.bytes, dest, out_tag, to.data, to.bytes, source,
                in_tag, status);
}

void cm_fortran_isend(const group_t *group, const array *data, int dest, int tag,
                      request_t *request)
{
    buffer b = whole("cm_isend", "data", data);
    request->handle = cm_isend(group->handle, b.data, b.bytes, dest, tag);
}

void cm_fortran_irecv(const group_t *group, const array *data, int source, int tag,
                      request_t *request)
{
    buffer b = whole("cm_irecv", "data", data);
    request->handle = cm_irecv(group->handle, b.data, b.bytes, source, tag);
}

/* An array of requests is an array of pointers. */
static cm_request **list(const char *call, const array *requests, int *n)
{
    *n = (int)elements(call, "requests", requests);
    return requests->base_addr;
}

/* Returns the array of an optional argument that has room for n statuses, or NULL if it is not
   there. */
static cm_status *optional_statuses(const char *call, const array *statuses, int n)
{
    if (!statuses || !statuses->base_addr) return NULL;
    const size_t room = elements(call, "statuses", statuses);
    if (room < (size_t)n)
        cm_abort(CM_EXIT_USAGE,
                 "%s: statuses has %zu elements; expected one for each of the %d requests", call,
                 room, n);
    return statuses->base_addr;
}

void cm_fortran_waitall(const array *requests, const array *statuses)
{
    int n;
    cm_request **handles = list("cm_waitall", requests, &n);
    cm_waitall(n, handles, optional_statuses("cm_waitall", statuses, n));
}

int cm_fortran_waitany(const array *requests, cm_status *status)
{
    int n;
    cm_request **handles = list("cm_waitany", requests, &n);
    return cm_waitany(n, handles, status) + 1;
}

int cm_fortran_waitsome(const array *requests, const array *indices, const array *statuses)
{
    int n;
    cm_request **handles = list("cm_waitsome", requests, &n);
    cm_status *status = optional_statuses("cm_waitsome", statuses, n);
    const size_t room = elements("cm_waitsome", "indices", indices);
    if (room < (size_t)n)
        cm_abort(CM_EXIT_USAGE,
                 "cm_waitsome: indices has %zu elements; expected one for each of the %d requests",
                 room, n);
    int *index = indices->base_addr;
    int completed = cm_waitsome(n, handles, index, status);
    for (int k = 0; k < completed; k++) index[k]++;
    return completed < 0 ? 0 : completed;
}

void cm_fortran_probe(const group_t *group, int source, int tag, cm_status *status)
{
    cm_probe(group->handle, source, tag, status);
}

bool cm_fortran_iprobe(const group_t *group, int source, int tag, cm_status *status)
{
    return cm_iprobe(group->handle, source, tag, status);
}
