/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_predict.c: predicts the time of the algorithms by r, g and l, and measures it. The work
   in flop is the time of one process alone for all of it, at r flop/s; each of p processes has 1/p
   of it. */
#include "config.h"
#include <math.h>
#include "../common/algorithms.h"
#include "bspbench.h"

enum { RUNS = 5 };

/* A further algorithm needs a further line here, with the place of its size in bspbench_options. */
static const struct {
    const sscrap_algorithm *algorithm;
    size_t size_at;
} algorithms[] = {
    {&sort_algorithm, offsetof(bspbench_options, items)},
    {&listrank_algorithm, offsetof(bspbench_options, nodes)},
#ifdef HAVE_BLAS
    {&matmul_algorithm, offsetof(bspbench_options, order)},
#endif
};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

static int64_t size_of(const bspbench_options *options, int k)
{
    return *(const int64_t *)(const void *)((const char *)options + algorithms[k].size_at);
}

/* The cells take as much memory as the input on each process. */
static int64_t cells_of(int64_t size, int processes) { return size / processes + 1; }

int bspbench_algorithms(void) { return ALGORITHMS; }

int64_t bspbench_size(const bspbench_options *options, int k, const char **option)
{
    *option = algorithms[k].algorithm->option;
    return size_of(options, k);
}

double bspbench_bytes(const bspbench_options *options, int k, int processes)
{
    const sscrap_algorithm *algorithm = algorithms[k].algorithm;
    const sscrap_problem *problem = algorithm->problem;
    int64_t size = size_of(options, k);
    if (!size) return 0;
    double bytes = problem->bytes(algorithm->options, size, processes);
    if (processes == 1 || !problem->access_bytes) return bytes;
    return fmax(bytes, (double)cells_of(size, processes) * (double)problem->access_bytes
                           + 8.0 * BSPBENCH_ACCESSES);
}

/* ---- Runs of one algorithm on one group ----------------------------------------------------- */

/* NaN on ranks other than 0, which have no samples. */
static double median_of(const cm_samples *samples) { return cm_sample_summary(samples).median; }

static double run(const sscrap_algorithm *algorithm, cm_group *group,
                  bspbench_prediction *prediction)
{
    const cm_sampling sampling = {.rule = {.most = RUNS, .time_limit_s = INFINITY}};
    sscrap_checks checks = {.n = 0};
    sscrap_measured measured;
    cm_bsp_begin(group);
    sscrap_measure(&sampling, algorithm->problem, algorithm->options, prediction->size, &checks,
                   &measured);
    double out = (double)measured.sums.out_bytes, in = (double)measured.sums.in_bytes;
    prediction->h_words = sscrap_max(fmax(out, in)) / 8;
    prediction->words_per_message =
        prediction->h_words / fmax(1, sscrap_max((double)measured.sums.out_messages));
    prediction->supersteps = (double)measured.sums.supersteps;
    prediction->right = prediction->right && sscrap_checks_hold(&checks);
    cm_bsp_end();
    double median_s = median_of(&measured.samples);
    sscrap_measured_free(&measured);
    return median_s;
}

static void access_memory(const bspbench_options *options, const sscrap_algorithm *algorithm,
                          cm_group *group, bspbench_prediction *prediction)
{
    const sscrap_problem *problem = algorithm->problem;
    int p = cm_size(group);
    prediction->accesses =
        problem->model(algorithm->options, prediction->size, p, prediction->one_host).accesses;
    if (p == 1 || !problem->access_bytes) return;
    bspbench_cells cells;
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_sampled sampled = {.samples = &samples};
    bspbench_cells_open(&cells, group, cells_of(prediction->size, p), problem->access_bytes);
    const cm_subject subject = bspbench_access(&cells);
    cm_sample(&options->sampling, group, 1, &subject, &sampled);
    bspbench_cells_close(&cells);
    prediction->access_s = median_of(&samples);
    cm_samples_free(&samples);
    prediction->memory_s = prediction->accesses * prediction->access_s;
}

int bspbench_predict(const bspbench_options *options, cm_group *group,
                     const bspbench_parameters *parameters, bspbench_prediction *predictions)
{
    int n = 0, rank = cm_rank(group), p = cm_size(group);
    cm_group *alone = cm_split(group, rank ? -1 : 0, rank);
    for (int k = 0; k < ALGORITHMS; k++) {
        if (!size_of(options, k)) continue;
        const sscrap_algorithm *algorithm = algorithms[k].algorithm;
        bspbench_prediction *prediction = &predictions[n++];
        *prediction = (bspbench_prediction){.name = algorithm->name,
                                            .size = size_of(options, k),
                                            .processes = p,
                                            .right = true,
                                            .problem = algorithm->problem,
                                            .options = algorithm->options,
                                            .one_host = sscrap_one_host(group)};
        if (alone) prediction->alone_s = run(algorithm, alone, prediction);
        prediction->measured_s = run(algorithm, group, prediction);
        const cm_bsp_parameters *fit =
            &parameters->fit[bspbench_short(prediction->words_per_message) ? BSPBENCH_WORDS
                                                                           : BSPBENCH_BLOCKS];
        prediction->work_s = prediction->alone_s / p;
        prediction->g_s = bspbench_at_least_0(fit->g_s_per_word) * prediction->h_words;
        prediction->l_s =
            bspbench_at_least_0(parameters->fit[BSPBENCH_WORDS].l_s) * prediction->supersteps;
        access_memory(options, algorithm, group, prediction);
        prediction->predicted_s =
            prediction->work_s + prediction->g_s + prediction->l_s + prediction->memory_s;
    }
    if (alone) cm_group_free(alone);
    return n;
}
