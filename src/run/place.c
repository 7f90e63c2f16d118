/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c: the hosts, cores and memory of the job's ranks. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/computer.h"
#include "base/environment.h"
#include "comm/hosts.h"
#include "machine/cpus.h"
#include "machine/machine.h"
#include "memory/memory.h"
#include "run/run.h"

int cm_run_number_hosts(cm_group *group, int *host)
{
    const cm_hosts *hosts = cm_hosts_of(group);
    memcpy(host, hosts->host, (size_t)cm_size(group) * sizeof *host);
    return hosts->hosts;
}

static bool are_same(const cm_machine_cpus *a, const cm_machine_cpus *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Ends the job if the launcher bound ranks so that two of them would get one place: to processors
   that overlap, or, where a place is more than a core or depends on another rank's, that differ. */
static void require_places(int way, const cm_machine_cpus *may_run, int ranks)
{
    const bool of_cores = way == CM_BIND_SPREAD || way == CM_BIND_PACK;
    char one[64], other[64];
    for (int a = 0; a < ranks; a++)
        for (int b = a + 1; b < ranks; b++) {
            if (are_same(&may_run[a], &may_run[b])) continue;
            cm_machine_cpus both = may_run[a];
            cm_machine_cpus_and(&both, &may_run[b]);
            if (of_cores && cm_machine_cpus_count(&both) == 0) continue;
            cm_abort(CM_EXIT_USAGE,
                     "--bind=%s: the launcher bound two ranks of this host to processors %s and "
                     "%s, which %s; start them unbound (Open MPI: --bind-to none)",
                     cm_machine_ways[way], cm_machine_cpus_text(&may_run[a], one, sizeof one),
                     cm_machine_cpus_text(&may_run[b], other, sizeof other),
                     of_cores ? "overlap" : "differ");
        }
}

/* Returns the number of ranks before this one that may run on the same processors. */
static int own_place(int way)
{
    const int rank = cm_rank(cm_world());
    if (!cm_comm_has(CM_HAS_PROCESSES)) return cm_run_ranks_before(cm_world(), rank);
    cm_group *computer = cm_split(cm_world(), cm_run_first_on_computer(cm_world(), rank), 0);
    const int ranks = cm_size(computer), k = cm_rank(computer);
    cm_machine_cpus own = {{0}}, *may_run = calloc((size_t)ranks, sizeof *may_run);
    int place = 0;
    if (!may_run) cm_abort(CM_EXIT_SYSTEM, "out of memory for the processors of %d ranks", ranks);
    cm_machine_cpus_affinity(0, &own);
    cm_allgather(computer, &own, sizeof own, may_run, CM_AUTO);
    if (k == 0) require_places(way, may_run, ranks);
    for (int before = 0; before < k; before++) place += are_same(&may_run[before], &own);
    free(may_run);
    cm_group_free(computer);
    return place;
}

void cm_run_bind(int way)
{
    char why[256];
    /* All ranks of a simulator are one process. */
    if (way == CM_BIND_NONE || cm_comm_has(CM_HAS_SIMULATOR)) return;
    const int status = cm_machine_bind((cm_machine_way)way, own_place(way), why, sizeof why);
    if (status != 0) cm_abort(status, "--bind=%s: %s", cm_machine_ways[way], why);
    /* Nothing of a result is written before all ranks have their places. */
    cm_barrier(cm_world(), CM_AUTO);
}

int cm_run_check_memory(const cm_program *program, size_t bytes, const char *lower,
                        const char *what, ...)
{
    if (cm_launch_rank() != 0) return 0;
    bool limited;
    int64_t free_bytes = cm_machine_memory_share_bytes(1, &limited);
    if (free_bytes <= 0 || bytes <= (size_t)free_bytes) return 0;
    char text[256];
    va_list list;
    va_start(list, what);
    vsnprintf(text, sizeof text, what, list);
    va_end(list);
    return cm_option_error(
        program, "%s takes %zu bytes of memory, but %lld are %s; try a smaller %s", text, bytes,
        (long long)free_bytes,
        limited ? "left of the limit of a process (ulimit -v)" : "free on this host", lower);
}

void cm_run_require_memory(size_t bytes, const char *lower, const char *what, ...)
{
    int rank = cm_rank(cm_world()), ranks = cm_run_ranks_on_computer(cm_world(), rank);
    bool checks = cm_run_ranks_before(cm_world(), rank) == 0, limited = false;
    int64_t share_bytes = checks ? cm_machine_memory_share_bytes(ranks, &limited) : 0;
    if (share_bytes > 0 && bytes > (size_t)share_bytes) {
        char text[256];
        va_list list;
        va_start(list, what);
        vsnprintf(text, sizeof text, what, list);
        va_end(list);
        cm_abort(CM_EXIT_USAGE,
                 "%s takes %zu bytes of memory on each of %d rank%s of this computer, but %lld are "
                 "%s; try a smaller %s",
                 text, bytes, ranks, ranks == 1 ? "" : "s",
                 (long long)(limited ? share_bytes : cm_machine_memory_free_bytes()),
                 limited ? "left of the limit of a process (ulimit -v)" : "free", lower);
    }
    /* Nobody takes memory that is not there, or tells of the job's end in a line of its own. */
    cm_barrier(cm_world(), CM_AUTO);
}

/* "virtual_rate", "virtual_delay", "virtual_mtu": what virtual-cluster says of the network. */
static void add_virtual(cm_result *result)
{
    cm_environment environment;
    if (cm_environment_read(&environment) != 0 || !environment.virtual_cluster) return;
    char *text = strdup(environment.virtual_cluster), *rest = text, *each;
    while ((each = strsep(&rest, ","))) {
        const size_t length = strspn(each, "abcdefghijklmnopqrstuvwxyz");
        char key[32];
        if (length == 0 || length > 16 || each[length] != '=') continue;
        snprintf(key, sizeof key, "virtual_%.*s", (int)length, each);
        cm_result_meta(result, key, "%s", each + length + 1);
    }
    free(text);
}

void cm_run_meta(cm_result *result)
{
    int ranks = cm_size(cm_world());
    const char **hosts = calloc((size_t)ranks, sizeof *hosts);
    if (!hosts) cm_abort(CM_EXIT_SYSTEM, "out of memory for the names of %d hosts", ranks);
    for (int rank = 0; rank < ranks; rank++) hosts[rank] = cm_host(cm_world(), rank);
    int most, computers = cm_run_number_computers(cm_world(), &most);
    cm_result_describe_computers(result, (size_t)computers, (size_t)most);
    cm_result_meta_run(result, cm_describe, hosts, (size_t)ranks);
    cm_run_meta_shape(result);
    add_virtual(result);
    free(hosts);
}

void cm_run_meta_bound(cm_result *result, int way)
{
    static const char *const to[] = {
        [CM_BIND_SPREAD] = "core",      [CM_BIND_PACK] = "core",
        [CM_BIND_PER_L3] = "L3 cache",  [CM_BIND_PER_NUMA] = "NUMA node",
        [CM_BIND_SAME_CORE] = "thread", [CM_BIND_SAME_L3] = "core",
        [CM_BIND_SAME_SOCKET] = "core", [CM_BIND_OTHER_SOCKET] = "core"};
    if (cm_comm_has(CM_HAS_SIMULATOR)) cm_result_meta(result, "bound", "no: simulated");
    else if (way == CM_BIND_NONE) cm_result_meta(result, "bound", "as started");
    else
        cm_result_meta(result, "bound", "each rank to %s %s (--bind=%s)",
                       way == CM_BIND_PER_L3 ? "an" : "a", to[way], cm_machine_ways[way]);
}

void *cm_run_array(size_t bytes)
{
    void *array = cm_memory_open(bytes);
    if (!array) cm_abort(CM_EXIT_SYSTEM, "out of memory for an array of %zu bytes", bytes);
    return array;
}
