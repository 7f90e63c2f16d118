/* SPDX-License-Identifier: BSD-3-Clause */
/* noise_result.c: metadata, a row for each core, the barrier's model and the metrics. */
#include <config.h>
#include <math.h>
#include "measure/fit.h"
#include "measure/period.h"
#include "noise.h"

const cm_metric noise_metrics[] = {
    {"lost_percent", "Time lost to the system", "%", CM_BETTER_LOW,
     "time of the cores that their work did not get, by fixed work, mean over all cores"},
    {"worst_core_lost_percent", "Time lost by the worst core", "%", CM_BETTER_LOW,
     "the same of the core that lost most"},
    {"largest_gap_us", "Longest interruption", "us", CM_BETTER_LOW,
     "most that one quantum of work took beyond the shortest one, on any core"},
    {"step_lost_us", "Time lost at each barrier", "us", CM_BETTER_LOW,
     "mean time that a quantum of work and a barrier of all ranks took beyond the quantum on an "
     "undisturbed core"},
    {"period_ms", "Period of the noise", "ms", CM_BETTER_NEITHER,
     "period of what is lost, of the core that lost most among those with a period"},
    {0},
};

typedef struct {
    int rank;
    noise_core core;
    double lost_percent, largest_gap_us, over_per_s[NOISE_LIMITS], time_lost_percent, period_ms;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, rank, "rank", "%.0f"),
    CM_COLUMN(table_row, core.host, "host", "%.0f"),
    CM_COLUMN(table_row, core.cpu, "cpu", "%.0f"),
    CM_SUMMARY_COLUMNS(table_row, core.time_s, "_s", "%.6e"),
    CM_COLUMN(table_row, lost_percent, "lost_percent", "%.4f"),
    CM_COLUMN(table_row, largest_gap_us, "largest_gap_us", "%.3f"),
    CM_COLUMN(table_row, over_per_s[0], "over_1us_per_s", "%.4g"),
    CM_COLUMN(table_row, over_per_s[1], "over_10us_per_s", "%.4g"),
    CM_COLUMN(table_row, over_per_s[2], "over_100us_per_s", "%.4g"),
    CM_COLUMN(table_row, over_per_s[3], "over_1ms_per_s", "%.4g"),
    CM_COLUMN(table_row, over_per_s[4], "over_10ms_per_s", "%.4g"),
    CM_COLUMN(table_row, time_lost_percent, "fixed_time_lost_percent", "%.4f"),
    CM_COLUMN(table_row, period_ms, "period_ms", "%.4g"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

cm_result *noise_result_open(const cm_benchmark *benchmark, const noise_found *found, int sampled)
{
    const noise_options *options = benchmark->options;
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    cm_run_meta(result);
    cm_run_meta_bound(result, options->bind);
    cm_result_meta_number(result, "quantum_s", options->quantum_s, "%g");
    cm_result_meta_number(result, "quantum_steps", (double)found->steps, "%.0f");
    cm_result_meta_number(result, "fixed_time_quanta", (double)noise_quanta(options), "%.0f");
    cm_result_meta(result, "sample",
                   "a quantum of fixed work: the same number of steps of one recurrence on all "
                   "ranks, which run at once");
    cm_result_meta(result, "samples_of", "%d of %d ranks", sampled, found->ranks);
    return result;
}

static double gap_s(const noise_core *core) { return core->time_s.max - core->time_s.min; }
static double lost_share(const noise_core *core) { return core->lost_s / core->total_s; }

void noise_result_row(cm_result *result, int rank, const noise_core *core, const cm_samples *time_s)
{
    table_row row = {
        .rank = rank,
        .core = *core,
        .lost_percent = 100 * lost_share(core),
        .largest_gap_us = 1e6 * gap_s(core),
        .time_lost_percent = 100 * core->time_lost_share,
        .period_ms = core->period_exact ? 1e3 * core->period_s : NAN,
    };
    for (int k = 0; k < NOISE_LIMITS; k++) row.over_per_s[k] = core->over[k] / core->total_s;
    cm_result_row(result, &row, time_s, "s");
}

/* ---- Means and their intervals --------------------------------------------------------------- */

/* Student's interval of n values' mean; none is below 0. */
static cm_quantity mean_with_interval(const double *value, size_t n, const char *over)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++) squares += (value[i] - mean) * (value[i] - mean);
    const double error = sqrt(squares / (double)(n - 1) / (double)n);
    return cm_quantity_clamp(cm_quantity_student(mean, error, n > 0 ? n - 1 : 0, over, n), 0,
                             INFINITY);
}

