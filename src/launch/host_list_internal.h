/* SPDX-License-Identifier: BSD-3-Clause */
/* host_list_internal.h: shared by the list (host_list.c), its parser (host_text.c) and allocations
   (host_allocation.c). */
#ifndef CM_LAUNCH_HOST_LIST_INTERNAL_H
#define CM_LAUNCH_HOST_LIST_INTERNAL_H

#include "launch/host_list.h"

/* Adds slots of a host. Returns false if out of memory. */
bool host_list_add(host_list *list, const char *name, size_t bytes, int slots);

/* Returns 0 if the list has hosts, and not too many slots. expected says what a list looks like. */
int host_list_check(const host_list *list, const char *expected, char *why, size_t why_bytes);

/* Parses a number of slots. */
bool host_list_slots_valid(const char *text, size_t bytes, int *slots);

#endif
