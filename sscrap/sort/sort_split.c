/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_split.c: the three supersteps in which the processes of a range of processes, or all, divide
   their keys among each other by samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sort_state.h"

void sort_cost(int64_t n, double among)
{
    if (among > 1) cm_compute(0, (double)n * log2(among) * cm_item_s());
}

void sort_check_attempt(int attempt)
{
    if (attempt == SORT_ATTEMPTS)
        bsp_abort("sort: samples did not balance the parts in %d attempts", attempt);
}

/* ---- Samples -------------------------------------------------------------------------------- */

static int by_order(const void *left, const void *right)
{
    const sort_sample *a = left, *b = right;
    if (a->bits != b->bits) return a->bits < b->bits ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

void sort_draw(const sort_state *s, int attempt, int64_t samples, sort_sample *own)
{
    int64_t mine = s->own < samples ? s->own : samples;
    bool all = mine == s->own;
    for (int64_t k = 0; k < mine; k++) {
        uint64_t draw = cm_random_word(s->seed + 77 + (uint64_t)attempt, (uint64_t)(s->first + k));
        int64_t place = all ? k : (int64_t)(draw % (uint64_t)s->own);
        own[k] = (sort_sample){s->k->bits(s->in, place), s->first + place};
    }
    for (int64_t k = mine; k < samples; k++) own[k] = (sort_sample){0, -1};
}

void sort_choose_splitters(sort_state *s, int64_t samples)
{
    int64_t n = 0;
    for (int64_t k = 0; k < samples; k++)
        if (s->sample[k].index >= 0) s->sample[n++] = s->sample[k];
    qsort(s->sample, (size_t)n, sizeof *s->sample, by_order);
    for (int b = 1; b < s->parts; b++)
        s->splitter[b - 1] = s->sample[sscrap_first(s->p, s->parts, b) * n / s->p];
}

void sort_sample_all(sort_state *s, int attempt)
{
    sort_sample *own = s->sample + s->pid * s->samples;
    cm_bsp_name("sample");
    sort_draw(s, attempt, s->samples, own);
    size_t at = (size_t)(s->pid * s->samples) * sizeof *own;
    for (int pid = 0; pid < s->p; pid++)
        if (pid != s->pid)
            bsp_hpput64(s->base + pid, own, s->sample, at, (size_t)s->samples * sizeof *own);
    if (s->way == SORT_DEALT) sort_deal_share(s, attempt);
    bsp_sync();
    sort_choose_splitters(s, s->samples * s->p);
}

/* ---- Splitting ------------------------------------------------------------------------------ */

bool sort_count(sort_state *s)
{
    int p = s->p;
    int64_t *mine = s->counts + s->pid * p;
    cm_bsp_name("count");
    sort_cost(s->own, p);
    switch (s->way) {
    case SORT_PIECES:
        sort_count_here(s, mine);
        break;
    case SORT_DEALT:
        sort_deal(s, mine);
        break;
    case SORT_BY_VECTORS:
        sort_part(s, mine);
        break;
    }
    size_t at = (size_t)(s->pid * p) * sizeof *mine;
    for (int pid = 0; pid < p; pid++)
        if (pid != s->pid) bsp_put64(s->base + pid, mine, s->counts, at, (size_t)p * sizeof *mine);
    bsp_sync();
    bool fits = true;
    for (int b = 0; b < p; b++) {
        int64_t total = 0;
        for (int pid = 0; pid < p; pid++) total += s->counts[pid * p + b];
        fits = fits && total <= s->room;
        if (b == s->pid) s->results = total;
    }
    if (!fits && s->way == SORT_BY_VECTORS) sort_part_undo(s);
    return fits;
}

/* Returns where keys from this process begin in the result of pid. */
static int64_t offset_in(const sort_state *s, int pid)
{
    int64_t offset = 0;
    for (int from = 0; from < s->pid; from++) offset += s->counts[from * s->p + pid];
    return offset;
}

/* For keys that are not dealt out: groups a piece of the input at a time in the spare room and
   copies it back. */
static void exchange_many(sort_state *s)
{
    int p = s->p;
    int64_t to_at[p], below[p], at[p];
    unsigned char *spare = sort_key_at(s, s->in, s->own);
    for (int pid = 0; pid < p; pid++) to_at[pid] = offset_in(s, pid);
    for (int64_t from = 0, to; from < s->own; from = to) {
        to = sort_limits_from(s, from);
        if (to - from > s->spare) to = from + s->spare;
        int64_t n = to - from;
        unsigned char *piece = sort_key_at(s, s->in, from);
        memset(below, 0, sizeof below);
        s->k->count(piece, n, s->limit, s->limits, below);
        for (int b = s->limits; b < p; b++) below[b] = n;
        for (int b = 0; b < p; b++) at[b] = b ? below[b - 1] : 0;
        s->k->scatter(piece, n, s->limit, s->limits, spare, at);
        memcpy(piece, spare, (size_t)n * s->k->bytes);
        for (int pid = 0; pid < p; pid++) {
            int64_t begin = pid ? below[pid - 1] : 0, keys = below[pid] - begin;
            size_t at_byte = (size_t)to_at[pid] * s->k->bytes, bytes = (size_t)keys * s->k->bytes;
            bsp_hpput64(s->base + pid, sort_key_at(s, piece, begin), s->out, at_byte, bytes);
            to_at[pid] += keys;
        }
    }
}

/* Sends the keys that leave, which are in the result's memory in the order of their processes, to
   the others' input: after those that stay there, or to its beginning. */
static void exchange_grouped(sort_state *s, bool behind)
{
    int p = s->p;
    int64_t next = 0;
    for (int to = 0; to < p; to++) {
        if (to == s->pid) continue;
        int64_t keys = s->counts[s->pid * p + to], at = behind ? s->counts[to * p + to] : 0;
        for (int from = 0; from < s->pid; from++)
            if (from != to) at += s->counts[from * p + to];
        bsp_hpput64(s->base + to, sort_key_at(s, s->out, next), s->in, (size_t)at * s->k->bytes,
                    (size_t)keys * s->k->bytes);
        next += keys;
    }
}

void sort_exchange(sort_state *s)
{
    cm_bsp_name("exchange");
    switch (s->way) {
    case SORT_PIECES:
        exchange_many(s);
        break;
    case SORT_DEALT:
        exchange_grouped(s, false);
        break;
    case SORT_BY_VECTORS:
        exchange_grouped(s, true);
        s->result = s->in;
        break;
    }
}
