/* SPDX-License-Identifier: BSD-3-Clause */
/* operator.c: the reduction operators, a table with one loop for each operator and type. Signed
   integers wrap around modulo 2^n (sum and product are computed in the unsigned type). min and max
   of floating-point numbers return NaN if an operand is NaN, like IEEE 754's minimum and maximum.
   Zeros of either sign are equal, and of equal operands the right one is kept. minloc and maxloc
   prefer a NaN to any number, and the lowest index among equals. */
#include "comm/collective.h"

typedef void apply_function(const void *left, void *right, size_t count);

/* left and right never overlap (comm.h); restrict lets the compiler vectorise. */
#define LOOP(name, ctype, expression)                             \
    static void name(const void *left, void *right, size_t count) \
    {                                                             \
        const ctype *restrict from = left;                        \
        ctype *restrict to = right;                               \
        for (size_t i = 0; i < count; i++) {                      \
            const ctype l = from[i], r = to[i];                   \
            to[i] = expression;                                   \
        }                                                         \
    }

LOOP(sum_int32, uint32_t, l + r)
LOOP(sum_int64, uint64_t, l + r)
LOOP(sum_float, float, l + r)
LOOP(sum_double, double, l + r)

LOOP(prod_int32, uint32_t, l *r)
LOOP(prod_int64, uint64_t, l *r)
LOOP(prod_float, float, l *r)
LOOP(prod_double, double, l *r)

LOOP(min_int32, int32_t, l < r ? l : r)
LOOP(min_int64, int64_t, l < r ? l : r)
LOOP(max_int32, int32_t, l > r ? l : r)
LOOP(max_int64, int64_t, l > r ? l : r)

/* l != l: a NaN on the left is taken. A NaN on the right stays because no comparison with it is
   true. The bitwise or evaluates both sides, so no branch prevents vectorisation. */
LOOP(min_float, float, ((l < r) | (l != l)) ? l : r)
LOOP(min_double, double, ((l < r) | (l != l)) ? l : r)
LOOP(max_float, float, ((l > r) | (l != l)) ? l : r)
LOOP(max_double, double, ((l > r) | (l != l)) ? l : r)

LOOP(and_uint8, uint8_t, l &r)
LOOP(and_int32, int32_t, l &r)
LOOP(and_int64, int64_t, l &r)
LOOP(or_uint8, uint8_t, l | r)
LOOP(or_int32, int32_t, l | r)
LOOP(or_int64, int64_t, l | r)
LOOP(xor_uint8, uint8_t, l ^ r)
LOOP(xor_int32, int32_t, l ^ r)
LOOP(xor_int64, int64_t, l ^ r)

/* With NaN ordered before every number these are total orders, so the operators are associative and
   commutative, and the result does not depend on the algorithm. */
#define LOCATION(name, ctype, before)                                                             \
    static void name(const void *left, void *right, size_t count)                                 \
    {                                                                                             \
        const ctype *restrict from = left;                                                        \
        ctype *restrict to = right;                                                               \
        for (size_t i = 0; i < count; i++) {                                                      \
            const ctype l = from[i], r = to[i];                                                   \
            const bool l_nan = l.value != l.value, r_nan = r.value != r.value;                    \
            const bool tie = l_nan ? r_nan : l.value == r.value;                                  \
            if (tie ? l.index < r.index : l_nan || (!r_nan && l.value before r.value)) to[i] = l; \
        }                                                                                         \
    }

LOCATION(minloc_float, cm_float_index, <)
LOCATION(minloc_double, cm_double_index, <)
LOCATION(maxloc_float, cm_float_index, >)
LOCATION(maxloc_double, cm_double_index, >)

enum { KINDS = CM_OP_USER, TYPES = CM_DOUBLE_INDEX + 1 };

