/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_local.c: a list of which a share of the links stays within its process, as the inputs of
   KASCADE. Each of the p processes has m = n / p nodes in a random order of its own, cut into R
   stretches of random lengths. Round j of the list has stretch j of each process, in a random order
   of the processes that does not begin with the process at which the last round ended. So a link
   leaves its process if and only if it is the last one of a stretch: p R of n links. The first
   n - p m processes have one node more; these nodes are at the end. */
#include "listrank.h"

/* ---- Stretches: the same on all processes ---------------------------------------------------- */

/* m places in R blocks whose lengths differ by one at most. */
static int64_t block_begin(const listrank_list *list, int64_t block)
{
    int64_t each = list->each / list->rounds, more = list->each % list->rounds;
    return block * each + (block < more ? block : more);
}
static int64_t block_of(const listrank_list *list, int64_t at)
{
    int64_t each = list->each / list->rounds, more = list->each % list->rounds;
    return at < more * (each + 1) ? at / (each + 1) : more + (at - more * (each + 1)) / each;
}

/* A stretch begins at random in its block, but not so late that none is left: they have 1 to
   2 m / R nodes. The first begins at 0, and stretch R at m. */
static int64_t stretch_begin(const listrank_list *list, int64_t stretch)
{
    if (stretch == 0 || stretch == list->rounds) return block_begin(list, stretch);
    uint64_t among = (uint64_t)(list->each / list->rounds);
    return block_begin(list, stretch)
           + (int64_t)(cm_random_word(list->seed + 3, (uint64_t)stretch) % among);
}
static int64_t stretch_of(const listrank_list *list, int64_t at)
{
    int64_t stretch = block_of(list, at);
    return at < stretch_begin(list, stretch) ? stretch - 1 : stretch;
}

/* ---- The order of the processes in a round --------------------------------------------------- */

/* Swap-or-not (Hoang, Morris and Rogaway 2012): each step pairs the numbers below p whose sum is K
   modulo p, and swaps each pair or not. Steps are their own inverses. Unlike listrank_shuffle it is
   good for few numbers. */
enum { STEPS = 16 };
static int64_t swap_or_not(int64_t x, int64_t p, uint64_t word)
{
    int64_t key = (int64_t)((word >> 32) * (uint64_t)p >> 32), other = key - x;
    if (other < 0) other += p;
    int64_t larger = x > other ? x : other;
    return word >> larger % 32 & 1 ? other : x;
}
static int64_t dealt(const listrank_list *list, int64_t round, int64_t turn)
{
    for (int k = 0; k < STEPS; k++)
        turn = swap_or_not(turn, list->p,
                           cm_random_word(list->seed + 4, (uint64_t)(round * STEPS + k)));
    return turn;
}
static int64_t undealt(const listrank_list *list, int64_t round, int64_t process)
{
    for (int k = STEPS - 1; k >= 0; k--)
        process = swap_or_not(process, list->p,
                              cm_random_word(list->seed + 4, (uint64_t)(round * STEPS + k)));
    return process;
}

/* Returns true if the first two are exchanged. Two processes take turns. */
static bool exchanged(const listrank_list *list, int64_t round)
{
    return round > 0 && dealt(list, round, 0) == dealt(list, round - 1, list->p - 1);
}
static int64_t process_at(const listrank_list *list, int64_t round, int64_t turn)
{
    if (list->p <= 2) return turn;
    if (turn < 2 && exchanged(list, round)) turn = 1 - turn;
    return dealt(list, round, turn);
}
static int64_t turn_of(const listrank_list *list, int64_t round, int64_t process)
{
    if (list->p <= 2) return process;
    int64_t turn = undealt(list, round, process);
    return turn < 2 && exchanged(list, round) ? 1 - turn : turn;
}

/* ---- The list -------------------------------------------------------------------------------- */

static int64_t own_of(const listrank_list *list, int64_t process)
{
    return list->each + (process < list->n - list->p * list->each);
}
static uint64_t seed_of_nodes(const listrank_list *list, int64_t process)
{
    return cm_random_word(list->seed + 5, (uint64_t)process);
}

int64_t listrank_local_node(const listrank_list *list, int64_t place)
{
    int64_t process = place - list->p * list->each, at = list->each;
    if (process < 0) {
        int64_t round = stretch_of(list, place / list->p), begin = stretch_begin(list, round);
        int64_t length = stretch_begin(list, round + 1) - begin, left = place - list->p * begin;
        process = process_at(list, round, left / length);
        at = begin + left % length;
    }
    return sscrap_first(list->n, list->p, (int)process)
           + listrank_shuffle(at, own_of(list, process), seed_of_nodes(list, process));
}

int64_t listrank_local_place(const listrank_list *list, int64_t node)
{
    int64_t more = list->n - list->p * list->each, with_more = more * (list->each + 1);
    int64_t process =
        node < with_more ? node / (list->each + 1) : more + (node - with_more) / list->each;
    int64_t at = listrank_unshuffle(node - sscrap_first(list->n, list->p, (int)process),
                                    own_of(list, process), seed_of_nodes(list, process));
    if (at == list->each) return list->p * list->each + process;
    int64_t round = stretch_of(list, at), begin = stretch_begin(list, round);
    int64_t length = stretch_begin(list, round + 1) - begin;
    return list->p * begin + turn_of(list, round, process) * length + at - begin;
}

void listrank_local_open(listrank_list *list, double local, int p)
{
    list->p = p;
    list->each = list->n / p;
    int64_t rounds = (int64_t)((1 - local) * (double)list->each + 0.5);
    list->rounds = rounds < 1 ? 1 : rounds > list->each ? list->each : rounds;
}

double listrank_local_error(int64_t n, int p) { return n > 1 ? 3.0 * (p + 1) / (double)n : 1; }
