/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_run.c: measures h-relations of both ways, fits, and predicts. */
#include <stdlib.h>
#include "machine/machine.h"
#include "bspbench.h"

typedef struct {
    const bspbench_options *options;
    cm_group *group;
    cm_result *result; /* on rank 0 only, as all below except wrong */
    cm_summary flop_s;
    bspbench_parameters parameters;
    cm_sample_tally tally; /* of rows */
    bool fitted;
    size_t points[BSPBENCH_WAYS];          /* of the fits */
    cm_disturbed disturbed[BSPBENCH_WAYS]; /* some row has no undisturbed median */
    double wrong;                          /* words, on all processes */
} bench;

/* Ranks other than 0 have no samples, and get an empty summary. */
static void sample(const bench *b, const cm_subject *subject, cm_sampled *sampled,
                   cm_summary *summary)
{
    cm_sample(&b->options->sampling, b->group, 1, subject, sampled);
    *summary = cm_sample_summary(sampled->samples);
}

static void rate(bench *b)
{
    bspbench_vectors vectors = {.group = b->group};
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_sampled sampled = {.samples = &samples};
    const cm_subject subject = bspbench_flop(&vectors);
    sample(b, &subject, &sampled, &b->flop_s);
    cm_samples_free(&samples);
    b->parameters.r_flop_per_s = 1 / b->flop_s.median;
}

static void compare(bench *b)
{
    bspbench_records *records = sscrap_memory(sizeof *records);
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_sampled sampled = {.samples = &samples};
    *records = (bspbench_records){.group = b->group};
    const cm_subject subject = bspbench_comparison(records);
    cm_summary comparison_s;
    sample(b, &subject, &sampled, &comparison_s);
    b->parameters.comparison_s = comparison_s.median;
    cm_samples_free(&samples);
    free(records);
}

static void one_way(bench *b, bspbench_area *area, bspbench_way way, int64_t most)
{
    int64_t h[BSPBENCH_MOST];
    double x[BSPBENCH_MOST], y[BSPBENCH_MOST];
    int n = bspbench_list(way, most, h);
    for (int k = 0; k < n; k++) {
        cm_samples samples = CM_SAMPLES_EMPTY;
        cm_sampled sampled = {.samples = &samples};
        cm_summary summary;
        if (b->result)
            cm_result_progress(b->result, (way + (double)k / n) / BSPBENCH_WAYS, "%s, h = %lld",
                               bspbench_way_name(way), (long long)h[k]);
        const cm_subject subject = bspbench_superstep(area, way, h[k]);
        sample(b, &subject, &sampled, &summary);
        cm_sample_count(&b->tally, &sampled, 1);
        x[k] = (double)h[k];
        y[k] = summary.median;
        b->disturbed[way] = cm_disturbed_either(b->disturbed[way], cm_disturbed_summary(&summary));
        if (b->result) bspbench_result_row(b->result, way, h[k], &summary, &samples);
        cm_samples_free(&samples);
    }
    b->points[way] = (size_t)n;
    if (b->result)
        b->fitted =
            cm_fit_bsp((size_t)n, x, y, CM_FIT_RELATIVE, &b->parameters.fit[way]) && b->fitted;
}

/* bsp_sync in both ways, whichever the supersteps of this run take. */
static void empty_supersteps(bench *b, bspbench_area *area)
{
    b->parameters.in_rounds = cm_bsp_takes_rounds(bsp_nprocs(), sscrap_one_host(b->group));
    for (int rounds = 0; rounds < 2; rounds++) {
        cm_samples samples = CM_SAMPLES_EMPTY;
        cm_sampled sampled = {.samples = &samples};
        cm_summary summary;
        cm_bsp_in_rounds(rounds);
        const cm_subject subject = bspbench_superstep(area, BSPBENCH_WORDS, 0);
        sample(b, &subject, &sampled, &summary);
        b->parameters.empty_s[rounds] = summary.median;
        cm_samples_free(&samples);
    }
    cm_bsp_in_rounds(b->parameters.in_rounds);
}

