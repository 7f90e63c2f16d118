/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_pair.c: list ranking of two processes in four supersteps. A run is the part of a walk
   before it leaves its process. Each process asks the other for the ends of the runs that its own
   runs lead to. With the answers it has a list of its own runs, a quarter of the nodes of a random
   list. It ranks this list alone, and the other process does so at the same time. */
#include <stdlib.h>
#include <string.h>
#include "listrank.h"

enum { WALKS = 96, BLOCK = 1 << 14, FEW_RUNS = 256, RULER_EVERY = 64, AHEAD = 64 };
enum { COUNTS }; /* tag */

/* The successor of a node is replaced by its local index, LISTRANK_END, or a link: links 0, 1, ...
   lead to nodes of the other process, the further ones to rulers of this one. Its own inverse. */
static inline int64_t link_of(int64_t number) { return -2 - number; }

typedef struct {
    int64_t links;
    uint64_t sum;
} counts;

struct listrank_pair {
    listrank_buffer ask;    /* numbers of the other's nodes that links lead to */
    listrank_buffer head;   /* of runs; those that the other process requested come first */
    listrank_buffer run;    /* listrank_node: the link at its end, its length */
    listrank_buffer answer; /* listrank_node: the same for the other's runs */
};

/* Makes room for this number of items; the old content may be lost. */
static void *room(listrank_buffer *buffer, int64_t items, size_t item_bytes)
{
    size_t bytes = (size_t)items * item_bytes;
    if (buffer->room < bytes) listrank_buffer_free(buffer);
    buffer->used = 0;
    return listrank_buffer_more(buffer, bytes);
}

/* ---- Links ---------------------------------------------------------------------------------- */

static counts find_links(listrank_node *work, int64_t own, int64_t first, int64_t other_first,
                         listrank_buffer *ask)
{
    counts found = {0, 0};
    ask->used = 0;
    for (int64_t from = 0; from < own; from += BLOCK) {
        int64_t to = from + BLOCK < own ? from + BLOCK : own;
        int64_t *target = listrank_buffer_more(ask, BLOCK * sizeof *target), *begin = target;
        for (int64_t k = from; k < to; k++) {
            int64_t next = work[k].next, here = next - first;
            bool stays = (uint64_t)here < (uint64_t)own, leaves = !stays & (next != LISTRANK_END);
            int64_t link = link_of(found.links + (target - begin));
            work[k].next =
                listrank_choose(stays, here, listrank_choose(leaves, link, LISTRANK_END));
            *target = next - other_first;
            target += leaves;
            found.sum += (uint64_t)next;
        }
        found.links += target - begin;
        ask->used = (size_t)found.links * sizeof *target;
    }
    return found;
}

/* Returns the counts of the other process. */
static counts exchange_counts(counts mine)
{
    int other = 1 - bsp_pid(), tag[2] = {COUNTS, bsp_pid()};
    counts theirs;
    cm_bsp_name("links");
    bsp_send64(other, tag, &mine, sizeof mine);
    bsp_sync();
    bsp_move64(&theirs, sizeof theirs);
    return theirs;
}

/* ---- Runs ----------------------------------------------------------------------------------- */

/* A list that rarely leaves its process has few runs, too few to keep the memory busy. So they are
   cut at every RULER_EVERY-th node that a link of this process leads to. Stores the heads in head
   and returns their number. */
static int64_t add_rulers(listrank_node *work, int64_t own, int64_t links, int64_t *head)
{
    int64_t rulers = 0;
    for (int64_t k = 0; k < own; k++) {
        int64_t next = work[k].next;
        if (next < 0 || next % RULER_EVERY) continue;
        head[rulers] = next;
        work[k].next = link_of(links + rulers++);
    }
    return rulers;
}

typedef struct {
    int64_t at, run, distance;
} walker;

static inline int64_t step(listrank_node *work, listrank_node *run, walker *w)
{
    listrank_node *node = &work[w->at];
    int64_t next = node->next, distance = w->distance;
    w->distance += node->distance;
    *node = (listrank_node){w->run, distance};
    run[w->run] = (listrank_node){next, w->distance};
    return next;
}

/* Stores at each own node its run and the distance from the run's head. Most runs are a few nodes
   long, and their ends cannot be predicted: while there are further runs, a step continues without
   a branch. */
static void walk(listrank_node *work, int64_t own, const int64_t *head, int64_t runs,
                 listrank_node *run)
{
    walker walks[WALKS];
    int64_t begun = 0, steps = 0;
    int n = runs < WALKS ? (int)runs : WALKS;
    for (; begun < n; begun++) walks[begun] = (walker){head[begun], begun, 0};
    for (; begun + WALKS <= runs && steps <= own; steps += WALKS)
        for (int k = 0; k < WALKS; k++) {
            walker *w = &walks[k];
            int64_t next = step(work, run, w);
            bool ends = next < 0;
            w->at = listrank_choose(ends, head[begun], next);
            w->run = listrank_choose(ends, begun, w->run);
            w->distance = listrank_choose(ends, 0, w->distance);
            begun += ends;
            cm_memory_fetch(&work[w->at]);
        }
    while (n > 0 && steps <= own)
        for (int k = 0; k < n; steps++) {
            walker *w = &walks[k];
            int64_t next = step(work, run, w);
            if (next >= 0) w->at = next;
            else if (begun < runs) *w = (walker){head[begun], begun, 0}, begun++;
            else {
                *w = walks[--n];
                continue;
            }
            cm_memory_fetch(&work[w->at]);
            k++;
        }
    listrank_require_list(steps == own);
}

