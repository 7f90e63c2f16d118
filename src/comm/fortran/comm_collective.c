/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_collective.c: the C side of module cm_comm_collective. */
#include "comm/fortran/comm_fortran.h"

/* A list of one length or offset a rank. */
static const size_t *per_rank(const char *call, const char *argument, const array *d, int size)
{
    size_t n = elements(call, argument, d);
    if (n < (size_t)size)
        cm_abort(CM_EXIT_USAGE, "%s: %s has %zu elements for %d ranks", call, argument, n, size);
    return d->base_addr;
}

/* Refuses an array that is shorter than what is to come or go. */
static void check_room(const char *call, const char *argument, buffer b, size_t parts, size_t bytes)
{
    size_t need;
    if (__builtin_mul_overflow(parts, bytes, &need) || b.bytes < need)
        cm_abort(CM_EXIT_USAGE, "%s: %s has %zu bytes, which is too few for %zu times %zu", call,
                 argument, b.bytes, parts, bytes);
}

static void check_blocks(const char *call, const char *argument, buffer b, int size,
                         const size_t *bytes, const size_t *offsets)
{
    for (int k = 0; k < size; k++) {
        size_t end;
        if (bytes[k] && (__builtin_add_overflow(bytes[k], offsets[k], &end) || end > b.bytes))
            cm_abort(CM_EXIT_USAGE,
                     "%s: %zu bytes at offset %zu for rank %d are not within %s"
                     " of %zu bytes",
                     call, bytes[k], offsets[k], k, argument, b.bytes);
    }
}

/* ---- The calls ------------------------------------------------------------------------------- */

void cm_fortran_barrier(const group_t *group, const cm_algorithm *algorithm)
{
    cm_barrier(group->handle, chosen(algorithm));
}

void cm_fortran_bcast(const group_t *group, const array *data, int root,
                      const cm_algorithm *algorithm)
{
    buffer b = whole("cm_bcast", "data", data);
    cm_bcast(group->handle, b.data, b.bytes, root, chosen(algorithm));
}

void cm_fortran_ibcast(const group_t *group, const array *data, int root, request_t *request,
                       const cm_algorithm *algorithm)
{
    buffer b = whole("cm_ibcast", "data", data);
    request->handle = cm_ibcast(group->handle, b.data, b.bytes, root, chosen(algorithm));
}

void cm_fortran_gather(const group_t *group, const array *in, const array *out, int root,
                       const cm_algorithm *algorithm)
{
    buffer from = whole("cm_gather", "in", in), to = {NULL, 0};
    if (cm_rank(group->handle) == root) {
        to = whole("cm_gather", "out", out);
        check_room("cm_gather", "out", to, (size_t)cm_size(group->handle), from.bytes);
    }
    cm_gather(group->handle, from.data, from.bytes, to.data, root, chosen(algorithm));
}

void cm_fortran_gatherv(const group_t *group, const array *in, const array *out,
                        const array *out_bytes, const array *out_offsets, int root,
                        const cm_algorithm *algorithm)
{
    buffer from = whole("cm_gatherv", "in", in), to = {NULL, 0};
    const size_t *bytes = NULL, *offsets = NULL;
    if (cm_rank(group->handle) == root) {
        int size = cm_size(group->handle);
        to = whole("cm_gatherv", "out", out);
        bytes = per_rank("cm_gatherv", "out_bytes", out_bytes, size);
        offsets = per_rank("cm_gatherv", "out_offsets", out_offsets, size);
        check_blocks("cm_gatherv", "out", to, size, bytes, offsets);
    }
    cm_gatherv(group->handle, from.data, from.bytes, to.data, bytes, offsets, root,
               chosen(algorithm));
}

void cm_fortran_scatter(const group_t *group, const array *in, const array *out, int root,
                        const cm_algorithm *algorithm)
{
    buffer from = {NULL, 0}, to = whole("cm_scatter", "out", out);
    if (cm_rank(group->handle) == root) {
        from = whole("cm_scatter", "in", in);
        check_room("cm_scatter", "in", from, (size_t)cm_size(group->handle), to.bytes);
    }
    cm_scatter(group->handle, from.data, to.bytes, to.data, root, chosen(algorithm));
}

