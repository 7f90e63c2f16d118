/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithm.c: the collective algorithms' names, and the table of which collective has which. */
#include <stdio.h>
#include <string.h>
#include "comm/collective.h"

/* least: the least parameter; -1: takes none. */
static const struct {
    const char *name;
    int least;
} kinds[CM_KINDS] = {
    [CM_KIND_AUTO] = {"auto", -1},
    [CM_KIND_NATIVE] = {"native", -1},
    [CM_KIND_LINEAR] = {"linear", -1},
    [CM_KIND_BINOMIAL] = {"binomial", -1},
    [CM_KIND_TREE] = {"tree", 1},
    [CM_KIND_CHAIN] = {"chain", 0},
    [CM_KIND_RING] = {"ring", -1},
    [CM_KIND_DOUBLING] = {"doubling", -1},
    [CM_KIND_SCATTER_ALLGATHER] = {"scatter-allgather", -1},
};

static const char *const collectives[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = "barrier",
    [CM_COLLECTIVE_BCAST] = "bcast",
    [CM_COLLECTIVE_REDUCE] = "reduce",
    [CM_COLLECTIVE_ALLREDUCE] = "allreduce",
    [CM_COLLECTIVE_SCAN] = "scan",
    [CM_COLLECTIVE_GATHER] = "gather",
    [CM_COLLECTIVE_GATHERV] = "gatherv",
    [CM_COLLECTIVE_SCATTER] = "scatter",
    [CM_COLLECTIVE_SCATTERV] = "scatterv",
    [CM_COLLECTIVE_ALLGATHER] = "allgather",
    [CM_COLLECTIVE_ALLGATHERV] = "allgatherv",
    [CM_COLLECTIVE_ALLTOALL] = "alltoall",
    [CM_COLLECTIVE_ALLTOALLV] = "alltoallv",
};

/* Reasons that several combinations share. */
#define LENGTHS "ranks on the way do not know the others' lengths"
#define OFFSETS "blocks at free offsets do not lie together"
#define PAIRS "every pair has its own block, all would pass through one root"
#define ONE_WAY "data of or for one rank alone would only go round; what is left is a chain"
#define HALVING "towards or from one rank the doubling of distances is the binomial tree"
#define BLOCKS "only one vector can be cut; every rank has a block of its own here"