/* Finds where the runs that the other process requested leave this process, across rulers. */
static void resolve(const listrank_node *run, int64_t asked, int64_t rulers, int64_t links,
                    listrank_node *resolved)
{
    for (int64_t k = 0, steps = 0; k < asked; k++) {
        resolved[k] = run[k];
        for (int64_t link; (link = link_of(resolved[k].next)) >= links;) {
            listrank_require_list(steps++ < rulers);
            const listrank_node *more = &run[asked + link - links];
            resolved[k] = (listrank_node){more->next, resolved[k].distance + more->distance};
        }
    }
}

/* ---- The whole algorithm --------------------------------------------------------------------- */

/* Links each run to the next run of this process. */
static void link_runs(listrank_node *run, int64_t runs, int64_t asked, int64_t links,
                      const listrank_node *answer)
{
    for (int64_t k = 0; k < runs; k++) {
        int64_t link = link_of(run[k].next);
        if (k + AHEAD < runs) cm_memory_fetch(&answer[link_of(run[k + AHEAD].next)]);
        if (link < 0) continue; /* LISTRANK_END */
        if (link >= links) {
            run[k].next = asked + link - links;
            continue;
        }
        int64_t next = answer[link].next;
        run[k] = (listrank_node){next == LISTRANK_END ? next : link_of(next),
                                 run[k].distance + answer[link].distance};
    }
}

void listrank_pair_rank(listrank_pair *pair, listrank_node *work, const int64_t *first)
{
    int pid = bsp_pid(), other = 1 - pid;
    int64_t own = first[pid + 1] - first[pid];
    counts mine = find_links(work, own, first[pid], first[other], &pair->ask);
    counts theirs = exchange_counts(mine);
    int64_t links = mine.links, asked = theirs.links;
    int64_t begin = listrank_begin(first[2], mine.sum + theirs.sum) - first[pid];
    bool begins_here = begin >= 0 && begin < own;
    int64_t more = 1 + (asked < own / FEW_RUNS ? own / RULER_EVERY + 1 : 0), rulers = 0;
    int64_t *head = room(&pair->head, asked + more, sizeof *head);
    listrank_node *run = room(&pair->run, asked + more, sizeof *run);
    listrank_node *answer = room(&pair->answer, links, sizeof *answer);
    bsp_push_reg64(head, (size_t)asked * sizeof *head);
    bsp_push_reg64(answer, (size_t)links * sizeof *answer);
    bsp_sync();

    cm_bsp_name("ask");
    bsp_hpput64(other, pair->ask.data, head, 0, (size_t)links * sizeof *head);
    bsp_sync();
    if (more > 1) rulers = add_rulers(work, own, links, head + asked);
    int64_t runs = asked + rulers;
    if (begins_here) head[runs++] = begin;
    walk(work, own, head, runs, run);

    listrank_cost(own);
    cm_bsp_name("answer");
    listrank_node *resolved = run;
    if (more > 1) {
        resolved = room(&pair->ask, asked, sizeof *resolved);
        resolve(run, asked, rulers, links, resolved);
    }
    bsp_hpput64(other, resolved, answer, 0, (size_t)asked * sizeof *resolved);
    bsp_pop_reg(head);
    bsp_pop_reg(answer);
    bsp_sync();
    link_runs(run, runs, asked, links, answer);
    listrank_require_list(listrank_alone(run, runs));
    listrank_cost(own);
    /* A dense array of ranks, of which the cache holds more. */
    int64_t *rank = room(&pair->answer, runs, sizeof *rank);
    for (int64_t k = 0; k < runs; k++) rank[k] = run[k].distance;
    for (int64_t k = 0; k < own; k++) {
        if (k + AHEAD < own) cm_memory_fetch(&rank[work[k + AHEAD].next]);
        work[k].distance = rank[work[k].next] - work[k].distance;
    }
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* The number expected for a random list, where every other link leads to the other process. */
static int64_t expected(int64_t own) { return own / 2 + own / 50 + BLOCK; }

listrank_pair *listrank_pair_open(int64_t own)
{
    listrank_pair *pair = sscrap_memory(sizeof *pair);
    memset(pair, 0, sizeof *pair);
    room(&pair->ask, expected(own) + BLOCK, sizeof(int64_t));
    room(&pair->head, expected(own), sizeof(int64_t));
    room(&pair->run, expected(own), sizeof(listrank_node));
    room(&pair->answer, expected(own), sizeof(listrank_node));
    return pair;
}

void listrank_pair_close(listrank_pair *pair)
{
    if (!pair) return;
    listrank_buffer_free(&pair->ask);
    listrank_buffer_free(&pair->head);
    listrank_buffer_free(&pair->run);
    listrank_buffer_free(&pair->answer);
    free(pair);
}

double listrank_pair_bytes(int64_t own) { return 48.0 * (double)(expected(own) + BLOCK); }
