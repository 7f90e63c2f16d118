/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_list.c: a list over n nodes as a permutation that can be computed in both directions, so
   every process makes its own nodes and knows the answer. */
#include "listrank.h"

static const uint64_t FACTOR[] = {0x9e3779b97f4a7c15u, 0xd1342543de82ef95u, 0xaf251af3b0f025b5u};
enum { ROUNDS = 3, JITTER = 64 };

static uint64_t mask_of(int bits) { return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

/* Inverse modulo 2^64 by Newton's iteration. Each step doubles the right bits, from three at
   first. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int k = 0; k < 5; k++) x *= 2 - odd * x;
    return x;
}

/* Permutes the numbers of `bits` bits: sums, products with odd numbers, and shifts by at least half
   the bits. Each of them can be undone. */
static uint64_t scramble(uint64_t x, int bits, uint64_t seed)
{
    uint64_t mask = mask_of(bits);
    for (int k = 0; k < ROUNDS; k++) {
        x = (x + cm_random_word(seed, (uint64_t)k)) * FACTOR[k] & mask;
        x ^= x >> (bits + 1) / 2;
    }
    return x;
}
static uint64_t unscramble(uint64_t x, int bits, uint64_t seed)
{
    uint64_t mask = mask_of(bits);
    for (int k = ROUNDS - 1; k >= 0; k--) {
        x ^= x >> (bits + 1) / 2;
        x = (x * inverse(FACTOR[k]) - cm_random_word(seed, (uint64_t)k)) & mask;
    }
    return x;
}

static bool moves(const listrank_list *list, uint64_t x)
{
    return x < (uint64_t)list->n && cm_random_word(list->seed + 1, x) <= list->moved_below;
}

/* Nodes that stay are at their own place. For others it follows the cycle to the next that
   moves. */
static int64_t node_at(const listrank_list *list, int64_t place)
{
    uint64_t x = (uint64_t)place;
    if (list->moved_below == 0 || !moves(list, x)) return place;
    do x = scramble(x, list->bits, list->seed);
    while (!moves(list, x));
    return (int64_t)x;
}
static int64_t place_of(const listrank_list *list, int64_t node)
{
    uint64_t x = (uint64_t)node;
    if (list->moved_below == 0 || !moves(list, x)) return node;
    do x = unscramble(x, list->bits, list->seed);
    while (!moves(list, x));
    return (int64_t)x;
}

/* Returns the distance from the place to the last one. With random distances it is such that
   neighbouring places are 1 to 2 JITTER - 1 apart. */
static int64_t rank_at(const listrank_list *list, int64_t place)
{
    int64_t left = list->n - 1 - place;
    if (list->distance == LISTRANK_UNIT || left == 0) return left;
    return left * JITTER + (int64_t)(cm_random_word(list->seed + 2, (uint64_t)place) % JITTER);
}

listrank_list listrank_list_of(int64_t n, double permuted, int distance, uint64_t seed)
{
    listrank_list list = {.n = n, .seed = seed, .bits = 2, .distance = distance};
    list.moved_below = permuted >= 1 ? UINT64_MAX : (uint64_t)(permuted * 0x1p64);
    while (list.bits < 62 && INT64_C(1) << list.bits < n) list.bits++;
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
