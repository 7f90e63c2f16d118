/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_result.c: metadata, a row for each size of a curve, lines for curves, checks, metrics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hint.h"
#include "machine/machine.h"

const cm_metric hint_metrics[] = {
    {"net_quips*_p*", "Net QUIPS*, ranks: *", "QUIPS", CM_BETTER_HIGH,
     "integral of QUIPS over ln t, in strips on the number of ranks in the name; "
     "only that of the kernel original is comparable with published results"},
    {"peak_quips*_p*", "Peak QUIPS*, ranks: *", "QUIPS", CM_BETTER_HIGH,
     "highest QUIPS, in strips on the number of ranks in the name; "
     "only that of the kernel original is comparable with published results"},
    {"net_quips*", "Net QUIPS*", "QUIPS", CM_BETTER_HIGH,
     "integral of QUIPS over ln t, for the data type or kernel in the name; "
     "only that of the kernel original is comparable with published results"},
    {"peak_quips*", "Peak QUIPS*", "QUIPS", CM_BETTER_HIGH,
     "highest QUIPS, for the data type or kernel in the name; "
     "only that of the kernel original is comparable with published results"},
    {0},
};

/* clang-format off */
/* A name has a type, a kernel and ranks, or some of them (name_of). */
#define KERNELS(name, of) \
    {name "_*_p*", of " kernel=* on_ranks=*"}, {name "_p*", of " on_ranks=*"}, \
    {name "_*", of " kernel=*"}
#define TYPE(name, type) \
    KERNELS(name "_" type, name " precision=" type), {name "_" type, name " precision=" type}
#define QUANTITY(name) \
    TYPE(name, "double"), TYPE(name, "float"), TYPE(name, "int32"), TYPE(name, "int64"), \
    TYPE(name, "longdouble"), TYPE(name, "int16"), TYPE(name, "int8"), KERNELS(name, name)
const cm_labels hint_labels[] = {QUANTITY("net_quips"), QUANTITY("peak_quips"), {0}};
/* clang-format on */

typedef struct {
    hint_point point;
    hint_type type;
    hint_kernel_kind kernel;
    int ranks;
    cm_summary lap_s;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, point.n, "n", "%.0f"),
    CM_COLUMN(table_row, point.memory_bytes, "memory_bytes", "%.0f"),
    CM_COLUMN(table_row, point.t_s, "t_s", "%.5e"),
    CM_COLUMN(table_row, point.quality, "quality", "%.9g"),
    CM_COLUMN(table_row, point.quips, "quips", "%.5e"),
    CM_COLUMN(table_row, point.lower, "lower", "%.17g"),
    CM_COLUMN(table_row, point.upper, "upper", "%.17g"),
    CM_COLUMN(table_row, type, "type", "=double|float|int32|int64|longdouble|int16|int8"),
    CM_COLUMN(table_row, kernel, "kernel", "=classic|lean|wide|original"),
    CM_COLUMN(table_row, ranks, "ranks", "%.0f"),
    CM_COLUMN(table_row, point.aggregate_quips, "aggregate_quips", "%.5e"),
    CM_COLUMN(table_row, lap_s.n, "trials", "%.0f"),
    CM_COLUMN(table_row, point.laps, "laps", "%.0f"),
    CM_COLUMN(table_row, lap_s.median, "median_s", "%.5e"),
    CM_COLUMN(table_row, lap_s.low, "low_s", "%.5e"),
    CM_COLUMN(table_row, lap_s.high, "high_s", "%.5e"),
    CM_COLUMN(table_row, lap_s.interval, "interval", CM_INTERVAL_FORMAT),
    CM_COLUMN(table_row, lap_s.mean, "mean_s", "%.5e"),
    CM_COLUMN(table_row, lap_s.deviation, "deviation_s", "%.3e"),
    CM_COLUMN(table_row, lap_s.max, "max_s", "%.5e"),
    CM_SUMMARIZED_COLUMNS(table_row, lap_s),
};
enum { COLUMNS = sizeof columns / sizeof *columns, LEVELS = 4 };

static bool is_tuned(int kernel) { return kernel == HINT_LEAN || kernel == HINT_WIDE; }