/* A builder, or the reason why the combination makes no sense. */
static const struct {
    cm_builder *build;
    const char *reason;
} table[CM_COLLECTIVES][CM_KINDS] = {
    [CM_COLLECTIVE_BARRIER] = {[CM_KIND_LINEAR] = {cm_linear_barrier, 0},
                               [CM_KIND_BINOMIAL] = {cm_binomial_barrier, 0},
                               [CM_KIND_TREE] = {cm_tree_barrier, 0},
                               [CM_KIND_CHAIN] = {0, "a barrier has no data to cut into segments"},
                               [CM_KIND_RING] = {0, "a barrier has no blocks to pass round"},
                               [CM_KIND_DOUBLING] = {cm_doubling_barrier, 0},
                               [CM_KIND_SCATTER_ALLGATHER] = {0,
                                                              "a barrier has no data to scatter"}},
    [CM_COLLECTIVE_BCAST] = {[CM_KIND_LINEAR] = {cm_linear_bcast, 0},
                             [CM_KIND_BINOMIAL] = {cm_binomial_bcast, 0},
                             [CM_KIND_TREE] = {cm_tree_bcast, 0},
                             [CM_KIND_CHAIN] = {cm_chain_bcast, 0},
                             [CM_KIND_RING] = {0, ONE_WAY},
                             [CM_KIND_DOUBLING] = {0, HALVING},
                             [CM_KIND_SCATTER_ALLGATHER] = {cm_scatter_allgather_bcast, 0}},
    [CM_COLLECTIVE_REDUCE] =
        {[CM_KIND_LINEAR] = {cm_linear_reduce, 0},
         [CM_KIND_BINOMIAL] = {cm_binomial_reduce, 0},
         [CM_KIND_TREE] = {cm_tree_reduce, 0},
         [CM_KIND_CHAIN] = {cm_chain_reduce, 0},
         [CM_KIND_RING] = {0, ONE_WAY},
         [CM_KIND_DOUBLING] = {0, HALVING},
         [CM_KIND_SCATTER_ALLGATHER] = {0, "one rank alone gets the result, nothing to allgather"}},
    [CM_COLLECTIVE_ALLREDUCE] = {[CM_KIND_LINEAR] = {cm_linear_allreduce, 0},
                                 [CM_KIND_BINOMIAL] = {cm_binomial_allreduce, 0},
                                 [CM_KIND_TREE] = {cm_tree_allreduce, 0},
                                 [CM_KIND_CHAIN] = {cm_chain_allreduce, 0},
                                 [CM_KIND_RING] = {cm_ring_allreduce, 0},
                                 [CM_KIND_DOUBLING] = {cm_doubling_allreduce, 0},
                                 [CM_KIND_SCATTER_ALLGATHER] = {cm_scatter_allgather_allreduce, 0}},
    [CM_COLLECTIVE_SCAN] =
        {[CM_KIND_LINEAR] = {cm_linear_scan, 0},
         [CM_KIND_BINOMIAL] = {cm_binomial_scan, 0},
         [CM_KIND_TREE] = {cm_tree_scan, 0},
         [CM_KIND_CHAIN] = {cm_chain_scan, 0},
         [CM_KIND_RING] = {0, "a prefix ends at the last rank; what is left is a chain"},
         [CM_KIND_DOUBLING] = {cm_binomial_scan, 0}, /* its distances double already */
         [CM_KIND_SCATTER_ALLGATHER] = {0, "every rank has a result of its own"}},
    [CM_COLLECTIVE_GATHER] = {[CM_KIND_LINEAR] = {cm_linear_gather, 0},
                              [CM_KIND_BINOMIAL] = {cm_binomial_gather, 0},
                              [CM_KIND_TREE] = {cm_tree_gather, 0},
                              [CM_KIND_CHAIN] = {0, BLOCKS},
                              [CM_KIND_RING] = {0, ONE_WAY},
                              [CM_KIND_DOUBLING] = {0, HALVING},
                              [CM_KIND_SCATTER_ALLGATHER] = {0, BLOCKS}},
    [CM_COLLECTIVE_GATHERV] = {[CM_KIND_LINEAR] = {cm_linear_gatherv, 0},
                               [CM_KIND_BINOMIAL] = {0, LENGTHS},
                               [CM_KIND_TREE] = {0, LENGTHS},
                               [CM_KIND_CHAIN] = {0, LENGTHS},
                               [CM_KIND_RING] = {0, LENGTHS},
                               [CM_KIND_DOUBLING] = {0, LENGTHS},
                               [CM_KIND_SCATTER_ALLGATHER] = {0, BLOCKS}},
    [CM_COLLECTIVE_SCATTER] = {[CM_KIND_LINEAR] = {cm_linear_scatter, 0},
                               [CM_KIND_BINOMIAL] = {cm_binomial_scatter, 0},
                               [CM_KIND_TREE] = {cm_tree_scatter, 0},
                               [CM_KIND_CHAIN] = {0, BLOCKS},
                               [CM_KIND_RING] = {0, ONE_WAY},
                               [CM_KIND_DOUBLING] = {0, HALVING},
                               [CM_KIND_SCATTER_ALLGATHER] = {0, BLOCKS}},
    [CM_COLLECTIVE_SCATTERV] = {[CM_KIND_LINEAR] = {cm_linear_scatterv, 0},
                                [CM_KIND_BINOMIAL] = {0, LENGTHS},
                                [CM_KIND_TREE] = {0, LENGTHS},
                                [CM_KIND_CHAIN] = {0, LENGTHS},
                                [CM_KIND_RING] = {0, LENGTHS},
                                [CM_KIND_DOUBLING] = {0, LENGTHS},
                                [CM_KIND_SCATTER_ALLGATHER] = {0, BLOCKS}},
    [CM_COLLECTIVE_ALLGATHER] = {[CM_KIND_LINEAR] = {cm_linear_allgather, 0},
                                 [CM_KIND_BINOMIAL] = {cm_binomial_allgather, 0},
                                 [CM_KIND_TREE] = {cm_tree_allgather, 0},
                                 [CM_KIND_CHAIN] = {0, BLOCKS},
                                 [CM_KIND_RING] = {cm_ring_allgather, 0},
                                 [CM_KIND_DOUBLING] = {cm_doubling_allgather, 0},
                                 [CM_KIND_SCATTER_ALLGATHER] =
                                     {0, "blocks lie scattered already; its second half is ring"}},
    [CM_COLLECTIVE_ALLGATHERV] =
        {[CM_KIND_LINEAR] = {cm_linear_allgatherv, 0},
         [CM_KIND_BINOMIAL] = {0, OFFSETS " in subtrees"},
         [CM_KIND_TREE] = {0, OFFSETS " in subtrees"},
         [CM_KIND_CHAIN] = {0, BLOCKS},
         [CM_KIND_RING] = {cm_ring_allgatherv, 0},
         [CM_KIND_DOUBLING] = {0, OFFSETS},
         [CM_KIND_SCATTER_ALLGATHER] = {0,
                                        "blocks lie scattered already; its second half is ring"}},
    [CM_COLLECTIVE_ALLTOALL] = {[CM_KIND_LINEAR] = {cm_linear_alltoall, 0},
                                [CM_KIND_BINOMIAL] = {0, PAIRS},
                                [CM_KIND_TREE] = {0, PAIRS},
                                [CM_KIND_CHAIN] = {0, BLOCKS},
                                [CM_KIND_RING] = {cm_ring_alltoall, 0},
                                [CM_KIND_DOUBLING] = {cm_doubling_alltoall, 0},
                                [CM_KIND_SCATTER_ALLGATHER] = {0, BLOCKS}},
    [CM_COLLECTIVE_ALLTOALLV] = {[CM_KIND_LINEAR] = {cm_linear_alltoallv, 0},
                                 [CM_KIND_BINOMIAL] = {0, PAIRS},
                                 [CM_KIND_TREE] = {0, PAIRS},
                                 [CM_KIND_CHAIN] = {0, BLOCKS},
                                 [CM_KIND_RING] = {cm_ring_alltoallv, 0},
                                 [CM_KIND_DOUBLING] = {0, LENGTHS},
                                 [CM_KIND_SCATTER_ALLGATHER] = {0, BLOCKS}},
};

