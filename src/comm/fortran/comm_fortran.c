/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_fortran.c: the C side of module cm_comm: from array descriptors to addresses and lengths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"
#include "comm/fortran/descriptor.h"

typedef CFI_cdesc_t array;

/* The module's derived types, each one component. */
typedef struct {
    cm_group *handle;
} group_t;
typedef struct {
    cm_request *handle;
} request_t;

static const cm_algorithm automatic = {CM_KIND_AUTO, 0};

static inline cm_algorithm chosen(const cm_algorithm *algorithm)
{
    return algorithm ? *algorithm : automatic;
}

/* ---- Descriptors ----------------------------------------------------------------------------- */

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

/* ---- Life, groups ---------------------------------------------------------------------------- */

/* A Fortran program has no argv to pass on; the kernel knows it. NULL where it does not. */
static char **command_line(int *argc)
{
    static char *words[256];
    *argc = 0;
    FILE *file = fopen("/proc/self/cmdline", "r");
    if (!file) return NULL;
    char *word = NULL;
    size_t capacity = 0;
    while (*argc < 255 && getdelim(&word, &capacity, 0, file) > 0) {
        words[*argc] = strdup(word);
        if (!words[*argc]) break;
        ++*argc;
    }
    free(word);
    fclose(file);
    return words;
}

int cm_fortran_init(void)
{
    static int argc;
    static char **argv;
    argv = command_line(&argc);
    return argv ? cm_init(&argc, &argv) : cm_init(NULL, NULL);
}

void cm_fortran_abort(int status, const char *text) { cm_abort(status, "%s", text); }

group_t cm_fortran_world(void) { return (group_t){cm_world()}; }
int cm_fortran_rank(const group_t *group) { return cm_rank(group->handle); }
int cm_fortran_size(const group_t *group) { return cm_size(group->handle); }

const char *cm_fortran_host(const group_t *group, int rank) { return cm_host(group->handle, rank); }

bool cm_fortran_failed(const group_t *group, int rank) { return cm_failed(group->handle, rank); }
int cm_fortran_failures(const group_t *group) { return cm_failures(group->handle); }

group_t cm_fortran_split(const group_t *group, int color, int key)
{
    return (group_t){cm_split(group->handle, color, key)};
}

void cm_fortran_group_free(group_t *group)
{
    cm_group_free(group->handle);
    group->handle = NULL;
}

/* ---- Point to point -------------------------------------------------------------------------- */

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

