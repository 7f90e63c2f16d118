/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_checks.c: what every rank must hold after a collective call follows from a formula for
   each byte or element by its rank of origin; nothing is communicated to find it out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "collective_checks.h"

typedef struct {
    cm_group *group;
    int rank, size;
    cm_algorithm algorithm;
    unsigned salt; /* another content for every call */
    int wrong;
} check;

enum { GUARD = 32, POISON = 0xa5 };

/* ---- Bytes ----------------------------------------------------------------------------------- */

static unsigned char content(const check *c, int origin, int target, size_t i)
{
    return (unsigned char)(c->salt * 29 + (unsigned)origin * 131 + (unsigned)target * 17 + i * 7
                           + (i >> 8));
}

static unsigned char *poisoned(size_t bytes)
{
    unsigned char *data = malloc(bytes + GUARD);
    memset(data, POISON, bytes + GUARD);
    return data;
}

static void fill(const check *c, unsigned char *data, size_t bytes, int origin, int target)
{
    for (size_t i = 0; i < bytes; i++) data[i] = content(c, origin, target, i);
}

static void expect(check *c, const unsigned char *data, size_t bytes, int origin, int target)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != content(c, origin, target, i)) {
            c->wrong++;
            return;
        }
}

static void expect_poison(check *c, const unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != POISON) {
            c->wrong++;
            return;
        }
}

/* One rank stays out for a while; no other rank may leave and report so in the meantime. */
static void check_barrier(check *c, int late)
{
    const int tag = (int)(c->salt & 0xffff);
    if (c->rank == late) {
        for (int i = 0; i < 5; i++) {
            nanosleep((&(struct timespec){0, 100000}), NULL); /* SMPI: a macro */
            c->wrong += cm_iprobe(c->group, CM_ANY, tag, NULL);
        }
        cm_barrier(c->group, c->algorithm);
        for (int k = 1; k < c->size; k++) cm_recv(c->group, NULL, 0, CM_ANY, tag, NULL);
    } else {
        cm_barrier(c->group, c->algorithm);
        cm_send(c->group, NULL, 0, late, tag);
    }
}

static void check_bcast(check *c, size_t bytes, int root)
{
    unsigned char *data = poisoned(bytes);
    if (c->rank == root) fill(c, data, bytes, root, 0);
    cm_bcast(c->group, data, bytes, root, c->algorithm);
    expect(c, data, bytes, root, 0);
    expect_poison(c, data + bytes, GUARD);
    free(data);
}

static void check_gather(check *c, size_t bytes, int root, bool in_place)
{
    const size_t total = bytes * (size_t)c->size, mine = bytes * (size_t)c->rank;
    unsigned char *out = poisoned(total), *in = poisoned(bytes), *from = in;
    if (in_place && c->rank == root) from = out + mine;
    fill(c, from, bytes, c->rank, root);
    cm_gather(c->group, from, bytes, c->rank == root ? out : NULL, root, c->algorithm);
    if (c->rank == root)
        for (int k = 0; k < c->size; k++) expect(c, out + bytes * (size_t)k, bytes, k, root);
    expect(c, from, bytes, c->rank, root);
    expect_poison(c, out + total, GUARD);
    free(out);
    free(in);
}

static void check_scatter(check *c, size_t bytes, int root, bool in_place)
{
    const size_t total = bytes * (size_t)c->size, mine = bytes * (size_t)c->rank;
    unsigned char *in = poisoned(total), *out = poisoned(bytes), *to = out;
    if (c->rank == root) {
        for (int k = 0; k < c->size; k++) fill(c, in + bytes * (size_t)k, bytes, root, k);
        if (in_place) to = in + mine;
    }
    cm_scatter(c->group, c->rank == root ? in : NULL, bytes, to, root, c->algorithm);
    expect(c, to, bytes, root, c->rank);
    expect_poison(c, out + bytes, GUARD);
    free(in);
    free(out);
}

