/* SPDX-License-Identifier: BSD-3-Clause */
/* operator.c: every reduction operator on every type against plain arithmetic, one element at
   a time in a wider type; what is not defined is refused. */
#include <stdlib.h>
#include "comm/backend.h"
#include "tap.h"

enum { MOST = 70, KINDS = CM_OP_USER }; /* lengths around several vector widths */

static const cm_op ops[KINDS] = {
    [CM_OP_SUM] = {CM_OP_SUM, 1, 0},       [CM_OP_PROD] = {CM_OP_PROD, 1, 0},
    [CM_OP_MIN] = {CM_OP_MIN, 1, 0},       [CM_OP_MAX] = {CM_OP_MAX, 1, 0},
    [CM_OP_AND] = {CM_OP_AND, 1, 0},       [CM_OP_OR] = {CM_OP_OR, 1, 0},
    [CM_OP_XOR] = {CM_OP_XOR, 1, 0},       [CM_OP_MINLOC] = {CM_OP_MINLOC, 1, 0},
    [CM_OP_MAXLOC] = {CM_OP_MAXLOC, 1, 0},
};
static const char *const op_names[KINDS] = {"",    "sum", "prod", "min",    "max",
                                            "and", "or",  "xor",  "minloc", "maxloc"};
static const char *const type_names[] = {"",      "uint8",  "int32",       "int64",
                                         "float", "double", "float_index", "double_index"};

static uint64_t state = 1999;

static uint64_t draw(void) /* xorshift64 (Marsaglia 2003) */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* ---- Reference ------------------------------------------------------------------------------- */

/* Whole numbers: exact in 128 bits, then the representative modulo 2^bits. */
static int64_t whole(int kind, __int128 l, __int128 r, int bits)
{
    __int128 x = 0;
    switch (kind) {
    case CM_OP_SUM:
        x = l + r;
        break;
    case CM_OP_PROD:
        x = l * r;
        break;
    case CM_OP_MIN:
        x = l < r ? l : r;
        break;
    case CM_OP_MAX:
        x = l > r ? l : r;
        break;
    case CM_OP_AND:
        x = l & r;
        break;
    case CM_OP_OR:
        x = l | r;
        break;
    case CM_OP_XOR:
        x = l ^ r;
        break;
    }
    const __int128 period = (__int128)1 << bits;
    x %= period;
    if (x >= period / 2) x -= period;
    if (x < -period / 2) x += period;
    return (int64_t)x;
}

static double real(int kind, double l, double r)
{
    switch (kind) {
    case CM_OP_SUM:
        return l + r;
    case CM_OP_PROD:
        return l * r;
    case CM_OP_MIN:
        return isnan(l) ? l : isnan(r) ? r : l < r ? l : r;
    default:
        return isnan(l) ? l : isnan(r) ? r : l > r ? l : r;
    }
}

static bool same_real(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

/* Returns true if (a, i) comes before (b, k): NaN first, then by value, then by index. */
static bool comes_first(int kind, double a, int64_t i, double b, int64_t k)
{
    if (isnan(a) != isnan(b)) return isnan(a);
    if (!isnan(a) && a != b) return kind == CM_OP_MINLOC ? a < b : a > b;
    return i < k;
}

/* ---- Data ------------------------------------------------------------------------------------ */

static double some_real(void)
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 0.5};
    if (draw() % 3 == 0) return special[draw() % 8];
    return ((double)draw() / 1e16 - 900.0) / 7;
}

static int64_t some_whole(int bits)
{
    const int64_t least = bits == 64 ? INT64_MIN : INT32_MIN;
    const int64_t most = bits == 64 ? INT64_MAX : INT32_MAX;
    switch (draw() % 6) {
    case 0:
        return least;
    case 1:
        return most;
    case 2:
        return -1;
    default:
        return bits == 64 ? (int64_t)draw() : (int32_t)draw();
    }
}

static void set(cm_type type, void *data, size_t i)
{
    switch (type) {
    case CM_UINT8:
        ((uint8_t *)data)[i] = (uint8_t)draw();
        break;
    case CM_INT32:
        ((int32_t *)data)[i] = (int32_t)some_whole(32);
        break;
    case CM_INT64:
        ((int64_t *)data)[i] = some_whole(64);
        break;
    case CM_FLOAT:
        ((float *)data)[i] = (float)some_real();
        break;
    case CM_DOUBLE:
        ((double *)data)[i] = some_real();
        break;
    /* few values and indices, so that ties are frequent */
    case CM_FLOAT_INDEX:
        ((cm_float_index *)data)[i] =
            (cm_float_index){draw() % 5 ? (float)(draw() % 3) : NAN, (int64_t)(draw() % 4)};
        break;
    case CM_DOUBLE_INDEX:
        ((cm_double_index *)data)[i] =
            (cm_double_index){draw() % 5 ? (double)(draw() % 3) : NAN, (int64_t)(draw() % 4)};
        break;
    }
}

