/* SPDX-License-Identifier: BSD-3-Clause */
/* matmul_run.c: C = A B in column blocks. The blocks of A go round a ring of processes: in
   superstep s of p, process i multiplies block i + s of A by the matching rows of its block of B,
   while that block of A travels on to process i - 1. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../common/algorithms.h"
#include "matmul.h"

const cm_metric matmul_metrics[] = {
    {"rate_Gflop_per_s", "Rate of the matrix product", "Gflop/s", CM_BETTER_HIGH,
     "2 n^3 operations over the time of the last row: all processes, the largest order"},
    {0},
};

enum { LEAST_TERMS = 200 }; /* in a slice */

static int64_t most_columns(int64_t n, int p) { return (n + p - 1) / p; }
static int rings_of(int p) { return p > 2 ? 2 : p - 1; }

static double bytes(const void *of_program, int64_t n, int p)
{
    const matmul_options *options = of_program;
    double element = options->precision == MATMUL_SINGLE ? 4 : 8,
           block = (double)n * (double)most_columns(n, p);
    /* The last term is the vectors of the verification. */
    return element * block * (3 + rings_of(p)) + 48.0 * (double)n;
}

static void *begin(const void *of_program, int64_t n)
{
    const matmul_options *options = of_program;
    matmul_state *s = sscrap_memory(sizeof *s);
    int p = bsp_nprocs(), pid = bsp_pid();
    *s = (matmul_state){.options = options,
                        .p = p,
                        .pid = pid,
                        .n = n,
                        .first = sscrap_first(n, p, pid),
                        .largest = matmul_largest(options->precision, n),
                        .bytes = options->precision == MATMUL_SINGLE ? 4 : 8};
    s->own = sscrap_first(n, p, pid + 1) - s->first;
    size_t block = (size_t)(n * s->own) * s->bytes;
    s->a = cm_run_array(block);
    s->b = cm_run_array(block);
    s->c = cm_run_array(block);
    s->ring_bytes = (size_t)(n * most_columns(n, p)) * s->bytes;
    for (int k = 0; k < rings_of(p); k++) {
        s->ring[k] = cm_run_array(s->ring_bytes);
        bsp_push_reg64(s->ring[k], s->ring_bytes);
    }
    bsp_sync();
    cm_blas_threads((int)options->threads);
    return s;
}

static void end(void *of_run)
{
    matmul_state *s = of_run;
    for (int k = 0; k < rings_of(s->p); k++) bsp_pop_reg(s->ring[k]);
    bsp_sync();
    cm_memory_free(s->a);
    cm_memory_free(s->b);
    cm_memory_free(s->c);
    cm_memory_free(s->ring[0]);
    cm_memory_free(s->ring[1]);
    free(s);
}

/* ---- Input ---------------------------------------------------------------------------------- */

static double entry(const matmul_state *s, uint64_t seed, uint64_t index)
{
    uint64_t random = cm_random_word(seed, index);
    if (s->options->input == MATMUL_REAL) return (double)(int64_t)random * 0x1p-63;
    return (double)((int64_t)((random >> 32) * (uint64_t)(2 * s->largest + 1) >> 32) - s->largest);
}

static void fill_block(const matmul_state *s, unsigned char *to, uint64_t seed)
{
    int64_t begin = s->first * s->n;
    if (s->bytes == 4)
        for (int64_t k = 0; k < s->own * s->n; k++)
            ((float *)(void *)to)[k] = (float)entry(s, seed, (uint64_t)(begin + k));
    else
        for (int64_t k = 0; k < s->own * s->n; k++)
            ((double *)(void *)to)[k] = entry(s, seed, (uint64_t)(begin + k));
}

static void fill(void *of_run, int run)
{
    matmul_state *s = of_run;
    s->seed = cm_random_mix(777 + (uint64_t)run);
    fill_block(s, s->a, s->seed);
    fill_block(s, s->b, cm_random_mix(s->seed));
    /* An entry that a run does not compute is NaN. */
    memset(s->c, 0xff, (size_t)(s->own * s->n) * s->bytes);
}

/* ---- The ring ------------------------------------------------------------------------------- */