static void check_allgather(check *c, size_t bytes, bool in_place)
{
    const size_t total = bytes * (size_t)c->size;
    unsigned char *out = poisoned(total), *in = poisoned(bytes);
    unsigned char *from = in_place ? out + bytes * (size_t)c->rank : in;
    fill(c, from, bytes, c->rank, 0);
    cm_allgather(c->group, from, bytes, out, c->algorithm);
    for (int k = 0; k < c->size; k++) expect(c, out + bytes * (size_t)k, bytes, k, 0);
    expect_poison(c, out + total, GUARD);
    free(out);
    free(in);
}

static void check_alltoall(check *c, size_t bytes)
{
    const size_t total = bytes * (size_t)c->size;
    unsigned char *out = poisoned(total), *in = poisoned(total);
    for (int k = 0; k < c->size; k++) fill(c, in + bytes * (size_t)k, bytes, c->rank, k);
    cm_alltoall(c->group, in, bytes, out, c->algorithm);
    for (int k = 0; k < c->size; k++) expect(c, out + bytes * (size_t)k, bytes, k, c->rank);
    expect_poison(c, out + total, GUARD);
    free(out);
    free(in);
}

/* ---- Blocks of different lengths ------------------------------------------------------------- */

/* Some blocks are empty; they lie in reverse order with gaps. */
static size_t block_bytes(const check *c, int origin, int target, size_t unit)
{
    return ((unsigned)origin * 3 + (unsigned)target * 5 + c->salt) % 4 * unit;
}

typedef struct {
    size_t *bytes, *offsets, total;
} layout;

enum { GAP = 3 };

static layout lay_out(const check *c, size_t unit, int fixed_origin, int fixed_target)
{
    const size_t n = (size_t)c->size;
    layout l = {calloc(n, sizeof(size_t)), calloc(n, sizeof(size_t)), 0};
    for (int k = c->size - 1; k >= 0; k--) {
        l.bytes[k] = block_bytes(c, fixed_origin < 0 ? k : fixed_origin,
                                 fixed_target < 0 ? k : fixed_target, unit);
        l.offsets[k] = l.total;
        l.total += l.bytes[k] + GAP;
    }
    return l;
}

static void free_layout(layout l)
{
    free(l.bytes);
    free(l.offsets);
}

/* Returns true if block k of data is what origin sent to target, and the gap after it is
   untouched. */
static void expect_blocks(check *c, const layout *l, const unsigned char *data, int fixed_origin,
                          int fixed_target)
{
    for (int k = 0; k < c->size; k++) {
        const unsigned char *block = data + l->offsets[k];
        expect(c, block, l->bytes[k], fixed_origin < 0 ? k : fixed_origin,
               fixed_target < 0 ? k : fixed_target);
        expect_poison(c, block + l->bytes[k], GAP);
    }
}

static void check_gatherv(check *c, size_t unit, int root)
{
    const size_t bytes = block_bytes(c, c->rank, root, unit);
    const layout l = lay_out(c, unit, -1, root);
    unsigned char *in = poisoned(bytes), *out = poisoned(l.total);
    fill(c, in, bytes, c->rank, root);
    if (c->rank == root) {
        cm_gatherv(c->group, in, bytes, out, l.bytes, l.offsets, root, c->algorithm);
        expect_blocks(c, &l, out, -1, root);
    } else {
        cm_gatherv(c->group, bytes ? in : NULL, bytes, NULL, NULL, NULL, root, c->algorithm);
    }
    free(in);
    free(out);
    free_layout(l);
}

static void check_scatterv(check *c, size_t unit, int root)
{
    const size_t bytes = block_bytes(c, root, c->rank, unit);
    const layout l = lay_out(c, unit, root, -1);
    unsigned char *in = poisoned(l.total), *out = poisoned(bytes);
    if (c->rank == root) {
        for (int k = 0; k < c->size; k++) fill(c, in + l.offsets[k], l.bytes[k], root, k);
        cm_scatterv(c->group, in, l.bytes, l.offsets, out, bytes, root, c->algorithm);
    } else {
        cm_scatterv(c->group, NULL, NULL, NULL, bytes ? out : NULL, bytes, root, c->algorithm);
    }
    expect(c, out, bytes, root, c->rank);
    expect_poison(c, out + bytes, GUARD);
    free(in);
    free(out);
    free_layout(l);
}

