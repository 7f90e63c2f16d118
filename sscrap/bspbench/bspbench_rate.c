/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_rate.c: the rate of computing, as measured by bspbench (R. H. Bisseling: Parallel
   Scientific Computation, 2nd ed., Oxford 2020, section 1.5), and of irregular memory accesses. */
#include <string.h>
#include "bspbench.h"

/* ---- Computing ------------------------------------------------------------------------------ */

/* y = y + a x and back, on vectors that stay in the first-level cache. */
enum { LENGTH = BSPBENCH_LENGTH };

static void axpy(double a, const double *restrict x, double *restrict y)
{
    for (int k = 0; k < LENGTH; k++) y[k] += a * x[k];
}

static void fill(void *context)
{
    bspbench_vectors *v = context;
    for (int k = 0; k < LENGTH; k++) v->x[k] = v->y[k] = v->z[k] = k;
    cm_barrier(v->group, CM_AUTO);
}

/* An operation is one axpy each way. */
static double compute(void *context, int64_t passes, double *flop_s)
{
    bspbench_vectors *v = context;
    volatile double a = 1.0 / 3;
    double begin_s = cm_time();
    for (int64_t k = 0; k < passes; k++) {
        axpy(a, v->x, v->y);
        axpy(-a, v->y, v->z);
    }
    cm_compute(4.0 * LENGTH * (double)passes, 0);
    double time_s = cm_time() - begin_s;
    flop_s[0] = time_s / (4.0 * LENGTH * (double)passes);
    return time_s;
}

cm_subject bspbench_flop(bspbench_vectors *vectors)
{
    return (cm_subject){
        .who = CM_SAMPLE_SLOWEST, .prepare = fill, .trial = compute, .context = vectors};
}

/* ---- Memory --------------------------------------------------------------------------------- */

enum { AHEAD = 48, ACCESSES = BSPBENCH_ACCESSES };

void bspbench_cells_open(bspbench_cells *c, cm_group *group, int64_t n, size_t cell_bytes)
{
    *c = (bspbench_cells){
        .group = group, .cells = n, .words = (int64_t)(cell_bytes / sizeof *c->memory)};
    size_t bytes = (size_t)(n * c->words) * sizeof *c->memory;
    c->memory = cm_run_array(bytes);
    c->at = cm_run_array(ACCESSES * sizeof *c->at);
    memset(c->memory, 0, bytes);
}

void bspbench_cells_close(bspbench_cells *c)
{
    cm_memory_free(c->memory);
    cm_memory_free(c->at);
}

static void choose(void *context)
{
    bspbench_cells *c = context;
    for (int64_t k = 0; k < ACCESSES; k++)
        c->at[k] = (int64_t)(cm_random_word(c->turn, (uint64_t)k) % (uint64_t)c->cells) * c->words;
    c->turn++;
    cm_barrier(c->group, CM_AUTO);
}

static double reach(void *context, int64_t n, double *access_s)
{
    const bspbench_cells *c = context;
    int64_t *memory = c->memory;
    const int64_t *at = c->at, to_last = c->words - 1;
    double begin_s = cm_time();
    for (int64_t k = 0; k < n; k++) {
        cm_memory_fetch(&memory[at[k + AHEAD < n ? k + AHEAD : k]]); /* as list ranking does */
        int64_t *first = &memory[at[k]], *last = first + to_last;
        *first += 1;
        *last += k;
    }
    cm_compute(0, (double)n * cm_item_s());
    double time_s = cm_time() - begin_s;
    access_s[0] = time_s / (double)n;
    return time_s;
}

cm_subject bspbench_access(bspbench_cells *cells)
{
    return (cm_subject){.who = CM_SAMPLE_SLOWEST,
                        .least_operations = ACCESSES,
                        .most_operations = ACCESSES,
                        .prepare = choose,
                        .trial = reach,
                        .context = cells};
}
