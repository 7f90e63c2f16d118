/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_rulers.c: list ranking by rulers over all processes. About every eighth node is a ruler.
   From each a walk follows the list until it meets another ruler. A walk that leaves the process
   continues in the next superstep, with those that others sent. After some supersteps the nodes
   that no walk has visited become rulers themselves. The rulers are a list of about a fifth of the
   nodes, which is ranked in the same way until one process can do it. So the number of supersteps
   grows with log p. Then each node asks its ruler. */
#include <stdlib.h>
#include <string.h>
#include "listrank.h"

/* Tags: one of these, and the sender. */
enum { WALKERS, ANSWERS, COUNT, QUESTIONS, REPLIES, NODES };

/* ---- Messages ------------------------------------------------------------------------------- */

static void send_all(listrank_buffer *buffers, int kind, int p, int pid)
{
    int tag[2] = {kind, pid};
    for (int k = 1; k < p; k++) {
        listrank_buffer *buffer = &buffers[(pid + k) % p];
        if (buffer->used) bsp_send64((pid + k) % p, tag, buffer->data, buffer->used);
        buffer->used = 0;
    }
}

static void take_answers(listrank_walks *w, const listrank_answer *answer, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        w->ruler[answer[k].ruler] = (listrank_node){answer[k].next, answer[k].distance};
}

/* Ends the superstep and handles the messages. Returns the walks that all processes sent. */
static int64_t superstep(listrank_walks *w)
{
    int64_t sent = 0, walks = 0;
    for (int k = 0; k < w->p; k++) sent += (int64_t)(w->leave[k].used / sizeof(listrank_walker));
    send_all(w->leave, WALKERS, w->p, w->pid);
    send_all(w->answer, ANSWERS, w->p, w->pid);
    int tag[2] = {COUNT, w->pid};
    for (int k = 0; k < w->p; k++)
        if (sent > 0) bsp_send64(k, tag, &sent, sizeof sent);
    bsp_sync();
    void *got, *data;
    for (int64_t bytes; (bytes = bsp_hpmove64(&got, &data)) >= 0;) {
        memcpy(tag, got, sizeof tag);
        if (tag[0] == COUNT) walks += *(int64_t *)data;
        else if (tag[0] == ANSWERS) take_answers(w, data, bytes / (int64_t)sizeof(listrank_answer));
        else listrank_walk(w, data, bytes / (int64_t)sizeof(listrank_walker));
    }
    return walks;
}

/* ---- Rulers --------------------------------------------------------------------------------- */

static void make_ruler(listrank_walks *w, int64_t node, listrank_buffer *memory)
{
    listrank_buffer_more(memory, sizeof *w->ruler);
    w->ruler = memory->data;
    w->ruler[w->rulers] = w->work[node];
    w->work[node] = (listrank_node){LISTRANK_TAKEN | listrank_origin(w->pid, w->rulers++), 0};
}

/* Walks from every eighth node, then from all unvisited ones. memory holds the rulers. */
static void reduce(listrank_walks *w, listrank_buffer *memory)
{
    int64_t own = w->first[w->pid + 1] - w->first[w->pid];
    w->ruler = listrank_buffer_more(memory, (size_t)(own / 5 + 64) * sizeof *w->ruler);
    memory->used = 0;
    /* Estimate of the walks that first leave for one process. */
    size_t walkers = (size_t)(own / LISTRANK_EIGHTH / w->p) * 9 / 8;
    for (int k = 0; k < w->p; k++) {
        if (k == w->pid) continue;
        listrank_buffer_more(&w->leave[k], walkers * sizeof(listrank_walker));
        w->leave[k].used = 0;
    }
    cm_bsp_name("walk");
    listrank_cost(own);
    for (int64_t k = 0; k < own; k += LISTRANK_EIGHTH) {
        uint64_t random = cm_random_word(2, (uint64_t)(w->first[w->pid] + k));
        int64_t node = k + (int64_t)(random % LISTRANK_EIGHTH);
        if (node < own) make_ruler(w, node, memory);
    }
    listrank_walk_rulers(w, 0, w->rulers);
    for (int step = 0; step < LISTRANK_WALK_STEPS && superstep(w) > 0; step++) {}
    int64_t before = w->rulers;
    for (int64_t k = 0; k < own; k++)
        if (w->work[k].next >= LISTRANK_END) make_ruler(w, k, memory);
    /* All walks are now one step from a ruler; afterwards the answers are under way. */
    listrank_walk_rulers(w, before, w->rulers);
    superstep(w);
    superstep(w);
}

