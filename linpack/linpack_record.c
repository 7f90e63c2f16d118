/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_record.c: pivot search, row exchange and broadcast of the pivot row as one reduction. */
#include <stdbool.h>
#include <string.h>
#include "linpack.h"

/* pivot_head of linpack_pivot.f90. */
typedef struct {
    double value;
    int64_t row, has_current, row_bytes;
} head;

/* Orders candidates: NaN first, then the larger value, then the uppermost row. This order is total,
   so the pivot does not depend on the number of ranks or on the algorithm of the reduction. */
static bool before(const head *a, const head *b)
{
    bool a_nan = a->value != a->value, b_nan = b->value != b->value;
    if (a_nan != b_nan) return a_nan;
    if (!a_nan && a->value != b->value) return a->value > b->value;
    return a->row < b->row;
}

void linpack_pivot_choose(const void *left, void *right)
{
    const char *l = left;
    char *r = right;
    head from, to;
    memcpy(&from, l, sizeof from);
    memcpy(&to, r, sizeof to);
    size_t row_bytes = (size_t)to.row_bytes;
    if (before(&from, &to)) {
        to.value = from.value;
        to.row = from.row;
        memcpy(r + sizeof to, l + sizeof to, row_bytes);
    }
    if (from.has_current) {
        to.has_current = 1;
        memcpy(r + sizeof to + row_bytes, l + sizeof to + row_bytes, row_bytes);
    }
    memcpy(r, &to, sizeof to);
}

static void choose(const void *left, void *right, size_t count, cm_type type)
{
    size_t bytes = cm_type_bytes(type);
    for (size_t k = 0; k < count; k++)
        linpack_pivot_choose((const char *)left + k * bytes, (char *)right + k * bytes);
}

void linpack_pivot_start(cm_group *const *group, void *record, cm_request **request)
{
    head h;
    memcpy(&h, record, sizeof h);
    *request =
        cm_iallreduce(*group, record, record, 1, CM_RECORD(sizeof h + 2 * (size_t)h.row_bytes),
                      CM_USER_OP(choose, 1), CM_AUTO);
}
