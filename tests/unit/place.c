/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c: ranks on hosts, counted by src/run. The group and its hosts are made here, so that
   nothing of the configured backend is linked. And the places of ranks that a launcher bound. */
#include "tap.h"
#include "comm/backend.h"
#include "comm/computer.h"
#include "comm/hosts.h"
#include "machine/cpus.h"
#include "machine/machine.h"
#include "run/run.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Hosts b and c share a kernel. */
static const char *const hosts[] = {"b", "a", "b", "c", "a", "b", "ab"};
enum { RANKS = sizeof hosts / sizeof hosts[0] };

static bool may_end; /* by cm_abort */
static cm_group_base group = {.rank = 0, .size = RANKS};

cm_group *cm_world(void) { return (cm_group *)&group; }

const char *cm_host(const cm_group *of, int rank)
{
    return of == cm_world() && rank >= 0 && rank < RANKS ? hosts[rank] : NULL;
}

uint64_t cm_computer_of(const cm_group *of, int rank)
{
    const char *host = cm_host(of, rank);
    return strcmp(host, "a") == 0 ? 1 : strcmp(host, "ab") == 0 ? 2 : 3;
}

void cm_barrier(cm_group *of, cm_algorithm algorithm)
{
    (void)of;
    (void)algorithm;
}

void cm_abort(int status, const char *format, ...)
{
    if (!may_end) printf("Bail out! cm_abort: %s\n", format);
    fflush(stdout);
    _exit(status);
}

bool cm_comm_has(cm_property property) { return property == CM_HAS_PROCESSES; }

/* Two ranks of a computer: this one and its peer, which may run on these processors. */
static cm_group_base pair = {.size = 2};
static cm_machine_cpus of_peer;

cm_group *cm_split(cm_group *of, int color, int key)
{
    (void)of, (void)color, (void)key;
    return (cm_group *)&pair;
}

void cm_group_free(cm_group *of) { (void)of; }

void cm_allgather(cm_group *of, const void *in, size_t bytes, void *out, cm_algorithm algorithm)
{
    (void)algorithm;
    memcpy((char *)out + (size_t)cm_rank(of) * bytes, in, bytes);
    memcpy((char *)out + (size_t)(1 - cm_rank(of)) * bytes, &of_peer, bytes);
}

void cm_describe(void (*each)(const char *key, const char *value, void *context), void *context)
{
    each("comm", "none", context);
}

static bool says(const char *words, cm_run_shape shape)
{
    char text[256];
    cm_run_shape_text(&shape, text, sizeof text);
    if (strcmp(text, words) != 0) printf("# %s\n", text);
    return strcmp(text, words) == 0;
}

/* Ranks, hosts, computers; ranks of a host; cores of a host. */
static void test_shape(void)
{
    ok(says("2 ranks on 2 hosts, 1 of 64 cores each", (cm_run_shape){2, 2, 2, 1, 1, 64, 64, NULL}),
       "a core of each host is not the host");
    ok(says("1 rank on 1 host, 1 of 2 cores", (cm_run_shape){1, 1, 1, 1, 1, 2, 2, NULL}),
       "one rank");
    ok(says("96 ranks on 2 hosts, 32 to 64 of 32 to 64 cores each",
            (cm_run_shape){96, 2, 2, 32, 64, 32, 64, NULL}),
       "hosts that differ");
    ok(says("8 ranks on 1 host, more than its 2 cores", (cm_run_shape){8, 1, 1, 8, 8, 2, 2, NULL})
           && says("8 ranks on 2 hosts, more than the 2 cores of each",
                   (cm_run_shape){8, 2, 2, 4, 4, 2, 2, NULL}),
       "more ranks than cores");
    ok(says("8 ranks on 8 hosts, which share 1 computer of 2 cores",
            (cm_run_shape){8, 8, 1, 1, 1, 2, 2, NULL}),
       "hosts that share a kernel");
    ok(says("20 ranks on 20 hosts, simulated", (cm_run_shape){20, 20, 20, 1, 1, 2, 2, "simulated"}),
       "ranks that do not run here");
}

/* Binds the rank of two in a process of its own. Returns its processor, or 1000 and the status with
   which the job ended. */
static int bound(int rank, int way, const char *peer)
{
    enum { ENDED = 1000 };
    int ends[2], cpu = -1, status;
    if (pipe(ends) != 0) return -1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        cm_machine_cpus now;
        may_end = true;
        pair.rank = rank;
        cm_machine_cpus_affinity(0, &of_peer);
        if (peer) cm_machine_cpus_parse(peer, &of_peer);
        cm_run_bind(way);
        if (cm_machine_cpus_affinity(0, &now)) cpu = cm_machine_cpus_next(&now, -1);
        _exit(write(ends[1], &cpu, sizeof cpu) != sizeof cpu);
    }
    close(ends[1]);
    waitpid(child, &status, 0);
    const bool read_it = read(ends[0], &cpu, sizeof cpu) == sizeof cpu;
    close(ends[0]);
    return read_it ? cpu : ENDED + WEXITSTATUS(status);
}

static void test_bind(void)
{
    cm_machine_cpus own = {{0}};
    char list[8192], first[16];
    if (cm_machine_cores() < 2 || !cm_machine_cpus_affinity(0, &own)) {
        tap_skip("places of ranks that the launcher bound", "one core");
        return;
    }
    snprintf(first, sizeof first, "%d", cm_machine_cpus_next(&own, -1));
    snprintf(list, sizeof list, "%s,8191", first);
    const int core = bound(0, CM_BIND_PACK, NULL), other = bound(1, CM_BIND_PACK, NULL);
    ok(core >= 0 && other >= 0 && core != other, "ranks with the same processors share them");
    ok(bound(1, CM_BIND_PACK, "8191") == core, "a rank with others begins at the first of its own");
    ok(bound(0, CM_BIND_PACK, list) == 1002, "sets that overlap are refused");
    ok(bound(0, CM_BIND_SAME_CORE, "8191") == 1002, "so is a pair of different sets");
    ok(bound(0, CM_BIND_PER_NUMA, "8191") == 1002, "and a cache or node of each of them");
}

int main(void)
{
    static const int number[RANKS] = {0, 1, 0, 2, 1, 0, 3}, before[RANKS] = {0, 0, 1, 2, 1, 3, 0};
    static const int together[RANKS] = {4, 2, 4, 4, 2, 4, 1};
    int host[RANKS], most;
    ok(cm_run_number_hosts(cm_world(), host) == 4, "four hosts");
    for (int rank = 0; rank < RANKS; rank++) {
        ok(host[rank] == number[rank], "rank %d is on host %d", rank, number[rank]);
        ok(cm_run_ranks_before(cm_world(), rank) == before[rank], "%d are before it", before[rank]);
        ok(cm_run_ranks_on_computer(cm_world(), rank) == together[rank], "of %d", together[rank]);
    }
    ok(cm_run_number_computers(cm_world(), &most) == 3 && most == 4,
       "three computers, the fullest with four ranks");
    cm_hosts_free(group.hosts);
    group.hosts = NULL;
    group.size = 1;
    ok(cm_run_number_hosts(cm_world(), host) == 1 && host[0] == 0, "one rank is on host 0");
    test_shape();
    test_bind();
    return tap_done();
}