/* A whole number and nothing else; written out because strtoll would take blanks and
   signs. */
static bool parse_parameter(const char *text, int64_t *parameter)
{
    int64_t value = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        if (__builtin_mul_overflow(value, 10, &value)) return false;
        if (__builtin_add_overflow(value, *text - '0', &value)) return false;
    }
    *parameter = value;
    return true;
}

bool cm_algorithm_parse(const char *text, cm_algorithm *algorithm)
{
    if (!text) return false;
    const size_t length = strcspn(text, ":");
    for (int kind = 0; kind < CM_KINDS; kind++) {
        if (strlen(kinds[kind].name) != length || memcmp(kinds[kind].name, text, length)) continue;
        int64_t parameter = 0;
        const int least = kinds[kind].least;
        if (least < 0 ? text[length] != '\0'
                      : text[length] != ':' || !parse_parameter(text + length + 1, &parameter)
                            || parameter < least)
            return false;
        *algorithm = CM_ALGORITHM(kind, parameter);
        return true;
    }
    return false;
}

const char *cm_algorithm_name(cm_algorithm algorithm)
{
    const int kind = algorithm.kind;
    return kind >= 0 && kind < CM_KINDS ? kinds[kind].name : "unknown";
}

const char *cm_collective_name(cm_collective collective)
{
    return (unsigned)collective < CM_COLLECTIVES ? collectives[collective] : "unknown";
}

cm_builder *cm_algorithm_builder(cm_collective collective, cm_algorithm algorithm)
{
    const int kind = algorithm.kind;
    if ((unsigned)collective >= CM_COLLECTIVES || kind < 0 || kind >= CM_KINDS) return NULL;
    if (kind == CM_KIND_AUTO || kind == CM_KIND_NATIVE)
        return table[collective][CM_KIND_LINEAR].build;
    if (algorithm.parameter < kinds[kind].least) return NULL;
    return table[collective][kind].build;
}

bool cm_algorithm_available(cm_collective collective, cm_algorithm algorithm)
{
    return cm_algorithm_builder(collective, algorithm) != NULL;
}

void cm_algorithm_refuse(cm_collective collective, cm_algorithm algorithm)
{
    const int kind = algorithm.kind;
    char available[160] = "";
    for (int k = 0; k < CM_KINDS; k++) {
        if (!cm_algorithm_available(collective, CM_ALGORITHM(k, 1))) continue;
        const size_t n = strlen(available);
        snprintf(available + n, sizeof available - n, "%s%s", n ? ", " : "", kinds[k].name);
    }
    if (kind < 0 || kind >= CM_KINDS)
        cm_abort(CM_EXIT_USAGE, "cm_%s: there is no algorithm number %d; available: %s",
                 cm_collective_name(collective), kind, available);
    if (table[collective][kind].build)
        cm_abort(CM_EXIT_USAGE, "cm_%s: algorithm %s:%lld needs a parameter of %d or more",
                 cm_collective_name(collective), kinds[kind].name, (long long)algorithm.parameter,
                 kinds[kind].least);
    const char *reason = table[collective][kind].reason;
    cm_abort(CM_EXIT_USAGE, "cm_%s: there is no algorithm '%s'%s%s%s for it; available: %s",
             cm_collective_name(collective), kinds[kind].name, reason ? " (" : "",
             reason ? reason : "", reason ? ")" : "", available);
}
