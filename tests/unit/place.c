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
    return tap_done();
}
