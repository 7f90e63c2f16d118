/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_walk.c: advances many walks of one process in turn, so that memory fetches for all of
   them at once: each step looks at a node that was prefetched a round before. */
#include <stdlib.h>
#include <string.h>
#include "listrank.h"

enum { WALKS = 48 };

void *listrank_buffer_more(listrank_buffer *buffer, size_t bytes)
{
    if (buffer->used + bytes > buffer->room) {
        size_t room = 2 * buffer->room + bytes;
        void *data = cm_run_array(room);
        memcpy(data, buffer->data ? buffer->data : "", buffer->used);
        cm_memory_free(buffer->data);
        buffer->data = data;
        buffer->room = room;
    }
    void *at = (char *)buffer->data + buffer->used;
    buffer->used += bytes;
    return at;
}
void listrank_buffer_free(listrank_buffer *buffer)
{
    cm_memory_free(buffer->data);
    *buffer = (listrank_buffer){0};
}

static void leave(listrank_walks *w, int64_t node, int64_t origin, int64_t distance)
{
    listrank_buffer *buffer = &w->leave[listrank_owner(w->first, w->p, node)];
    listrank_walker *walker = listrank_buffer_more(buffer, sizeof *walker);
    *walker = (listrank_walker){node, origin, distance};
}

static void end(listrank_walks *w, int64_t origin, int64_t next, int64_t distance)
{
    int pid = listrank_pid(origin);
    if (pid == w->pid) {
        w->ruler[listrank_ruler(origin)] = (listrank_node){next, distance};
        return;
    }
    listrank_answer *answer = listrank_buffer_more(&w->answer[pid], sizeof *answer);
    *answer = (listrank_answer){listrank_ruler(origin), next, distance};
}

/* The source of the next walks. */
typedef struct {
    const listrank_walker *walker; /* NULL: rulers */
    int64_t from, to;
} source;

/* Gets the next walk whose node is on this process. */
static inline bool begin(listrank_walks *w, source *s, listrank_walker *walk)
{
    while (s->from < s->to) {
        int64_t k = s->from++;
        if (s->walker) *walk = s->walker[k];
        else
            *walk = (listrank_walker){w->ruler[k].next, listrank_origin(w->pid, k),
                                      w->ruler[k].distance};
        if (walk->at == LISTRANK_END) end(w, walk->origin, LISTRANK_END, walk->distance);
        else if (walk->at < w->first[w->pid] || walk->at >= w->first[w->pid + 1])
            leave(w, walk->at, walk->origin, walk->distance);
        else return true;
    }
    return false;
}

void listrank_cost(int64_t nodes) { cm_compute(0, (double)nodes * cm_item_s()); }

static void walk_all(listrank_walks *w, source *s)
{
    listrank_walker walk[WALKS];
    int64_t first = w->first[w->pid];
    uint64_t own = (uint64_t)(w->first[w->pid + 1] - first);
    listrank_node *work = w->work;
    int walks = 0;
    while (walks < WALKS && begin(w, s, &walk[walks])) {
        walk[walks].at -= first;
        cm_memory_fetch(&work[walk[walks++].at]);
    }
    while (walks > 0) {
        for (int k = 0; k < walks;) {
            listrank_node *node = &work[walk[k].at];
            int64_t next = node->next, distance = walk[k].distance;
            if (next >= 0) {
                walk[k].distance += node->distance;
                *node = (listrank_node){LISTRANK_TAKEN | walk[k].origin, distance};
                if ((uint64_t)(next - first) < own) {
                    walk[k].at = next - first;
                    cm_memory_fetch(&work[next - first]);
                    k++;
                    continue;
                }
                leave(w, next, walk[k].origin, walk[k].distance);
            } else if (next == LISTRANK_END) {
                int64_t last = node->distance;
                *node = (listrank_node){LISTRANK_TAKEN | walk[k].origin, distance};
                end(w, walk[k].origin, LISTRANK_END, distance + last);
            } else {
                end(w, walk[k].origin, next & ~LISTRANK_TAKEN, distance);
            }
            if (begin(w, s, &walk[k])) {
                walk[k].at -= first;
                cm_memory_fetch(&work[walk[k].at]);
                k++;
            } else {
                walk[k] = walk[--walks];
            }
        }
    }
}

void listrank_walk_rulers(listrank_walks *w, int64_t from, int64_t to)
{
    walk_all(w, &(source){NULL, from, to});
}

void listrank_walk(listrank_walks *w, const listrank_walker *walker, int64_t n)
{
    walk_all(w, &(source){walker, 0, n});
}

