/* SPDX-License-Identifier: BSD-3-Clause */
/* host_allocation.c: the hosts that a batch system has allocated to this job. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/exit.h"
#include "launch/host_list_internal.h"

/* Reads "2(x3),1", which is 2, 2, 2, 1, and gives these slots to the hosts in turn. */
static bool give_slots(host_list *list, const char *text)
{
    int i = 0;
    while (*text) {
        int slots, times = 1;
        size_t digits = strspn(text, "0123456789");
        if (!host_list_slots_valid(text, digits, &slots)) return false;
        text += digits;
        if (strncmp(text, "(x", 2) == 0) {
            text += 2;
            digits = strspn(text, "0123456789");
            if (!host_list_slots_valid(text, digits, &times) || text[digits] != ')') return false;
            text += digits + 1;
        }
        for (; times > 0 && i < list->n; times--) list->host[i++].slots = slots;
        if (times > 0 || (*text && *text++ != ',')) return false;
    }
    return i == list->n;
}

static int read_slurm(const char *value, host_list *list, char *why, size_t why_bytes)
{
    const char *tasks = getenv("SLURM_TASKS_PER_NODE");
    int status = host_list_parse(value, list, why, why_bytes);
    if (status || !tasks || !*tasks) return status;
    if (give_slots(list, tasks)) return host_list_check(list, "", why, why_bytes);
    snprintf(why, why_bytes,
             "has %d hosts, to which SLURM_TASKS_PER_NODE=%.100s does not fit; expected such as "
             "2(x3),1; or name the hosts with --hosts",
             list->n, tasks);
    return CM_EXIT_USAGE;
}

/* LSF's names, separated by blanks, one for each slot. */
static int read_names(const char *value, host_list *list, char *why, size_t why_bytes)
{
    char *text = strdup(value);
    if (!text) {
        snprintf(why, why_bytes, "out of memory");
        return CM_EXIT_SYSTEM;
    }
    size_t used = 0;
    const char *blanks = " \t\n";
    for (const char *name = value + strspn(value, blanks); *name; name += strspn(name, blanks)) {
        size_t bytes = strcspn(name, blanks);
        if (used) text[used++] = ',';
        memcpy(text + used, name, bytes);
        used += bytes;
        name += bytes;
    }
    text[used] = '\0';
    int status = host_list_parse(text, list, why, why_bytes);
    free(text);
    return status;
}

static const struct {
    const char *variable;
    int (*read)(const char *value, host_list *list, char *why, size_t why_bytes);
} sources[] = {
    {"SLURM_JOB_NODELIST", read_slurm},
    {"PBS_NODEFILE", host_list_read},
    {"LSB_DJOB_HOSTFILE", host_list_read},
    {"LSB_HOSTS", read_names},
};

/* Batch systems whose lists of hosts are not read. Without a word the job would be on this host. */
static const struct {
    const char *variable, *system;
} unread[] = {
    {"LSB_MCPU_HOSTS", "LSF"}, {"PE_HOSTFILE", "Grid Engine"}, {"OAR_NODEFILE", "OAR"},
    {"OAR_NODE_FILE", "OAR"},  {"OAR_FILE_NODES", "OAR"},      {"COBALT_NODEFILE", "Cobalt"},
    {"FLUX_JOB_ID", "Flux"},
};

int host_list_allocated(host_list *list, const char **variable, char *why, size_t why_bytes)
{
    *list = (host_list){0};
    *variable = NULL;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        const char *value = getenv(sources[i].variable);
        if (!value || !*value) continue;
        *variable = sources[i].variable;
        int status = sources[i].read(value, list, why, why_bytes);
        list->counted = false; /* the user has asked for hosts; he may want more ranks on them */
        return status;
    }
    for (size_t i = 0; i < sizeof unread / sizeof unread[0]; i++) {
        const char *value = getenv(unread[i].variable);
        if (!value || !*value) continue;
        *variable = unread[i].variable;
        snprintf(why, why_bytes,
                 "is %s's, whose hosts are not read from it; name the hosts with --hosts, or this "
                 "one with --hosts localhost",
                 unread[i].system);
        return CM_EXIT_USAGE;
    }
    return 0;
}
