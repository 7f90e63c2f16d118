/* SPDX-License-Identifier: BSD-3-Clause */
/* host_list.h: --hosts and --hostfile: the hosts of a job, and the ranks on each of them. */
#ifndef CM_LAUNCH_HOST_LIST_H
#define CM_LAUNCH_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *name;
    int slots;
    bool local;               /* cmrun's own host, which needs no launcher */
    int first, stride, count; /* its ranks are first, first + stride, ...; count may be 0 */
} host;

typedef struct {
    host *host;
    int n;
    bool counted; /* at least one number of slots was given */
} host_list;

enum { HOST_LIST_SLOTS_MOST = 65536 };

/* host_list_parse takes a text like "a:2,b,[fe80::1]:2", host_list_read a file of lines "HOST
   [SLOTS]" with # comments. A host without a number has one slot. A host that is named twice, or
   under two names of this host, is one host with the sum of the slots. Both return 0; on failure
   they return CM_EXIT_USAGE or CM_EXIT_SYSTEM, with one line in why that says what is wrong and
   what is expected. Free the list in any case. */
int host_list_parse(const char *text, host_list *list, char *why, size_t why_bytes);
int host_list_read(const char *file, host_list *list, char *why, size_t why_bytes);

int host_list_slots(const host_list *list);

/* Places the ranks: fills the slots in order. If there are more ranks than slots, the ranks go
   round the hosts in turn if no number of slots was given; otherwise returns false. */
bool host_list_place(host_list *list, int ranks);

int host_list_used(const host_list *list); /* number of hosts with ranks */

void host_list_free(host_list *list);

#endif
