/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_tree.c: which ranks work for which master where there are masters below the first. */
#include "farm.h"

int farm_tree_masters(int ranks)
{
    int masters = ranks >= 2;
    while ((masters + 1) * (masters + 2) <= ranks) masters++;
    return masters;
}

/* Number of ranks in neighbourhood k, without its master. */
static int seats(int ranks, int masters, int k)
{
    int64_t begin = (int64_t)ranks * k / masters, end = (int64_t)ranks * (k + 1) / masters;
    return (int)(end - begin) - 1;
}

farm_branch farm_tree_branch(int ranks, int masters, int workers, int k)
{
    int master = 1 + (int)((int64_t)ranks * k / masters), own = 0, before = -1;
    /* Deals out one worker per master and round while seats are left. Therefore the numbers of two
       masters differ by at most one, unless the smaller one has no seat left. */
    for (int round = 0; workers > 0 && before != workers; round++) {
        before = workers;
        for (int i = 0; i < masters && workers > 0; i++) {
            if (seats(ranks, masters, i) <= round) continue;
            own += i == k;
            workers--;
        }
    }
    return (farm_branch){.master = master, .first = master + 1, .workers = own};
}
