/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_fold.c: reductions over all processes and over those up to this one. */
#include <stdlib.h>
#include "bsp/bsp_internal.h"
#include "bsp/bsp_level1.h"

/* Up to here (p - 1) n bytes in one superstep cost less than n bytes in each of log2 p. */
enum { BSP_AT_ONCE_PROCESSES = 4, BSP_AT_ONCE_BYTES = 16384 };

/* A partial result, and memory for the next one: the operator's operands do not overlap. */
typedef struct {
    unsigned char *value, *next;
    int bytes;
} bsp_partial;

static bsp_partial partial_of(const void *src, int bytes)
{
    unsigned char *memory = cm_bsp_memory(NULL, 2 * (size_t)bytes);
    memcpy(memory, src, (size_t)bytes);
    return (bsp_partial){memory, memory + bytes, bytes};
}

static void partial_end(bsp_partial *partial)
{
    free(partial->value < partial->next ? partial->value : partial->next);
}

static void turn(bsp_partial *partial)
{
    unsigned char *value = partial->next;
    partial->next = partial->value;
    partial->value = value;
}

/* Everyone gets the values of all, or of all up to itself. */
static void at_once(bsp_operator op, const void *src, void *dst, int bytes, bool prefix)
{
    int p = cm_bsp.p, pid = cm_bsp.pid, last = prefix ? pid : p - 1;
    size_t size = (size_t)bytes;
    unsigned char *all = cm_bsp_memory(NULL, (size_t)p * size);
    bsp_push_reg64(all, (size_t)p * size);
    bsp_sync();
    for (int to = prefix ? pid : 0; to < p; to++) bsp_put64(to, src, all, (size_t)pid * size, size);
    bsp_pop_reg(all);
    bsp_sync();
    bsp_partial sum = partial_of(all, bytes);
    for (int k = 1; k <= last; k++) {
        op(sum.next, sum.value, all + (size_t)k * size, &bytes);
        turn(&sum);
    }
    memcpy(dst, sum.value, size);
    partial_end(&sum);
    free(all);
}

/* After step i the partial result is that of the 2^i processes that end with this one (W. D.
   Hillis, G. L. Steele: Data parallel algorithms. Communications of the ACM 29 (1986) 1170-1183).
   Steps take turns with two places for what arrives, because the next may arrive while the last is
   in use. */
static void doubling(bsp_operator op, const void *src, void *dst, int bytes, bool prefix)
{
    int p = cm_bsp.p, pid = cm_bsp.pid;
    size_t size = (size_t)bytes, place = 0;
    unsigned char *left = cm_bsp_memory(NULL, 2 * size);
    bsp_push_reg64(left, 2 * size);
    bsp_sync();
    bsp_partial sum = partial_of(src, bytes);
    for (int i = 1; i < p; i *= 2) {
        if (pid + i < p) bsp_hpput64(pid + i, sum.value, left, place, size);
        if (2 * i >= p) bsp_pop_reg(left);
        bsp_sync();
        if (pid >= i) {
            op(sum.next, left + place, sum.value, &bytes);
            turn(&sum);
        }
        place = size - place;
    }
    free(left);
    if (prefix) memcpy(dst, sum.value, size);
    else cm_bsp_bcast(p - 1, sum.value, dst, size);
    partial_end(&sum);
}

static void combine(const char *call, bsp_operator op, const void *src, void *dst, int bytes,
                    bool prefix)
{
    size_t size = cm_bsp_collective_size(call, 0, bytes), p = (size_t)cm_bsp.p;
    if (!op) cm_bsp_wrong(call, "the operator is NULL");
    if (size && (!src || !dst))
        cm_bsp_wrong(call, "the %s is NULL", src ? "destination" : "source");
    if (!size) bsp_sync();
    else if (p <= BSP_AT_ONCE_PROCESSES || p * size <= BSP_AT_ONCE_BYTES)
        at_once(op, src, dst, bytes, prefix);
    else doubling(op, src, dst, bytes, prefix);
}

void bsp_fold(bsp_operator op, const void *src, void *dst, int bytes)
{
    combine("bsp_fold", op, src, dst, bytes, false);
}

void bsp_scan(bsp_operator op, const void *src, void *dst, int bytes)
{
    combine("bsp_scan", op, src, dst, bytes, true);
}

/* ---- Operators of numbers -------------------------------------------------------------------- */

/* The functions bsp_NAME and bsp_NAME_prefix of one value. */
#define BSP_FOLD_SCAN(name, type, expression)                           \
    static void name(void *result, void *left, void *right, int *bytes) \
    {                                                                   \
        const type a = *(const type *)left, b = *(const type *)right;   \
        (void)bytes;                                                    \
        *(type *)result = (expression);                                 \
    }                                                                   \
    type bsp_##name(type x)                                             \
    {                                                                   \
        combine("bsp_" #name, name, &x, &x, sizeof x, false);           \
        return x;                                                       \
    }                                                                   \
    type bsp_##name##_prefix(type x)                                    \
    {                                                                   \
        combine("bsp_" #name "_prefix", name, &x, &x, sizeof x, true);  \
        return x;                                                       \
    }
#define BSP_NUMBERS(letter, type)                   \
    BSP_FOLD_SCAN(sum##letter, type, a + b)         \
    BSP_FOLD_SCAN(product##letter, type, (a * b))   \
    BSP_FOLD_SCAN(min##letter, type, a < b ? a : b) \
    BSP_FOLD_SCAN(max##letter, type, a > b ? a : b)

BSP_NUMBERS(I, int)
BSP_NUMBERS(R, float)
BSP_NUMBERS(D, double)

int bsp_all(int x) { return bsp_minI(x != 0); }
int bsp_any(int x) { return bsp_maxI(x != 0); }
