/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_sets.c: the kernels for a type of keys, for the instruction set in force. */
#include "config.h"
#include "machine/sets.h"
#include "sort.h"

CM_SETS_DECLARE(const sort_kernel_table, sort_kernels);

const sort_kernels *sort_kernels_of(int key, bool pairs)
{
    static const sort_kernel_table *const tables[CM_SETS] = CM_SETS_TABLE(sort_kernels);
    const sort_kernel_table *table = tables[cm_set_chosen()];
    return (pairs ? table->pairs : table->keys)[key];
}