/* Returns the loss of ranks first to end - 1 together. Slices are successive parts of each rank's
   time. */
static cm_quantity lost_percent(const noise_found *found, int first, int end)
{
    double percent[NOISE_SLICES], total_s = 0;
    for (int rank = first; rank < end; rank++) total_s += found->core[rank].total_s;
    for (int k = 0; k < NOISE_SLICES; k++) {
        double lost_s = 0;
        for (int rank = first; rank < end; rank++) lost_s += found->core[rank].slice_lost_s[k];
        percent[k] = 100 * lost_s * NOISE_SLICES / total_s;
    }
    return cm_quantity_clamp(mean_with_interval(percent, NOISE_SLICES, "slices"), 0, 100);
}

static double mean(const cm_samples *samples)
{
    double sum = 0;
    for (size_t i = 0; i < samples->n; i++) sum += samples->value[i];
    return sum / (double)samples->n;
}

/* ---- The barrier ----------------------------------------------------------------------------- */

/* The quantum without noise is that of the slowest core: the others wait for it in any case. */
static double undisturbed_s(const noise_found *found)
{
    double longest_s = 0;
    for (int rank = 0; rank < found->ranks; rank++)
        longest_s = fmax(longest_s, found->core[rank].time_s.min);
    return longest_s;
}

static cm_quantity step_lost_us(const noise_found *found)
{
    const cm_samples *step_s = &found->measured.step_s;
    const cm_quantity mean_s = mean_with_interval(step_s->value, step_s->n, "trials");
    const cm_quantity lost_s = cm_quantity_shift(mean_s, -undisturbed_s(found));
    /* If the machine was slower while the quanta were measured, the loss seems to be below 0. */
    return cm_quantity_clamp(cm_quantity_scale(lost_s, 1e6), 0, INFINITY);
}

/* Writes the model for at most as many hosts as there were draws, because rarer losses were not
   seen. */
static void tell_model(cm_result *result, const noise_found *found)
{
    double draws = (double)found->hosts * (double)found->core[0].time_s.n;
    cm_result_comment(result,
                      "barrier: expected loss of a step in which all cores of N hosts like these "
                      "work for a quantum and wait for each other (manual: noise model), beside "
                      "measured steps of the %d rank%s at hand",
                      found->ranks, found->ranks == 1 ? "" : "s");
    for (double hosts = 1; hosts <= draws; hosts *= 2)
        cm_result_comment(result, "fit: model=barrier hosts_%.0f_us=%.5g", hosts,
                          1e6 * noise_expected_maximum_s(&found->host, hosts));
    if (!found->measured.step_s.n || !found->measured.barrier_s.n) return;
    cm_result_comment(result,
                      "fit: model=barrier hosts=%d model_us=%.5g measured_us=%.5g barrier_us=%.5g",
                      found->hosts, 1e6 * noise_expected_maximum_s(&found->host, found->hosts),
                      step_lost_us(found).value, 1e6 * mean(&found->measured.barrier_s));
}

/* ---- Who loses most -------------------------------------------------------------------------- */

static bool any(const noise_core *core)
{
    (void)core;
    return true;
}
static bool has_period(const noise_core *core) { return core->period_exact; }
static bool has_cycle(const noise_core *core) { return !isnan(core->period_s); }