static bool right_element(int kind, cm_type type, const void *left, const void *right,
                          const void *result, size_t i)
{
#define AT(ctype, data) (((const ctype *)data)[i])
    switch (type) {
    case CM_UINT8:
        return AT(uint8_t, result)
               == (uint8_t)whole(kind, AT(uint8_t, left), AT(uint8_t, right), 64);
    case CM_INT32:
        return AT(int32_t, result) == whole(kind, AT(int32_t, left), AT(int32_t, right), 32);
    case CM_INT64:
        return AT(int64_t, result) == whole(kind, AT(int64_t, left), AT(int64_t, right), 64);
    case CM_FLOAT: /* one operation in double, rounded to float, is the operation in float */
        return same_real(AT(float, result), (float)real(kind, AT(float, left), AT(float, right)));
    case CM_DOUBLE:
        return same_real(AT(double, result), real(kind, AT(double, left), AT(double, right)));
    case CM_FLOAT_INDEX: {
        cm_float_index l = AT(cm_float_index, left), r = AT(cm_float_index, right);
        cm_float_index x = AT(cm_float_index, result);
        cm_float_index want = comes_first(kind, l.value, l.index, r.value, r.index) ? l : r;
        return x.index == want.index && same_real(x.value, want.value);
    }
    case CM_DOUBLE_INDEX: {
        cm_double_index l = AT(cm_double_index, left), r = AT(cm_double_index, right);
        cm_double_index x = AT(cm_double_index, result);
        cm_double_index want = comes_first(kind, l.value, l.index, r.value, r.index) ? l : r;
        return x.index == want.index && same_real(x.value, want.value);
    }
    }
    return false;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* All lengths, at an element's alignment only; what lies beyond and the left operand stay
   untouched. */
static void check_values(int kind, cm_type type)
{
    const size_t element = cm_type_bytes(type), bytes = (MOST + 2) * element;
    char *left = malloc(bytes), *right = malloc(bytes), *left_copy = malloc(bytes);
    char *result = malloc(bytes);
    size_t wrong = 0, touched = 0;
    for (size_t count = 0; count <= MOST; count++)
        for (size_t first = 0; first < 2; first++) {
            for (size_t i = 0; i < MOST + 2; i++) {
                set(type, left, i);
                set(type, right, i);
            }
            memcpy(left_copy, left, bytes);
            memcpy(result, right, bytes);
            cm_operator_apply(ops[kind], type, left + first * element, result + first * element,
                              count);
            for (size_t i = first; i < first + count; i++)
                wrong += !right_element(kind, type, left, right, result, i);
            const size_t end = (first + count) * element;
            touched += memcmp(left, left_copy, bytes) != 0;
            touched += memcmp(result, right, first * element) != 0;
            touched += memcmp(result + end, right + end, bytes - end) != 0;
        }
    ok(wrong == 0, "%s on %s", op_names[kind], type_names[type]);
    if (wrong) printf("# %zu elements differ\n", wrong);
    ok(touched == 0, "%s on %s leaves left operand and neighbours alone", op_names[kind],
       type_names[type]);
    free(left);
    free(right);
    free(left_copy);
    free(result);
}

static void check_edges(void)
{
    const int32_t least32 = INT32_MIN, minus32 = -1;
    int32_t x32 = minus32;
    cm_operator_apply(CM_SUM, CM_INT32, &least32, &x32, 1);
    ok(x32 == INT32_MAX, "int32 least - 1 wraps around to the largest");
    x32 = minus32;
    cm_operator_apply(CM_PROD, CM_INT32, &least32, &x32, 1);
    ok(x32 == INT32_MIN, "int32 -least is least");
    const int64_t most64 = INT64_MAX;
    int64_t x64 = 1;
    cm_operator_apply(CM_SUM, CM_INT64, &most64, &x64, 1);
    ok(x64 == INT64_MIN, "int64 largest + 1 wraps around to the least");
    x64 = 2;
    cm_operator_apply(CM_PROD, CM_INT64, &most64, &x64, 1);
    ok(x64 == -2, "int64 largest * 2 is -2");

    const double nan = NAN, one = 1;
    double x = 1;
    cm_operator_apply(CM_MIN, CM_DOUBLE, &nan, &x, 1);
    ok(isnan(x), "min(NaN, 1) is NaN");
    cm_operator_apply(CM_MAX, CM_DOUBLE, &one, &x, 1);
    ok(isnan(x), "max(1, NaN) is NaN");

    const cm_double_index left = {2.5, 7};
    cm_double_index right = {2.5, 3};
    cm_operator_apply(CM_MAXLOC, CM_DOUBLE_INDEX, &left, &right, 1);
    ok(right.index == 3, "maxloc takes the lower index on a tie");
    right = (cm_double_index){2.5, 9};
    cm_operator_apply(CM_MINLOC, CM_DOUBLE_INDEX, &left, &right, 1);
    ok(right.index == 7, "minloc takes the lower index on a tie");
}

static void calls_user(const void *left, void *right, size_t count, cm_type type)
{
    const int32_t *l = left;
    int32_t *r = right;
    for (size_t i = 0; i < count; i++) r[i] = 100 * l[i] + 10 * r[i] + (type == CM_INT32);
}

/* Rows: ops from 0 on, beyond the last; columns: types from 0 on, beyond the last. */
static void check_defined(void)
{
    static const char *const defined[] = {"---------", /* no operator */
                                          "--dddd---", /* sum: int32 int64 float double */
                                          "--dddd---", "--dddd---", "--dddd---",
                                          "-ddd-----", /* and: uint8 int32 int64 */
                                          "-ddd-----", "-ddd-----", "------dd-", /* minloc */
                                          "------dd-", "---------", /* user without a function */
                                          "---------"};
    for (int kind = 0; kind <= CM_OP_USER + 1; kind++) {
        size_t wrong = 0;
        for (cm_type type = 0; type <= CM_DOUBLE_INDEX + 1; type++)
            wrong +=
                cm_operator_defined(CM_OPERATOR(kind, 1, 0), type) != (defined[kind][type] == 'd');
        wrong += cm_operator_defined(CM_OPERATOR(kind, 1, 0), CM_RECORD(16));
        wrong += cm_operator_defined(CM_OPERATOR(kind, 1, 0), -1);
        ok(wrong == 0, "types of operator number %d", kind);
    }
    ok(!cm_operator_defined(CM_OPERATOR(-1, 1, 0), CM_INT32), "operator -1 is not defined");
    const cm_op user = CM_USER_OP(calls_user, 0);
    ok(cm_operator_defined(user, CM_INT32) && cm_operator_defined(user, CM_RECORD(24))
           && !cm_operator_defined(user, 0) && !cm_operator_defined(user, CM_RECORD(0)),
       "a user function is defined on every type, and on types only");
    int32_t left[2] = {1, 2}, right[2] = {3, 4};
    cm_operator_apply(user, CM_INT32, left, right, 2);
    ok(right[0] == 131 && right[1] == 241, "a user function gets its operands, count and type");
}

int main(void)
{
    ok(cm_type_bytes(CM_UINT8) == 1 && cm_type_bytes(CM_INT32) == 4 && cm_type_bytes(CM_INT64) == 8
           && cm_type_bytes(CM_FLOAT) == 4 && cm_type_bytes(CM_DOUBLE) == 8
           && cm_type_bytes(CM_FLOAT_INDEX) == sizeof(cm_float_index)
           && cm_type_bytes(CM_DOUBLE_INDEX) == 16,
       "bytes of the types");
    ok(cm_type_bytes(CM_RECORD(1)) == 1 && cm_type_bytes(CM_RECORD(65536)) == 65536,
       "bytes of records");
    ok(cm_type_bytes(0) == 0 && cm_type_bytes(-1) == 0 && cm_type_bytes(8) == 0
           && cm_type_bytes(254) == 0 && cm_type_bytes(CM_RECORD(0)) == 0,
       "0 bytes for what is not a type");
    check_defined();
    for (int kind = CM_OP_SUM; kind < CM_OP_USER; kind++)
        for (cm_type type = CM_UINT8; type <= CM_DOUBLE_INDEX; type++)
            if (cm_operator_defined(ops[kind], type)) check_values(kind, type);
    check_edges();
    return tap_done();
}
