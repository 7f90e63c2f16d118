/* SPDX-License-Identifier: BSD-3-Clause */
/* host_choice.c: chooses the hosts of a job and places its ranks. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/engine/auth.h"
#include "launch/host_choice.h"
#include "launch/launcher.h"

/* Parses N, cores or sockets. */
static int read_per_host(const cm_program *program, const char *text, per_host_kind *kind,
                         int *slots)
{
    char *end;
    long number = strtol(text, &end, 10);
    *kind = PER_HOST_NUMBER;
    *slots = (int)number;
    if (*text >= '0' && *text <= '9' && !*end && number >= 1 && number <= HOST_LIST_SLOTS_MOST)
        return 0;
    for (*kind = PER_HOST_CORES; *kind <= PER_HOST_SOCKETS; ++*kind)
        if (strcmp(text, per_host_name(*kind)) == 0) {
            *slots = per_host_count(*kind);
            return 0;
        }
    return cm_option_error(program,
                           "--per-host %s: expected a number from 1 to %d, cores or sockets", text,
                           HOST_LIST_SLOTS_MOST);
}

/* Reads the list from wherever it is. *source is an option or a variable; NULL: there is none. */
static int read_list(const cm_program *program, const host_choice *choice, host_list *list,
                     const char **source, const char **value)
{
    char why[512];
    int status;
    if (choice->hosts) {
        *source = "--hosts";
        *value = choice->hosts;
        status = host_list_parse(choice->hosts, list, why, sizeof why);
    } else if (choice->hostfile) {
        *source = "--hostfile";
        *value = choice->hostfile;
        status = host_list_read(choice->hostfile, list, why, sizeof why);
    } else {
        status = host_list_allocated(list, source, why, sizeof why);
        *value = *source ? getenv(*source) : NULL;
    }
    if (!status) return 0;
    cm_option_error(program, "%s%s%s: %s", *source, (*source)[0] == '-' ? " " : "=", *value, why);
    return status;
}

static bool is_in_path(const char *program)
{
    const char *path = getenv("PATH");
    char name[4096];
    while (path && *path) {
        int bytes = (int)strcspn(path, ":");
        snprintf(name, sizeof name, "%.*s/%s", bytes, path, program);
        if (access(name, X_OK) == 0) return true;
        path += bytes;
        path += *path == ':';
    }
    return false;
}

/* True if all hosts of the list, also of one that --hosts names, are those of a job of Slurm. Not
   if it is heterogeneous: srun reaches one group at a time. */
static bool are_of_slurm(const host_list *list)
{
    host_list all = {0};
    const char *source = NULL;
    char why[512];
    if (!getenv("SLURM_JOB_NODELIST") || getenv("SLURM_JOB_NODELIST_HET_GROUP_0")) return false;
    bool within = host_list_allocated(&all, &source, why, sizeof why) == 0 && source
                  && strncmp(source, "SLURM_", 6) == 0;
    for (int i = 0; i < list->n && within; i++) {
        int k = 0;
        while (k < all.n && strcmp(all.host[k].name, list->host[i].name) != 0) k++;
        within = k < all.n;
    }
    host_list_free(&all);
    return within;
}

/* Inside a job, srun reaches the nodes without a key, and its processes are counted as the job's.
   --overlap: the programs that it starts there share the job's cores. One srun starts the proxies
   on all nodes if they can prove to cmrun who they are. */
static const char *launcher_for(const host_list *list, bool *step)
{
    bool slurm = are_of_slurm(list) && is_in_path("srun");
    *step = slurm && cm_auth_strong();
    if (*step)
        return "srun --quiet --overlap --cpu-bind=none --mpi=none --input=all --wait=0 --no-kill "
               "--kill-on-bad-exit=0 --ntasks-per-node=1";
    return slurm ? LAUNCHER_SRUN : "ssh";
}

int host_choose(const cm_program *program, const host_choice *choice, host_list *list,
                bool *several, int *ranks, per_host_kind *kind, const char **launcher, bool *step)
{
    const char *source, *value;
    int slots = 0;
    *several = *step = false;
    *kind = PER_HOST_ANY;
    *list = (host_list){0};
    int status = choice->per_host ? read_per_host(program, choice->per_host, kind, &slots) : 0;
    if (status || (status = read_list(program, choice, list, &source, &value))) return status;
    if (!*launcher) *launcher = source ? launcher_for(list, step) : "ssh";
    if (!source) {
        if (slots && *ranks > slots)
            return cm_option_error(program,
                                   "-n %d: --per-host %s means %d ranks on this host; expected no "
                                   "more ranks than that",
                                   *ranks, choice->per_host, slots);
        if (*ranks == 0) *ranks = slots ? slots : 1;
        return 0;
    }
    if (slots && (int64_t)slots * list->n > HOST_LIST_SLOTS_MOST)
        return cm_option_error(program, "--per-host %s: %d hosts; expected at most %d ranks",
                               choice->per_host, list->n, HOST_LIST_SLOTS_MOST);
    if (slots) host_list_set_slots(list, slots);
    if (*ranks == 0) *ranks = host_list_slots(list);
    /* A batch system's job on one host is like any other on this host. */
    *several = choice->hosts || choice->hostfile || list->n > 1 || !list->host[0].local;
    if (host_list_place(list, *ranks)) return 0;
    return cm_option_error(program, "-n %d: %s%s%s has %d slots; expected no more ranks than slots",
                           *ranks, source, source[0] == '-' ? " " : "=", value,
                           host_list_slots(list));
}