static void check_allgatherv(check *c, size_t unit)
{
    const size_t bytes = block_bytes(c, c->rank, 0, unit);
    const layout l = lay_out(c, unit, -1, 0);
    unsigned char *in = poisoned(bytes), *out = poisoned(l.total);
    fill(c, in, bytes, c->rank, 0);
    cm_allgatherv(c->group, in, bytes, out, l.bytes, l.offsets, c->algorithm);
    expect_blocks(c, &l, out, -1, 0);
    free(in);
    free(out);
    free_layout(l);
}

static void check_alltoallv(check *c, size_t unit)
{
    const layout from = lay_out(c, unit, c->rank, -1), to = lay_out(c, unit, -1, c->rank);
    unsigned char *in = poisoned(from.total), *out = poisoned(to.total);
    for (int k = 0; k < c->size; k++) fill(c, in + from.offsets[k], from.bytes[k], c->rank, k);
    cm_alltoallv(c->group, in, from.bytes, from.offsets, out, to.bytes, to.offsets, c->algorithm);
    expect_blocks(c, &to, out, -1, c->rank);
    free(in);
    free(out);
    free_layout(from);
    free_layout(to);
}

/* ---- Reductions ------------------------------------------------------------------------------ */

/* 2 by 2 matrices of integers modulo 2^32: their product is associative and not commutative. */
typedef struct {
    uint32_t a, b, c, d;
} matrix;

static void product(const void *left, void *right, size_t count, cm_type type)
{
    const matrix *l = left;
    matrix *r = right;
    (void)type;
    for (size_t i = 0; i < count; i++)
        r[i] = (matrix){l[i].a * r[i].a + l[i].b * r[i].c, l[i].a * r[i].b + l[i].b * r[i].d,
                        l[i].c * r[i].a + l[i].d * r[i].c, l[i].c * r[i].b + l[i].d * r[i].d};
}

/* Sum modulo a prime. */
static void prime_sum(const void *left, void *right, size_t count, cm_type type)
{
    const int32_t *l = left;
    int32_t *r = right;
    (void)type;
    for (size_t i = 0; i < count; i++) r[i] = (l[i] + r[i]) % 9973;
}

enum { REDUCTIONS = 9, MOST_ELEMENT = 16 };
static const struct {
    cm_type type;
    cm_op op;
} reductions[REDUCTIONS] = {
    {CM_INT32, {CM_OP_SUM, 1, 0}},          {CM_INT64, {CM_OP_PROD, 1, 0}},
    {CM_UINT8, {CM_OP_XOR, 1, 0}},          {CM_FLOAT, {CM_OP_SUM, 1, 0}},
    {CM_DOUBLE, {CM_OP_MAX, 1, 0}},         {CM_DOUBLE_INDEX, {CM_OP_MINLOC, 1, 0}},
    {CM_FLOAT_INDEX, {CM_OP_MAXLOC, 1, 0}}, {CM_RECORD(sizeof(matrix)), {CM_OP_USER, 0, product}},
    {CM_INT32, {CM_OP_USER, 1, prime_sum}},
};

/* Element i of rank k. Sums of floats stay exact. */
static void element(const check *c, cm_type type, int k, size_t i, void *data)
{
    const unsigned x = (c->salt * 7 + (unsigned)k * 13 + (unsigned)i * 5) % 251;
    switch (type) {
    case CM_UINT8:
        ((uint8_t *)data)[i] = (uint8_t)x;
        break;
    case CM_INT32:
        ((int32_t *)data)[i] = (int32_t)x * 37;
        break;
    case CM_INT64:
        ((int64_t *)data)[i] = 2 * (int64_t)x + 1;
        break;
    case CM_FLOAT:
        ((float *)data)[i] = (float)x;
        break;
    case CM_DOUBLE:
        ((double *)data)[i] = (double)x / 3;
        break;
    case CM_FLOAT_INDEX:
        ((cm_float_index *)data)[i] = (cm_float_index){(float)(x % 3), k};
        break;
    case CM_DOUBLE_INDEX:
        ((cm_double_index *)data)[i] = (cm_double_index){x % 3, k};
        break;
    default:
        ((matrix *)data)[i] = (matrix){x, 1, (unsigned)k + 2, (unsigned)i};
        break;
    }
}

