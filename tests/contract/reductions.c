/* SPDX-License-Identifier: BSD-3-Clause */
/* reductions.c: comm.h: reduce, allreduce, scan, reduce_scatter: operators, types, order, bits. */
#include "algorithms.h"
#include "subject.h"

/* Three forms; ranks: the number that contribute to the caller's result; 0: it gets none. */
typedef struct {
    cm_collective collective;
    int root;
} form;

static int contributing(form f)
{
    if (f.collective == CM_COLLECTIVE_REDUCE) return rank == f.root ? size : 0;
    return f.collective == CM_COLLECTIVE_SCAN ? rank + 1 : size;
}

static void reduce(form f, const void *in, void *out, size_t count, cm_type type, cm_op op,
                   cm_algorithm algorithm)
{
    if (f.collective == CM_COLLECTIVE_REDUCE)
        cm_reduce(world, in, rank == f.root ? out : NULL, count, type, op, f.root, algorithm);
    else if (f.collective == CM_COLLECTIVE_SCAN)
        cm_scan(world, in, out, count, type, op, algorithm);
    else cm_allreduce(world, in, out, count, type, op, algorithm);
}

static const cm_collective forms[] = {CM_COLLECTIVE_REDUCE, CM_COLLECTIVE_ALLREDUCE,
                                      CM_COLLECTIVE_SCAN};

/* ---- Operators on types ---------------------------------------------------------------------- */

static const struct {
    const char *name;
    cm_type type;
} types[] = {{"uint8", CM_UINT8},
             {"int32", CM_INT32},
             {"int64", CM_INT64},
             {"float", CM_FLOAT},
             {"double", CM_DOUBLE},
             {"float_index", CM_FLOAT_INDEX},
             {"double_index", CM_DOUBLE_INDEX}};
static const char *const ops[] = {"",    "sum", "prod", "min",    "max",
                                  "and", "or",  "xor",  "minloc", "maxloc"};

static bool defined(int op, cm_type type)
{
    if (op >= CM_OP_MINLOC) return type == CM_FLOAT_INDEX || type == CM_DOUBLE_INDEX;
    if (op >= CM_OP_AND) return type == CM_UINT8 || type == CM_INT32 || type == CM_INT64;
    return type >= CM_INT32 && type <= CM_DOUBLE;
}

/* Rank r's element i. Small for products, so that floats are exact; wide bit patterns and numbers
   beyond 2^32 if the type has room. */
static int64_t value(int op, cm_type type, int r, size_t i)
{
    int64_t v = (int64_t)((i * 5 + (size_t)r * 3) % 7) - 3;
    if (op == CM_OP_PROD) return v >= 0 ? v + 1 : v;
    if (op == CM_OP_MINLOC || op == CM_OP_MAXLOC) return (int64_t)((i + (size_t)r * 2) % 3) - 1;
    if (op >= CM_OP_AND && op <= CM_OP_XOR) {
        uint64_t bits = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(2 * r + 3);
        /* Most bits set, or most clear; otherwise `and` over many ranks is always 0. */
        if (op == CM_OP_AND) bits |= bits >> 7 | bits << 9;
        if (op == CM_OP_OR) bits &= bits >> 7 & bits << 9;
        if (type == CM_UINT8) return (int64_t)(bits & 0xff);
        return type == CM_INT32 ? (int32_t)bits : (int64_t)bits;
    }
    return type == CM_INT64 ? v * ((INT64_C(1) << 40) + 1) : v * 1001;
}

/* Indices fall with the rank: the lowest index is not the lowest rank. */
static int64_t place(int r, size_t i) { return (INT64_C(1) << 40) + 1000 - 10 * r + (int64_t)i; }