/* ---- One process ---------------------------------------------------------------------------- */

/* The rulers' answers stay in the second-level cache, and walks are long enough to keep all of them
   busy. */
int64_t listrank_rulers(int64_t n)
{
    return n / 128 < LISTRANK_MOST_RULERS ? n / 128 + 1 : LISTRANK_MOST_RULERS;
}

/* One in each stretch of n / rulers nodes, at random. */
static int64_t place_of_ruler(const listrank_walks *w, int64_t k)
{
    int64_t from = sscrap_first(w->first[1], (int)w->rulers, (int)k);
    int64_t to = sscrap_first(w->first[1], (int)w->rulers, (int)k + 1);
    return from + (int64_t)(cm_random_word(1, (uint64_t)k) % (uint64_t)(to - from));
}

/* Stores where the rulers' walks begin. The walks may miss the nodes before the first ruler. */
static void place_rulers(listrank_walks *w)
{
    for (int64_t k = 0; k < w->rulers; k++) {
        int64_t at = place_of_ruler(w, k);
        w->ruler[k] = w->work[at];
        w->work[at] = (listrank_node){LISTRANK_TAKEN | listrank_origin(0, k), 0};
    }
}

/* The first is the one that is missing among the successors. */
static int64_t first_ruler(const listrank_node *ruler, int64_t rulers)
{
    int64_t first = rulers * (rulers - 1) / 2;
    for (int64_t k = 0; k < rulers; k++) first -= ruler[k].next == LISTRANK_END ? 0 : ruler[k].next;
    return first;
}

/* Visits the rulers in turn from the first of the list, which none leads to, and computes their
   distances to the end. */
bool listrank_rank_rulers(listrank_node *ruler, int64_t rulers)
{
    const int64_t first = first_ruler(ruler, rulers);
    int64_t left = 0, passed = 0;
    for (int64_t k = first; k != LISTRANK_END && passed <= rulers; k = ruler[k].next, passed++) {
        if (k < 0 || k >= rulers) return false;
        left += ruler[k].distance;
    }
    if (passed != rulers) return false;
    for (int64_t k = first; k != LISTRANK_END; k = ruler[k].next) {
        int64_t length = ruler[k].distance;
        ruler[k].distance = left;
        left -= length;
    }
    return true;
}

/* Ranks the nodes before the first ruler, which no walk visited; the others are done. head is where
   the part that is done begins. Returns false unless all of them lead there in one line: they may
   be a ring, lead to an end of their own, or join the list in its middle. */
static bool rank_first(listrank_node *work, const int64_t *first, int64_t n, int64_t head)
{
    int64_t *stack = sscrap_memory((size_t)n * sizeof *stack);
    bool is_list = true;
    for (int64_t k = 0; k < n && is_list; k++) {
        int64_t at = first[k], depth = 0, rank = 0;
        while (at != LISTRANK_END && work[at].next >= LISTRANK_END) {
            if (!(is_list = depth < n)) break;
            stack[depth++] = at;
            at = work[at].next;
        }
        if (depth == 0) continue;
        if (!(is_list = is_list && at == head)) break;
        head = first[k];
        rank = work[at].distance;
        while (depth > 0) {
            listrank_node *node = &work[stack[--depth]];
            rank += node->distance;
            *node = (listrank_node){LISTRANK_TAKEN, rank};
        }
    }
    free(stack);
    return is_list;
}

bool listrank_alone(listrank_node *work, int64_t n)
{
    if (n == 0) return true;
    int64_t bounds[2] = {0, n}, skipped = 0;
    listrank_cost(n);
    listrank_walks w = {.p = 1, .first = bounds, .work = work, .rulers = listrank_rulers(n)};
    listrank_buffer before = {0};
    w.ruler = sscrap_memory((size_t)w.rulers * sizeof *w.ruler);
    place_rulers(&w);
    listrank_walk_rulers(&w, 0, w.rulers);
    bool is_list = listrank_rank_rulers(w.ruler, w.rulers);
    for (int64_t k = 0; k < n && is_list; k++) {
        if (work[k].next < LISTRANK_END)
            work[k].distance = w.ruler[work[k].next & ~LISTRANK_TAKEN].distance - work[k].distance;
        else {
            *(int64_t *)listrank_buffer_more(&before, sizeof k) = k;
            skipped++;
        }
    }
    is_list = is_list
              && rank_first(work, before.data, skipped,
                            place_of_ruler(&w, first_ruler(w.ruler, w.rulers)));
    listrank_buffer_free(&before);
    free(w.ruler);
    return is_list;
}