static void write_metadata(const hint_job *job, cm_result *result)
{
    const hint_options *o = job->options;
    const bool parallel = hint_is_parallel(o);
    char text[256] = "";
    cm_run_meta(result);
    cm_run_meta_bound(result, o->sampling.bind);
    for (int t = 0; t < HINT_TYPES; t++) {
        if (!hint_asks(o, t, o->kernel)) continue;
        hint_work work = hint_work_alone((hint_type)t);
        if (parallel) hint_work_scattered((hint_type)t, cm_size(cm_world()), 0, &work);
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s %lld x %llu", used ? ", " : "",
                 hint_type_names[t], (long long)work.columns, 1ULL << work.rows_log2);
    }
    cm_result_meta(result, "types", "%s (columns x rows of the grid)", text);
    text[0] = 0;
    for (int k = 0; k < HINT_KERNELS; k++) {
        if (!hint_asks(o, o->type, k)) continue;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s%s", used ? ", " : "", hint_kernel_names[k],
                 is_tuned(k) ? " (tuned kernel)" : "");
    }
    cm_result_meta(result, "kernels", "%s", text);
    if (hint_asks(o, o->type, HINT_WIDE))
        cm_result_meta_number(result, "kernel_vector_bits",
                              hint_kernel_of(HINT_DOUBLE, HINT_WIDE)->vector_bits, "%.0f");
    cm_result_meta(result, "decomposition", "%s",
                   parallel    ? "scatter: 4 strips a rank, dealt cyclically, one reduction"
                   : o->copies ? "copies: each rank refines the whole interval"
                               : "none: one rank");
    cm_sample_meta(result, &o->sampling,
                   "a trial: its time / laps, slowest rank; the fastest counts");
    cm_result_meta_number(result, "memory_limit_of_rank_bytes", (double)job->limit_bytes, "%.0f");
}

cm_result *hint_result_open(const cm_benchmark *benchmark, const hint_job *job)
{
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    write_metadata(job, result);
    return result;
}

/* Returns "double wide 2", without the parts that all curves share; tuned kernels are always
   named. */
static const char *name_of(const hint_job *job, const hint_series *series, char between, char *name,
                           size_t size)
{
    const hint_options *o = job->options;
    char of_type[32] = "", of_kernel[32] = "", of_ranks[32] = "";
    if (o->type == HINT_TYPES)
        snprintf(of_type, sizeof of_type, "%c%s", between, hint_type_names[series->type]);
    if (o->kernel == HINT_KERNELS || series->kernel != HINT_CLASSIC)
        snprintf(of_kernel, sizeof of_kernel, "%c%s", between, hint_kernel_names[series->kernel]);
    if (o->speed_up) snprintf(of_ranks, sizeof of_ranks, "%cp%d", between, series->ranks);
    snprintf(name, size, "%s%s%s", of_type, of_kernel, of_ranks);
    return name;
}

static void write_rows(const hint_series *series, cm_result *result)
{
    for (size_t k = 0; k < series->count; k++) {
        const hint_point *p = &series->points[k];
        const table_row row = {*p, series->type, series->kernel, series->ranks,
                               cm_sample_summary(&p->samples[HINT_LAP])};
        cm_result_row(result, &row, &p->samples[HINT_LAP], "s");
    }
}

/* Says which curves are comparable with the original's, because a reader might take others for it.
   */
static void write_comparable(const hint_job *job, cm_result *result)
{
    const hint_options *o = job->options;
    if (hint_asks(o, o->type, HINT_ORIGINAL))
        cm_result_comment(result,
                          "comparable: original with HINT 1.0 by Gustafson and Snell: its "
                          "rules, memory traffic and count of bytes (double: 88 per "
                          "subinterval, of 104 in use)%s",
                          o->kernel == HINT_ORIGINAL ? "" : ", at cm-hint's sizes");
    if (hint_asks(o, o->type, HINT_CLASSIC))
        cm_result_comment(result, "comparable: classic with results of cm-hint only; it has the "
                                  "original's data structure, but keeps in registers what the "
                                  "original reads back from memory, and counts all 104 bytes per "
                                  "subinterval of double");
    if (hint_asks(o, o->type, HINT_LEAN) || hint_asks(o, o->type, HINT_WIDE))
        cm_result_comment(result, "comparable: lean and wide with results of cm-hint only; they "
                                  "store three words per subinterval and read them as streams");
}

static void write_curve(const hint_series *series, cm_result *result)
{
    const hint_point *first = series->points, *last = &first[series->count - 1];
    const hint_point *peak = hint_peak(series->count, first);
    char which[96];
    snprintf(which, sizeof which, "type=%s kernel=%s ranks=%d", hint_type_names[series->type],
             hint_kernel_names[series->kernel], series->ranks);
    cm_result_comment(result,
                      "curve: %s net_quips=%.4e from_n=%lld to_n=%lld from_t_s=%.3e "
                      "to_t_s=%.3e ended_by=%s",
                      which, hint_net_quips(series->count, first), (long long)first->n,
                      (long long)last->n, first->t_s, last->t_s, series->ended);
    cm_result_comment(result, "peak: %s quips=%.4e n=%lld memory_bytes=%lld", which, peak->quips,
                      (long long)peak->n, (long long)peak->memory_bytes);
    for (int level = 1; level <= LEVELS; level++) {
        const int64_t bytes = cm_machine_cache_bytes(level);
        const hint_point *within = bytes ? hint_within(series->count, first, bytes) : NULL;
        if (within && within < last)
            cm_result_comment(result, "cache: %s level=%d bytes=%lld quips=%.4e n=%lld", which,
                              level, (long long)bytes, within->quips, (long long)within->n);
    }
}

