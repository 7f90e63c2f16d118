/* SPDX-License-Identifier: BSD-3-Clause */
/* message.c: blocking point-to-point messages. */
#include "comm/mpi/backend_mpi.h"

void cm_send(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    cm_mpi_check_send("cm_send", group, data, bytes, dest, tag);
    cm_delay_message(cm_mpi.delay_ns);
    if (cm_mpi_eager_to_self(group, bytes, dest)) {
        cm_mpi_send_copy(group, data, bytes, tag);
        return;
    }
    cm_mpi_shape s = cm_mpi_shape_of(bytes);
    int error;
    if (UNLIKELY(cm_mpi.schedules) || cm_mpi_tells_length(group, dest)) {
        MPI_Request request;
        error = cm_mpi_start_send(group, data, s, dest, tag, &request);
        if (!error) error = cm_mpi_finish(&request, MPI_STATUS_IGNORE);
    } else {
        error = LARGE(MPI_Send)(data, s.count, s.type, dest, tag, group->comm);
    }
    if (UNLIKELY(error)) cm_mpi_fail("cm_send", group, dest, error);
    cm_mpi_shape_free(bytes, &s);
}

void cm_recv(cm_group *group, void *data, size_t capacity, int source, int tag, cm_status *status)
{
    cm_mpi_check_receive("cm_recv", group, data, capacity, source, tag);
    cm_mpi_shape s = cm_mpi_shape_of(capacity);
    MPI_Status got, *want = status ? &got : MPI_STATUS_IGNORE;
    int error;
    if (UNLIKELY(cm_mpi.schedules)) {
        MPI_Request request;
        error = LARGE(MPI_Irecv)(data, s.count, s.type, cm_mpi_source(source), cm_mpi_tag(tag),
                                 group->comm, &request);
        if (!error) error = cm_mpi_finish(&request, want);
    } else {
        error = LARGE(MPI_Recv)(data, s.count, s.type, cm_mpi_source(source), cm_mpi_tag(tag),
                                group->comm, want);
    }
    if (UNLIKELY(error)) cm_mpi_fail_receive("cm_recv", group, source, capacity, error);
    if (status) cm_mpi_take_status(&got, status);
    cm_mpi_shape_free(capacity, &s);
}

void cm_sendrecv(cm_group *group, const void *out, size_t out_bytes, int dest, int out_tag,
                 void *in, size_t capacity, int source, int in_tag, cm_status *status)
{
    cm_mpi_check_send("cm_sendrecv", group, out, out_bytes, dest, out_tag);
    cm_mpi_check_receive("cm_sendrecv", group, in, capacity, source, in_tag);
    cm_delay_message(cm_mpi.delay_ns);
    cm_mpi_shape s = cm_mpi_shape_of(out_bytes), r = cm_mpi_shape_of(capacity);
    MPI_Status got, *want = status ? &got : MPI_STATUS_IGNORE;
    int error;
    /* A message to this rank itself may be received after this call, which must not wait for
       that. */
    if (UNLIKELY(cm_mpi.schedules || dest == group->base.rank)) {
        MPI_Request receive, send = MPI_REQUEST_NULL;
        error = LARGE(MPI_Irecv)(in, r.count, r.type, cm_mpi_source(source), cm_mpi_tag(in_tag),
                                 group->comm, &receive);
        if (!error && cm_mpi_eager_to_self(group, out_bytes, dest))
            cm_mpi_send_copy(group, out, out_bytes, out_tag);
        else if (!error) error = cm_mpi_start_send(group, out, s, dest, out_tag, &send);
        if (!error) error = cm_mpi_finish(&send, MPI_STATUS_IGNORE);
        if (!error) error = cm_mpi_finish(&receive, want);
    } else {
#ifdef SMPI_H
        /* SMPI 3.32's MPI_Sendrecv reports a source that is not a rank of the communicator. */
        MPI_Request both[2];
        MPI_Status got_both[2];
        error = MPI_Irecv(in, r.count, r.type, cm_mpi_source(source), cm_mpi_tag(in_tag),
                          group->comm, &both[0]);
        if (!error) error = MPI_Isend(out, s.count, s.type, dest, out_tag, group->comm, &both[1]);
        if (!error) error = MPI_Waitall(2, both, got_both);
        got = got_both[0];
        if (error == MPI_ERR_IN_STATUS) error = got.MPI_ERROR;
#else
        error = LARGE(MPI_Sendrecv)(out, s.count, s.type, dest, out_tag, in, r.count, r.type,
                                    cm_mpi_source(source), cm_mpi_tag(in_tag), group->comm, want);
#endif
    }
    if (UNLIKELY(error)) cm_mpi_fail_receive("cm_sendrecv", group, source, capacity, error);
    if (status) cm_mpi_take_status(&got, status);
    cm_mpi_shape_free(out_bytes, &s);
    cm_mpi_shape_free(capacity, &r);
}

bool cm_iprobe(cm_group *group, int source, int tag, cm_status *status)
{
    cm_mpi_check_receive("cm_iprobe", group, NULL, 0, source, tag);
    MPI_Status got;
    int found;
    cm_mpi_move_schedules(group);
    int error = MPI_Iprobe(cm_mpi_source(source), cm_mpi_tag(tag), group->comm, &found, &got);
    if (UNLIKELY(error)) cm_mpi_fail("cm_iprobe", group, source, error);
    if (found && status) cm_mpi_take_status(&got, status);
    return found;
}

void cm_probe(cm_group *group, int source, int tag, cm_status *status)
{
    cm_mpi_check_receive("cm_probe", group, NULL, 0, source, tag);
    if (UNLIKELY(cm_mpi.schedules)) {
        while (!cm_iprobe(group, source, tag, status)) cm_backend_pause();
        return;
    }
    MPI_Status got;
    int error = MPI_Probe(cm_mpi_source(source), cm_mpi_tag(tag), group->comm, &got);
    if (UNLIKELY(error)) cm_mpi_fail("cm_probe", group, source, error);
    if (status) cm_mpi_take_status(&got, status);
}
