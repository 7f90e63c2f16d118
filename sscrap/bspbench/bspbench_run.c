/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_run.c: h-relations of both ways, the fits, the predictions; the result. */
#include <math.h>
#include <stdlib.h>
#include "bspbench.h"

enum { COLUMNS = 9 };
static const char *const way_names[BSPBENCH_WAYS] = {"words", "blocks"};

typedef struct {
    const bspbench_options *options;
    cm_group *group;
    cm_result *result; /* on rank 0 */
    bspbench_parameters parameters;
    double wrong;
    bool fitted;
} bench;

static cm_result *open_result(const cm_benchmark *benchmark, int argc, char **argv)
{
    static const cm_result_column columns[COLUMNS] = {
        {"blocks", "%.0f"},    {"h_words", "%.0f"},  {"n", "%.0f"},
        {"min_s", "%.4e"},     {"median_s", "%.4e"}, {"low_s", "%.4e"},
        {"high_s", "%.4e"}, {"mean_s", "%.4e"},   {"deviation_s", "%.4e"}};
    return cm_result_open(benchmark->program, argc, argv, benchmark->files, columns, COLUMNS);
}

static void write_metadata(const bench *b)
{
    const bspbench_options *options = b->options;
    cm_run_meta(b->result);
    cm_result_meta_number(b->result, "processes", cm_size(b->group), "%.0f");
    cm_result_meta(b->result, "sample",
                   "a superstep: the slowest process's mean over supersteps of 1 ms "
                   "together");
    cm_result_meta(b->result, "word", "8 bytes");
    cm_result_meta(b->result, "place",
                   options->place ? "at most %lld processes a host" : "all processes",
                   (long long)options->place);
    cm_result_meta_number(b->result, "repeat", (double)options->repeat, "%.0f");
}

/* ---- h-relations ---------------------------------------------------------------------------- */

static void one_way(bench *b, bspbench_area *area, bspbench_way way, int64_t most)
{
    int64_t h[BSPBENCH_MOST];
    double x[BSPBENCH_MOST], y[BSPBENCH_MOST];
    int n = bspbench_list(way, most, h);
    for (int k = 0; k < n; k++) {
        cm_samples samples = CM_SAMPLES_EMPTY;
        cm_summary s;
        if (b->result)
            cm_result_progress(b->result, (way + (double)k / n) / BSPBENCH_WAYS, "%s, h = %lld",
                               way_names[way], (long long)h[k]);
        bspbench_superstep(area, way, h[k], b->options->repeat, &samples);
        b->wrong += bspbench_words_wrong(area, way, h[k]);
        if (!cm_summarize(&samples, &s)) cm_abort(CM_EXIT_SYSTEM, "no memory for samples");
        x[k] = (double)h[k];
        y[k] = s.median;
        const double values[COLUMNS] = {way,      x[k],      (double)s.n, s.min,      s.median,
                                        s.low, s.high, s.mean,      s.deviation};
        if (b->result) cm_result_row(b->result, values, &samples, "s");
        cm_samples_free(&samples);
    }
    b->fitted = cm_fit_bsp((size_t)n, x, y, CM_FIT_RELATIVE, &b->parameters.fit[way]) && b->fitted;
}

static void write_fit(const bench *b, bspbench_way way)
{
    const cm_bsp_parameters *fit = &b->parameters.fit[way];
    cm_result_comment(b->result,
                      "fit: model=bsp_%s g_s_per_word=%.4e g_s_per_word_error=%.1e "
                      "l_s=%.4e l_s_error=%.1e residual_deviation=%.3f g_flop_per_word=%.3g "
                      "l_flop=%.3g",
                      way_names[way], fit->g_s_per_word.value, fit->g_s_per_word.error,
                      fit->l_s.value, fit->l_s.error, fit->residual_deviation,
                      fit->g_s_per_word.value * b->parameters.r_flop_per_s,
                      fit->l_s.value * b->parameters.r_flop_per_s);
}