/* Elements repeat after 251, except those of matrices, which contain their number. */
static void vector(const check *c, cm_type type, int k, size_t count, void *data)
{
    const size_t bytes = cm_type_bytes(type);
    size_t made = count < 251 || type == CM_RECORD(sizeof(matrix)) ? count : 251;
    for (size_t i = 0; i < made; i++) element(c, type, k, i, data);
    for (size_t more; made < count; made += more) {
        more = made < count - made ? made : count - made;
        memcpy((char *)data + made * bytes, data, more * bytes);
    }
}

/* Field by field where there is padding. */
static bool same(cm_type type, const void *a, const void *b, size_t count)
{
    if (type == CM_FLOAT_INDEX) {
        const cm_float_index *x = a, *y = b;
        for (size_t i = 0; i < count; i++)
            if (x[i].value != y[i].value || x[i].index != y[i].index) return false;
        return true;
    }
    return count == 0 || memcmp(a, b, count * cm_type_bytes(type)) == 0;
}

/* right = left op right, by plain arithmetic. */
static void combine(int which, const void *left, void *right, size_t count)
{
    for (size_t i = 0; i < count; i++) {
#define L(ctype) (((const ctype *)left)[i])
#define R(ctype) (((ctype *)right)[i])
        switch (which) {
        case 0:
            R(int32_t) += L(int32_t);
            break;
        case 1:
            R(uint64_t) *= L(uint64_t);
            break;
        case 2:
            R(uint8_t) ^= L(uint8_t);
            break;
        case 3:
            R(float) += L(float);
            break;
        case 4:
            if (L(double) > R(double)) R(double) = L(double);
            break;
        case 5:
            if (L(cm_double_index).value <= R(cm_double_index).value)
                R(cm_double_index) = L(cm_double_index);
            break;
        case 6:
            if (L(cm_float_index).value >= R(cm_float_index).value)
                R(cm_float_index) = L(cm_float_index);
            break;
        case 7:
            product(&L(matrix), &R(matrix), 1, 0);
            break;
        case 8:
            prime_sum(&L(int32_t), &R(int32_t), 1, 0);
            break;
        }
    }
}

/* x_0 op ... op x_last, from the left. */
static void reference(const check *c, int which, size_t count, int last, void *result)
{
    const cm_type type = reductions[which].type;
    const size_t bytes = count * cm_type_bytes(type);
    char *next = malloc(bytes + 1);
    vector(c, type, 0, count, result);
    for (int k = 1; k <= last; k++) {
        vector(c, type, k, count, next);
        combine(which, result, next, count);
        memcpy(result, next, bytes);
    }
    free(next);
}

static void check_reduction(check *c, cm_collective collective, int which, size_t count, int root,
                            bool in_place)
{
    const cm_type type = reductions[which].type;
    const cm_op op = reductions[which].op;
    const size_t bytes = count * cm_type_bytes(type);
    const bool arrives = collective != CM_COLLECTIVE_REDUCE || c->rank == root;
    unsigned char *in = poisoned(bytes), *out = poisoned(bytes), *want = poisoned(bytes);
    unsigned char *from = in_place && arrives ? out : in;
    vector(c, type, c->rank, count, from);
    if (collective == CM_COLLECTIVE_REDUCE)
        cm_reduce(c->group, from, arrives ? out : NULL, count, type, op, root, c->algorithm);
    else if (collective == CM_COLLECTIVE_ALLREDUCE)
        cm_allreduce(c->group, from, out, count, type, op, c->algorithm);
    else cm_scan(c->group, from, out, count, type, op, c->algorithm);
    if (arrives) {
        reference(c, which, count, collective == CM_COLLECTIVE_SCAN ? c->rank : c->size - 1, want);
        c->wrong += !same(type, out, want, count);
    }
    if (from == in) { /* a program's operand is not ours to change */
        vector(c, type, c->rank, count, want);
        c->wrong += !same(type, in, want, count);
    }
    expect_poison(c, out + bytes, GUARD);
    free(in);
    free(out);
    free(want);
}

