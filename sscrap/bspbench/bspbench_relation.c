/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_relation.c: h-relations as in bspbench (R. H. Bisseling: Parallel Scientific
   Computation, 2nd ed., Oxford 2020, section 1.5): each process sends h words, to the others in
   turn, and receives h. */
#include <stdlib.h>
#include <string.h>
#include "bspbench.h"

struct bspbench_area {
    int64_t most;        /* most words from one process to another */
    uint64_t *from, *to; /* most (p - 1); most p */
    uint64_t turn;       /* changes the values */
    int64_t wrong;
    bspbench_way way; /* of the current subject */
    int64_t h;
};

static int others(void) { return bsp_nprocs() > 1 ? bsp_nprocs() - 1 : 1; }
static int receiver(int64_t k) { return (bsp_pid() + 1 + (int)(k % others())) % bsp_nprocs(); }

bspbench_area *bspbench_area_open(int64_t most_words)
{
    bspbench_area *area = sscrap_memory(sizeof *area);
    int64_t most = (most_words + others() - 1) / others();
    size_t to_bytes = (size_t)(most * bsp_nprocs()) * 8, from_bytes = (size_t)(most * others()) * 8;
    *area = (bspbench_area){
        .most = most, .from = sscrap_memory(from_bytes), .to = sscrap_memory(to_bytes)};
    memset(area->from, 0, from_bytes);
    memset(area->to, 0, to_bytes);
    bsp_push_reg64(area->to, to_bytes);
    bsp_sync();
    return area;
}

void bspbench_area_close(bspbench_area *area)
{
    bsp_pop_reg(area->to);
    bsp_sync();
    free(area->from);
    free(area->to);
    free(area);
}

int bspbench_list(bspbench_way way, int64_t most, int64_t *h)
{
    int n = 0;
    int64_t first = way == BSPBENCH_WORDS ? 1 : 512;
    if (way == BSPBENCH_WORDS) h[n++] = 0;
    for (int64_t value = first; value < most && n < BSPBENCH_MOST - 1;) {
        h[n++] = value;
        value = value * 3 / 2 > value ? value * 3 / 2 : value + 1;
    }
    h[n++] = most;
    return n;
}

/* ---- h-relations ---------------------------------------------------------------------------- */

/* Neighbouring words come from different processes in turn, as in bspbench. */
static void words(const bspbench_area *area, int64_t h)
{
    int p = bsp_nprocs(), pid = bsp_pid(), peers = others(), peer = 0, to = receiver(0);
    size_t at = (size_t)pid * 8;
    for (int64_t k = 0; k < h; k++) {
        bsp_put64(to, &area->from[k], area->to, at, 8);
        if (++to == p) to = 0;
        if (++peer < peers) continue;
        peer = 0;
        to = receiver(0);
        at += (size_t)p * 8;
    }
}

/* Returns how many of h words go to the k-th of the other processes. */
static int64_t share(int64_t h, int k) { return h / others() + (k < h % others()); }

static void blocks(const bspbench_area *area, int64_t h)
{
    const uint64_t *from = area->from;
    for (int k = 0; k < others(); k++) {
        int64_t n = share(h, k);
        if (n)
            bsp_hpput64(receiver(k), from, area->to, (size_t)(bsp_pid() * area->most) * 8,
                        (size_t)n * 8);
        from += n;
    }
}

/* Returns the word that process `from` sends as its k-th. */
static uint64_t value(const bspbench_area *area, int from, int64_t k)
{
    return cm_random_word(area->turn * 1000003u + (uint64_t)from, (uint64_t)k);
}

/* Sends other words in each trial, so that a word left by an earlier trial is recognised. */
static void prepare(void *context)
{
    bspbench_area *area = context;
    area->turn++;
    for (int64_t k = 0; k < area->h; k++) area->from[k] = value(area, bsp_pid(), k);
    bsp_sync();
    cm_barrier(cm_bsp_group(), CM_AUTO);
}

static double supersteps(void *context, int64_t n, double *mean_s)
{
    const bspbench_area *area = context;
    double begin_s = cm_time();
    for (int64_t k = 0; k < n; k++) {
        if (area->way == BSPBENCH_WORDS) words(area, area->h);
        else blocks(area, area->h);
        bsp_sync();
    }
    double time_s = cm_time() - begin_s;
    mean_s[0] = time_s / (double)n;
    return time_s;
}

/* A wrong word does not end the trials; the check counts them all. */
static bool verify(void *context)
{
    bspbench_area *area = context;
    int p = bsp_nprocs(), pid = bsp_pid();
    for (int from = 0; from < p; from++) {
        if (from == pid && p > 1) continue;
        int which = p == 1 ? 0 : (pid - from - 1 + p) % p; /* this process's place at the sender */
        int64_t before = 0;
        for (int k = 0; k < which; k++) before += share(area->h, k);
        for (int64_t k = 0; k < share(area->h, which); k++) {
            bool interleaved = area->way == BSPBENCH_WORDS;
            uint64_t got = area->to[interleaved ? from + k * p : from * area->most + k];
            area->wrong +=
                got != value(area, from, interleaved ? which + k * others() : before + k);
        }
    }
    return true;
}

cm_subject bspbench_superstep(bspbench_area *area, bspbench_way way, int64_t h)
{
    area->way = way;
    area->h = h;
    return (cm_subject){.who = CM_SAMPLE_SLOWEST,
                        .least_operations = 2,
                        .prepare = prepare,
                        .trial = supersteps,
                        .verify = verify,
                        .context = area};
}

int64_t bspbench_words_wrong(const bspbench_area *area) { return area->wrong; }
