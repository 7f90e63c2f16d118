/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_compute.c: what a rank measures by itself: STREAM's triad, the BLAS's matrix product, and
   the time that others take from fixed work. */
#include "config.h"
#include <math.h>
#include "memory/memory.h"
#include "nodes.h"
#ifdef HAVE_BLAS
#include "blas/blas.h"
#endif

/* ---- Triad ----------------------------------------------------------------------------------- */

/* cm_stream_error knows what whole passes leave behind. */
static void begin_pass(nodes_compute *c)
{
    if (c->passes == CM_STREAM_MOST_PASSES) {
        cm_stream_fill(&c->triad);
        c->passes = 0;
    }
    c->passes++;
    for (int kernel = CM_STREAM_COPY; kernel < CM_STREAM_TRIAD; kernel++)
        cm_stream_run(&c->triad, (cm_stream_kernel)kernel, CM_STREAM_ORDINARY);
}

/* A later error would replace NaN. */
static void keep_worst(double *worst, double error)
{
    if (!(error <= *worst)) *worst = isnan(error) ? INFINITY : error;
}

static double triad(nodes_compute *c, double trial_s)
{
    double begin_s = cm_time(), time_s;
    int64_t times = 0;
    do {
        cm_stream_run(&c->triad, CM_STREAM_TRIAD, CM_STREAM_ORDINARY);
        times++;
        time_s = cm_time() - begin_s;
    } while (time_s < trial_s);
    keep_worst(&c->triad_error, cm_stream_error(&c->triad, c->passes));
    return (double)times * cm_stream_bytes(CM_STREAM_TRIAD, c->triad.n) / time_s;
}

/* ---- Matrix product -------------------------------------------------------------------------- */

#ifdef HAVE_BLAS
/* Small whole numbers, whose products and sums have no rounding. */
enum { ORDER = 192 };
static double left(int row) { return row % 7 + 1; }
static double right(int column) { return column % 5 + 1; }

static void open_gemm(nodes_compute *c)
{
    const size_t bytes = (size_t)ORDER * ORDER * sizeof(double);
    cm_blas_threads(1);
    c->a = cm_run_array(bytes);
    c->b = cm_run_array(bytes);
    c->c = cm_run_array(bytes);
    for (int j = 0; j < ORDER; j++)
        for (int i = 0; i < ORDER; i++) {
            c->a[j * ORDER + i] = left(i);
            c->b[j * ORDER + i] = right(j);
        }
}

static double gemm(nodes_compute *c, double trial_s)
{
    double begin_s = cm_time(), time_s;
    int64_t times = 0;
    do {
        cm_blas_gemm(CM_BLAS_DOUBLE, ORDER, ORDER, ORDER, c->a, c->b, ORDER, false, c->c);
        times++;
        time_s = cm_time() - begin_s;
    } while (time_s < trial_s);
    for (int j = 0; j < ORDER; j++)
        for (int i = 0; i < ORDER; i++) {
            double expected = ORDER * left(i) * right(j);
            double error = fabs(c->c[j * ORDER + i] - expected) / expected;
            keep_worst(&c->gemm_error, error);
        }
    return (double)times * 2 * ORDER * ORDER * ORDER / time_s;
}
#else
static void open_gemm(nodes_compute *c) { c->gemm_error = NAN; }
static double gemm(nodes_compute *c, double trial_s)
{
    (void)c;
    (void)trial_s;
    return NAN;
}
#endif

/* ---- Quiet ----------------------------------------------------------------------------------- */

/* A quantum of some 20 us: a chain of multiplications, which no other core's load slows down. */
static uint64_t work(uint64_t state)
{
    for (int k = 0; k < 10000; k++) state = state * UINT64_C(6364136223846793005) + 1;
    return state;
}

/* The work that was done, in shortest quanta, over the time that it took. */
static double quiet(nodes_compute *c, double trial_s)
{
    volatile uint64_t state = 1;
    double begin_s = cm_time(), before_s = begin_s, now_s;
    int64_t times = 0;
    do {
        state = work(state);
        now_s = cm_time();
        if (now_s - before_s < c->quantum_s) c->quantum_s = now_s - before_s;
        before_s = now_s;
        times++;
    } while (now_s - begin_s < trial_s);
    return (double)times * c->quantum_s / (now_s - begin_s);
}

/* ---- All ------------------------------------------------------------------------------------- */

enum { ARRAYS = 3 };

/* Hosts of one computer each have arrays that its caches do not hold, as they compute in turns; all
   of these together may fill half of the free memory. */
static size_t default_numbers(int hosts_of_computer)
{
    const size_t wanted = cm_stream_least_n();
    const int64_t free_bytes = cm_machine_memory_share_bytes(hosts_of_computer, NULL);
    if (free_bytes <= 0) return wanted;
    const size_t most = (size_t)free_bytes / 2 / (ARRAYS * sizeof(double));
    return wanted < most ? wanted : most;
}

/* Returns the length of an array of a rank. */
static size_t triad_numbers(const nodes_options *options, int ranks_of_host, int hosts_of_computer)
{
    size_t numbers = options->triad_bytes > 0
                         ? (size_t)options->triad_bytes / (ARRAYS * sizeof(double))
                         : default_numbers(hosts_of_computer);
    numbers /= (size_t)ranks_of_host;
    return numbers > 0 ? numbers : 1;
}

bool nodes_triad_in_caches(const nodes_compute *compute, int ranks_of_host)
{
    const double bytes = (double)compute->triad.n * sizeof(double) * ranks_of_host;
    return bytes * ARRAYS < 2 * (double)cm_machine_last_caches_bytes(NULL);
}

void nodes_compute_open(const nodes_options *options, int ranks_of_host, int hosts_of_computer,
                        nodes_compute *compute)
{
    size_t n = triad_numbers(options, ranks_of_host, hosts_of_computer);
    *compute = (nodes_compute){.quantum_s = INFINITY};
    cm_run_require_memory(
        ARRAYS * n * sizeof(double), "--triad", "--triad %lld%s, three arrays of %zu numbers,",
        (long long)options->triad_bytes, options->triad_bytes > 0 ? "" : " (by the caches)", n);
    if (!cm_stream_open(n, &compute->triad))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the triad's arrays of %zu numbers", n);
    open_gemm(compute);
    quiet(compute, 1e-3);
}

void nodes_compute_close(nodes_compute *compute)
{
    cm_stream_close(&compute->triad);
    cm_memory_free(compute->a);
    cm_memory_free(compute->b);
    cm_memory_free(compute->c);
}

void nodes_compute_load(nodes_compute *compute, double load_s)
{
    if (compute->a) gemm(compute, load_s);
    else quiet(compute, load_s);
}

/* All ranks of the host begin each kind at the same time: what they share shows only then. */
void nodes_compute_trial(nodes_compute *compute, cm_group *of_host, double trial_s, double *rate)
{
    begin_pass(compute);
    cm_barrier(of_host, CM_AUTO);
    rate[NODES_TRIAD] = triad(compute, trial_s);
    cm_barrier(of_host, CM_AUTO);
    rate[NODES_GEMM] = gemm(compute, trial_s);
    cm_barrier(of_host, CM_AUTO);
    rate[NODES_QUIET] = quiet(compute, trial_s);
}