/* Writes the checks over all sizes of all curves. */
static bool write_checks(const hint_job *job, cm_result *result)
{
    double lower = 0, upper = 1;
    int outside = 0, falling = 0, unlike = 0, apart = 0, compared = 0, empty = 0;
    for (size_t s = 0; s < job->count; s++) {
        const hint_series *series = &job->series[s];
        outside += series->outside;
        falling += series->falling;
        unlike += series->unlike;
        compared += series->kernel != HINT_CLASSIC && (int)series->type < HINT_COMMON_TYPES;
        empty += series->count == 0 && !hint_cut(series);
        for (size_t k = 0; k < series->count; k++) {
            lower = fmax(lower, series->points[k].lower);
            upper = fmin(upper, series->points[k].upper);
            apart += !series->points[k].alike;
        }
    }
    bool pass = cm_result_check(result, "highest_lower_bound", lower, "<=", hint_area);
    pass &= cm_result_check(result, "lowest_upper_bound", upper, ">=", hint_area);
    pass &= cm_result_check(result, "sizes_without_the_area_between", outside, "==", 0);
    pass &= cm_result_check(result, "sizes_of_falling_quality", falling, "==", 0);
    if (job->options->copies)
        pass &= cm_result_check(result, "sizes_with_copies_unlike_each_other", apart, "==", 0);
    if (compared)
        pass &= cm_result_check(result, "sizes_with_bounds_unlike_classic", unlike, "==", 0);
    pass &= cm_result_check(result, "curves_without_a_size", empty, "==", 0);
    return pass;
}

/* By Abel's summation the integral is the sum of (quality_j - quality_j-1) / t_j, where the quality
   before the first is 1. The quality does not fall, so the integral falls with each t_j. It is
   lowest with all sizes at the slow ends of the intervals of their fastest laps, and highest with
   all at the fast ends, which is the value. */
static cm_quantity net_of(size_t n, const hint_point *points)
{
    hint_point *slow = calloc(n, sizeof *slow);
    if (!slow) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu sizes", n);
    cm_quantity net = cm_sample_fastest(&points[0].samples[HINT_LAP]);
    for (size_t k = 0; k < n; k++) {
        const cm_quantity lap_s = cm_sample_fastest(&points[k].samples[HINT_LAP]);
        slow[k].t_s = lap_s.high;
        slow[k].quips = (points[k].quality - 1) / slow[k].t_s;
        net.disturbed = cm_disturbed_either(net.disturbed, lap_s.disturbed);
        if (lap_s.n < net.n) net.n = lap_s.n;
    }
    const double fast_quips = hint_net_quips(n, points);
    net = cm_quantity_mapped(net, fast_quips, hint_net_quips(n, slow), fast_quips);
    free(slow);
    return net;
}

/* Both are of the fastest laps; the peak has the interval of its size. */
static void write_metrics(const hint_series *series, const char *name, bool pass, cm_result *result)
{
    char metric[128];
    const size_t n = series->count;
    cm_quantity net = cm_quantity_of(NAN), peak = cm_quantity_of(NAN);
    const hint_point *highest = n ? hint_peak(n, series->points) : NULL;
    if (highest) {
        net = net_of(n, series->points);
        peak = cm_quantity_invert(cm_sample_fastest(&highest->samples[HINT_LAP]),
                                  highest->quality - 1);
    }
    snprintf(metric, sizeof metric, "net_quips%s", name);
    cm_result_metric(result, pass, metric, net);
    snprintf(metric, sizeof metric, "peak_quips%s", name);
    cm_result_metric(result, pass, metric, peak);
}

void hint_result_write(const hint_job *job, cm_result *result)
{
    char name[96];
    for (size_t k = 0; k < job->count; k++) write_rows(&job->series[k], result);
    for (size_t k = 0; k < job->count; k++)
        if (job->series[k].count) write_curve(&job->series[k], result);
    write_comparable(job, result);
    bool pass = write_checks(job, result);
    for (size_t k = 0; k < job->count; k++) {
        if (hint_cut(&job->series[k])) continue;
        name_of(job, &job->series[k], '_', name, sizeof name);
        write_metrics(&job->series[k], name, pass, result);
    }
}
