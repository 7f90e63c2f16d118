/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.h: the parts of collective algorithms, and names for error lines. An algorithm is a
   line of CM_ALGORITHM_LIST (comm.h) and a file that defines cm_NAME_builders. collective_choice.c
   decides which calls with auto use it. */
#ifndef CM_COLLECTIVE_H
#define CM_COLLECTIVE_H

#include "comm/schedule.h"

/* Adds to schedule the part of rank, one of size ranks, in this call. The call has been checked; in
   reductions call->bytes is the length of the vector. parameter is that of the algorithm, see
   cm_algorithm. Builders may be combined: allreduce is a reduction to rank 0 and a broadcast. An
   algorithm that cannot keep the operands of a non-commutative operator in rank order passes such a
   call to one that can, because the set of available algorithms must not depend on the operator. */
typedef void cm_builder(cm_schedule *schedule, const cm_collective_call *call, int rank, int size,
                        int64_t parameter);

/* An algorithm's entry for a collective: a builder, or the reason why the combination makes no
   sense. */
typedef struct {
    cm_builder *build;
    const char *reason;
} cm_algorithm_entry;
#define CM_ALGORITHM_BUILDERS(kind, builders, name, counts, least, properties) \
    extern const cm_algorithm_entry cm_##builders##_builders[CM_COLLECTIVES];
CM_ALGORITHM_LIST(CM_ALGORITHM_BUILDERS)

/* Reasons that several combinations share. */
#define CM_WHY_LENGTHS "intermediate ranks do not know the other ranks' lengths"
#define CM_WHY_OFFSETS "blocks at arbitrary offsets are not contiguous"
#define CM_WHY_PAIRS "each pair has its own block; all of them would pass through one root"
#define CM_WHY_ONE_WAY "the data of a single rank would only go round; that is a chain"
#define CM_WHY_HALVING "towards or from one rank, doubling distances are the binomial tree"
#define CM_WHY_BLOCKS "only a single vector can be cut; here every rank has its own block"
#define CM_WHY_FOLDED "a tree would fold the whole vector on one rank, as linear does"

/* Returns NULL if there is no such algorithm. For auto and native it returns one that serves any
   call; cm_collective_choose finds the best one for a given call. */
cm_builder *cm_algorithm_builder(cm_collective collective, cm_algorithm algorithm);

/* Ends the job with status 2 and a line with the combination, the reason and the available
   algorithms. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void cm_algorithm_refuse(cm_collective collective, cm_algorithm algorithm);

/* In operator.c. */
const char *cm_type_name(cm_type type);
const char *cm_operator_name(cm_op op);

/* Returns true if operands are known to be exchangeable without changing a bit of the result. */
bool cm_operator_reorderable(cm_op op, cm_type type);

/* ---- For builders ---------------------------------------------------------------------------- */

/* The i-th rank after or before rank on a circle of size ranks, 0 <= i < size. Thus the place of
   rank counted from root is cm_rank_before(rank, root, size), and cm_rank_after is the inverse. */
static inline int cm_rank_after(int rank, int i, int size)
{
    return i < size - rank ? rank + i : rank - (size - i);
}

static inline int cm_rank_before(int rank, int i, int size)
{
    return i <= rank ? rank - i : rank + (size - i);
}

/* Returns where chunk i begins when n things are divided into parts chunks whose lengths differ by
   at most one. i = parts gives n. */
static inline size_t cm_chunk_start(size_t n, int parts, int i)
{
    const size_t share = n / (size_t)parts, more = n % (size_t)parts, k = (size_t)i;
    return share * k + (k < more ? k : more);
}

/* Returns the number of elements of the blocks of ranks a to z - 1. */
static inline size_t cm_counts_sum(const size_t *counts, int a, int z)
{
    size_t sum = 0;
    for (int k = a; k < z; k++) sum += counts[k];
    return sum;
}

/* Returns the block at this offset of data. data may be NULL if all its blocks are empty. */
static inline char *cm_block(const void *data, size_t offset)
{
    return data ? (char *)data + offset : NULL;
}

/* For algorithms on a power of two of ranks. q is the largest power of two up to p. The first p - q
   pairs of neighbours combine their vectors; the odd rank of each pair continues. */
typedef struct {
    int places, place; /* q, and this rank's place among the ranks that continue */
    int pairs;         /* p - q */
    bool paired;
} cm_pairing;

static inline cm_pairing cm_pairing_of(int rank, int size)
{
    int q = 1;
    while (q <= size / 2) q *= 2;
    const int pairs = size - q;
    const bool paired = rank < 2 * pairs;
    return (cm_pairing){q, paired ? rank / 2 : rank - pairs, pairs, paired};
}

static inline int cm_pairing_rank(const cm_pairing *pairing, int place)
{
    return place < pairing->pairs ? 2 * place + 1 : place + pairing->pairs;
}

/* The first rank of a place; those of a pair are neighbours. */
static inline int cm_pairing_first(const cm_pairing *pairing, int place)
{
    return place < pairing->pairs ? 2 * place : place + pairing->pairs;
}

/* In collective_fold.c: the part of a tree's rank in a reduction. Call begin, then child for each
   child in the order of operands, then end, which returns where the result is: in out, unless out
   is NULL. out may be call->in. The fold uses the schedule's stage if there are children. */
typedef struct {
    const cm_collective_call *call;
    void *out, *even, *odd, *first;
    const void *value; /* result so far */
    int left;          /* children still to come */
} cm_fold;
cm_fold cm_fold_begin(cm_schedule *schedule, const cm_collective_call *call, void *out,
                      int children);
void cm_fold_child(cm_schedule *schedule, cm_fold *fold, int rank);
const void *cm_fold_end(cm_schedule *schedule, const cm_fold *fold);

/* In collective_blocks.c: messages whose direction is an argument. */
typedef void cm_blocks_message(cm_schedule *schedule, char *data, size_t bytes, int peer);
cm_blocks_message cm_blocks_send, cm_blocks_recv;

/* In collective_choice.c: returns the algorithm that auto means for this call. All ranks of an
   operation must choose the same one, so only values that all of them know are used. */
cm_algorithm cm_collective_choose(const cm_collective_call *call, int size);
/* The same for a call among ranks of which each is on a host of its own, whatever call->hosts says.
   */
cm_algorithm cm_collective_choose_between(const cm_collective_call *call, int hosts);

/* In collective_hosts.c: returns true if the algorithm hosts has two levels for this call.
   Otherwise it is that of auto on one host: each host has one rank, or there is one host, or the
   operands must stay in the order of ranks, which is not that of hosts, or no fewer bytes would
   pass between hosts. */
bool cm_hosts_help(const cm_collective_call *call);

/* Builders that other algorithms pass calls to. */
cm_builder cm_binomial_scan, cm_chain_allreduce, cm_ring_reduce_scatter;

#endif
