/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c: room for what a result holds. */
#include <config.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

bool cm_result_grow(cm_result *result, void **list, size_t n, size_t *capacity, size_t element)
{
    if (n < *capacity) return true;
    size_t more = *capacity > 0 ? 2 * *capacity : 16;
    void *larger = more <= SIZE_MAX / element ? realloc(*list, more * element) : NULL;
    if (!larger) {
        result->out_of_memory = true;
        return false;
    }
    *list = larger;
    *capacity = more;
    return true;
}

char *cm_result_copy(cm_result *result, const char *text)
{
    char *copy = strdup(text);
    if (copy) cm_result_clean(copy);
    else result->out_of_memory = true;
    return copy;
}
