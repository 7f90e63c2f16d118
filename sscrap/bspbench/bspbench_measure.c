/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_measure.c: the rate of computing and h-relations, as bspbench has them (R. H. Bisseling:
   Parallel Scientific Computation, 2nd ed., Oxford 2020, section 1.5): each process sends h words,
   to the others in turn, and gets h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bspbench.h"

struct bspbench_area {
    int64_t most;        /* words of each process at each other */
    uint64_t *from, *to; /* most (p - 1); most p */
    uint64_t turn;       /* of the values */
};

static const double BATCH_S = 1e-3; /* of supersteps, at least, a sample is of */

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

/* Words lie in turn, so that neighbours come from different processes, as in bspbench. */
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

/* Of h words, those for the k-th of the others. */
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

static double supersteps(const bspbench_area *area, bspbench_way way, int64_t h, int64_t n)
{
    cm_barrier(sscrap_group(), CM_AUTO);
    double begin_s = cm_time();
    for (int64_t k = 0; k < n; k++) {
        if (way == BSPBENCH_WORDS) words(area, h);
        else blocks(area, h);
        bsp_sync();
    }
    return sscrap_max(cm_time() - begin_s) / (double)n;
}

/* Of the word that process `from` sends as its k-th. */
static uint64_t value(const bspbench_area *area, int from, int64_t k)
{
    return sscrap_random(area->turn * 1000003u + (uint64_t)from, (uint64_t)k);
}

void bspbench_superstep(bspbench_area *area, bspbench_way way, int64_t h, int64_t repeat,
                        cm_samples *samples)
{
    area->turn++;
    for (int64_t k = 0; k < h; k++) area->from[k] = value(area, bsp_pid(), k);
    bsp_sync();
    double once_s = supersteps(area, way, h, 2);
    once_s = fmin(once_s, supersteps(area, way, h, 4));
    int64_t n = (int64_t)ceil(BATCH_S / fmax(once_s, 1e-9));
    if (n < 2) n = 2;
    for (int64_t k = 0; k < repeat; k++)
        if (!cm_samples_add(samples, supersteps(area, way, h, n)))
            cm_abort(CM_EXIT_SYSTEM, "no memory for samples");
}

double bspbench_words_wrong(bspbench_area *area, bspbench_way way, int64_t h)
{
    int p = bsp_nprocs(), pid = bsp_pid();
    int64_t wrong = 0;
    for (int from = 0; from < p; from++) {
        if (from == pid && p > 1) continue;
        int which = p == 1 ? 0 : (pid - from - 1 + p) % p; /* this one is the sender's which-th */
        int64_t before = 0;
        for (int k = 0; k < which; k++) before += share(h, k);
        for (int64_t k = 0; k < share(h, which); k++) {
            bool interleaved = way == BSPBENCH_WORDS;
            uint64_t got = area->to[interleaved ? from + k * p : from * area->most + k];
            wrong += got != value(area, from, interleaved ? which + k * others() : before + k);
        }
    }
    return sscrap_sum((double)wrong);
}

/* ---- Computing ------------------------------------------------------------------------------ */

/* y = y + a x and back, on vectors that stay in the first cache. */
enum { LENGTH = 1024, PASSES = 2000 };

static void axpy(double a, const double *restrict x, double *restrict y)
{
    for (int k = 0; k < LENGTH; k++) y[k] += a * x[k];
}

void bspbench_rate(int64_t repeat, cm_samples *samples)
{
    static double x[LENGTH], y[LENGTH], z[LENGTH];
    volatile double a = 1.0 / 3;
    for (int k = 0; k < LENGTH; k++) x[k] = y[k] = z[k] = k;
    for (int64_t r = -1; r < repeat; r++) {
        cm_barrier(sscrap_group(), CM_AUTO);
        double begin_s = cm_time();
        for (int k = 0; k < PASSES; k++) {
            axpy(a, x, y);
            axpy(-a, y, z);
        }
        double time_s = sscrap_max(cm_time() - begin_s);
        a = y[LENGTH - 1] + z[LENGTH - 1] > 1e300 ? 0 : a; /* both are used */
        if (r >= 0 && !cm_samples_add(samples, 4.0 * LENGTH * PASSES / time_s))
            cm_abort(CM_EXIT_SYSTEM, "no memory for samples");
        for (int k = 0; k < LENGTH; k++) y[k] = z[k] = k;
    }
}

/* ---- Memory --------------------------------------------------------------------------------- */

enum { AHEAD = 48, ACCESSES = BSPBENCH_ACCESSES };

void bspbench_access(int64_t cells, size_t cell_bytes, int64_t repeat, cm_samples *samples)
{
    size_t words = cell_bytes / sizeof(int64_t);
    int64_t *memory = cm_run_array((size_t)cells * words * sizeof *memory);
    int64_t *at = cm_run_array(ACCESSES * sizeof *at);
    memset(memory, 0, (size_t)cells * words * sizeof *memory);
    for (int64_t r = -1; r < repeat; r++) {
        for (int64_t k = 0; k < ACCESSES; k++) {
            uint64_t cell = sscrap_random((uint64_t)(r + 1), (uint64_t)k) % (uint64_t)cells;
            at[k] = (int64_t)(cell * words);
        }
        cm_barrier(sscrap_group(), CM_AUTO);
        double begin_s = cm_time();
        for (int64_t k = 0; k < ACCESSES; k++) {
            __builtin_prefetch(&memory[at[k + AHEAD < ACCESSES ? k + AHEAD : k]], 1);
            int64_t *first = &memory[at[k]], *last = first + words - 1;
            *first += 1;
            *last += k;
        }
        double time_s = sscrap_max(cm_time() - begin_s);
        if (r >= 0 && !cm_samples_add(samples, time_s / ACCESSES))
            cm_abort(CM_EXIT_SYSTEM, "no memory for samples");
    }
    cm_memory_free(memory);
    cm_memory_free(at);
}
