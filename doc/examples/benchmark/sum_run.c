/* SPDX-License-Identifier: BSD-3-Clause */
/* sum_run.c: measures sums of longer and longer vectors. */
#include "memory/memory.h"
#include "sum.h"

typedef struct {
    int64_t *mine, *sum;
    size_t n;      /* current length of a vector */
    int64_t wrong; /* on this rank */
} vectors;

static void fill(void *context)
{
    vectors *v = context;
    for (size_t i = 0; i < v->n; i++) {
        v->mine[i] = cm_rank(cm_world()) + (int64_t)i;
        v->sum[i] = -1;
    }
    cm_barrier(cm_world(), CM_AUTO);
}

static double add(void *context, int64_t operations, double *value)
{
    vectors *v = context;
    double begin_s = cm_time();
    for (int64_t k = 0; k < operations; k++)
        cm_allreduce(cm_world(), v->mine, v->sum, v->n, CM_INT64, CM_SUM, CM_AUTO);
    double time_s = cm_time() - begin_s;
    *value = time_s / (double)operations;
    return time_s;
}

/* A wrong sum does not end the trials; the end reports the number on all ranks. */
static bool verify(void *context)
{
    vectors *v = context;
    int64_t p = cm_size(cm_world());
    for (size_t i = 0; i < v->n; i++) v->wrong += v->sum[i] != p * (p - 1) / 2 + p * (int64_t)i;
    return true;
}

static double wrong_on_all(const vectors *v)
{
    int64_t all = 0;
    cm_allreduce(cm_world(), &v->wrong, &all, 1, CM_INT64, CM_SUM, CM_AUTO);
    return (double)all;
}

int sum_run(const cm_benchmark *benchmark)
{
    const sum_options *options = benchmark->options;
    int status = cm_run_require_processes(benchmark->program, "hold no numbers of their own");
    if (status) return status;
    cm_run_bind(options->sampling.bind);
    vectors v = {.mine = cm_run_array((size_t)options->upper_bytes),
                 .sum = cm_run_array((size_t)options->upper_bytes),
                 .n = 1};
    const cm_subject subject = {
        .who = CM_SAMPLE_SLOWEST, .prepare = fill, .trial = add, .verify = verify, .context = &v};
    cm_result *result = cm_rank(cm_world()) == 0 ? sum_result_open(benchmark) : NULL;
    cm_sample_tally tally = {0};
    cm_summary smallest = {0};
    cm_sample_warm_up(&options->sampling, cm_world(), &subject);
    for (int64_t bytes = SUM_WORD_BYTES; bytes <= options->upper_bytes; bytes *= 2) {
        cm_samples samples = CM_SAMPLES_EMPTY;
        cm_sampled sampled = {.samples = &samples};
        v.n = (size_t)(bytes / SUM_WORD_BYTES);
        cm_sample(&options->sampling, cm_world(), 1, &subject, &sampled);
        cm_summary summary = cm_sample_summary(&samples);
        cm_sample_count(&tally, &sampled, 1);
        if (v.n == 1) smallest = summary;
        if (result) sum_result_row(result, bytes, &summary, &samples);
        cm_samples_free(&samples);
    }
    double wrong = wrong_on_all(&v);
    cm_memory_free(v.mine);
    cm_memory_free(v.sum);
    return result ? sum_result_close(result, &tally, wrong, &smallest) : CM_EXIT_PASS;
}
