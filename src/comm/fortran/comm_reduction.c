/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_reduction.c: the C side of module cm_comm_reduction. */
#include "comm/fortran/comm_fortran.h"

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
