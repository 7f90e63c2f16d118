/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.h: what collective algorithms are made of, and names for error lines.

   An algorithm is a line of CM_ALGORITHM_LIST (comm.h) and a file with its cm_NAME_builders.
   Whether auto means it for some calls, collective_choice.c says. */
#ifndef CM_COLLECTIVE_H
#define CM_COLLECTIVE_H

#include "comm/schedule.h"

/* Adds to schedule what rank of size ranks does in this call. The call has been checked; in
   reductions call->bytes is the length of the vector. Builders may be composed: allreduce is a
   reduction to rank 0 and a broadcast. parameter: the algorithm's, see cm_algorithm.

   An algorithm that cannot keep the operands of a non-commutative operator in rank order hands
   such a call to one that can: which algorithms there are must not depend on the operator. */
typedef void cm_builder(cm_schedule *schedule, const cm_collective_call *call, int rank, int size,
                        int64_t parameter);

/* What an algorithm has for a collective: a builder, or the reason why the combination makes no
   sense. */
typedef struct {
    cm_builder *build;
    const char *reason;
} cm_algorithm_entry;
#define CM_ALGORITHM_BUILDERS(kind, builders, name, counts, least) \
    extern const cm_algorithm_entry cm_##builders##_builders[CM_COLLECTIVES];
CM_ALGORITHM_LIST(CM_ALGORITHM_BUILDERS)

/* Reasons that several combinations share. */
#define CM_WHY_LENGTHS "ranks on the way do not know the others' lengths"
#define CM_WHY_OFFSETS "blocks at free offsets do not lie together"
#define CM_WHY_PAIRS "every pair has its own block, all would pass through one root"
#define CM_WHY_ONE_WAY "data of or for one rank alone would only go round; what is left is a chain"
#define CM_WHY_HALVING "towards or from one rank the doubling of distances is the binomial tree"
#define CM_WHY_BLOCKS "only one vector can be cut; every rank has a block of its own here"

/* NULL when there is no such algorithm. For auto and native one that serves any call; which serves
   this one best, cm_collective_choose says. */
cm_builder *cm_algorithm_builder(cm_collective collective, cm_algorithm algorithm);

/* Ends the job with status 2 and a line that names the combination, why not, and what there is. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void cm_algorithm_refuse(cm_collective collective, cm_algorithm algorithm);

/* operator.c */
const char *cm_type_name(cm_type type);
const char *cm_operator_name(cm_op op);

/* Whether operands may change places without changing a bit of the result, as far as one can
   know. */
bool cm_operator_reorderable(cm_op op, cm_type type);

/* ---- For builders ---------------------------------------------------------------------------- */

/* The i-th rank after or before rank on a circle of size ranks, 0 <= i < size. So the rank's place
   counted from root is cm_rank_before(rank, root, size), and back it is cm_rank_after. */
static inline int cm_rank_after(int rank, int i, int size)
{
    return i < size - rank ? rank + i : rank - (size - i);
}

static inline int cm_rank_before(int rank, int i, int size)
{
    return i <= rank ? rank - i : rank + (size - i);
}

/* Where chunk i of n things begins when they are dealt out into parts chunks, which differ by one
   thing at most; i = parts gives n. */
static inline size_t cm_chunk_start(size_t n, int parts, int i)
{
    const size_t share = n / (size_t)parts, more = n % (size_t)parts, k = (size_t)i;
    return share * k + (k < more ? k : more);
}

/* Block of data, which may be NULL when all its blocks are empty. */
static inline char *cm_block(const void *data, size_t offset)
{
    return data ? (char *)data + offset : NULL;
}

/* For algorithms on a power of two of ranks: with q the largest one up to p, the first p - q pairs
   of neighbours fold their vectors, and of each the odd one goes on. */
typedef struct {
    int places, place; /* q, and this rank's place among those that go on */
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

/* collective_fold.c: what a rank of a tree does in a reduction: begin, one child after the other in
   the order of operands, end. That returns where the result is: in out unless that is NULL. out may
   be call->in. Takes the schedule's stage when there are children. */
typedef struct {
    const cm_collective_call *call;
    void *out, *even, *odd, *first;
    const void *value; /* of what came so far */
    int left;          /* children */
} cm_fold;
cm_fold cm_fold_begin(cm_schedule *schedule, const cm_collective_call *call, void *out,
                      int children);
void cm_fold_child(cm_schedule *schedule, cm_fold *fold, int rank);
const void *cm_fold_end(cm_schedule *schedule, const cm_fold *fold);

/* collective_blocks.c: messages whose direction is an argument. */
typedef void cm_blocks_message(cm_schedule *schedule, char *data, size_t bytes, int peer);
cm_blocks_message cm_blocks_send, cm_blocks_recv;

/* collective_choice.c: what auto means for this call. All ranks of one operation choose alike: only
   what all of them know counts. */
cm_algorithm cm_collective_choose(const cm_collective_call *call, int size);

/* Builders to which others hand calls. */
cm_builder cm_binomial_scan, cm_chain_allreduce;

#endif