/* The rank with the most, among those that count; -1 if there is none. */
static int worst(const noise_found *found, double (*of)(const noise_core *),
                 bool (*counts)(const noise_core *))
{
    int most = -1;
    for (int rank = 0; rank < found->ranks; rank++) {
        const noise_core *core = &found->core[rank];
        if (counts(core) && (most < 0 || of(core) > of(&found->core[most]))) most = rank;
    }
    return most;
}

/* by_gap: which of the two it has most of. */
static void tell_core(cm_result *result, const noise_found *found, bool by_gap, int rank)
{
    const noise_core *core = &found->core[rank];
    const double lost = 100 * lost_share(core), gap_us = 1e6 * gap_s(core);
    const cm_finding finding = {.who = cm_host(cm_world(), rank),
                                .what = CM_FINDING_EXTREME,
                                .quantity = {.name = by_gap ? "largest_gap" : "lost",
                                             .value = by_gap ? gap_us : lost,
                                             .unit = by_gap ? "us" : "%"}};
    cm_result_finding(
        result, &finding, "%s: rank %d on %s, processor %d: %.3g %% lost, largest gap %.5g us",
        by_gap ? "has the largest gap" : "loses most", rank, finding.who, core->cpu, lost, gap_us);
}

/* value_s is NaN without a period. */
static cm_finding period_of(const char *what, int rank, double value_s)
{
    return (cm_finding){.who = rank < 0 ? NULL : cm_host(cm_world(), rank),
                        .what = what,
                        .quantity = {.name = "period",
                                     .value = 1e3 * value_s,
                                     .unit = isnan(value_s) ? NULL : "ms"}};
}

/* rank: whose period is a metric; -1 if there is none. */
static void tell_period(cm_result *result, const noise_found *found, int rank)
{
    int cores = 0, cycle = worst(found, lost_share, has_cycle);
    for (int k = 0; k < found->ranks; k++) cores += has_period(&found->core[k]);
    const double period_s = rank >= 0    ? found->core[rank].period_s
                            : cycle >= 0 ? found->core[cycle].period_s
                                         : NAN;
    if (rank >= 0) {
        const cm_finding exact = period_of(CM_FINDING_PERIOD, rank, period_s);
        cm_result_finding(result, &exact, "period: %.4g ms on rank %d; %d of %d cores have one",
                          1e3 * period_s, rank, cores, found->ranks);
    } else if (cycle >= 0) {
        const cm_finding multiple = period_of("period_or_multiple", cycle, period_s);
        cm_result_finding(result, &multiple,
                          "period: %.4g ms or a multiple of it on rank %d; other noise or too few "
                          "periods hide which",
                          1e3 * period_s, cycle);
    } else {
        const cm_finding without = period_of("no_period", -1, NAN);
        cm_result_finding(result, &without,
                          "no period: no frequency of what is lost stands above chance on any core "
                          "(1 %% over all cores)");
    }
}

int noise_result_close(cm_result *result, const noise_found *found)
{
    int loses = worst(found, lost_share, any), gap = worst(found, gap_s, any);
    int period = worst(found, lost_share, has_period);
    tell_core(result, found, false, loses);
    tell_core(result, found, true, gap);
    tell_period(result, found, period);
    tell_model(result, found);
    cm_result_check(result, "wrong_answers", (double)found->wrong, "==", 0);
    cm_result_metric(result, true, "lost_percent", lost_percent(found, 0, found->ranks));
    cm_result_metric(result, true, "worst_core_lost_percent",
                     lost_percent(found, loses, loses + 1));
    cm_result_metric(result, true, "largest_gap_us",
                     cm_quantity_of(1e6 * gap_s(&found->core[gap])));
    cm_result_metric(result, true, "step_lost_us", step_lost_us(found));
    if (period >= 0)
        cm_result_metric(result, true, "period_ms",
                         cm_quantity_of(1e3 * found->core[period].period_s));
    return cm_result_close(result);
}
