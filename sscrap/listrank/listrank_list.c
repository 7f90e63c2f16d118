/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_list.c: a list over n nodes as a permutation that can be computed in both directions, so
   every process makes its own nodes and knows the answer. */
#include "listrank.h"

static bool moves(const listrank_list *list, uint64_t x)
{
    return x < (uint64_t)list->n && cm_random_word(list->seed + 1, x) <= list->moved_below;
}

/* Nodes that stay are at their own place. For others it follows the cycle to the next that
   moves. */
static int64_t node_at(const listrank_list *list, int64_t place)
{
    uint64_t x = (uint64_t)place;
    if (list->rounds) return listrank_local_node(list, place);
    if (list->moved_below == 0 || !moves(list, x)) return place;
    do x = listrank_scramble(x, list->bits, list->seed);
    while (!moves(list, x));
    return (int64_t)x;
}
static int64_t place_of(const listrank_list *list, int64_t node)
{
    uint64_t x = (uint64_t)node;
    if (list->rounds) return listrank_local_place(list, node);
    if (list->moved_below == 0 || !moves(list, x)) return node;
    do x = listrank_unscramble(x, list->bits, list->seed);
    while (!moves(list, x));
    return (int64_t)x;
}

/* Returns the distance from the place to the last one. With random distances it is such that
   neighbouring places are 1 to 2 LISTRANK_JITTER - 1 apart. */
static int64_t rank_at(const listrank_list *list, int64_t place)
{
    int64_t left = list->n - 1 - place;
    if (list->distance == LISTRANK_UNIT || left == 0) return left;
    return left * LISTRANK_JITTER
           + (int64_t)(cm_random_word(list->seed + 2, (uint64_t)place) % LISTRANK_JITTER);
}

listrank_list listrank_list_of(int64_t n, double permuted, int distance, uint64_t seed)
{
    listrank_list list = {.n = n, .seed = seed, .bits = listrank_bits(n), .distance = distance};
    list.moved_below = permuted >= 1 ? UINT64_MAX : (uint64_t)(permuted * 0x1p64);
    return list;
}

listrank_node listrank_list_node(const listrank_list *list, int64_t node)
{
    int64_t place = place_of(list, node);
    if (place == list->n - 1) return (listrank_node){LISTRANK_END, 0};
    return (listrank_node){node_at(list, place + 1),
                           rank_at(list, place) - rank_at(list, place + 1)};
}

int64_t listrank_list_rank(const listrank_list *list, int64_t node)
{
    return rank_at(list, place_of(list, node));
}