static void measure(bench *b)
{
    const bspbench_options *options = b->options;
    cm_samples rates = CM_SAMPLES_EMPTY;
    cm_summary rate;
    sscrap_group_use(b->group);
    cm_bsp_begin(b->group);
    bspbench_rate(options->repeat, &rates);
    if (!cm_summarize(&rates, &rate)) cm_abort(CM_EXIT_SYSTEM, "no memory for samples");
    cm_samples_free(&rates);
    b->parameters.r_flop_per_s = rate.median;
    int64_t most = options->block > options->words ? options->block : options->words;
    bspbench_area *area = bspbench_area_open(most);
    one_way(b, area, BSPBENCH_WORDS, options->words);
    one_way(b, area, BSPBENCH_BLOCKS, options->block);
    bspbench_area_close(area);
    cm_bsp_end();
    if (!b->result) return;
    cm_result_comment(b->result, "rate: r_flop_per_s=%.4g low=%.4g high=%.4g n=%zu",
                      rate.median, rate.low, rate.high, rate.n);
    for (int way = 0; way < BSPBENCH_WAYS && b->fitted; way++) write_fit(b, (bspbench_way)way);
}

/* ---- Predictions ---------------------------------------------------------------------------- */

static bool predict(bench *b)
{
    bspbench_prediction all[BSPBENCH_ALGORITHMS];
    bool right = true;
    int n = bspbench_predict(b->options, b->group, &b->parameters, all);
    for (int k = 0; k < n; k++) {
        const bspbench_prediction *a = &all[k];
        right = right && a->right;
        if (!b->result) continue;
        cm_result_comment(b->result,
                          "prediction: algorithm=%s processes=%d size=%lld work_flop=%.4g "
                          "h_words=%.0f supersteps=%.0f accesses=%.0f access_s=%.4e "
                          "work_s=%.4e g_h_s=%.4e l_s=%.4e memory_s=%.4e predicted_s=%.4e "
                          "measured_s=%.4e ratio=%.3f",
                          a->name, a->processes, (long long)a->size,
                          a->work_s * b->parameters.r_flop_per_s, a->h_words, a->supersteps,
                          a->accesses, a->access_s, a->work_s, a->g_s, a->l_s, a->memory_s,
                          a->predicted_s, a->measured_s, a->measured_s / a->predicted_s);
    }
    return right;
}

/* What is needed on this host, shared out over its ranks, and what for. */
static void require_memory(const bspbench_options *options, cm_group *group)
{
    if (!group) {
        cm_run_require_memory(0, "", "no process");
        return;
    }
    int here = cm_run_ranks_on_host(group, cm_rank(group));
    int ranks = cm_run_ranks_on_host(cm_world(), cm_rank(cm_world()));
    bool words = options->words > options->block;
    const char *option = words ? "--words" : "--block";
    int64_t value = words ? options->words : options->block;
    double most = 32.0 * (double)value * here;
    for (int k = 0; k < bspbench_algorithms(); k++) {
        const char *its_option;
        int64_t size = bspbench_size(options, k, &its_option);
        double alone = bspbench_bytes(options, k, 1),
               all = bspbench_bytes(options, k, cm_size(group)) * here;
        if (fmax(alone, all) <= most) continue;
        most = fmax(alone, all);
        option = its_option;
        value = size;
    }
    cm_run_require_memory((size_t)fmin(most / ranks, 0x1p62), option, "%s %lld", option,
                          (long long)value);
}

int bspbench_run(const cm_benchmark *benchmark, int argc, char **argv)
{
    const bspbench_options *options = benchmark->options;
    bench b = {.options = options, .fitted = true};
    int status = sscrap_check_backend(benchmark->program);
    if (status) return status;
    if (options->bind) cm_run_bind();
    b.group = sscrap_place(options->place);
    require_memory(options, b.group);
    if (!b.group) return CM_EXIT_PASS;
    if (cm_rank(b.group) == 0) {
        cm_bsp_trace_open();
        b.result = open_result(benchmark, argc, argv);
        if (!b.result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
        write_metadata(&b);
    }
    measure(&b);
    bool right = predict(&b);
    cm_group_free(b.group);
    if (!b.result) return CM_EXIT_PASS;
    const cm_bsp_parameters *fit = b.parameters.fit;
    cm_result_check(b.result, "words_wrong", b.wrong, "==", 0);
    cm_result_check(b.result, "algorithms_wrong", !right, "==", 0);
    cm_result_verdict(b.result, true, "r_flop_per_s", b.parameters.r_flop_per_s, "flop/s");
    cm_result_verdict(b.result, b.fitted, "g_s_per_word", fit[BSPBENCH_WORDS].g_s_per_word.value,
                      "s");
    cm_result_verdict(b.result, b.fitted, "g_block_s_per_word",
                      fit[BSPBENCH_BLOCKS].g_s_per_word.value, "s");
    cm_result_verdict(b.result, b.fitted, "l_s", fit[BSPBENCH_WORDS].l_s.value, "s");
    return cm_result_close(b.result);
}