/* Converts origins (process and number there) to numbers among all rulers. */
static void number_rulers(listrank_walks *w, int64_t *first)
{
    int64_t counts[w->p];
    int tag[2] = {COUNT, w->pid};
    void *got, *data;
    cm_bsp_name("count");
    for (int k = 0; k < w->p; k++) bsp_send64(k, tag, &w->rulers, sizeof w->rulers);
    bsp_sync();
    while (bsp_hpmove64(&got, &data) >= 0) {
        memcpy(tag, got, sizeof tag);
        counts[tag[1]] = *(int64_t *)data;
    }
    first[0] = 0;
    for (int k = 0; k < w->p; k++) first[k + 1] = first[k] + counts[k];
    for (int64_t k = 0; k < w->rulers; k++) {
        int64_t *next = &w->ruler[k].next;
        if (*next != LISTRANK_END) *next = first[listrank_pid(*next)] + listrank_ruler(*next);
    }
}

/* ---- Expansion ------------------------------------------------------------------------------ */

/* Collects what each node of work[from..to-1] asks its ruler, in the order of the nodes. */
static void ask(listrank_walks *w, listrank_buffer *questions, int64_t from, int64_t to)
{
    int64_t counts[w->p], *at[w->p];
    memset(counts, 0, sizeof counts);
    for (int64_t k = from; k < to; k++) counts[listrank_pid(w->work[k].next & ~LISTRANK_TAKEN)]++;
    for (int k = 0; k < w->p; k++) {
        questions[k].used = 0;
        at[k] = listrank_buffer_more(&questions[k], (size_t)counts[k] * sizeof *at[k]);
    }
    for (int64_t k = from; k < to; k++) {
        int64_t origin = w->work[k].next & ~LISTRANK_TAKEN;
        *at[listrank_pid(origin)]++ = listrank_ruler(origin);
    }
}

static void reply(const listrank_walks *w, const int64_t *question, int64_t n,
                  listrank_buffer *replies)
{
    replies->used = 0;
    int64_t *answer = listrank_buffer_more(replies, (size_t)n * sizeof *answer);
    for (int64_t k = 0; k < n; k++) answer[k] = w->ruler[question[k]].distance;
}

/* reply[p]: the next reply of each process. */
static void fill_in(listrank_walks *w, int64_t from, int64_t to, const int64_t **reply)
{
    for (int64_t k = from; k < to; k++) {
        listrank_node *node = &w->work[k];
        node->distance = *reply[listrank_pid(node->next & ~LISTRANK_TAKEN)]++ - node->distance;
    }
}

/* Works in chunks, so that questions and replies take only part of the memory. The questions of one
   chunk and the replies for the one before share a superstep. Questions of a process to itself are
   handled in the same way, without messages. */
