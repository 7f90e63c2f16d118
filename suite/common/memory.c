/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c: memory, or the end of the program. */
#include "config.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "memory.h"

void *suite_there(void *memory)
{
    if (memory) return memory;
    fprintf(stderr, "clustermark: out of memory\n");
    exit(CM_EXIT_SYSTEM);
}

char *suite_text(const char *format, ...)
{
    char *text;
    va_list list;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    return suite_there(length < 0 ? NULL : text);
}

char *suite_copy(const char *text) { return suite_there(strdup(text)); }

void *suite_array(size_t n, size_t size) { return suite_there(calloc(n ? n : 1, size)); }

void *suite_longer(void *array, size_t n, size_t size)
{
    if (n > SIZE_MAX / size) suite_there(NULL);
    return suite_there(realloc(array, n * size));
}