void cm_fortran_scatterv(const group_t *group, const array *in, const array *in_bytes,
                         const array *in_offsets, const array *out, int root,
                         const cm_algorithm *algorithm)
{
    buffer from = {NULL, 0}, to = whole("cm_scatterv", "out", out);
    const size_t *bytes = NULL, *offsets = NULL;
    if (cm_rank(group->handle) == root) {
        int size = cm_size(group->handle);
        from = whole("cm_scatterv", "in", in);
        bytes = per_rank("cm_scatterv", "in_bytes", in_bytes, size);
        offsets = per_rank("cm_scatterv", "in_offsets", in_offsets, size);
        check_blocks("cm_scatterv", "in", from, size, bytes, offsets);
    }
    cm_scatterv(group->handle, from.data, bytes, offsets, to.data, to.bytes, root,
                chosen(algorithm));
}

void cm_fortran_allgather(const group_t *group, const array *in, const array *out,
                          const cm_algorithm *algorithm)
{
    buffer from = whole("cm_allgather", "in", in), to = whole("cm_allgather", "out", out);
    check_room("cm_allgather", "out", to, (size_t)cm_size(group->handle), from.bytes);
    cm_allgather(group->handle, from.data, from.bytes, to.data, chosen(algorithm));
}

void cm_fortran_allgatherv(const group_t *group, const array *in, const array *out,
                           const array *out_bytes, const array *out_offsets,
                           const cm_algorithm *algorithm)
{
    int size = cm_size(group->handle);
    buffer from = whole("cm_allgatherv", "in", in), to = whole("cm_allgatherv", "out", out);
    const size_t *bytes = per_rank("cm_allgatherv", "out_bytes", out_bytes, size);
    const size_t *offsets = per_rank("cm_allgatherv", "out_offsets", out_offsets, size);
    check_blocks("cm_allgatherv", "out", to, size, bytes, offsets);
    cm_allgatherv(group->handle, from.data, from.bytes, to.data, bytes, offsets, chosen(algorithm));
}

void cm_fortran_alltoall(const group_t *group, const array *in, const array *out,
                         const cm_algorithm *algorithm)
{
    size_t size = (size_t)cm_size(group->handle);
    buffer from = whole("cm_alltoall", "in", in), to = whole("cm_alltoall", "out", out);
    if (from.bytes % size != 0)
        cm_abort(CM_EXIT_USAGE, "cm_alltoall: in has %zu bytes, which are not %zu equal parts",
                 from.bytes, size);
    check_room("cm_alltoall", "out", to, size, from.bytes / size);
    cm_alltoall(group->handle, from.data, from.bytes / size, to.data, chosen(algorithm));
}

void cm_fortran_alltoallv(const group_t *group, const array *in, const array *in_bytes,
                          const array *in_offsets, const array *out, const array *out_bytes,
                          const array *out_offsets, const cm_algorithm *algorithm)
{
    int size = cm_size(group->handle);
    buffer from = whole("cm_alltoallv", "in", in), to = whole("cm_alltoallv", "out", out);
    const size_t *lengths = per_rank("cm_alltoallv", "in_bytes", in_bytes, size);
    const size_t *places = per_rank("cm_alltoallv", "in_offsets", in_offsets, size);
    const size_t *to_lengths = per_rank("cm_alltoallv", "out_bytes", out_bytes, size);
    const size_t *to_places = per_rank("cm_alltoallv", "out_offsets", out_offsets, size);
    check_blocks("cm_alltoallv", "in", from, size, lengths, places);
    check_blocks("cm_alltoallv", "out", to, size, to_lengths, to_places);
    cm_alltoallv(group->handle, from.data, lengths, places, to.data, to_lengths, to_places,
                 chosen(algorithm));
}
