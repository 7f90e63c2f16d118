/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_result.c: metadata, a row for each h-relation, lines for fits and predictions. */
#include <stdio.h>
#include "bspbench.h"

const cm_metric bspbench_metrics[] = {
    {"r_flop_per_s", "r: speed of a process", "flop/s", CM_BETTER_HIGH,
     "flop/s of one process while all compute, adding one vector to another"},
    {"g_s_per_word", "g: time per word, one by one", "s", CM_BETTER_LOW,
     "seconds for each word of 8 bytes that a process sends and receives one by one; left out if "
     "it is not above 0"},
    {"g_block_s_per_word", "g: time per word, in blocks", "s", CM_BETTER_LOW,
     "seconds for each word of 8 bytes that a process sends and receives in blocks; left out if "
     "it is not above 0"},
    {"l_s", "l: time of an empty superstep", "s", CM_BETTER_LOW,
     "seconds of a superstep without words; left out if it is not above 0"},
    {0},
};

typedef struct {
    bspbench_way way;
    int64_t h_words;
    cm_summary superstep_s;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, way, "way", "=words|blocks"),
    CM_COLUMN(table_row, h_words, "h_words", "%.0f"),
    CM_SUMMARY_COLUMNS(table_row, superstep_s, "_s", "%.4e"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

const char *bspbench_way_name(bspbench_way way)
{
    static const char *const names[BSPBENCH_WAYS] = {"words", "blocks"};
    return names[way];
}

cm_result *bspbench_result_open(const cm_benchmark *benchmark, int processes)
{
    const bspbench_options *options = benchmark->options;
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    cm_run_meta(result);
    cm_result_meta_number(result, "processes", processes, "%.0f");
    cm_sample_meta(result, &options->sampling,
                   "a trial: the slowest process's mean over the supersteps of it");
    cm_result_meta(result, "word", "8 bytes");
    cm_result_meta(result, "place",
                   options->place ? "at most %lld processes a host" : "all processes",
                   (long long)options->place);
    return result;
}

void bspbench_result_row(cm_result *result, bspbench_way way, int64_t h, const cm_summary *summary,
                         const cm_samples *samples)
{
    cm_result_row(result, &(table_row){way, h, *summary}, samples, "s");
}

static void write_left_out(cm_result *result, const char *metric, cm_estimate estimate)
{
    if (!(estimate.value > 0))
        cm_result_comment(result,
                          "%s is left out: it comes out at %.3g s with a standard error of %.2g s, "
                          "so this run does not tell it from 0",
                          metric, estimate.value, estimate.error);
}

void bspbench_result_fits(cm_result *result, const bspbench_parameters *parameters)
{
    double r = parameters->r_flop_per_s;
    for (int way = 0; way < BSPBENCH_WAYS; way++) {
        const cm_bsp_parameters *fit = &parameters->fit[way];
        cm_result_comment(result,
                          "fit: model=bsp_%s g_s_per_word=%.4e g_s_per_word_error=%.1e "
                          "l_s=%.4e l_s_error=%.1e residual_deviation=%.3f g_flop_per_word=%.3g "
                          "l_flop=%.3g",
                          bspbench_way_name((bspbench_way)way), fit->g_s_per_word.value,
                          fit->g_s_per_word.error, fit->l_s.value, fit->l_s.error,
                          fit->residual_deviation, fit->g_s_per_word.value * r, fit->l_s.value * r);
    }
    write_left_out(result, "g_s_per_word", parameters->fit[BSPBENCH_WORDS].g_s_per_word);
    write_left_out(result, "g_block_s_per_word", parameters->fit[BSPBENCH_BLOCKS].g_s_per_word);
    write_left_out(result, "l_s", parameters->fit[BSPBENCH_WORDS].l_s);
}

/* What was run, or would be: " method=NAME hosts=one", and no method where there is one only. */
enum { SAID = 64 };
static const char *said_of(const bspbench_prediction *a, int processes, char said[SAID])
{
    const sscrap_problem *problem = a->problem;
    const char *method =
        problem->method ? problem->method(a->options, a->size, processes, a->one_host) : NULL;
    snprintf(said, SAID, "%s%s hosts=%s", method ? " method=" : "", method ? method : "",
             a->one_host ? "one" : "several");
    return said;
}

void bspbench_result_prediction(cm_result *result, const bspbench_parameters *parameters,
                                const bspbench_prediction *a)
{
    char said[SAID];
    cm_result_comment(result,
                      "prediction: algorithm=%s processes=%d size=%lld%s work_flop=%.4g "
                      "h_words=%.0f supersteps=%.0f accesses=%.0f access_s=%.4e "
                      "work_s=%.4e g_h_s=%.4e l_s=%.4e memory_s=%.4e predicted_s=%.4e "
                      "measured_s=%.4e ratio=%.3f",
                      a->name, a->processes, (long long)a->size, said_of(a, a->processes, said),
                      a->work_s * parameters->r_flop_per_s, a->h_words, a->supersteps, a->accesses,
                      a->access_s, a->work_s, a->g_s, a->l_s, a->memory_s, a->predicted_s,
                      a->measured_s, a->measured_s / a->predicted_s);
}

static void extrapolation(cm_result *result, const bspbench_parameters *parameters,
                          const bspbench_prediction *measured, int processes)
{
    const bspbench_extrapolated x = bspbench_extrapolate(parameters, measured, processes);
    char said[SAID];
    cm_result_comment(result,
                      "extrapolation: algorithm=%s processes=%d size=%lld%s share=%.4g "
                      "comparisons=%.0f h_words=%.0f supersteps=%.0f accesses=%.0f work_s=%.4e "
                      "g_h_s=%.4e l_s=%.4e memory_s=%.4e predicted_s=%.4e",
                      measured->name, processes, (long long)measured->size,
                      said_of(measured, processes, said), x.model.share, x.model.comparisons,
                      x.model.h_words, x.model.supersteps, x.model.accesses, x.work_s, x.g_s, x.l_s,
                      x.memory_s, x.predicted_s);
}

/* One process writes to itself: its g and l say nothing about a network. No process has less than
   one item. */
void bspbench_result_extrapolation(cm_result *result, const bspbench_parameters *parameters,
                                   const bspbench_prediction *measured)
{
    const int known = bspbench_farthest(measured);
    const int64_t farthest = measured->size < known ? measured->size : known;
    if (measured->processes == 1) return;
    extrapolation(result, parameters, measured, measured->processes);
    for (int p = 2; p <= farthest; p *= 2)
        if (p > measured->processes) extrapolation(result, parameters, measured, p);
}
