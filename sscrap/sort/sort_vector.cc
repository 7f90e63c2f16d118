// SPDX-License-Identifier: BSD-3-Clause
// sort_vector.cc: vqsort of Google Highway, which chooses the instructions at run time.
#include <hwy/contrib/sort/vqsort.h>
#include "sort.h"

const char *sort_vector_name(void) { return "vqsort of Google Highway"; }

void sort_vector(int key, void *keys, size_t n)
{
    static hwy::Sorter sorter;
    switch (key) {
    case SORT_DOUBLE:
        sorter(static_cast<double *>(keys), n, hwy::SortAscending());
        break;
    case SORT_FLOAT:
        sorter(static_cast<float *>(keys), n, hwy::SortAscending());
        break;
    case SORT_INT32:
        sorter(static_cast<int32_t *>(keys), n, hwy::SortAscending());
        break;
    case SORT_INT64:
        sorter(static_cast<int64_t *>(keys), n, hwy::SortAscending());
        break;
    }
}
