/* SPDX-License-Identifier: BSD-3-Clause */
/* computers.c: how the ranks are spread over computers; hosts that share a kernel are one. */
#include "config.h"
#include "comm/computer.h"
#include "run/run.h"

static int on_computer(const cm_group *group, int rank, int end)
{
    const uint64_t computer = cm_computer_of(group, rank);
    int n = 0;
    for (int other = 0; other < end; other++) n += cm_computer_of(group, other) == computer;
    return n;
}

int cm_run_ranks_before(const cm_group *group, int rank) { return on_computer(group, rank, rank); }

int cm_run_ranks_on_computer(const cm_group *group, int rank)
{
    return on_computer(group, rank, cm_size(group));
}

int cm_run_first_on_computer(const cm_group *group, int rank)
{
    int first = 0;
    while (cm_computer_of(group, first) != cm_computer_of(group, rank)) first++;
    return first;
}

int cm_run_number_computers(const cm_group *group, int *most)
{
    int computers = 0;
    *most = 0;
    for (int rank = 0; rank < cm_size(group); rank++) {
        if (cm_run_ranks_before(group, rank) > 0) continue;
        const int ranks = cm_run_ranks_on_computer(group, rank);
        if (ranks > *most) *most = ranks;
        computers++;
    }
    return computers;
}
