/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_copy.c: list ranking in three supersteps, each process with a copy of the whole list in
   nodes of 8 bytes. It is for a few processes on one host, where sending a node takes less time
   than a cache miss. Each process walks from its part of the rulers, as one process does from all,
   and sends each other one the ranks of those of its nodes that it visited. */
#include <stdlib.h>
#include <string.h>
#include "listrank.h"

#define WORD uint32_t
#define NAME(name) name
#include "listrank_walk.inc"

struct listrank_copy {
    int64_t n;
    int p;
    node *all;            /* [n] */
    listrank_node *ruler; /* [LISTRANK_MOST_RULERS] as in listrank_walks */
    uint32_t *rank;       /* [LISTRANK_MOST_RULERS] of the rulers */
    uint64_t *visited;    /* for each process's nodes words_of() words: a bit for each node */
    uint64_t *came; /* from others: ranks of 4 bytes, then p times the bits of visited nodes. At
                       first it has own nodes, to be sent: in memory of cm_allocate, so that the
                       transport may copy them once instead of twice */
};

static int64_t words_of(int64_t nodes) { return (nodes + 63) / 64; }
static int64_t rank_words(int64_t own) { return (own + 1) / 2; }
static int64_t came_words(int64_t own, int p)
{
    int64_t words = rank_words(own) + p * words_of(own);
    return words > own ? words : own;
}

/* ---- Small data, in the same superstep as the large ones ------------------------------------- */

static void tell_all(const void *data, size_t bytes, int p, int pid)
{
    int tag[2] = {0, pid};
    for (int k = 0; k < p; k++) bsp_send64(k, tag, data, bytes);
}
/* Returns what the next process told, or NULL. */
static const void *told(int *sender)
{
    void *tag, *data;
    if (bsp_hpmove64(&tag, &data) < 0) return NULL;
    memcpy(sender, (int *)tag + 1, sizeof *sender);
    return data;
}

/* ---- The copies ------------------------------------------------------------------------------ */

typedef struct {
    uint64_t successors, distances, bits; /* sums, and all distances' bits */
    uint64_t strange;                     /* successors that are no nodes */
} sums;

/* A node as it lies in memory, made in a register: two stores of four bytes that one load of eight
   reads would let each node wait (for 10^7 nodes on two processes 35 instead of 14 ms). */
static uint64_t node_word(uint32_t next, uint32_t distance)
{
    const uint32_t half[2] = {next, distance};
    uint64_t word;
    memcpy(&word, half, sizeof word);
    return word;
}

static sums pack(const listrank_node *work, int64_t own, int64_t n, node *here, uint64_t *sent)
{
    sums s = {0};
    for (int64_t k = 0; k < own; k++) {
        int64_t next = work[k].next;
        bool last = next == LISTRANK_END;
        s.successors += (uint64_t)next;
        s.distances += (uint64_t)work[k].distance;
        s.bits |= (uint64_t)work[k].distance;
        s.strange += !last & ((uint64_t)next >= (uint64_t)n);
        sent[k] = node_word(last ? END : (uint32_t)next, (uint32_t)work[k].distance);
        memcpy(&here[k], &sent[k], sizeof *sent);
    }
    return s;
}

/* Gives all processes this one's nodes. Returns the list's first node. */
static int64_t exchange(listrank_copy *copy, const listrank_node *work, const int64_t *first)
{
    int p = copy->p, pid = bsp_pid(), sender;
    int64_t n = copy->n, from = first[pid], own = first[pid + 1] - from;
    sums all = {0}, mine = pack(work, own, n, copy->all + from, copy->came);
    cm_bsp_name("copy");
    for (int k = 1; k < p; k++)
        bsp_hpput64((pid + k) % p, copy->came, copy->all, (size_t)from * sizeof *copy->all,
                    (size_t)own * sizeof *copy->all);
    tell_all(&mine, sizeof mine, p, pid);
    bsp_sync();
    for (const sums *theirs; (theirs = told(&sender));) {
        all.successors += theirs->successors;
        all.distances += theirs->distances;
        all.bits |= theirs->bits;
        all.strange += theirs->strange;
    }
    int64_t begin = listrank_begin(n, all.successors);
    listrank_require_list_of_all(all.strange == 0 && begin >= 0 && begin < n);
    if (all.bits >> 32 || !listrank_fits(n, all.distances))
        cm_abort(CM_EXIT_USAGE, "list ranking by copies: ranks beyond 32 bits");
    return begin;
}

