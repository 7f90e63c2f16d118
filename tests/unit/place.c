/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c: ranks on hosts, counted by src/run. The group and its hosts are made here, so that
   nothing of the configured backend is linked. */
#include "tap.h"
#include "comm/backend.h"
#include "comm/computer.h"
#include "comm/hosts.h"
#include "run/run.h"
#include <stdlib.h>
#include <string.h>

/* Hosts b and c share a kernel. */
static const char *const hosts[] = {"b", "a", "b", "c", "a", "b", "ab"};
enum { RANKS = sizeof hosts / sizeof hosts[0] };

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
    printf("Bail out! cm_abort: %s\n", format);
    exit(status);
}

bool cm_comm_has(cm_property property)
{
    (void)property;
    return false;
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
    return tap_done();
}
