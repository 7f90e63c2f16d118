/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_collective.c: the C side of module cm_comm_collective. */
#include "comm/fortran/comm_fortran.h"

/* A list of lengths or offsets, one for each rank. */
static const size_t *per_rank(const char *call, const char *argument, const array *d, int size)
{
    size_t n = elements(call, argument, d);
    if (n < (size_t)size)
        cm_abort(CM_EXIT_USAGE, "%s: %s has %zu elements; expected one for each of the %d ranks",
                 call, argument, n, size);
    return d->base_addr;
}

/* Refuses an array that is too short for the data. */
static void check_room(const char *call, const char *argument, buffer b, size_t parts, size_t bytes)
{
    size_t need;
    if (__builtin_mul_overflow(parts, bytes, &need) || b.bytes < need)
        cm_abort(CM_EXIT_USAGE, "%s: %s has %zu bytes; expected at least %zu times %zu", call,
                 argument, b.bytes, parts, bytes);
}

static void check_blocks(const char *call, const char *argument, buffer b, int size,
                         const size_t *bytes, const size_t *offsets)
{
    for (int k = 0; k < size; k++) {
        size_t end;
        if (bytes[k] && (__builtin_add_overflow(bytes[k], offsets[k], &end) || end > b.bytes))
            cm_abort(CM_EXIT_USAGE,
                     "%s: %zu bytes at offset %zu for rank %d are outside of %s"
                     ", which has %zu bytes",
                     call, bytes[k], offsets[k], k, argument, b.bytes);
    }
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* The arguments of a C call, after checks. bytes: length of a block. */
typedef struct {
    cm_group *group;
    buffer in, out;
    size_t bytes;
    const size_t *in_bytes, *in_offsets, *out_bytes, *out_offsets;
    cm_algorithm algorithm;
} arguments;

static arguments gathered(const char *call, const group_t *group, const array *in, const array *out,
                          bool arrives, const cm_algorithm *algorithm)
{
    arguments a = {.group = group->handle, .algorithm = chosen(algorithm)};
    a.in = whole(call, "in", in);
    a.bytes = a.in.bytes;
    if (!arrives) return a;
    a.out = whole(call, "out", out);
    check_room(call, "out", a.out, (size_t)cm_size(a.group), a.bytes);
    return a;
}

static arguments gathered_varied(const char *call, const group_t *group, const array *in,
                                 const array *out, const array *out_bytes, const array *out_offsets,
                                 bool arrives, const cm_algorithm *algorithm)
{
    arguments a = {.group = group->handle, .algorithm = chosen(algorithm)};
    const int size = cm_size(a.group);
    a.in = whole(call, "in", in);
    a.bytes = a.in.bytes;
    if (!arrives) return a;
    a.out = whole(call, "out", out);
    a.out_bytes = per_rank(call, "out_bytes", out_bytes, size);
    a.out_offsets = per_rank(call, "out_offsets", out_offsets, size);
    check_blocks(call, "out", a.out, size, a.out_bytes, a.out_offsets);
    return a;
}

static arguments scattered(const char *call, const group_t *group, const array *in,
                           const array *out, int root, const cm_algorithm *algorithm)
{
    arguments a = {.group = group->handle, .algorithm = chosen(algorithm)};
    a.out = whole(call, "out", out);
    a.bytes = a.out.bytes;
    if (cm_rank(a.group) != root) return a;
    a.in = whole(call, "in", in);
    check_room(call, "in", a.in, (size_t)cm_size(a.group), a.bytes);
    return a;
}

static arguments scattered_varied(const char *call, const group_t *group, const array *in,
                                  const array *in_bytes, const array *in_offsets, const array *out,
                                  int root, const cm_algorithm *algorithm)
{
    arguments a = {.group = group->handle, .algorithm = chosen(algorithm)};
    const int size = cm_size(a.group);
    a.out = whole(call, "out", out);
    a.bytes = a.out.bytes;
    if (cm_rank(a.group) != root) return a;
    a.in = whole(call, "in", in);
    a.in_bytes = per_rank(call, "in_bytes", in_bytes, size);
    a.in_offsets = per_rank(call, "in_offsets", in_offsets, size);
    check_blocks(call, "in", a.in, size, a.in_bytes, a.in_offsets);
    return a;
}

static arguments exchanged(const char *call, const group_t *group, const array *in,
                           const array *out, const cm_algorithm *algorithm)
{
    arguments a = {.group = group->handle, .algorithm = chosen(algorithm)};
    const size_t size = (size_t)cm_size(a.group);
    a.in = whole(call, "in", in);
    a.out = whole(call, "out", out);
    a.bytes = a.in.bytes / size;
    if (a.in.bytes % size != 0)
        cm_abort(CM_EXIT_USAGE,
                 "%s: in has %zu bytes; expected a multiple of %zu, one part for each rank", call,
                 a.in.bytes, size);
    check_room(call, "out", a.out, size, a.bytes);
    return a;
}

static arguments exchanged_varied(const char *call, const group_t *group, const array *in,
                                  const array *in_bytes, const array *in_offsets, const array *out,
                                  const array *out_bytes, const array *out_offsets,
                                  const cm_algorithm *algorithm)
{
    arguments a = {.group = group->handle, .algorithm = chosen(algorithm)};
    const int size = cm_size(a.group);
    a.in = whole(call, "in", in);
    a.out = whole(call, "out", out);
    a.in_bytes = per_rank(call, "in_bytes", in_bytes, size);
    a.in_offsets = per_rank(call, "in_offsets", in_offsets, size);
    a.out_bytes = per_rank(call, "out_bytes", out_bytes, size);
    a.out_offsets = per_rank(call, "out_offsets", out_offsets, size);
    check_blocks(call, "in", a.in, size, a.in_bytes, a.in_offsets);
    check_blocks(call, "out", a.out, size, a.out_bytes, a.out_offsets);
    return a;
}

/* ---- The calls ------------------------------------------------------------------------------- */

void cm_fortran_barrier(const group_t *group, const cm_algorithm *algorithm)
{
    cm_barrier(group->handle, chosen(algorithm));
}

void cm_fortran_ibarrier(const group_t *group, request_t *request, const cm_algorithm *algorithm)
{
    request->handle = cm_ibarrier(group->handle, chosen(algorithm));
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
    const arguments a =
        gathered("cm_gather", group, in, out, cm_rank(group->handle) == root, algorithm);
    cm_gather(a.group, a.in.data, a.bytes, a.out.data, root, a.algorithm);
}

void cm_fortran_igather(const group_t *group, const array *in, const array *out, int root,
                        request_t *request, const cm_algorithm *algorithm)
{
    const arguments a =
        gathered("cm_igather", group, in, out, cm_rank(group->handle) == root, algorithm);
    request->handle = cm_igather(a.group, a.in.data, a.bytes, a.out.data, root, a.algorithm);
}

void cm_fortran_gatherv(const group_t *group, const array *in, const array *out,
                        const array *out_bytes, const array *out_offsets, int root,
                        const cm_algorithm *algorithm)
{
    const arguments a = gathered_varied("cm_gatherv", group, in, out, out_bytes, out_offsets,
                                        cm_rank(group->handle) == root, algorithm);
    cm_gatherv(a.group, a.in.data, a.bytes, a.out.data, a.out_bytes, a.out_offsets, root,
               a.algorithm);
}

void cm_fortran_igatherv(const group_t *group, const array *in, const array *out,
                         const array *out_bytes, const array *out_offsets, int root,
                         request_t *request, const cm_algorithm *algorithm)
{
    const arguments a = gathered_varied("cm_igatherv", group, in, out, out_bytes, out_offsets,
                                        cm_rank(group->handle) == root, algorithm);
    request->handle = cm_igatherv(a.group, a.in.data, a.bytes, a.out.data, a.out_bytes,
                                  a.out_offsets, root, a.algorithm);
}

void cm_fortran_scatter(const group_t *group, const array *in, const array *out, int root,
                        const cm_algorithm *algorithm)
{
    const arguments a = scattered("cm_scatter", group, in, out, root, algorithm);
    cm_scatter(a.group, a.in.data, a.bytes, a.out.data, root, a.algorithm);
}

void cm_fortran_iscatter(const group_t *group, const array *in, const array *out, int root,
                         request_t *request, const cm_algorithm *algorithm)
{
    const arguments a = scattered("cm_iscatter", group, in, out, root, algorithm);
    request->handle = cm_iscatter(a.group, a.in.data, a.bytes, a.out.data, root, a.algorithm);
}

void cm_fortran_scatterv(const group_t *group, const array *in, const array *in_bytes,
                         const array *in_offsets, const array *out, int root,
                         const cm_algorithm *algorithm)
{
    const arguments a =
        scattered_varied("cm_scatterv", group, in, in_bytes, in_offsets, out, root, algorithm);
    cm_scatterv(a.group, a.in.data, a.in_bytes, a.in_offsets, a.out.data, a.bytes, root,
                a.algorithm);
}

void cm_fortran_iscatterv(const group_t *group, const array *in, const array *in_bytes,
                          const array *in_offsets, const array *out, int root, request_t *request,
                          const cm_algorithm *algorithm)
{
    const arguments a =
        scattered_varied("cm_iscatterv", group, in, in_bytes, in_offsets, out, root, algorithm);
    request->handle = cm_iscatterv(a.group, a.in.data, a.in_bytes, a.in_offsets, a.out.data,
                                   a.bytes, root, a.algorithm);
}

void cm_fortran_allgather(const group_t *group, const array *in, const array *out,
                          const cm_algorithm *algorithm)
{
    const arguments a = gathered("cm_allgather", group, in, out, true, algorithm);
    cm_allgather(a.group, a.in.data, a.bytes, a.out.data, a.algorithm);
}

void cm_fortran_iallgather(const group_t *group, const array *in, const array *out,
                           request_t *request, const cm_algorithm *algorithm)
{
    const arguments a = gathered("cm_iallgather", group, in, out, true, algorithm);
    request->handle = cm_iallgather(a.group, a.in.data, a.bytes, a.out.data, a.algorithm);
}

void cm_fortran_allgatherv(const group_t *group, const array *in, const array *out,
                           const array *out_bytes, const array *out_offsets,
                           const cm_algorithm *algorithm)
{
    const arguments a =
        gathered_varied("cm_allgatherv", group, in, out, out_bytes, out_offsets, true, algorithm);
    cm_allgatherv(a.group, a.in.data, a.bytes, a.out.data, a.out_bytes, a.out_offsets, a.algorithm);
}

void cm_fortran_iallgatherv(const group_t *group, const array *in, const array *out,
                            const array *out_bytes, const array *out_offsets, request_t *request,
                            const cm_algorithm *algorithm)
{
    const arguments a =
        gathered_varied("cm_iallgatherv", group, in, out, out_bytes, out_offsets, true, algorithm);
    request->handle = cm_iallgatherv(a.group, a.in.data, a.bytes, a.out.data, a.out_bytes,
                                     a.out_offsets, a.algorithm);
}

void cm_fortran_alltoall(const group_t *group, const array *in, const array *out,
                         const cm_algorithm *algorithm)
{
    const arguments a = exchanged("cm_alltoall", group, in, out, algorithm);
    cm_alltoall(a.group, a.in.data, a.bytes, a.out.data, a.algorithm);
}

void cm_fortran_ialltoall(const group_t *group, const array *in, const array *out,
                          request_t *request, const cm_algorithm *algorithm)
{
    const arguments a = exchanged("cm_ialltoall", group, in, out, algorithm);
    request->handle = cm_ialltoall(a.group, a.in.data, a.bytes, a.out.data, a.algorithm);
}

void cm_fortran_alltoallv(const group_t *group, const array *in, const array *in_bytes,
                          const array *in_offsets, const array *out, const array *out_bytes,
                          const array *out_offsets, const cm_algorithm *algorithm)
{
    const arguments a = exchanged_varied("cm_alltoallv", group, in, in_bytes, in_offsets, out,
                                         out_bytes, out_offsets, algorithm);
    cm_alltoallv(a.group, a.in.data, a.in_bytes, a.in_offsets, a.out.data, a.out_bytes,
                 a.out_offsets, a.algorithm);
}

void cm_fortran_ialltoallv(const group_t *group, const array *in, const array *in_bytes,
                           const array *in_offsets, const array *out, const array *out_bytes,
                           const array *out_offsets, request_t *request,
                           const cm_algorithm *algorithm)
{
    const arguments a = exchanged_varied("cm_ialltoallv", group, in, in_bytes, in_offsets, out,
                                         out_bytes, out_offsets, algorithm);
    request->handle = cm_ialltoallv(a.group, a.in.data, a.in_bytes, a.in_offsets, a.out.data,
                                    a.out_bytes, a.out_offsets, a.algorithm);
}