/* ---- Visited nodes --------------------------------------------------------------------------- */

/* Sets a bit for each node that walks of rulers from..from+rulers-1 visited, and, if packs, moves
   these nodes to the front, in their order. Works without a branch, which would often be
   mispredicted. Returns their number. */
static int64_t find_visited(node *at, int64_t n, uint32_t from, uint32_t rulers, bool packs,
                            uint64_t *visited)
{
    int64_t found = 0;
    node *to = at;
    for (int64_t k = 0; k < n; k += 64) {
        int64_t among = n - k < 64 ? n - k : 64;
        uint64_t bits = 0;
        for (int64_t j = 0; j < among; j++) {
            node here = at[k + j];
            bool mine = here.next - (TAKEN + from) < rulers;
            bits |= (uint64_t)mine << j;
            if (packs) *to = here;
            to += mine;
        }
        visited[k / 64] = bits;
    }
    found = to - at;
    return found;
}

/* The ranks of all own nodes: of those that this process visited, and those that came. Returns
   false if a node has none or several. */
static bool fill_in(const listrank_copy *copy, const int64_t *first, const uint64_t *mine,
                    const int64_t *from, listrank_node *work)
{
    int p = copy->p, pid = bsp_pid();
    int64_t own = first[pid + 1] - first[pid], words = words_of(own);
    const node *here = copy->all + first[pid];
    const uint64_t *visited = copy->came + rank_words(own);
    const uint32_t *rank[p];
    uint64_t wrong = 0;
    for (int q = 0; q < p; q++) rank[q] = (const uint32_t *)copy->came + from[q];
    for (int64_t w = 0; w < words; w++) {
        uint64_t seen = mine[w];
        for (uint64_t bits = seen; bits; bits &= bits - 1) {
            int64_t k = 64 * w + __builtin_ctzll(bits);
            work[k].distance = copy->rank[here[k].next & ~TAKEN] - here[k].distance;
        }
        for (int q = 0; q < p; q++) {
            if (q == pid) continue;
            uint64_t bits = visited[q * words + w];
            wrong |= seen & bits;
            seen |= bits;
            for (; bits; bits &= bits - 1)
                work[64 * w + __builtin_ctzll(bits)].distance = *rank[q]++;
        }
        uint64_t all = own - 64 * w >= 64 ? UINT64_MAX : (UINT64_C(1) << (own - 64 * w)) - 1;
        wrong |= seen ^ all;
    }
    return wrong == 0;
}

/* ---- The whole algorithm --------------------------------------------------------------------- */