/* Blocks of different lengths, some of them empty; count: of the longest. */
static void check_reduce_scatter(check *c, int which, size_t count)
{
    const cm_type type = reductions[which].type;
    const size_t element = cm_type_bytes(type);
    size_t counts[64], total = 0, before = 0;
    for (int k = 0; k < c->size; k++) {
        counts[k] = (unsigned)(k + (int)c->salt) % 3 * count / 2;
        if (k < c->rank) before += counts[k];
        total += counts[k];
    }
    const size_t bytes = total * element, own = counts[c->rank] * element;
    unsigned char *in = poisoned(bytes), *out = poisoned(own), *want = poisoned(bytes);
    vector(c, type, c->rank, total, in);
    cm_reduce_scatter(c->group, in, out, counts, type, reductions[which].op, c->algorithm);
    reference(c, which, total, c->size - 1, want);
    c->wrong += !same(type, out, want + before * element, counts[c->rank]);
    vector(c, type, c->rank, total, want);
    c->wrong += !same(type, in, want, total);
    expect_poison(c, out + own, GUARD);
    free(in);
    free(out);
    free(want);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void check_once(check *c, cm_collective collective, size_t length, int root)
{
    /* A block that is already in its place: comm.h promises nothing, but our algorithms accept
       it. */
    const bool ours = c->algorithm.kind != CM_KIND_AUTO && c->algorithm.kind != CM_KIND_NATIVE;
    for (int in_place = 0; in_place < 2; in_place++) {
        c->salt++;
        switch (collective) {
        case CM_COLLECTIVE_BARRIER:
            check_barrier(c, root);
            break;
        case CM_COLLECTIVE_BCAST:
            check_bcast(c, length, root);
            break;
        case CM_COLLECTIVE_GATHER:
            check_gather(c, length, root, in_place && ours);
            break;
        case CM_COLLECTIVE_SCATTER:
            check_scatter(c, length, root, in_place && ours);
            break;
        case CM_COLLECTIVE_ALLGATHER:
            check_allgather(c, length, in_place && ours);
            break;
        case CM_COLLECTIVE_ALLTOALL:
            check_alltoall(c, length);
            break;
        case CM_COLLECTIVE_GATHERV:
            check_gatherv(c, length, root);
            break;
        case CM_COLLECTIVE_SCATTERV:
            check_scatterv(c, length, root);
            break;
        case CM_COLLECTIVE_ALLGATHERV:
            check_allgatherv(c, length);
            break;
        case CM_COLLECTIVE_ALLTOALLV:
            check_alltoallv(c, length);
            break;
        case CM_COLLECTIVE_REDUCE_SCATTER:
            for (int which = 0; which < REDUCTIONS; which++) check_reduce_scatter(c, which, length);
            break;
        default:
            for (int which = 0; which < REDUCTIONS; which++) {
                /* where all get the result, some ranks in place and some not */
                const bool all = collective == CM_COLLECTIVE_REDUCE || (which + c->rank) % 3;
                check_reduction(c, collective, which, length, root, in_place && all);
            }
        }
    }
}

int check_collective(cm_group *group, cm_collective collective, cm_algorithm algorithm,
                     bool thorough)
{
    static const size_t lengths[] = {5, 0, 1, 70, 3001};
    check c = {group, cm_rank(group), cm_size(group), algorithm, (unsigned)collective * 1000, 0};
    const bool rooted = collective == CM_COLLECTIVE_BARRIER /* the late rank */
                        || collective == CM_COLLECTIVE_BCAST || collective == CM_COLLECTIVE_REDUCE
                        || collective == CM_COLLECTIVE_GATHER || collective == CM_COLLECTIVE_GATHERV
                        || collective == CM_COLLECTIVE_SCATTER
                        || collective == CM_COLLECTIVE_SCATTERV;
    const int n_lengths = collective == CM_COLLECTIVE_BARRIER ? 1 : thorough ? 5 : 4;
    for (int root = 0; root < (rooted ? c.size : 1); root++) {
        if (!thorough && root && root != c.size - 1) continue;
        for (int i = 0; i < n_lengths; i++) check_once(&c, collective, lengths[i], root);
    }
    return c.wrong;
}

int check_repeatable(cm_group *group, cm_algorithm algorithm)
{
    enum { COUNT = 33 };
    const int rank = cm_rank(group), size = cm_size(group);
    int wrong = 0;
    double in[COUNT], first[COUNT], out[COUNT];
    for (int i = 0; i < COUNT; i++) in[i] = 1.0 / (1 + rank * 7 + i) - 0.3;

    for (int pass = 0; pass < 2; pass++) {
        for (int root = 0; root < size; root++) {
            memcpy(out, in, sizeof out);
            cm_reduce(group, pass ? out : in, out, COUNT, CM_DOUBLE, CM_SUM, root, algorithm);
            if (root == 0 && pass == 0) {
                memcpy(first, out, sizeof out);
                cm_bcast(group, first, sizeof first, 0, CM_LINEAR);
            }
            if (rank == root) wrong += memcmp(out, first, sizeof out) != 0;
        }
    }
    for (int pass = 0; pass < 4; pass++) {
        memcpy(out, in, sizeof out);
        cm_allreduce(group, pass % 2 ? out : in, out, COUNT, CM_DOUBLE, CM_SUM, algorithm);
        if (pass == 0) {
            memcpy(first, out, sizeof out);
            cm_bcast(group, first, sizeof first, 0, CM_LINEAR);
        }
        wrong += memcmp(out, first, sizeof out) != 0;
    }
    return wrong;
}

int check_nonblocking(cm_group *group, cm_algorithm algorithm)
{
    enum { UNDER_WAY = 6, COUNT = 50 };
    const int rank = cm_rank(group), size = cm_size(group);
    check c = {group, rank, size, algorithm, 77, 0};
    const bool barrier = cm_algorithm_available(CM_COLLECTIVE_BARRIER, algorithm);

    for (int turn = 0; turn < 3; turn++) {
        cm_request *requests[UNDER_WAY];
        unsigned char data[UNDER_WAY][COUNT + 100 * UNDER_WAY];
        int64_t in[UNDER_WAY][COUNT], out[UNDER_WAY][COUNT];
        for (int j = 0; j < UNDER_WAY; j++) {
            const int root = (j + turn) % size;
            const size_t bytes = (size_t)(COUNT + 100 * j);
            memset(data[j], POISON, sizeof data[j]);
            if (rank == root) fill(&c, data[j], bytes, root, j);
            for (int i = 0; i < COUNT; i++) in[j][i] = (int64_t)(rank + 1) * (i + j) + turn;
            if (j % 2)
                requests[j] =
                    cm_iallreduce(group, in[j], out[j], COUNT, CM_INT64, CM_SUM, algorithm);
            else requests[j] = cm_ibcast(group, data[j], bytes, root, algorithm);
        }
        /* A message over the group itself, and a blocking operation that must move the others on:
           the last rank sends only when its broadcast has come through ranks that are in the
           barrier. */
        const int last = size - 1;
        if (turn == 1 && rank == last) cm_wait(&requests[4], NULL);
        if (turn < 2) cm_barrier(group, barrier ? algorithm : CM_LINEAR);
        int token = rank;
        if (turn == 2 && size > 1) {
            cm_sendrecv(group, &rank, sizeof rank, (rank + 1) % size, 5, &token, sizeof token,
                        (rank + size - 1) % size, 5, NULL);
            c.wrong += token != (rank + size - 1) % size;
        }
        for (int n = 0; n < UNDER_WAY; n++) {
            const int j = (n + rank) % UNDER_WAY;
            if (rank % 2)
                while (!cm_test(&requests[j], NULL)) cm_progress();
            else cm_wait(&requests[j], NULL);
            c.wrong += requests[j] != NULL;
        }
        for (int j = 0; j < UNDER_WAY; j++) {
            if (j % 2 == 0) {
                expect(&c, data[j], (size_t)(COUNT + 100 * j), (j + turn) % size, j);
                continue;
            }
            for (int i = 0; i < COUNT; i++)
                c.wrong += out[j][i] != size * (size + 1) / 2 * (i + j) + size * turn;
        }
    }
    return c.wrong;
}