/* Multiplies in slices of the sum over k; between them the next block may move on. A BLAS goes
   through C that way in any case, some hundred terms at a time, so these cuts cost nothing. Slices
   of C's rows or columns would copy the factors again for each slice. */
static void multiply(const matmul_state *s, int step, const unsigned char *block, int owner)
{
    int64_t from = sscrap_first(s->n, s->p, owner),
            terms = sscrap_first(s->n, s->p, owner + 1) - from;
    int64_t slices =
        terms / LEAST_TERMS < s->options->slices ? terms / LEAST_TERMS : s->options->slices;
    if (slices < 1) slices = 1;
    for (int k = 0; k < slices; k++) {
        int64_t begin = sscrap_first(terms, (int)slices, k),
                end = sscrap_first(terms, (int)slices, k + 1);
        cm_blas_gemm((cm_blas_precision)s->options->precision, s->n, s->own, end - begin,
                     block + (size_t)(begin * s->n) * s->bytes,
                     s->b + (size_t)(from + begin) * s->bytes, s->n, step > 0 || k > 0, s->c);
        cm_compute(2.0 * (double)s->n * (double)s->own * (double)(end - begin), 0);
        if (s->p > 1) cm_bsp_progress();
    }
}

static void solve(void *of_run)
{
    matmul_state *s = of_run;
    const unsigned char *block = s->a;
    for (int step = 0; step < s->p; step++) {
        int owner = (s->pid + step) % s->p;
        int64_t columns = sscrap_first(s->n, s->p, owner + 1) - sscrap_first(s->n, s->p, owner);
        unsigned char *next = s->ring[step % 2];
        cm_bsp_name("multiply");
        if (step + 1 < s->p)
            bsp_hpput64((s->pid + s->p - 1) % s->p, block, next, 0,
                        (size_t)(s->n * columns) * s->bytes);
        multiply(s, step, block, owner);
        bsp_sync();
        block = next;
    }
}

/* Each process passes on all blocks but one; that with the most columns computes longest. */
static sscrap_model model(const void *of_program, int64_t n, int p, bool one_host)
{
    (void)one_host;
    const matmul_options *options = of_program;
    double words = options->precision == MATMUL_SINGLE ? 0.5 : 1;
    int64_t least = n / p, most = (n + p - 1) / p;
    return (sscrap_model){.share = (double)most / (double)n,
                          .h_words = words * (double)n * (double)(p == 1 ? 0 : n - least),
                          .messages = p - 1,
                          .supersteps = p};
}

/* ---- Results -------------------------------------------------------------------------------- */

static void metadata(const void *of_program, cm_result *result)
{
    const matmul_options *options = of_program;
    cm_result_meta(result, "precision", options->precision == MATMUL_SINGLE ? "single" : "double");
    cm_result_meta(result, "input",
                   options->input == MATMUL_REAL ? "real, uniform between -1 and 1"
                                                 : "integer, so small that every sum is exact");
    cm_result_meta_number(result, "slices", (double)options->slices, "%.0f");
    cm_blas_meta(result, "cm-matmul", (int)options->threads,
                 cm_comm_has(CM_HAS_SIMULATOR) ? NAN : cm_blas_busy_measure());
    cm_result_meta_number(result, "freivalds_vectors", MATMUL_VECTORS, "%.0f");
}

static double elements(int64_t n) { return (double)n * (double)n; }
static double rate(int64_t n, double time_s)
{
    return 2e-9 * (double)n * (double)n * (double)n / time_s;
}

const sscrap_problem matmul_problem = {.item = "elements",
                                       .size_option = "--order",
                                       .begin = begin,
                                       .fill = fill,
                                       .solve = solve,
                                       .verify = matmul_verify,
                                       .end = end,
                                       .bytes = bytes,
                                       .model = model,
                                       .items = elements,
                                       .metadata = metadata,
                                       .metric = "rate_Gflop_per_s",
                                       .measure = rate};

const matmul_options matmul_defaults = {
    .job = SSCRAP_JOB_DEFAULTS(2000), .precision = MATMUL_DOUBLE, .slices = 8, .threads = 1};
const sscrap_algorithm matmul_algorithm = {
    .name = "matmul", .option = "--order", .problem = &matmul_problem, .options = &matmul_defaults};
