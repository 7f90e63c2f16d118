/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_choice.c: which algorithm auto means, by collective, length and number of ranks.

   The crossovers are those that Thakur, Rabenseifner and Gropp (Optimization of Collective
   Communication Operations in MPICH, Int. J. High Perf. Comp. Appl. 19(1), 2005) found between
   nodes of a cluster. One is measured with this layer: of allreduce on few ranks, by the sockets
   backend on one host of two cores that had other load too, one run, medians of 6 to 40 calls. On 2
   ranks doubling took 14 us and scatter-allgather 22 us for 32768 bytes, 66 and 58 us for 131072,
   244 and 174 us for 524288, but 764 and 1141 us for 2097152; on 4 ranks, which shared cores, two
   runs had the same order up to 524288. Take it as rough. Nothing here is measured between hosts
   yet. Where theirs is one that this layer does not have (reduce by reduce-scatter and gather)
   their choice for short vectors serves all lengths. */
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
    {CM_COLLECTIVE_ALLREDUCE, 0, 64 << 10, {CM_KIND_SCATTER_ALLGATHER, 0}},
    {CM_COLLECTIVE_ALLREDUCE, 0, 0, {CM_KIND_DOUBLING, 0}},
    {CM_COLLECTIVE_SCAN, 0, 0, {CM_KIND_DOUBLING, 0}},
    {CM_COLLECTIVE_GATHER, 0, 0, {CM_KIND_BINOMIAL, 0}},
    {CM_COLLECTIVE_SCATTER, 0, 0, {CM_KIND_BINOMIAL, 0}},
    {CM_COLLECTIVE_ALLGATHER, 0, 80 << 10, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_ALLGATHER, 0, 0, {CM_KIND_DOUBLING, 0}},
    {CM_COLLECTIVE_ALLGATHERV, 0, 0, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_ALLTOALL, 0, 32 << 10, {CM_KIND_RING, 0}},
    {CM_COLLECTIVE_ALLTOALL, 8, 257, {CM_KIND_LINEAR, 0}},
    {CM_COLLECTIVE_ALLTOALL, 8, 0, {CM_KIND_DOUBLING, 0}},
};

/* On one host whose cores are fewer than the ranks, messages take turns on the cores: an allreduce of 8 bytes
   over 8 ranks on 2 cores took 173 us by the binomial tree's 14 messages, 292 us by doubling's 24 (medians of
   three runs over sockets). */
static bool few_messages(const cm_collective_call *call)
{
    return (call->collective == CM_COLLECTIVE_BARRIER || call->collective == CM_COLLECTIVE_ALLREDUCE)
        && call->bytes < 2 << 10 && cm_backend_crowded();
}

cm_algorithm cm_collective_choose(const cm_collective_call *call, int size)
{
    if (few_messages(call)) return CM_BINOMIAL;
    size_t bytes = call->bytes;
    if (call->collective == CM_COLLECTIVE_ALLGATHER) bytes *= (size_t)size;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].collective == call->collective && size >= table[i].least_ranks
            && bytes >= table[i].least_bytes)
            return table[i].algorithm;
    return CM_LINEAR;
}
