/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_place.c: how cm-congestion divides the ranks of several hosts, as each rank sees it.
   The calls of the layer that it makes are this file's (local.mk renames them). */
#include <stdlib.h>
#include <string.h>
#include "tap.h"
#include "../network/congestion/congestion.h"
#include "comm/hosts.h"

enum { HOSTS = 7, RANKS = 17 };
/* Hosts in the order of their first ranks; neither even nor in order. */
static int host_of[RANKS] = {0, 1, 0, 2, 3, 3, 3, 4, 1, 5, 5, 6, 6, 0, 2, 4, 5};
static int count, first[HOSTS + 1], ranks[RANKS], local[RANKS], own, color, key;
static cm_hosts hosts = {.first = first, .ranks = ranks, .host = host_of, .local = local};

cm_group *fake_world(void) { return NULL; }
int fake_rank(const cm_group *group) { return (void)group, own; }
int fake_size(const cm_group *group) { return (void)group, count; }
const cm_hosts *fake_hosts_of(cm_group *group) { return (void)group, &hosts; }
cm_group *fake_split(cm_group *group, int of_color, int of_key)
{
    color = of_color, key = of_key;
    return group;
}

static void make_hosts(int size)
{
    int n = 0;
    count = size;
    hosts.hosts = 0;
    for (int h = 0; h < HOSTS; h++) {
        first[h] = n;
        for (int r = 0; r < size; r++) {
            if (host_of[r] != h) continue;
            hosts.hosts = h + 1;
            local[r] = n - first[h];
            ranks[n++] = r;
        }
        first[h + 1] = n;
    }
}

typedef struct {
    int kind[RANKS], at[2][RANKS], members[2]; /* rank at a place of either group */
    bool agreed;
} division;

static void divide(const congestion_options *o, division *d)
{
    congestion_place place[RANKS];
    *d = (division){.agreed = true};
    memset(d->at, -1, sizeof d->at);
    for (own = 0; own < count; own++) {
        congestion_place_open(&place[own], o);
        d->kind[own] = place[own].aggressor;
        d->agreed = d->agreed && color == d->kind[own] && key >= 0 && key < count
                    && d->at[color][key] < 0 && place[own].victims == place[0].victims
                    && place[own].aggressors == place[0].aggressors
                    && place[own].victim_root == place[0].victim_root
                    && place[own].load_root == place[0].load_root;
        if (d->agreed) d->at[color][key] = own;
        d->members[d->kind[own]]++;
    }
    d->agreed = d->agreed && d->members[0] == place[0].victims
                && d->members[1] == place[0].aggressors && d->at[0][0] == place[0].victim_root
                && d->at[1][0] == place[0].load_root;
}

/* Number of hosts whose ranks are all aggressors; -1 if a host has both kinds, or its ranks do not
   follow each other in their group. */
static int whole(const division *d)
{
    int n = 0;
    for (int h = 0; h < hosts.hosts; h++) {
        int of_first = d->kind[ranks[first[h]]], at = 0;
        while (d->at[of_first][at] != ranks[first[h]]) at++;
        for (int k = first[h]; k < first[h + 1]; k++)
            if (d->kind[ranks[k]] != of_first || d->at[of_first][at + k - first[h]] != ranks[k])
                return -1;
        n += of_first;
    }
    return n;
}

int main(void)
{
    congestion_options o = {.share = 0.5, .whole_hosts = true, .seed = 1};
    static const int spread[HOSTS] = {0, 1, 0, 1, 0, 1, 1}; /* 4 of 7 */
    const cm_program program = {.name = "unit"};
    division d, before;
    int differ = 0;
    make_hosts(RANKS);
    for (o.seed = 1; o.seed <= 20; o.seed++) {
        divide(&o, &d);
        ok(d.agreed && whole(&d) == 4, "seed %d: 4 of 7 hosts, whole", (int)o.seed);
        differ += o.seed > 1 && memcmp(before.kind, d.kind, sizeof d.kind) != 0;
        before = d;
    }
    ok(differ > 10, "other seeds draw other hosts: %d of 19", differ);
    o.placement = CONGESTION_ALTERNATE;
    divide(&o, &d);
    bool right = d.agreed;
    for (int r = 0; r < RANKS; r++) right = right && d.kind[r] == spread[host_of[r]];
    ok(right && whole(&d) == 4, "alternate: every second host");
    o.share = 0.01;
    divide(&o, &d);
    ok(d.agreed && whole(&d) == 2, "two hosts of aggressors at least");
    o.share = 0.99;
    divide(&o, &d);
    ok(d.agreed && whole(&d) == 5, "two hosts of victims at least");
    o = (congestion_options){.share = 0.5, .placement = CONGESTION_ALTERNATE};
    divide(&o, &d);
    ok(d.agreed && d.members[1] == 9 && whole(&d) < 0,
       "without: 9 of 17 ranks, hosts of both kinds");
    for (o.seed = 1, o.placement = CONGESTION_RANDOM; o.seed <= 5; o.seed++) {
        divide(&o, &d);
        ok(d.agreed && d.members[1] == 9, "drawn ranks, seed %d: 9 of 17", (int)o.seed);
    }
    o.whole_hosts = true;
    ok(congestion_place_check(&program, &o) == 0, "seven hosts are enough");
    make_hosts(4); /* three hosts */
    own = 1;
    ok(hosts.hosts == 3 && congestion_place_check(&program, &o) == CM_EXIT_USAGE,
       "three are too few for whole ones");
    o.whole_hosts = false;
    ok(congestion_place_check(&program, &o) == 0, "but not otherwise");
    return tap_done();
}