static int64_t combine(int op, int64_t a, int64_t b)
{
    switch (op) {
    case CM_OP_SUM:
        return a + b;
    case CM_OP_PROD:
        return a * b;
    case CM_OP_MIN:
        return a < b ? a : b;
    case CM_OP_MAX:
        return a > b ? a : b;
    case CM_OP_AND:
        return a & b;
    case CM_OP_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static void store(void *array, cm_type type, size_t i, int64_t v, int64_t index)
{
    switch (type) {
    case CM_UINT8:
        ((uint8_t *)array)[i] = (uint8_t)v;
        break;
    case CM_INT32:
        ((int32_t *)array)[i] = (int32_t)v;
        break;
    case CM_INT64:
        ((int64_t *)array)[i] = v;
        break;
    case CM_FLOAT:
        ((float *)array)[i] = (float)v;
        break;
    case CM_DOUBLE:
        ((double *)array)[i] = (double)v;
        break;
    case CM_FLOAT_INDEX:
        ((cm_float_index *)array)[i].value = (float)v;
        ((cm_float_index *)array)[i].index = index;
        break;
    default:
        ((cm_double_index *)array)[i].value = (double)v;
        ((cm_double_index *)array)[i].index = index;
        break;
    }
}

static bool same(const void *array, cm_type type, size_t i, int64_t v, int64_t index)
{
    switch (type) {
    case CM_UINT8:
        return ((const uint8_t *)array)[i] == (uint8_t)v;
    case CM_INT32:
        return ((const int32_t *)array)[i] == (int32_t)v;
    case CM_INT64:
        return ((const int64_t *)array)[i] == v;
    case CM_FLOAT:
        return ((const float *)array)[i] == (float)v;
    case CM_DOUBLE:
        return ((const double *)array)[i] == (double)v;
    case CM_FLOAT_INDEX:
        return ((const cm_float_index *)array)[i].value == (float)v
               && ((const cm_float_index *)array)[i].index == index;
    default:
        return ((const cm_double_index *)array)[i].value == (double)v
               && ((const cm_double_index *)array)[i].index == index;
    }
}

static void check_operator(form f, int op, cm_type type, size_t count, bool in_place,
                           cm_algorithm algorithm)
{
    size_t width = cm_type_bytes(type), bytes = count * width;
    unsigned char *in = calloc(count + 1, width), *out = calloc(count + 1, width);
    if (!in || !out) cm_abort(CM_EXIT_SYSTEM, "no memory");
    for (size_t i = 0; i < count; i++) store(in, type, i, value(op, type, rank, i), place(rank, i));
    memset(out + bytes, 0xa5, width);
    memset(in + bytes, 0xa5, width);
    int ranks = contributing(f);
    in_place = in_place && ranks;
    unsigned char *result = in_place ? in : out;
    reduce(f, in, result, count, type, CM_OPERATOR(op, 1, 0), algorithm);

    for (size_t i = 0; ranks && i < count; i++) {
        int64_t want = value(op, type, 0, i), index = place(0, i);
        for (int r = 1; r < ranks; r++) {
            int64_t v = value(op, type, r, i);
            if (op == CM_OP_MINLOC || op == CM_OP_MAXLOC) {
                bool better = op == CM_OP_MINLOC ? v < want : v > want;
                if (better || (v == want && place(r, i) < index)) want = v, index = place(r, i);
            } else {
                want = combine(op, want, v);
            }
        }
        if (!EXPECT(same(result, type, i, want, index), "%s: element %zu of %zu, not %lld",
                    cm_collective_name(f.collective), i, count, (long long)want))
            break;
    }
    for (size_t i = 0; !in_place && i < count; i++)
        if (!EXPECT(same(in, type, i, value(op, type, rank, i), place(rank, i)),
                    "operand %zu changed", i))
            break;
    EXPECT(other_than(result + bytes, width, 0xa5) == width, "behind %zu elements", count);
    free(in);
    free(out);
}

static void test_operators(void)
{
    int turn = 0;
    for (int op = CM_OP_SUM; op <= CM_OP_MAXLOC; op++) {
        point("%s on its types", ops[op]);
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            if (!defined(op, types[t].type)) continue;
            for (int k = 0; k < 3; k++, turn++) {
                if (oversubscribed() && k != turn % 3) continue;
                form f = {forms[k], turn % size};
                check_operator(f, op, types[t].type, turn % 2 ? 3 : 7, turn % 4 == 1, CM_AUTO);
                if (!oversubscribed())
                    check_operator(f, op, types[t].type, 100, turn % 4 == 2, CM_LINEAR);
            }
        }
    }
}

static void test_algorithm(cm_collective collective, cm_algorithm algorithm, const char *name)
{
    static const size_t all[] = {0, 1, 3, 1000, 50000}, few[] = {0, 1000};
    const size_t *counts = oversubscribed() ? few : all;
    int n = oversubscribed() ? sizeof few / sizeof *few : sizeof all / sizeof *all;
    bool rooted = collective == CM_COLLECTIVE_REDUCE;
    point("%s by %s: counts, roots, in place", cm_collective_name(collective), name);
    for (int i = 0; i < n; i++)
        for (int root = 0; root < (rooted && !oversubscribed() ? size : 1); root++)
            for (int in_place = 0; in_place < 2; in_place++)
                check_operator((form){collective, oversubscribed() ? size - 1 : root}, CM_OP_SUM,
                               in_place ? CM_DOUBLE : CM_INT64, counts[i], in_place, algorithm);
    check_operator((form){collective, size / 2}, CM_OP_MAXLOC, CM_DOUBLE_INDEX, 33, false,
                   algorithm);
}

/* ---- User functions -------------------------------------------------------------------------- */

typedef struct {
    uint64_t a, b, c, d;
} matrix;

static matrix product(matrix x, matrix y)
{
    return (matrix){x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
                    x.c * y.b + x.d * y.d};
}

static int wrong_type;

static void multiply(const void *left, void *right, size_t count, cm_type type)
{
    const matrix *x = left;
    matrix *y = right;
    wrong_type += type != CM_RECORD(sizeof(matrix));
    for (size_t i = 0; i < count; i++) y[i] = product(x[i], y[i]);
}

static matrix matrix_of(int r, size_t i)
{
    uint64_t k = (uint64_t)r * 7 + i;
    return (matrix){k + 1, k * k + 3, 2 * k + 5, k ^ 0x55}; /* products differ by order */
}

static void test_matrices(cm_collective collective, cm_algorithm algorithm, const char *name)
{
    point("%s by %s: 2x2 matrices multiply in the order of ranks", cm_collective_name(collective),
          name);
    for (size_t count = 1; count <= 301; count += 150) {
        form f = {collective, (int)(count + 2) % size};
        int ranks = contributing(f);
        matrix *in = memory(count * sizeof *in), *out = memory(count * sizeof *out);
        for (size_t i = 0; i < count; i++) in[i] = matrix_of(rank, i);
        reduce(f, in, out, count, CM_RECORD(sizeof(matrix)), CM_USER_OP(multiply, 0), algorithm);
        for (size_t i = 0; ranks && i < count; i++) {
            matrix want = matrix_of(0, i);
            for (int r = 1; r < ranks; r++) want = product(want, matrix_of(r, i));
            if (!EXPECT(!memcmp(&out[i], &want, sizeof want), "element %zu of %zu, root %d", i,
                        count, f.root))
                break;
        }
        free(in);
        free(out);
    }
    EXPECT(wrong_type == 0, "the function was called with another type");
}

/* Larger absolute value: commutative, and not one of the layer's operators. */
static void farther(const void *left, void *right, size_t count, cm_type type)
{
    const int64_t *x = left;
    int64_t *y = right;
    wrong_type += type != CM_INT64;
    for (size_t i = 0; i < count; i++)
        if (llabs(x[i]) > llabs(y[i])) y[i] = x[i];
}

static void test_commutative(cm_collective collective, cm_algorithm algorithm, const char *name)
{
    point("%s by %s: a commutative function of the user's", cm_collective_name(collective), name);
    enum { COUNT = 50 };
    int64_t in[COUNT], out[COUNT];
    form f = {collective, size - 1};
    int ranks = contributing(f);
    wrong_type = 0;
    for (int i = 0; i < COUNT; i++) in[i] = ((rank + i) % size + 1) * (i % 2 ? -1 : 1);
    reduce(f, in, out, COUNT, CM_INT64, CM_USER_OP(farther, 1), algorithm);
    for (int i = 0; ranks && i < COUNT; i++) {
        int64_t want = 0;
        for (int r = 0; r < ranks; r++)
            want = (r + i) % size + 1 > want ? (r + i) % size + 1 : want;
        EXPECT(out[i] == (i % 2 ? -want : want), "element %d: %lld", i, (long long)out[i]);
    }
    EXPECT(wrong_type == 0, "the function was called with another type");
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Rank r's element i, of the numbers or of the matrices. */
static void give(bool matrices, int r, size_t i, void *element)
{
    if (matrices) *(matrix *)element = matrix_of(r, i);
    else *(int64_t *)element = value(CM_OP_SUM, CM_INT64, r, i);
}

static void expect_reduced(bool matrices, const void *element, size_t i)
{
    matrix want = matrix_of(0, i);
    int64_t sum = value(CM_OP_SUM, CM_INT64, 0, i);
    for (int r = 1; r < size; r++) {
        want = product(want, matrix_of(r, i));
        sum += value(CM_OP_SUM, CM_INT64, r, i);
    }
    EXPECT(matrices ? !memcmp(element, &want, sizeof want) : *(const int64_t *)element == sum,
           "element %zu of %s", i, matrices ? "matrices" : "numbers");
}

/* Rank r's block has unit * (r % 3) elements. */
static void check_scattered(size_t unit, bool matrices, cm_algorithm algorithm)
{
    const size_t width = matrices ? sizeof(matrix) : sizeof(int64_t);
    const cm_type type = matrices ? CM_RECORD(sizeof(matrix)) : CM_INT64;
    const cm_op op = matrices ? CM_USER_OP(multiply, 0) : CM_SUM;
    size_t *counts = memory((size_t)size * sizeof *counts), total = 0, before = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = unit * (size_t)(r % 3);
        if (r < rank) before += counts[r];
        total += counts[r];
    }
    const size_t own = counts[rank];
    unsigned char *in = memory(total * width), *out = memory((own + 1) * width);
    memset(out, 0xa5, (own + 1) * width);
    for (size_t i = 0; i < total; i++) give(matrices, rank, i, in + i * width);
    cm_reduce_scatter(world, in, out, counts, type, op, algorithm);
    for (size_t i = 0; i < own; i++) expect_reduced(matrices, out + i * width, before + i);
    EXPECT(other_than(out + own * width, width, 0xa5) == width, "behind %zu elements", own);
    free(in);
    free(out);
    free(counts);
}

static void test_scattered(cm_collective collective, cm_algorithm algorithm, const char *name)
{
    static const size_t units[] = {0, 1, 7, 20000};
    (void)collective;
    point("reduce_scatter by %s: blocks of different lengths", name);
    wrong_type = 0;
    for (int k = 0; k < (oversubscribed() ? 3 : 4); k++) {
        check_scattered(units[k], false, algorithm);
        check_scattered(units[k] % 1000, true, algorithm);
    }
    EXPECT(wrong_type == 0, "the function was called with another type");
}

/* ---- Bits ------------------------------------------------------------------------------------ */

static void test_bits(cm_collective collective, cm_algorithm algorithm, const char *name)
{
    enum { COUNT = 2000, TIMES = 3 };
    static double in[COUNT], out[TIMES][COUNT];
    static float in_f[COUNT], out_f[TIMES][COUNT];
    point("%s by %s: the same bits every time", cm_collective_name(collective), name);
    uint64_t x = (uint64_t)rank + 12345;
    for (int i = 0; i < COUNT; i++) {
        /* Numbers of very different size: any other order of additions rounds differently. */
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double mantissa = (double)(int64_t)x * 0x1p-63;
        int exponent = (int)(x >> 40 & 31) - 16;
        in[i] =
            exponent < 0 ? mantissa / (double)(1 << -exponent) : mantissa * (double)(1 << exponent);
        in_f[i] = (float)in[i];
    }
    form f = {collective, 0};
    int times = oversubscribed() ? 2 : TIMES;
    for (int t = 0; t < times; t++) {
        if (rank == t % size) usleep(2000); /* others come first */
        reduce(f, in, out[t], COUNT, CM_DOUBLE, CM_SUM, algorithm);
        reduce(f, in_f, out_f[t], COUNT, CM_FLOAT, CM_SUM, algorithm);
        if (!contributing(f)) continue;
        EXPECT(!memcmp(out[t], out[0], sizeof out[0]), "doubles, run %d", t);
        EXPECT(!memcmp(out_f[t], out_f[0], sizeof out_f[0]), "floats, run %d", t);
    }
    if (collective != CM_COLLECTIVE_ALLREDUCE) return;
    point("allreduce by %s: the same bits on every rank", name);
    if (rank) cm_send(world, out[0], sizeof out[0], 0, 1);
    for (int r = 1; rank == 0 && r < size; r++) {
        cm_recv(world, out[1], sizeof out[1], r, 1, NULL);
        EXPECT(!memcmp(out[0], out[1], sizeof out[0]), "rank %d", r);
    }
}

SUBJECT(reductions)
{
    test_operators();
    each_algorithm(CM_COLLECTIVE_REDUCE_SCATTER, test_scattered);
    for (int k = 0; k < 3; k++) {
        each_algorithm(forms[k], test_algorithm);
        each_algorithm(forms[k], test_matrices);
        each_algorithm(forms[k], test_commutative);
        each_algorithm(forms[k], test_bits);
    }
}
