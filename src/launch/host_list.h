/* SPDX-License-Identifier: BSD-3-Clause */
/* host_list.h: --hosts and --hostfile: which hosts, how many ranks each, and which rank where. */
#ifndef CM_LAUNCH_HOST_LIST_H
#define CM_LAUNCH_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *name;
    int slots;
    bool local;               /* cmrun's own host: needs no launcher */
    int first, stride, count; /* its ranks: first, first+stride, ...; count may be 0 */
} host;

typedef struct {
    host *host;
    int n;
    bool counted; /* somewhere a number of slots is given */
} host_list;

enum { HOST_LIST_SLOTS_MOST = 65536 };

/* "a:2,b,[fe80::1]:2" or a file of lines "HOST [SLOTS]" with # comments; a host without a number
   has one slot; a host named twice, or one that is this host under two names, is one host with the
   sum. Returns 0, or a text of one line in why (what is wrong and what would be right) and
   CM_EXIT_USAGE or CM_EXIT_SYSTEM. The list is to be freed in any case. */
int host_list_parse(const char *text, host_list *list, char *why, size_t why_bytes);
int host_list_read(const char *file, host_list *list, char *why, size_t why_bytes);

int host_list_slots(const host_list *list);

/* Places ranks: fills the slots in order; more ranks than slots go round the hosts in turn when no
   number of slots was given, else false. */
bool host_list_place(host_list *list, int ranks);

int host_list_used(const host_list *list); /* hosts with ranks */

void host_list_free(host_list *list);

#endif