static void measure(bench *b)
{
    const bspbench_options *options = b->options;
    cm_bsp_begin(b->group);
    int64_t most = options->block > options->words ? options->block : options->words;
    bspbench_area *area = bspbench_area_open(most);
    const cm_subject first = bspbench_superstep(area, BSPBENCH_WORDS, 1);
    cm_sample_warm_up(&options->sampling, b->group, &first);
    rate(b);
    compare(b);
    empty_supersteps(b, area);
    one_way(b, area, BSPBENCH_WORDS, options->words);
    one_way(b, area, BSPBENCH_BLOCKS, options->block);
    b->wrong = sscrap_sum((double)bspbench_words_wrong(area));
    bspbench_area_close(area);
    cm_bsp_end();
    if (!b->result) return;
    cm_result_comment(b->result, "rate: r_flop_per_s=%.4g low=%.4g high=%.4g n=%zu",
                      1 / b->flop_s.median, 1 / b->flop_s.high, 1 / b->flop_s.low, b->flop_s.n);
    cm_result_comment(b->result, "sync: takes=%s messages_s=%.4g rounds_s=%.4g",
                      b->parameters.in_rounds ? "rounds" : "messages", b->parameters.empty_s[0],
                      b->parameters.empty_s[1]);
    if (b->fitted) bspbench_result_fits(b->result, &b->parameters);
}

static bool predict(bench *b)
{
    bspbench_prediction all[BSPBENCH_ALGORITHMS];
    bool right = true;
    int n = bspbench_predict(b->options, b->group, &b->parameters, all);
    for (int k = 0; k < n; k++) {
        right = right && all[k].right;
        if (b->result) bspbench_result_prediction(b->result, &b->parameters, &all[k]);
    }
    if (!b->result || !b->fitted || n == 0) return right;
    for (int k = 0; k < n; k++) bspbench_result_extrapolation(b->result, &b->parameters, &all[k]);
    if (all[0].processes > 1 && all[0].one_host)
        cm_result_comment(b->result,
                          "not extrapolated beyond this host's cores (%d): other processes need "
                          "other hosts, and this run has no g and l between hosts",
                          cm_machine_job_cores());
    return right;
}

/* A superstep takes l + g h: two parameters. One that is not above 0 is left out;
   bspbench_result_fits has said so. */
static void write_parameter(const bench *b, const char *metric, bspbench_way way,
                            cm_estimate estimate)
{
    size_t n = b->points[way];
    if (b->fitted && !(estimate.value > 0)) return;
    cm_result_metric(b->result, b->fitted, metric,
                     b->fitted ? cm_quantity_fit(estimate, n, 2, n, b->disturbed[way])
                               : cm_quantity_of(estimate.value));
}

static int finish(const bench *b, bool right)
{
    const cm_bsp_parameters *fit = b->parameters.fit;
    cm_sample_tell(b->result, &b->tally);
    cm_result_check(b->result, "words_wrong", b->wrong, "==", 0);
    cm_result_check(b->result, "algorithms_wrong", !right, "==", 0);
    cm_result_metric(b->result, true, "r_flop_per_s",
                     cm_quantity_invert(cm_quantity_median(&b->flop_s), 1));
    write_parameter(b, "g_s_per_word", BSPBENCH_WORDS, fit[BSPBENCH_WORDS].g_s_per_word);
    write_parameter(b, "g_block_s_per_word", BSPBENCH_BLOCKS, fit[BSPBENCH_BLOCKS].g_s_per_word);
    write_parameter(b, "l_s", BSPBENCH_WORDS, fit[BSPBENCH_WORDS].l_s);
    return cm_result_close(b->result);
}

int bspbench_run(const cm_benchmark *benchmark)
{
    const bspbench_options *options = benchmark->options;
    bench b = {.options = options, .fitted = true};
    int status = sscrap_check_backend(benchmark->program);
    if (status) return status;
    cm_run_bind(options->sampling.bind);
    b.group = sscrap_place(options->place);
    bspbench_require_memory(options, b.group);
    if (!b.group) return CM_EXIT_PASS;
    if (cm_rank(b.group) == 0) {
        cm_bsp_trace_open();
        b.result = bspbench_result_open(benchmark, cm_size(b.group));
    }
    measure(&b);
    bool right = predict(&b);
    cm_group_free(b.group);
    return b.result ? finish(&b, right) : CM_EXIT_PASS;
}
