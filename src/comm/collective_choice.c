/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_choice.c: which algorithm auto means, by collective, length and number of ranks.

   The crossovers are those that Thakur, Rabenseifner and Gropp (Optimization of Collective
   Communication Operations in MPICH, Int. J. High Perf. Comp. Appl. 19(1), 2005) found between
   nodes of a cluster, but where this layer was measured: the sockets backend on a machine of two
   cores that had other load, between virtual hosts (40 Gbit/s, 6 to 8 us) and on one host, a
   barrier before each operation, the slowest rank's time, medians of 3 or 4 runs' medians.

   Two ranks, one a host: an allreduce of 8192 bytes took 18 us by doubling, 28 by ring, 31 by
   scatter-allgather; of 65536 bytes 65, 48 and 70 us, of 262144 bytes 149, 148 and 158, of 1048576
   bytes 3733, 575 and 700. On one host: 72, 35 and 54 us for 65536 bytes, 452, 422 and 496 for
   1048576. So ring from 65536 bytes on, whose rounds two ranks have no more of than the others.
   With 3 and 4 ranks it was the slowest, and scatter-allgather the fastest for 262144 bytes.

   Alltoall of 65536 bytes on one host: 249 us linear and 248 by ring with 4 ranks, 1230 and 1772
   with 8; of 262144 bytes 782 and 723 us with 4 ranks, 9749 and 5059 with 8. So ring from 131072.

   For the others with 2 to 4 ranks nothing clear speaks against the paper's choice; 8 ranks had no
   cores of their own here. Where theirs is one that this layer does not have (reduce by
   reduce-scatter and gather) their choice for short vectors serves all lengths. */
#include "comm/collective.h"

/* The first row that fits; bytes: of the data of one rank in bcast and reductions, of all blocks
   together in allgather, of one block in alltoall. */
static const struct {
    cm_collective collective;
    int least_ranks;
    size_t least_bytes;
    cm_algorithm algorithm;
} table[] = {
    {CM_COLLECTIVE_BARRIER, 0, 0, {CM_KIND_DOUBLING, 0}},
    {CM_COLLECTIVE_BCAST, 8, 12 << 10, {CM_KIND_SCATTER_ALLGATHER, 0}},
    {CM_COLLECTIVE_BCAST, 3, 512 << 10, {CM_KIND_SCATTER_ALLGATHER, 0}},
    {CM_COLLECTIVE_BCAST, 0, 0, {CM_KIND_BINOMIAL, 0}},
    {CM_COLLECTIVE_REDUCE, 0, 0, {CM_KIND_BINOMIAL, 0}},
    {CM_COLLECTIVE_ALLREDUCE, 8, 2 << 10, {CM_KIND_SCATTER_ALLGATHER, 0}},
    {CM_COLLECTIVE_ALLREDUCE, 3, 64 << 10, {CM_KIND_SCATTER_ALLGATHER, 0}},
    {CM_COLLECTIVE_ALLREDUCE, 0, 64 << 10, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_ALLREDUCE, 0, 0, {CM_KIND_DOUBLING, 0}},
    {CM_COLLECTIVE_SCAN, 0, 0, {CM_KIND_DOUBLING, 0}},
    {CM_COLLECTIVE_GATHER, 0, 0, {CM_KIND_BINOMIAL, 0}},
    {CM_COLLECTIVE_SCATTER, 0, 0, {CM_KIND_BINOMIAL, 0}},
    {CM_COLLECTIVE_ALLGATHER, 0, 80 << 10, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_ALLGATHER, 0, 0, {CM_KIND_DOUBLING, 0}},
    {CM_COLLECTIVE_ALLGATHERV, 0, 0, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_ALLTOALL, 0, 128 << 10, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_ALLTOALL, 8, 257, {CM_KIND_LINEAR, 0}},
    {CM_COLLECTIVE_ALLTOALL, 8, 0, {CM_KIND_DOUBLING, 0}},
};

/* On one host whose cores are fewer than the ranks, messages take turns on the cores: with 8 ranks
   on 2 cores allreduces of 8 bytes in a row took 184 us by the binomial tree's 14 messages, 309 us
   by doubling's 24; an alltoall of 1024 bytes took 333 us by doubling's 24 messages, 442 us by 56
   direct ones, and 404 and 515 us of 4096 bytes. 4 ranks had the same order. False: no such
   algorithm for this call. */
static bool choose_few_messages(const cm_collective_call *call, cm_algorithm *algorithm)
{
    const bool reduces =
        call->collective == CM_COLLECTIVE_BARRIER || call->collective == CM_COLLECTIVE_ALLREDUCE;
    if (reduces && call->bytes < 2 << 10) *algorithm = CM_BINOMIAL;
    else if (call->collective == CM_COLLECTIVE_ALLTOALL && call->bytes <= 4 << 10)
        *algorithm = CM_DOUBLING;
    else return false;
    return cm_backend_crowded();
}

cm_algorithm cm_collective_choose(const cm_collective_call *call, int size)
{
    cm_algorithm few;
    if (choose_few_messages(call, &few)) return few;
    size_t bytes = call->bytes;
    if (call->collective == CM_COLLECTIVE_ALLGATHER) bytes *= (size_t)size;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].collective == call->collective && size >= table[i].least_ranks
            && bytes >= table[i].least_bytes)
            return table[i].algorithm;
    return CM_LINEAR;
}
