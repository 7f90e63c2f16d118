/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_copy.c: list ranking of two processes in three supersteps, each with a copy of the whole
   list. It is for processes on one host, where sending a node takes less time than a cache miss.
   Each process walks from half of the rulers, as one process does from all, and sends the other the
   ranks of those of the other's nodes that it visited. */
#include <stdlib.h>
#include <string.h>
#include "listrank.h"

struct listrank_copy {
    int64_t n;
    listrank_node *block; /* [1 + n]; the first is unused: a program may register its nodes, whose
                                 first must not be the address that is registered here */
    listrank_node *all;   /* block + 1 */
    listrank_node *ruler; /* [LISTRANK_MOST_RULERS] */
    int64_t *came;        /* [own] ranks that the other process found */
};

/* ---- Small data of both processes, in the same superstep as the large ones ------------------- */

static void send_word(int64_t word)
{
    int tag[2] = {0, bsp_pid()};
    bsp_send64(1 - bsp_pid(), tag, &word, sizeof word);
}
static int64_t receive_word(void)
{
    int64_t word;
    bsp_move64(&word, sizeof word);
    return word;
}

/* ---- Marks of the walks ---------------------------------------------------------------------- */

/* Rulers from..to-1 belong to this process. */
typedef struct {
    const listrank_node *ruler;
    uint64_t from, rulers;
} ranked;

/* Returns true if this process visited the node. Otherwise the mark is a successor, or that of the
   other process's ruler. */
static inline bool came_by(const ranked *r, int64_t mark)
{
    return (uint64_t)mark - ((uint64_t)LISTRANK_TAKEN + r->from) < r->rulers;
}
/* Returns the distance to the end if this process visited the node; otherwise any number. */
static inline int64_t rank_of(const ranked *r, listrank_node node)
{
    return r->ruler[node.next & (LISTRANK_MOST_RULERS - 1)].distance - node.distance;
}

/* Copies the ranks of the nodes that this process visited, in their order, to rank. Works without a
   branch, which would be mispredicted every other time. Returns their number. */
static int64_t collect(const ranked *r, const listrank_node *node, int64_t n, int64_t *rank)
{
    int64_t found = 0;
    for (int64_t k = 0; k < n; k++) {
        listrank_node at = node[k];
        rank[found] = rank_of(r, at);
        found += came_by(r, at.next);
    }
    return found;
}

/* Stores the ranks of own nodes: from here if this process visited them, otherwise from `came`.
   Returns the number of those from `came`. */
static int64_t fill_in(const ranked *r, listrank_node *node, int64_t n, const int64_t *came)
{
    int64_t others = 0;
    for (int64_t k = 0; k < n; k++) {
        bool mine = came_by(r, node[k].next);
        node[k].distance = listrank_choose(mine, rank_of(r, node[k]), came[others]);
        others += !mine;
    }
    return others;
}

/* ---- The whole algorithm --------------------------------------------------------------------- */

/* Exchanges the halves. Returns the list's first node, which is the number that is missing among
   the successors, where LISTRANK_END is instead. */
static int64_t copy_halves(listrank_copy *copy, const int64_t *first)
{
    int pid = bsp_pid();
    int64_t n = copy->n, from = first[pid], own = first[pid + 1] - from;
    uint64_t sum = 0, all = (uint64_t)n * (uint64_t)(n - 1) / 2 - 1;
    cm_bsp_name("copy");
    for (int64_t k = from; k < from + own; k++) sum += (uint64_t)copy->all[k].next;
    bsp_hpput64(1 - pid, copy->all + from, copy->block, (size_t)(1 + from) * sizeof *copy->all,
                (size_t)own * sizeof *copy->all);
    send_word((int64_t)sum);
    bsp_sync();
    int64_t begin = (int64_t)(all - sum - (uint64_t)receive_word());
    listrank_require_list(begin >= 0 && begin < n);
    return begin;
}

void listrank_copy_rank(listrank_copy *copy, const int64_t *first)
{
    int pid = bsp_pid(), other = 1 - pid;
    int64_t n = copy->n, bounds[2] = {0, n};
    int64_t begin = copy_halves(copy, first), rulers = listrank_rulers(n);
    int64_t from = pid ? rulers / 2 : 0, to = pid ? rulers : rulers / 2;
    listrank_walks w = {
        .p = 1, .first = bounds, .work = copy->all, .ruler = copy->ruler, .rulers = rulers};
    listrank_place_rulers(&w, begin, from, to); /* the other's entries may still be arriving */
    listrank_walk_rulers(&w, from, to);

    listrank_cost(n / 2);
    cm_bsp_name("rulers");
    bsp_hpput64(other, copy->ruler + from, copy->ruler, (size_t)from * sizeof *copy->ruler,
                (size_t)(to - from) * sizeof *copy->ruler);
    bsp_sync();
    listrank_require_list(listrank_rank_rulers(copy->ruler, rulers));

    cm_bsp_name("ranks");
    listrank_cost(n / 2);
    ranked r = {copy->ruler, (uint64_t)from, (uint64_t)(to - from)};
    listrank_node *theirs = copy->all + first[other];
    int64_t found = collect(&r, theirs, first[other + 1] - first[other], (int64_t *)theirs);
    bsp_hpput64(other, theirs, copy->came, 0, (size_t)found * sizeof *copy->came);
    send_word(found);
    bsp_sync();
    int64_t came = receive_word();
    int64_t others = fill_in(&r, copy->all + first[pid], first[pid + 1] - first[pid], copy->came);
    listrank_require_list(others == came);
}

/* ---- Memory --------------------------------------------------------------------------------- */

listrank_copy *listrank_copy_open(int64_t n, int64_t own)
{
    listrank_copy *copy = sscrap_memory(sizeof *copy);
    size_t ruler_bytes = LISTRANK_MOST_RULERS * sizeof *copy->ruler;
    size_t came_bytes = (size_t)(own + 1) * sizeof *copy->came; /* fill_in reads one further */
    size_t block_bytes = (size_t)(1 + n) * sizeof *copy->all;
    *copy = (listrank_copy){.n = n,
                            .block = cm_run_array(block_bytes),
                            .ruler = cm_run_array(ruler_bytes),
                            .came = cm_run_array(came_bytes)};
    copy->all = copy->block + 1;
    bsp_push_reg64(copy->block, block_bytes);
    bsp_push_reg64(copy->ruler, ruler_bytes);
    bsp_push_reg64(copy->came, came_bytes);
    return copy;
}

listrank_node *listrank_copy_nodes(const listrank_copy *copy) { return copy->all; }

void listrank_copy_close(listrank_copy *copy)
{
    if (!copy) return;
    bsp_pop_reg(copy->block);
    bsp_pop_reg(copy->ruler);
    bsp_pop_reg(copy->came);
    cm_memory_free(copy->block);
    cm_memory_free(copy->ruler);
    cm_memory_free(copy->came);
    free(copy);
}

double listrank_copy_bytes(int64_t n, int64_t own)
{
    return (double)sizeof(listrank_node) * (double)(n - own) + 8.0 * (double)own + 1e6;
}
