/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_reduction.c: the C side of module cm_comm_reduction. */
#include "comm/fortran/comm_fortran.h"

/* Returns the element type of a reduction: the given one, or the one of the descriptor. An unknown
   type is a record, for user operators. */
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
            cm_abort(CM_EXIT_USAGE,
                     "%s: the given type has %zu bytes, but the array's elements have %zu", call,
                     cm_type_bytes(*given), (size_t)d->elem_len);
        return *given;
    }
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (d->type == known[k].code) return known[k].type;
    if (op->kind != CM_OP_USER)
        cm_abort(CM_EXIT_USAGE,
                 "%s: there is no built-in operator for elements of this type (%zu"
                 " bytes); expected type=CM_FLOAT_INDEX_TYPE or CM_DOUBLE_INDEX_TYPE, or a user"
                 " operator",
                 call, (size_t)d->elem_len);
    return CM_RECORD(d->elem_len);
}

typedef struct {
    const void *in;
    void *out;
    size_t count;
    cm_type type;
} operands;

/* out is NULL where no result arrives. */
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

/* Refuses counts that are not one for each rank, or whose sum is not the number of elements of in.
   out has room for the rank's own block. */
static operands check_scattered(const char *call, const group_t *group, const array *in,
                                const array *out, const array *counts, const cm_op *op,
                                const int64_t *type)
{
    operands o = check_operands(call, in, NULL, op, type);
    const size_t size = (size_t)cm_size(group->handle), n = elements(call, "counts", counts);
    if (n < size)
        cm_abort(CM_EXIT_USAGE,
                 "%s: counts has %zu elements; expected one for each of the %zu ranks", call, n,
                 size);
    const size_t *count = counts->base_addr, own = count[cm_rank(group->handle)];
    size_t sum = 0;
    bool fits = true;
    for (size_t k = 0; k < size; k++) fits &= !__builtin_add_overflow(sum, count[k], &sum);
    if (!fits || sum > o.count)
        cm_abort(CM_EXIT_USAGE, "%s: in has %zu elements, fewer than the blocks in counts", call,
                 o.count);
    const size_t room = elements(call, "out", out);
    if (room < own || out->elem_len != in->elem_len || out->type != in->type)
        cm_abort(CM_EXIT_USAGE,
                 "%s: out has %zu elements of %zu bytes; expected at least %zu of %zu, of the type "
                 "of in",
                 call, room, (size_t)out->elem_len, own, (size_t)in->elem_len);
    o.out = own ? out->base_addr : NULL;
    return o;
}

void cm_fortran_reduce_scatter(const group_t *group, const array *in, const array *out,
                               const array *counts, const cm_op *op, const cm_algorithm *algorithm,
                               const int64_t *type)
{
    operands o = check_scattered("cm_reduce_scatter", group, in, out, counts, op, type);
    cm_reduce_scatter(group->handle, o.in, o.out, counts->base_addr, o.type, *op,
                      chosen(algorithm));
}

void cm_fortran_iallreduce(const group_t *group, const array *in, const array *out, const cm_op *op,
                           request_t *request, const cm_algorithm *algorithm, const int64_t *type)
{
    operands o = check_operands("cm_iallreduce", in, out, op, type);
    request->handle =
        cm_iallreduce(group->handle, o.in, o.out, o.count, o.type, *op, chosen(algorithm));
}

void cm_fortran_ireduce(const group_t *group, const array *in, const array *out, const cm_op *op,
                        int root, request_t *request, const cm_algorithm *algorithm,
                        const int64_t *type)
{
    bool arrives = cm_rank(group->handle) == root;
    operands o = check_operands("cm_ireduce", in, arrives ? out : NULL, op, type);
    request->handle =
        cm_ireduce(group->handle, o.in, o.out, o.count, o.type, *op, root, chosen(algorithm));
}

void cm_fortran_iscan(const group_t *group, const array *in, const array *out, const cm_op *op,
                      request_t *request, const cm_algorithm *algorithm, const int64_t *type)
{
    operands o = check_operands("cm_iscan", in, out, op, type);
    request->handle = cm_iscan(group->handle, o.in, o.out, o.count, o.type, *op, chosen(algorithm));
}

void cm_fortran_ireduce_scatter(const group_t *group, const array *in, const array *out,
                                const array *counts, const cm_op *op, request_t *request,
                                const cm_algorithm *algorithm, const int64_t *type)
{
    operands o = check_scattered("cm_ireduce_scatter", group, in, out, counts, op, type);
    request->handle = cm_ireduce_scatter(group->handle, o.in, o.out, counts->base_addr, o.type, *op,
                                         chosen(algorithm));
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

void cm_fortran_ireduce_in_place(const group_t *group, const array *data, const cm_op *op, int root,
                                 request_t *request, const cm_algorithm *algorithm,
                                 const int64_t *type)
{
    cm_fortran_ireduce(group, data, data, op, root, request, algorithm, type);
}

void cm_fortran_iscan_in_place(const group_t *group, const array *data, const cm_op *op,
                               request_t *request, const cm_algorithm *algorithm,
                               const int64_t *type)
{
    cm_fortran_iscan(group, data, data, op, request, algorithm, type);
}