void listrank_copy_rank(listrank_copy *copy, listrank_node *work, const int64_t *first)
{
    int p = copy->p, pid = bsp_pid(), sender;
    int64_t n = copy->n, begin = exchange(copy, work, first), rulers = listrank_rulers(n);
    int64_t from = sscrap_first(rulers, p, pid), to = sscrap_first(rulers, p, pid + 1);
    /* The others' entries of ruler may still be arriving. */
    place_rulers(copy->all, n, begin, copy->ruler, rulers, from, to);
    walk_rulers(copy->all, copy->ruler, from, to);
    uint64_t *visited[p];
    int64_t count[p], counts[p][p]; /* counts[q][r]: nodes of r that q visited */
    visited[0] = copy->visited;
    for (int k = 0; k < p; k++) {
        int64_t nodes = first[k + 1] - first[k];
        if (k > 0) visited[k] = visited[k - 1] + words_of(first[k] - first[k - 1]);
        count[k] = find_visited(copy->all + first[k], nodes, (uint32_t)from, (uint32_t)(to - from),
                                k != pid, visited[k]);
    }

    listrank_cost(n / p);
    cm_bsp_name("rulers");
    for (int k = 1; k < p; k++)
        bsp_hpput64((pid + k) % p, copy->ruler + from, copy->ruler,
                    (size_t)from * sizeof *copy->ruler, (size_t)(to - from) * sizeof *copy->ruler);
    tell_all(count, sizeof count, p, pid);
    bsp_sync();
    for (const void *theirs; (theirs = told(&sender));)
        memcpy(counts[sender], theirs, sizeof count);
    bool is_list = listrank_rank_rulers(copy->ruler, rulers);
    for (int r = 0; r < p; r++) {
        int64_t ranks = 0;
        for (int q = 0; q < p; q++) ranks += counts[q][r];
        is_list = is_list && ranks == first[r + 1] - first[r];
    }
    listrank_require_list_of_all(is_list);
    for (int64_t k = 0; k < rulers; k++) copy->rank[k] = (uint32_t)copy->ruler[k].distance;

    cm_bsp_name("ranks");
    listrank_cost(n / p);
    for (int k = 1; k < p; k++) {
        int r = (pid + k) % p;
        int64_t before = 0, nodes = first[r + 1] - first[r];
        const node *found = copy->all + first[r];
        uint32_t *rank = (uint32_t *)(copy->all + first[r]);
        for (int64_t j = 0; j < count[r]; j++)
            rank[j] = copy->rank[found[j].next & ~TAKEN] - found[j].distance;
        for (int q = 0; q < pid; q++) before += q == r ? 0 : counts[q][r];
        bsp_hpput64(r, rank, copy->came, (size_t)before * sizeof *rank,
                    (size_t)count[r] * sizeof *rank);
        bsp_hpput64(r, visited[r], copy->came,
                    (size_t)(rank_words(nodes) + pid * words_of(nodes)) * sizeof **visited,
                    (size_t)words_of(nodes) * sizeof **visited);
    }
    bsp_sync();
    int64_t came_from[p];
    for (int q = 0, before = 0; q < p; q++) {
        came_from[q] = before;
        before += q == pid ? 0 : counts[q][pid];
    }
    listrank_require_list(fill_in(copy, first, visited[pid], came_from, work));
}

/* ---- Memory --------------------------------------------------------------------------------- */

listrank_copy *listrank_copy_open(int64_t n, int64_t own, int p)
{
    listrank_copy *copy = sscrap_memory(sizeof *copy);
    size_t all_bytes = (size_t)n * sizeof *copy->all;
    size_t ruler_bytes = LISTRANK_MOST_RULERS * sizeof *copy->ruler;
    size_t came_bytes = (size_t)came_words(own, p) * sizeof *copy->came;
    *copy = (listrank_copy){.n = n,
                            .p = p,
                            .all = cm_run_array(all_bytes),
                            .ruler = cm_run_array(ruler_bytes),
                            .rank = cm_run_array(LISTRANK_MOST_RULERS * sizeof *copy->rank),
                            .visited = cm_run_array((size_t)(n / 64 + p) * sizeof *copy->visited),
                            .came = cm_allocate(came_bytes)};
    if (!copy->came) cm_abort(CM_EXIT_SYSTEM, "no memory for %zu bytes", came_bytes);
    bsp_push_reg64(copy->all, all_bytes);
    bsp_push_reg64(copy->ruler, ruler_bytes);
    bsp_push_reg64(copy->came, came_bytes);
    return copy;
}

void listrank_copy_close(listrank_copy *copy)
{
    if (!copy) return;
    bsp_pop_reg(copy->all);
    bsp_pop_reg(copy->ruler);
    bsp_pop_reg(copy->came);
    cm_memory_free(copy->all);
    cm_memory_free(copy->ruler);
    cm_memory_free(copy->rank);
    cm_memory_free(copy->visited);
    cm_free(copy->came);
    free(copy);
}

/* All nodes, ranks and bits of visited nodes. */
double listrank_copy_bytes(int64_t n, int64_t own, int p)
{
    return 8.0 * ((double)n * (1 + 1.0 / 64) + (double)came_words(own, p)) + 1e6;
}
