/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_choice.c: chooses the algorithm of auto by collective, length, number of ranks and
   elements, and their hosts. Where ranks share hosts and there are several, hosts is taken: it
   moves the fewest bytes between hosts, wherever the ranks are placed. It uses the table inside
   hosts and between them.
   The crossovers are those that Thakur, Rabenseifner and Gropp (Optimization of Collective
   Communication Operations in MPICH, Int. J. High Perf. Comp. Appl. 19(1), 2005) found between
   nodes of a cluster, except where this layer was measured: the sockets backend on a machine of two
   cores with other load, between virtual hosts (40 Gbit/s, 6 to 8 us) and on one host, with a
   barrier before each operation. The times are the slowest rank's, medians of the medians of 3 or 4
   runs.
   Allreduce, two ranks on two hosts: 8192 bytes took 18 us by doubling, 28 by ring and 31 by
   scatter-allgather; 65536 bytes 65, 48 and 70 us; 262144 bytes 149, 148 and 158; 1048576 bytes
   3733, 575 and 700. On one host 65536 bytes took 72, 35 and 54 us, 1048576 bytes 452, 422 and 496.
   So two ranks use ring from 65536 bytes on; with two ranks it has no more rounds than the others.
   With 3 and 4 ranks ring was the slowest, and scatter-allgather the fastest for 262144 bytes.
   Alltoall on one host: 65536 bytes took 249 us by linear and 248 by ring with 4 ranks, 1230 and
   1772 with 8; 262144 bytes took 782 and 723 us with 4 ranks, 9749 and 5059 with 8. So ring is used
   from 131072 bytes on.
   For the other collectives with 2 to 4 ranks no measurement clearly contradicts the paper. 8 ranks
   had no cores of their own here. Where the paper chooses an algorithm that this layer does not
   have (reduce by reduce-scatter and gather), its choice for short vectors is used for all
   lengths. */
#include "comm/collective.h"

/* The first row that fits is used. bytes is the data of one rank in bcast and reductions, all
   blocks together in allgather, one block in alltoall. */
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
    {CM_COLLECTIVE_REDUCE_SCATTER, 0, 512 << 10, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_REDUCE_SCATTER, 0, 0, {CM_KIND_DOUBLING, 0}},
    {CM_COLLECTIVE_GATHER, 0, 0, {CM_KIND_BINOMIAL, 0}},
    {CM_COLLECTIVE_SCATTER, 0, 0, {CM_KIND_BINOMIAL, 0}},
    {CM_COLLECTIVE_ALLGATHER, 0, 80 << 10, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_ALLGATHER, 0, 0, {CM_KIND_DOUBLING, 0}},
    {CM_COLLECTIVE_ALLGATHERV, 0, 0, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_ALLTOALL, 0, 128 << 10, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_ALLTOALL, 8, 257, {CM_KIND_LINEAR, 0}},
    {CM_COLLECTIVE_ALLTOALL, 8, 0, {CM_KIND_DOUBLING, 0}},
};

/* If one host has fewer cores than ranks, messages take turns on the cores. With 8 ranks on 2
   cores, consecutive allreduces of 8 bytes took 184 us by the binomial tree's 14 messages and 309
   us by doubling's 24. An alltoall of 1024 bytes took 333 us by doubling's 24 messages and 442 us
   by 56 direct ones; of 4096 bytes 404 and 515 us. 4 ranks gave the same order. Returns false if
   there is no such algorithm for this call. */
static bool choose_few_messages(const cm_collective_call *call, cm_algorithm *algorithm)
{
    const bool reduces =
        call->collective == CM_COLLECTIVE_BARRIER || call->collective == CM_COLLECTIVE_ALLREDUCE;
    if (reduces && call->bytes < 2 << 10) *algorithm = CM_BINOMIAL;
    else if (call->collective == CM_COLLECTIVE_ALLTOALL && call->bytes <= 4 << 10)
        *algorithm = CM_DOUBLING;
    else return false;
    return cm_backend_oversubscribed();
}

/* A vector of fewer elements than ranks cannot be cut into a part for each rank. An algorithm that
   cuts it would take all its rounds and still send whole elements: the record of a pivot search, a
   minloc of one element. */
static bool cuts(const cm_collective_call *call, int size, cm_algorithm algorithm)
{
    return call->collective == CM_COLLECTIVE_ALLREDUCE && call->count < (size_t)size
           && cm_algorithm_has(algorithm.kind, CM_CUTS_VECTORS);
}

cm_algorithm cm_collective_choose(const cm_collective_call *call, int size)
{
    cm_algorithm few;
    if (cm_hosts_help(call)) return CM_HOSTS;
    if (choose_few_messages(call, &few)) return few;
    size_t bytes = call->bytes;
    if (call->collective == CM_COLLECTIVE_ALLGATHER) bytes *= (size_t)size;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].collective == call->collective && size >= table[i].least_ranks
            && bytes >= table[i].least_bytes && !cuts(call, size, table[i].algorithm))
            return table[i].algorithm;
    return CM_LINEAR;
}
