/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_predict.c: what r, g and l say of the algorithms, and what they take. Work in flop is
   what one process alone takes for all of it, at r flop/s; a p-th of it falls to each of p
   processes. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "bspbench.h"
#include "../listrank/listrank.h"
#include "../matmul/matmul.h"
#include "../sort/sort.h"

enum { RUNS = 5, LONG_MESSAGE_WORDS = 128 };

static sort_options sorting;
static listrank_options ranking = {.permuted = 1};
#ifdef HAVE_BLAS
static matmul_options multiplying = {.precision = MATMUL_DOUBLE, .slices = 8, .threads = 1};
#endif

/* Another algorithm is another line: its problem, its options with what they are by default, its
   size and the option that says it. */
static const struct {
    const char *name;
    const sscrap_problem *problem;
    void *options;
    size_t size_at; /* in bspbench_options */
    const char *size_option;
} algorithms[] = {
    {"sort", &sort_problem, &sorting, offsetof(bspbench_options, items), "--items"},
    {"listrank", &listrank_problem, &ranking, offsetof(bspbench_options, nodes), "--nodes"},
#ifdef HAVE_BLAS
    {"matmul", &matmul_problem, &multiplying, offsetof(bspbench_options, order), "--order"},
#endif
};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

static int64_t size_of(const bspbench_options *options, int k)
{
    return *(const int64_t *)(const void *)((const char *)options + algorithms[k].size_at);
}

/* As much memory as the input takes on each process. */
static int64_t cells_of(int64_t size, int processes) { return size / processes + 1; }

int bspbench_algorithms(void) { return ALGORITHMS; }

int64_t bspbench_size(const bspbench_options *options, int k, const char **option)
{
    *option = algorithms[k].size_option;
    return size_of(options, k);
}

double bspbench_bytes(const bspbench_options *options, int k, int processes)
{
    const sscrap_problem *problem = algorithms[k].problem;
    int64_t size = size_of(options, k);
    if (!size) return 0;
    double bytes = problem->bytes(algorithms[k].options, size, processes);
    if (processes == 1 || !problem->accesses) return bytes;
    return fmax(bytes, (double)cells_of(size, processes) * (double)problem->access_bytes
                           + 8.0 * BSPBENCH_ACCESSES);
}

/* ---- Runs of one algorithm on one group ----------------------------------------------------- */

static bool holds(const sscrap_check *check)
{
    return check->relation[0] == '=' ? check->value == check->bound : check->value <= check->bound;
}

static double median_of(cm_samples *samples)
{
    cm_summary summary;
    if (!cm_summarize(samples, &summary)) cm_abort(CM_EXIT_SYSTEM, "no memory for samples");
    cm_samples_free(samples);
    return summary.median;
}

static double run(int k, int64_t size, cm_group *group, bspbench_prediction *prediction)
{
    const sscrap_problem *problem = algorithms[k].problem;
    cm_samples samples = CM_SAMPLES_EMPTY;
    sscrap_group_use(group);
    cm_bsp_begin(group);
    void *state = problem->begin(algorithms[k].options, size);
    for (int r = 0; r < RUNS; r++) {
        sscrap_check checks[SSCRAP_CHECKS];
        problem->fill(state, r);
        bsp_sync();
        cm_barrier(group, CM_AUTO);
        cm_bsp_sums before = cm_bsp_total();
        double begin_s = cm_time();
        problem->solve(state);
        double time_s = sscrap_max(cm_time() - begin_s);
        if (!cm_samples_add(&samples, time_s)) cm_abort(CM_EXIT_SYSTEM, "no memory for samples");
        cm_bsp_sums after = cm_bsp_total();
        double out = (double)(after.out_bytes - before.out_bytes),
               in = (double)(after.in_bytes - before.in_bytes);
        prediction->h_words = sscrap_max(fmax(out, in)) / 8;
        prediction->words_per_message =
            prediction->h_words
            / fmax(1, sscrap_max((double)(after.out_messages - before.out_messages)));
        prediction->supersteps = (double)(after.supersteps - before.supersteps);
        int n = problem->verify(state, checks);
        for (int c = 0; c < n; c++) prediction->right = prediction->right && holds(&checks[c]);
    }
    problem->end(state);
    cm_bsp_end();
    return median_of(&samples);
}

static void access_memory(const bspbench_options *options, int k, cm_group *group,
                          bspbench_prediction *prediction)
{
    const sscrap_problem *problem = algorithms[k].problem;
    int p = cm_size(group);
    sscrap_group_use(group);
    prediction->accesses =
        problem->accesses ? problem->accesses(algorithms[k].options, prediction->size, p) : 0;
    if (prediction->accesses == 0) return;
    cm_samples samples = CM_SAMPLES_EMPTY;
    bspbench_access(cells_of(prediction->size, p), problem->access_bytes, options->repeat,
                    &samples);
    prediction->access_s = median_of(&samples);
    prediction->memory_s = prediction->accesses * prediction->access_s;
}

int bspbench_predict(const bspbench_options *options, cm_group *group,
                     const bspbench_parameters *parameters, bspbench_prediction *predictions)
{
    int n = 0, rank = cm_rank(group), p = cm_size(group);
    cm_group *alone = cm_split(group, rank ? -1 : 0, rank);
    for (int k = 0; k < ALGORITHMS; k++) {
        if (!size_of(options, k)) continue;
        bspbench_prediction *prediction = &predictions[n++];
        *prediction = (bspbench_prediction){
            .name = algorithms[k].name, .size = size_of(options, k), .processes = p, .right = true};
        if (alone) prediction->alone_s = run(k, prediction->size, alone, prediction);
        cm_bcast(group, &prediction->alone_s, sizeof prediction->alone_s, 0, CM_AUTO);
        prediction->measured_s = run(k, prediction->size, group, prediction);
        const cm_bsp_parameters *fit =
            &parameters->fit[prediction->words_per_message < LONG_MESSAGE_WORDS ? BSPBENCH_WORDS
                                                                                : BSPBENCH_BLOCKS];
        prediction->work_s = prediction->alone_s / p;
        prediction->g_s = fit->g_s_per_word.value * prediction->h_words;
        prediction->l_s = parameters->fit[BSPBENCH_WORDS].l_s.value * prediction->supersteps;
        access_memory(options, k, group, prediction);
        prediction->predicted_s =
            prediction->work_s + prediction->g_s + prediction->l_s + prediction->memory_s;
    }
    if (alone) cm_group_free(alone);
    return n;
}
