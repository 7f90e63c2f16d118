/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_tokens.c: list ranking over any number of processes, with words of four bytes if numbers
   and ranks fit into them, otherwise of eight. */
#include <stdlib.h>
#include <string.h>
#include "listrank.h"

enum {
    STRETCH = LISTRANK_STRETCH,
    STEPS = LISTRANK_STEPS,
    FEW_RUNS = 256, /* fewer runs than one in so many nodes do not keep the memory busy */
    CUT_EVERY = 64, /* they are cut into runs of about this length */
    WALKS = 48,
    AHEAD = 24 /* of prefetches */
};
enum {
    SUMS,
    ASK,
    NUMBER,
    TOKENS,
    LATE,
    RECORDS,
    BROKEN,
    QUESTIONS,
    REPLIES
}; /* tags, with the sender */

typedef struct {
    uint64_t successors, distances, bits; /* sums, and all distances' bits */
    uint64_t strange;                     /* successors that are no nodes */
} sums;

/* Kept from run to run, because new pages take longer than the ranking's own accesses. */
struct listrank_memory {
    int p;
    listrank_buffer ended; /* at first the items that links lead to */
    listrank_buffer all;   /* at first heads of runs, then walks that are dealt out, then rulers */
    listrank_buffer run, rank;
    listrank_buffer *leave; /* [p] */
};

listrank_memory *listrank_memory_open(int p)
{
    listrank_memory *memory = sscrap_memory(sizeof *memory);
    *memory = (listrank_memory){.p = p};
    memory->leave = sscrap_memory((size_t)p * sizeof *memory->leave);
    memset(memory->leave, 0, (size_t)p * sizeof *memory->leave);
    return memory;
}

void listrank_memory_close(listrank_memory *memory)
{
    if (!memory) return;
    listrank_buffer *const buffers[] = {&memory->ended, &memory->all, &memory->run, &memory->rank};
    for (int k = 0; k < (int)(sizeof buffers / sizeof *buffers); k++)
        listrank_buffer_free(buffers[k]);
    for (int k = 0; k < memory->p; k++) listrank_buffer_free(&memory->leave[k]);
    free(memory->leave);
    free(memory);
}

/* Makes room for this number of items; the old content may be lost. */
static void *room(listrank_buffer *buffer, int64_t items, size_t item_bytes)
{
    size_t bytes = (size_t)items * item_bytes;
    if (buffer->room < bytes) listrank_buffer_free(buffer);
    buffer->used = 0;
    return listrank_buffer_more(buffer, bytes);
}

typedef struct {
    int p, pid;
    const int64_t *first; /* [p + 1] of the nodes */
    listrank_node *work;
    int64_t own, begin; /* begin: local index of the list's first node; -1: not here */
    int64_t *links;     /* [p] links to each process */
    int64_t all_few;    /* a list that every process can rank */
    bool broken;        /* the walks found that the nodes are no list; the others do not know */
    listrank_memory *memory;
} ranking;

/* ---- Messages ------------------------------------------------------------------------------- */

static void send(int to, int kind, const void *data, size_t bytes)
{
    int tag[2] = {kind, bsp_pid()};
    if (bytes) bsp_send64(to, tag, data, bytes);
}
/* Returns the bytes of the next message, or -1. */
static int64_t receive_kind(int *kind, int *sender, const void **data)
{
    void *tag, *got;
    int64_t bytes = bsp_hpmove64(&tag, &got);
    if (bytes < 0) return -1;
    memcpy(kind, tag, sizeof *kind);
    memcpy(sender, (int *)tag + 1, sizeof *sender);
    *data = got;
    return bytes;
}
static int64_t receive(int *sender, const void **data)
{
    int kind;
    return receive_kind(&kind, sender, data);
}
static void send_buffers(listrank_buffer *buffers, int kind, int p)
{
    for (int k = 0, pid = bsp_pid(); k < p; k++) {
        listrank_buffer *buffer = &buffers[(pid + k) % p];
        send((pid + k) % p, kind, buffer->data, buffer->used);
        buffer->used = 0;
    }
}
static inline void *more(listrank_buffer *buffer, size_t bytes)
{
    if (buffer->used + bytes > buffer->room) return listrank_buffer_more(buffer, bytes);
    void *at = (char *)buffer->data + buffer->used;
    buffer->used += bytes;
    return at;
}