void cm_fortran_waitall(const array *requests)
{
    int n;
    cm_request **handles = list("cm_waitall", requests, &n);
    cm_waitall(n, handles);
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
    bool wanted = statuses && statuses->base_addr;
    if (elements("cm_waitsome", "indices", indices) < (size_t)n
        || (wanted && elements("cm_waitsome", "statuses", statuses) < (size_t)n))
        cm_abort(CM_EXIT_USAGE,
                 "cm_waitsome: indices and statuses must have room for all %d"
                 " requests",
                 n);
    int *index = indices->base_addr;
    int completed = cm_waitsome(n, handles, index, wanted ? statuses->base_addr : NULL);
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

/* ---- Reductions ------------------------------------------------------------------------------ */

/* The element type of a reduction: as given, else from the descriptor; an unknown one is a record
   for an operator of the user's. */
static cm_type type_of(const char *call, const array *d, const cm_op *op, const int64_t *given)
{
    static const struct {
        CFI_type_t code;
        cm_type type;
    } known[] = {
        {CFI_type_int8_t, CM_UINT8}, {CFI_type_int32_t, CM_INT32}, {CFI_type_int64_t, CM_INT64},
        {CFI_type_float, CM_FLOAT},  {CFI_type_double, CM_DOUBLE},
    };
    if (given) {
        if (cm_type_bytes(*given) != d->elem_len)
            cm_abort(CM_EXIT_USAGE, "%s: the type given has %zu bytes, the array's elements %zu",
                     call, cm_type_bytes(*given), (size_t)d->elem_len);
        return *given;
    }
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (d->type == known[k].code) return known[k].type;
    if (op->kind != CM_OP_USER)
        cm_abort(CM_EXIT_USAGE,
                 "%s: no operator of the layer for elements of this type (%zu"
                 " bytes); give type=CM_FLOAT_INDEX_TYPE or CM_DOUBLE_INDEX_TYPE, or an operator of"
                 " your own",
                 call, (size_t)d->elem_len);
    return CM_RECORD(d->elem_len);
}

typedef struct {
    const void *in;
    void *out;
    size_t count;
    cm_type type;
} operands;

/* out: NULL where no result arrives. */
static operands check_operands(const char *call, const array *in, const array *out, const cm_op *op,
                               const int64_t *type)
{
    operands o = {NULL, NULL, elements(call, "in", in), type_of(call, in, op, type)};
    o.in = o.count ? in->base_addr : NULL;
    if (!out) return o;
    size_t count = elements(call, "out", out);
    if (count != o.count || out->elem_len != in->elem_len || out->type != in->type)
        cm_abort(CM_EXIT_USAGE,
                 "%s: in (%zu elements of %zu bytes) and out (%zu of %zu) differ"
                 " in type or number",
                 call, o.count, (size_t)in->elem_len, count, (size_t)out->elem_len);
    o.out = count ? out->base_addr : NULL;
    return o;
}

void cm_fortran_reduce(const group_t *group, const array *in, const array *out, const cm_op *op,
                       int root, const cm_algorithm *algorithm, const int64_t *type)
{
    bool arrives = cm_rank(group->handle) == root;
    operands o = check_operands("cm_reduce", in, arrives ? out : NULL, op, type);
    cm_reduce(group->handle, o.in, o.out, o.count, o.type, *op, root, chosen(algorithm));
}

void cm_fortran_allreduce(const group_t *group, const array *in, const array *out, const cm_op *op,
                          const cm_algorithm *algorithm, const int64_t *type)
{
    operands o = check_operands("cm_allreduce", in, out, op, type);
    cm_allreduce(group->handle, o.in, o.out, o.count, o.type, *op, chosen(algorithm));
}

void cm_fortran_scan(const group_t *group, const array *in, const array *out, const cm_op *op,
                     const cm_algorithm *algorithm, const int64_t *type)
{
    operands o = check_operands("cm_scan", in, out, op, type);
    cm_scan(group->handle, o.in, o.out, o.count, o.type, *op, chosen(algorithm));
}

void cm_fortran_iallreduce(const group_t *group, const array *in, const array *out, const cm_op *op,
                           request_t *request, const cm_algorithm *algorithm, const int64_t *type)
{
    operands o = check_operands("cm_iallreduce", in, out, op, type);
    request->handle =
        cm_iallreduce(group->handle, o.in, o.out, o.count, o.type, *op, chosen(algorithm));
}

void cm_fortran_reduce_in_place(const group_t *group, const array *data, const cm_op *op, int root,
                                const cm_algorithm *algorithm, const int64_t *type)
{
    cm_fortran_reduce(group, data, data, op, root, algorithm, type);
}

void cm_fortran_allreduce_in_place(const group_t *group, const array *data, const cm_op *op,
                                   const cm_algorithm *algorithm, const int64_t *type)
{
    cm_fortran_allreduce(group, data, data, op, algorithm, type);
}

void cm_fortran_scan_in_place(const group_t *group, const array *data, const cm_op *op,
                              const cm_algorithm *algorithm, const int64_t *type)
{
    cm_fortran_scan(group, data, data, op, algorithm, type);
}

void cm_fortran_iallreduce_in_place(const group_t *group, const array *data, const cm_op *op,
                                    request_t *request, const cm_algorithm *algorithm,
                                    const int64_t *type)
{
    cm_fortran_iallreduce(group, data, data, op, request, algorithm, type);
}

/* ---- Other collectives ----------------------------------------------------------------------- */

bool cm_fortran_algorithm_available(int collective, const cm_algorithm *algorithm)
{
    return cm_algorithm_available((cm_collective)collective, *algorithm);
}

const char *cm_fortran_algorithm_name(const cm_algorithm *algorithm)
{
    return cm_algorithm_name(*algorithm);
}

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
