/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h: memory for clustermark, which ends with one line and status 3 if there is none. */
#ifndef SUITE_MEMORY_H
#define SUITE_MEMORY_H

#include <stddef.h>

/* A text as printf writes it, a copy of a text, n zeroed elements, and a longer array. The caller
   frees. */
char *suite_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *suite_copy(const char *text);
void *suite_array(size_t n, size_t size);
void *suite_longer(void *array, size_t n, size_t size);

/* Returns what another function has allocated; NULL ends the program. */
void *suite_there(void *memory);

#endif
