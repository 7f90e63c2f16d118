/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_power.c: what a run could see: how many rounds can name somebody, and how slow a host must
   be. */
#include <math.h>
#include "nodes.h"

enum { SEARCHED = 200 };

/* A host at the slowest place of all noise. */
static bool can_name(int hosts, size_t samples, double alpha)
{
    const size_t visits = samples / (size_t)hosts;
    return visits > 0 && nodes_noise_chance(0, samples, visits, (visits + 1) / 2) < alpha;
}

/* If the number of hosts is odd, one host has no partner in each round. */
static bool rounds_can_name(int hosts, int rounds, double share)
{
    const size_t h = (size_t)hosts, r = (size_t)rounds;
    return can_name(hosts, h * r, share / hosts) && can_name(hosts, h / 2 * 2 * r, share / hosts);
}

/* Searches downwards, because more rounds may name no host where fewer do: an even number of rounds
   needs as many slow visits as the next odd number. */
int nodes_least_rounds(int hosts, double share)
{
    if (hosts < NODES_FEWEST) return 1;
    int rounds = SEARCHED;
    while (rounds > 1 && rounds_can_name(hosts, rounds - 1, share)) rounds--;
    return rounds;
}

static bool pair_can_be_named(int hosts, int rounds, int again, double share)
{
    if (again < 2) return false;
    const size_t all = (size_t)(rounds + again), n = (size_t)(hosts / 2 * 2) * all;
    const size_t own = all / (size_t)(hosts - 1) + 1;
    return nodes_noise_chance(0, n - own, (size_t)again, (size_t)again - 1) <= share;
}

int nodes_least_again(int hosts, int rounds, double share)
{
    int again = 2;
    while (again < SEARCHED && !pair_can_be_named(hosts, rounds, again, share)) again++;
    return again;
}

double nodes_share(double false_alarms, int tests) { return false_alarms / 2 / tests; }

/* A share of the half that is left to disturbances. */
double nodes_share_of_groups(double share) { return share / 4; }

bool nodes_is_blind(const nodes_analysis *a, nodes_check_kind kind)
{
    return !isnan(a->bound[kind]) && a->bound[kind] < CM_FINDING_BLIND;
}