static void expand(listrank_walks *w)
{
    int p = w->p, pid = w->pid;
    int64_t own = w->first[pid + 1] - w->first[pid];
    int chunks = listrank_chunks(w->first[p], p);
    listrank_buffer *questions = w->leave, *replies = w->answer;
    const int64_t *next[p];
    memset(next, 0, sizeof next);
    cm_bsp_name("expand");
    listrank_cost(own);
    for (int chunk = 0; chunk <= chunks; chunk++) {
        if (chunk < chunks)
            ask(w, questions, sscrap_first(own, chunks, chunk),
                sscrap_first(own, chunks, chunk + 1));
        for (int k = 1; k < p; k++) {
            int to = (pid + k) % p, tag[2] = {QUESTIONS, pid};
            if (chunk < chunks && questions[to].used)
                bsp_send64(to, tag, questions[to].data, questions[to].used);
            tag[0] = REPLIES;
            if (replies[to].used) bsp_send64(to, tag, replies[to].data, replies[to].used);
            replies[to].used = 0;
        }
        bsp_sync();
        next[pid] = replies[pid].data;
        void *got, *data;
        for (int64_t bytes; (bytes = bsp_hpmove64(&got, &data)) >= 0;) {
            int tag[2];
            memcpy(tag, got, sizeof tag);
            if (tag[0] == REPLIES) next[tag[1]] = data;
            else reply(w, data, bytes / (int64_t)sizeof(int64_t), &replies[tag[1]]);
        }
        if (chunk > 0)
            fill_in(w, sscrap_first(own, chunks, chunk - 1), sscrap_first(own, chunks, chunk),
                    next);
        if (chunk < chunks)
            reply(w, questions[pid].data, (int64_t)(questions[pid].used / sizeof(int64_t)),
                  &replies[pid]);
    }
}

/* ---- Levels --------------------------------------------------------------------------------- */

/* Sends all nodes to process 0, which ranks them, and the ranks back. */
static void gather(listrank_node *work, const int64_t *first, int p, int pid)
{
    int64_t own = first[pid + 1] - first[pid];
    int tag[2] = {NODES, pid};
    void *got, *data;
    cm_bsp_name("gather");
    if (pid != 0 && own > 0) bsp_send64(0, tag, work, (size_t)own * sizeof *work);
    bsp_sync();
    if (pid == 0) {
        listrank_node *all = cm_run_array((size_t)first[p] * sizeof *all);
        memcpy(all, work, (size_t)own * sizeof *all);
        for (int64_t bytes; (bytes = bsp_hpmove64(&got, &data)) >= 0;) {
            memcpy(tag, got, sizeof tag);
            memcpy(all + first[tag[1]], data, (size_t)bytes);
        }
        listrank_require_list(listrank_alone(all, first[p]));
        int64_t *distance = (int64_t *)all;
        for (int64_t k = 0; k < own; k++) work[k].distance = all[k].distance;
        for (int64_t k = own; k < first[p]; k++) distance[k - own] = all[k].distance;
        tag[0] = REPLIES;
        for (int to = 1; to < p; to++)
            if (first[to + 1] > first[to])
                bsp_send64(to, tag, distance + (first[to] - own),
                           (size_t)(first[to + 1] - first[to]) * sizeof *distance);
        cm_memory_free(all);
    }
    bsp_sync();
    while (bsp_hpmove64(&got, &data) >= 0)
        for (int64_t k = 0; k < own; k++) work[k].distance = ((int64_t *)data)[k];
}

static void level(listrank_node *work, const int64_t *first, int64_t few)
{
    int p = bsp_nprocs(), pid = bsp_pid();
    if (first[p] <= few) {
        gather(work, first, p, pid);
        return;
    }
    listrank_buffer leave[p], answer[p];
    memset(leave, 0, sizeof leave);
    memset(answer, 0, sizeof answer);
    listrank_walks w = {
        .p = p, .pid = pid, .first = first, .work = work, .leave = leave, .answer = answer};
    listrank_buffer memory = {0};
    int64_t next_first[p + 1];
    reduce(&w, &memory);
    number_rulers(&w, next_first);
    for (int k = 0; k < p; k++) {
        listrank_buffer_free(&leave[k]);
        listrank_buffer_free(&answer[k]);
    }
    level(w.ruler, next_first, few);
    expand(&w);
    for (int k = 0; k < p; k++) {
        listrank_buffer_free(&leave[k]);
        listrank_buffer_free(&answer[k]);
    }
    listrank_buffer_free(&memory);
}

void listrank_by_rulers(listrank_node *work, const int64_t *first)
{
    level(work, first, listrank_few(first[bsp_nprocs()], bsp_nprocs()));
}

/* Memory beyond the nodes themselves: rulers, walks and questions, each with BSP's messages. 21
   bytes were measured with 2 processes and 33 to 43 with more. */
double listrank_by_rulers_bytes(int64_t n, int p) { return 40.0 * (double)n / p + 1e6; }