static apply_function *const table[KINDS][TYPES] = {
    [CM_OP_SUM] = {[CM_INT32] = sum_int32,
                   [CM_INT64] = sum_int64,
                   [CM_FLOAT] = sum_float,
                   [CM_DOUBLE] = sum_double},
    [CM_OP_PROD] = {[CM_INT32] = prod_int32,
                    [CM_INT64] = prod_int64,
                    [CM_FLOAT] = prod_float,
                    [CM_DOUBLE] = prod_double},
    [CM_OP_MIN] = {[CM_INT32] = min_int32,
                   [CM_INT64] = min_int64,
                   [CM_FLOAT] = min_float,
                   [CM_DOUBLE] = min_double},
    [CM_OP_MAX] = {[CM_INT32] = max_int32,
                   [CM_INT64] = max_int64,
                   [CM_FLOAT] = max_float,
                   [CM_DOUBLE] = max_double},
    [CM_OP_AND] = {[CM_UINT8] = and_uint8, [CM_INT32] = and_int32, [CM_INT64] = and_int64},
    [CM_OP_OR] = {[CM_UINT8] = or_uint8, [CM_INT32] = or_int32, [CM_INT64] = or_int64},
    [CM_OP_XOR] = {[CM_UINT8] = xor_uint8, [CM_INT32] = xor_int32, [CM_INT64] = xor_int64},
    [CM_OP_MINLOC] = {[CM_FLOAT_INDEX] = minloc_float, [CM_DOUBLE_INDEX] = minloc_double},
    [CM_OP_MAXLOC] = {[CM_FLOAT_INDEX] = maxloc_float, [CM_DOUBLE_INDEX] = maxloc_double},
};

static const struct {
    const char *name;
    size_t bytes;
} types[TYPES] = {
    [CM_UINT8] = {"uint8", 1},
    [CM_INT32] = {"int32", 4},
    [CM_INT64] = {"int64", 8},
    [CM_FLOAT] = {"float", sizeof(float)},
    [CM_DOUBLE] = {"double", sizeof(double)},
    [CM_FLOAT_INDEX] = {"float_index", sizeof(cm_float_index)},
    [CM_DOUBLE_INDEX] = {"double_index", sizeof(cm_double_index)},
};

static const char *const op_names[] = {
    [CM_OP_SUM] = "sum",   [CM_OP_PROD] = "prod",     [CM_OP_MIN] = "min",
    [CM_OP_MAX] = "max",   [CM_OP_AND] = "and",       [CM_OP_OR] = "or",
    [CM_OP_XOR] = "xor",   [CM_OP_MINLOC] = "minloc", [CM_OP_MAXLOC] = "maxloc",
    [CM_OP_USER] = "user",
};

size_t cm_type_bytes(cm_type type)
{
    if (type > 0 && type < TYPES) return types[type].bytes;
    return type > 0 && (type & 0xff) == 0xff ? (size_t)(type >> 8) : 0;
}

const char *cm_type_name(cm_type type)
{
    if (type > 0 && type < TYPES) return types[type].name;
    return cm_type_bytes(type) ? "record" : "unknown";
}

const char *cm_operator_name(cm_op op)
{
    return op.kind >= CM_OP_SUM && op.kind <= CM_OP_USER ? op_names[op.kind] : "unknown";
}

bool cm_operator_defined(cm_op op, cm_type type)
{
    if (op.kind == CM_OP_USER) return op.function && cm_type_bytes(type);
    return op.kind >= CM_OP_SUM && op.kind < KINDS && type > 0 && type < TYPES
           && table[op.kind][type];
}

/* Operands may be exchanged if the program allows it. But a sum or product of floats is then
   rounded differently, and the same reduction to another root would give different bits. */
bool cm_operator_reorderable(cm_op op, cm_type type)
{
    return op.commutative && type != CM_FLOAT && type != CM_DOUBLE;
}

void cm_operator_apply(cm_op op, cm_type type, const void *left, void *right, size_t count)
{
    if (op.kind == CM_OP_USER) op.function(left, right, count, type);
    else table[op.kind][type](left, right, count);
}