/* Tells all processes this one's count; first[p + 1] becomes the sums of the counts. Returns false
   if a count is below 0. */
static bool count_all(int kind, int64_t count, int64_t *first, int p)
{
    int sender;
    const void *data;
    for (int k = 0; k < p; k++) send(k, kind, &count, sizeof count);
    bsp_sync();
    bool counted = true;
    while (receive(&sender, &data) >= 0) {
        first[sender + 1] = *(const int64_t *)data;
        counted = counted && first[sender + 1] >= 0;
    }
    first[0] = 0;
    for (int k = 0; k < p; k++) first[k + 1] += first[k];
    return counted;
}

/* ---- Both kinds of words -------------------------------------------------------------------- */

#define WORD uint32_t
#define NAME(name) name##_short
#include "listrank_tokens.inc"
#undef WORD
#undef NAME
#define WORD uint64_t
#define NAME(name) name##_long
#include "listrank_tokens.inc"

/* ---- The whole list ------------------------------------------------------------------------- */

/* Counts the links to each process, and finds the list's first node: the number that is missing
   among the successors, where LISTRANK_END is instead. Returns the sums over all processes. */
static sums look(ranking *r)
{
    sums mine = {0}, all = {0};
    int64_t from = r->first[r->pid], n = r->first[r->p];
    const void *data;
    cm_bsp_name("sums");
    for (int64_t k = 0; k < r->own; k++) {
        listrank_node node = r->work[k];
        mine.successors += (uint64_t)node.next;
        mine.distances += (uint64_t)node.distance;
        mine.bits |= (uint64_t)node.distance;
        if ((uint64_t)(node.next - from) < (uint64_t)r->own || node.next == LISTRANK_END) continue;
        mine.strange += (uint64_t)node.next >= (uint64_t)n;
        r->links[listrank_owner(r->first, r->p, node.next)]++;
    }
    for (int k = 0; k < r->p; k++) send(k, SUMS, &mine, sizeof mine);
    bsp_sync();
    for (int sender; receive(&sender, &data) >= 0;) {
        const sums *theirs = data;
        all.successors += theirs->successors;
        all.distances += theirs->distances;
        all.bits |= theirs->bits;
        all.strange += theirs->strange;
    }
    int64_t begin = listrank_begin(n, all.successors);
    listrank_require_list_of_all(all.strange == 0 && begin >= 0 && begin < n);
    r->begin = begin >= from && begin < from + r->own ? begin - from : -1;
    return all;
}

void listrank_by_tokens(listrank_memory *memory, listrank_node *work, const int64_t *first)
{
    int p = bsp_nprocs(), pid = bsp_pid();
    if (p == 1) {
        listrank_require_list(listrank_alone(work, first[1]));
        return;
    }
    int64_t links[p];
    memset(links, 0, sizeof links);
    ranking r = {
        .p = p, .pid = pid, .first = first, .work = work, .links = links, .memory = memory};
    r.own = first[pid + 1] - first[pid];
    r.all_few = listrank_all_few(first[p], p);
    sums all = look(&r);
    bool fits = all.bits >> 32 == 0 && listrank_fits(first[p], all.distances);
    if (fits) rank_short(&r);
    else rank_long(&r);
}

/* Memory beyond the nodes themselves. For each link to another process, words where it leads and of
   tokens, and BSP's streams of them; then the list of rulers, two words for 0.35 of all links or,
   of more than 8 processes, 3 n / p rulers and the shorter lists. Runs of four-byte words have
   their place in the nodes. 15, 24 and 40 bytes a node were measured with 2, 4 and 8 processes. */
double listrank_by_tokens_bytes(int64_t n, int p, bool is_short)
{
    double links = (double)(p - 1) / p, rulers = p <= 8 ? 0.35 * (p - 1) : 3;
    double bytes = 24 * links + 8 * rulers + (p <= 8 ? 0 : 12);
    return (p == 1 ? 0.2 : is_short ? bytes : 2 * bytes + 16) * (double)n / p + 1e6;
}
