/* SPDX-License-Identifier: BSD-3-Clause */
/* host_list.h: the hosts of a job, from --hosts, --hostfile or a batch system's allocation, and the
   ranks on each of them. */
#ifndef CM_LAUNCH_HOST_LIST_H
#define CM_LAUNCH_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *name;
    int slots;
    bool local;               /* this host, which needs no launcher */
    int first, stride, count; /* its ranks are first, first + stride, ...; count may be 0 */
} host;

typedef struct {
    host *host;
    int n, capacity;
    bool counted; /* the user has given at least one number of slots */
} host_list;

enum { HOST_LIST_SLOTS_MOST = 65536 };

/* host_list_parse takes a text like "a:2,b,n[01-16]:4,[fe80::1]:2". host_list_read takes a file of
   lines HOST, HOST SLOTS, HOST:SLOTS or HOST slots=SLOTS with # comments. HOST may have ranges
   (host_range.h). A host without a number has one slot. A host that is named twice, or this host
   as localhost, by its short name and by its full one, is one host with the sum of the slots;
   node.a and node.b are two. Both return 0; on failure they return
   CM_EXIT_USAGE or CM_EXIT_SYSTEM, with one line in why that says what is wrong and what is
   expected. Free the list in any case. */
int host_list_parse(const char *text, host_list *list, char *why, size_t why_bytes);
int host_list_read(const char *file, host_list *list, char *why, size_t why_bytes);

/* Does the same for the hosts that a batch system has allocated. *variable is the one that was
   read; NULL, with 0 and an empty list, if none is set. They are, in this order:
   SLURM_JOB_NODELIST_HET_GROUP_0 and further groups; SLURM_STEP_NODELIST, in a step on some of the
   job's nodes; SLURM_JOB_NODELIST, all with their tasks; PBS_NODEFILE; LSB_DJOB_HOSTFILE, LSB_HOSTS
   or LSB_MCPU_HOSTS, without the batch node, which one line on stderr says; PE_HOSTFILE;
   OAR_NODEFILE; COBALT_NODEFILE; FLUX_JOB_ID or FLUX_URI, for which flux is asked. */
int host_list_allocated(host_list *list, const char **variable, char *why, size_t why_bytes);

int host_list_slots(const host_list *list);

/* Gives every host this number of slots, as the user's. */
void host_list_set_slots(host_list *list, int slots);

/* Places the ranks: fills the slots in order. If there are more ranks than slots, the ranks go
   round the hosts in turn if the user has given no number of slots; otherwise returns false. */
bool host_list_place(host_list *list, int ranks);

int host_list_used(const host_list *list); /* number of hosts with ranks */

/* Returns the list as host_list_parse reads it, "a:2,b:1"; NULL if out of memory. The caller
   frees. */
char *host_list_text(const host_list *list);

void host_list_free(host_list *list);

#endif
