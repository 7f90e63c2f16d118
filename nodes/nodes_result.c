/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_result.c: metadata, a row for each host, findings and metrics. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nodes_burn.h"
#include "sample/sample.h"

const cm_metric nodes_metrics[] = {
    {"findings", "Findings", "1", CM_BETTER_LOW,
     "differences from most hosts, slow hosts and pairs, and wrong clocks"},
    {"slowest_ratio", "Slowest host over the median", "1", CM_BETTER_HIGH,
     "the least ratio of a host to the median of all hosts, of all checks"},
    {"triad_MB_per_s", "Memory bandwidth of a host", "MB/s", CM_BETTER_HIGH,
     "STREAM's triad of a host, median of the hosts"},
    {"gemm_Mflop_per_s", "Matrix product of a host", "Mflop/s", CM_BETTER_HIGH,
     "matrix product of a host, double precision, median of the hosts"},
    {"latency_us", "Latency between hosts", "us", CM_BETTER_LOW,
     "half the round trip of one byte between two hosts, median of the hosts"},
    {"link_MB_per_s", "Bandwidth between hosts", "MB/s", CM_BETTER_HIGH,
     "bandwidth from one host to another, median of the hosts"},
    {0},
};

typedef struct {
    int host, ranks;
    bool slow;
    double figure[NODES_CLOCK], offset_s, error_s, ratio[NODES_CLOCK];
    nodes_segments tcp;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, host, "host", "%.0f"),
    CM_COLUMN(table_row, ranks, "ranks", "%.0f"),
    CM_COLUMN(table_row, slow, "slow", "=no|yes"),
    CM_COLUMN(table_row, figure[NODES_TRIAD], "triad_MB_per_s", "%.5g"),
    CM_COLUMN(table_row, figure[NODES_GEMM], "gemm_Mflop_per_s", "%.5g"),
    CM_COLUMN(table_row, figure[NODES_QUIET], "quiet", "%.4f"),
    CM_COLUMN(table_row, figure[NODES_LATENCY], "latency_us", "%.4g"),
    CM_COLUMN(table_row, figure[NODES_SEND], "send_MB_per_s", "%.4g"),
    CM_COLUMN(table_row, figure[NODES_RECEIVE], "receive_MB_per_s", "%.4g"),
    CM_COLUMN(table_row, offset_s, "clock_offset_s", "%.2e"),
    CM_COLUMN(table_row, error_s, "clock_error_s", "%.2e"),
    CM_COLUMN(table_row, ratio[NODES_TRIAD], "triad_ratio", "%.3f"),
    CM_COLUMN(table_row, ratio[NODES_GEMM], "gemm_ratio", "%.3f"),
    CM_COLUMN(table_row, ratio[NODES_QUIET], "quiet_ratio", "%.3f"),
    CM_COLUMN(table_row, ratio[NODES_LATENCY], "latency_ratio", "%.3f"),
    CM_COLUMN(table_row, ratio[NODES_SEND], "send_ratio", "%.3f"),
    CM_COLUMN(table_row, ratio[NODES_RECEIVE], "receive_ratio", "%.3f"),
    CM_COLUMN(table_row, tcp.segments, "tcp_segments", "%.0f"),
    CM_COLUMN(table_row, tcp.again, "tcp_sent_again", "%.0f"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void add_key(const char *key, const char *value, void *context)
{
    cm_result_meta(context, key, "%s", value);
}

cm_result *nodes_result_open(const cm_benchmark *benchmark, int32_t seed)
{
    const nodes_options *options = benchmark->options;
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    cm_run_meta(result);
    nodes_describe(add_key, result);
    cm_run_meta_bound(result, options->bind);
    cm_result_meta_number(result, "trial_seconds", options->trial_s, "%g");
    cm_result_meta_number(result, "message_bytes", (double)options->size_bytes, "%.0f");
    cm_result_meta_number(result, "partners_seed", seed, "%.0f");
    cm_result_meta_number(result, "false_alarms", options->false_alarms, "%g");
    if (options->minutes > 0)
        cm_result_meta_number(result, "burn_in_minutes", options->minutes, "%g");
    return result;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool is_slow(const nodes_analysis *a, int host)
{
    for (int kind = 0; kind < NODES_CHECKS; kind++)
        if (a->slow[kind][host] || a->groups[kind].slower[host]) return true;
    return false;
}

static void write_row(cm_result *result, const nodes_place *place, const nodes_figures *f,
                      const nodes_analysis *a, int host)
{
    table_row row = {.host = host,
                     .ranks = place->ranks[host],
                     .slow = is_slow(a, host),
                     .offset_s = f->offset_s[host],
                     .error_s = f->error_s[host],
                     .tcp = nodes_again_host(f, host)};
    for (int kind = 0; kind < NODES_CLOCK; kind++) {
        const double figure = a->figure[kind][host], effect = a->effect[kind][host];
        const bool latency = kind == NODES_LATENCY;
        row.figure[kind] = latency ? 1e6 / figure : kind == NODES_QUIET ? figure : 1e-6 * figure;
        row.ratio[kind] = exp(latency ? -effect : effect);
    }
    cm_result_row(result, &row, NULL, NULL);
}

/* ---- Samples, for the JSON ------------------------------------------------------------------- */

/* Writes a host's computation rates, round by round. */
static void write_computed(cm_result *result, const nodes_figures *f, int host, double *value)
{
    static const struct {
        const char *of, *unit;
        double factor;
    } kinds[NODES_COMPUTE] = {[NODES_TRIAD] = {"triad_MB_per_s", "MB/s", 1e-6},
                              [NODES_GEMM] = {"gemm_Mflop_per_s", "Mflop/s", 1e-6},
                              [NODES_QUIET] = {"quiet", "1", 1}};
    const size_t rounds = (size_t)(f->rounds + f->again);
    for (int kind = 0; kind < NODES_COMPUTE; kind++) {
        const double *rate = f->compute[kind] + (size_t)host * rounds;
        size_t n = 0;
        for (size_t k = 0; k < rounds; k++)
            if (!isnan(rate[k])) value[n++] = kinds[kind].factor * rate[k];
        if (n) cm_result_row_samples(result, kinds[kind].of, kinds[kind].unit, n, value);
    }
}

/* Writes a host's rates with its partners, in the order in which they were drawn. again: the rates
   of the pairs that were measured again. */
static void write_met(cm_result *result, int host, size_t n, const nodes_pair *pair, bool again,
                      double *value)
{
    static const char *const of[][2] = {{"partner", "again_partner"},
                                        {"latency_us", "again_latency_us"},
                                        {"send_MB_per_s", "again_send_MB_per_s"},
                                        {"receive_MB_per_s", "again_receive_MB_per_s"}};
    static const char *const unit[] = {"1", "us", "MB/s", "MB/s"};
    for (int kind = 0; kind < 4; kind++) {
        size_t met = 0;
        for (size_t k = 0; k < n; k++) {
            const nodes_pair *p = &pair[k];
            const bool first = p->first == host;
            if (p->second < 0 || (!first && p->second != host)) continue;
            const double of_kind[] = {first ? p->second : p->first, 1e6 * p->latency_s,
                                      1e-6 * (first ? p->out_B_per_s : p->in_B_per_s),
                                      1e-6 * (first ? p->in_B_per_s : p->out_B_per_s)};
            value[met++] = of_kind[kind];
        }
        if (met) cm_result_row_samples(result, of[kind][again], unit[kind], met, value);
    }
}

static void write_samples(cm_result *result, const nodes_figures *f, int host)
{
    const size_t rounds = (size_t)(f->rounds + f->again), hosts = (size_t)f->hosts;
    const size_t again = (size_t)f->again * (size_t)f->candidates;
    double *value = malloc((rounds + again + 1) * sizeof *value);
    if (!value) cm_abort(CM_EXIT_SYSTEM, "out of memory for the samples of %d hosts", f->hosts);
    write_computed(result, f, host, value);
    write_met(result, host, rounds * hosts, f->pair, false, value);
    write_met(result, host, again, f->more, true, value);
    free(value);
}

/* ---- Findings -------------------------------------------------------------------------------- */

typedef struct {
    cm_result *result;
    const char **name;
    int found, split; /* split: keys without a value that most hosts have */
} findings;

static void tell_odd(size_t host, const char *key, const char *value, const char *usual,
                     size_t others, void *context)
{
    findings *f = context;
    bool is_up = usual && !value && strchr(key, ' ');
    const cm_finding finding = {
        .who = f->name[host], .what = CM_FINDING_STANDS_OUT, .quantity = {.name = key}};
    cm_result_finding(f->result, &finding, "%s %s; %zu others: %s", key,
                      value   ? value
                      : is_up ? "not up"
                              : "not given",
                      others, usual ? usual : "not given");
    f->found++;
}

/* Two kinds of hosts, or two hosts: nobody is named, but it is said. */
static void tell_split(const char *key, const char *words, void *context)
{
    enum { LINES = 32 };
    findings *f = context;
    const cm_finding finding = {.what = CM_FINDING_SPLIT, .quantity = {.name = key}};
    const cm_finding further = {.what = CM_FINDING_SPLIT};
    if (f->split < LINES) cm_result_finding(f->result, &finding, "%s", words);
    if (f->split++ == LINES) cm_result_finding(f->result, &further, "in further keys, too");
}

static void tell_slow(const cm_finding *finding, const char *text, void *context)
{
    findings *f = context;
    cm_result_finding(f->result, finding, "%s", text);
}

/* A finding without somebody; value and bound in the unit. */
static cm_finding said(const char *what, const char *quantity, double value, const char *unit,
                       double bound)
{
    return (cm_finding){
        .what = what, .quantity = {.name = quantity, .value = value, .unit = unit}, .bound = bound};
}

/* "a host with triad below 0.93 of the others, ..., or latency above 1.1 times theirs". */
static char *bound_words(const nodes_analysis *a)
{
    static const char *const words[] = {
        [NODES_TRIAD] = "triad below %.2g of the others'",
        [NODES_GEMM] = "matrix product below %.2g",
        [NODES_QUIET] = "time for fixed work below %.2g",
        [NODES_LATENCY] = "latency above %.3g times theirs",
        [NODES_SEND] = "rate of sending below %.2g",
        [NODES_RECEIVE] = "rate of receiving below %.2g",
    };
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) cm_abort(CM_EXIT_SYSTEM, "out of memory for a comment");
    for (int kind = 0; kind < NODES_CLOCK; kind++) {
        double bound = a->bound[kind];
        if (isnan(bound)) continue;
        if (kind != NODES_TRIAD) fputs(", ", out);
        fprintf(out, words[kind], kind == NODES_LATENCY ? 1 / bound : bound); /* NOLINT: those */
    }
    if (!isnan(a->bound[NODES_CLOCK]))
        fprintf(out, ", or a clock off by more than %.3g s", a->bound[NODES_CLOCK]);
    if (fclose(out) != 0) cm_abort(CM_EXIT_SYSTEM, "out of memory for a comment");
    return text;
}

/* One line with the bounds of all kinds. */
static void tell_host_bounds(cm_result *result, const nodes_analysis *a)
{
    cm_finding bounds[NODES_CHECKS];
    size_t n = 0;
    for (int kind = 0; kind < NODES_CHECKS; kind++) {
        const double bound = kind == NODES_LATENCY ? 1 / a->bound[kind] : a->bound[kind];
        if (isnan(bound)) continue;
        bounds[n++] = said(CM_FINDING_LIMIT, nodes_names[kind], NAN, NULL, bound);
    }
    char *words = bound_words(a);
    if (n > 0) cm_result_findings(result, bounds, n, "a host with %s", words);
    free(words);
}

/* Writes the limits beyond which a host is a finding. */
static void tell_bounds(cm_result *result, const nodes_analysis *a)
{
    const cm_finding pair = said(CM_FINDING_LIMIT, "pair_send", NAN, NULL, a->bound_links);
    tell_host_bounds(result, a);
    if (a->bound_links > 0)
        cm_result_finding(result, &pair,
                          "a pair that was drawn, below %.2g of what its hosts reach with others",
                          a->bound_links);
}

static const char *const kind_words[] = {
    [NODES_TRIAD] = "triad",     [NODES_GEMM] = "matrix product", [NODES_QUIET] = "fixed work",
    [NODES_LATENCY] = "latency", [NODES_SEND] = "sending",        [NODES_RECEIVE] = "receiving",
};

/* Returns the kinds in which a host at half of the others' rate would not have been named,
   "latency, sending"; NULL: none. The caller frees. */
static char *blind_words(const nodes_analysis *a)
{
    char text[128] = "";
    size_t used = 0;
    for (int kind = 0; kind < NODES_CLOCK; kind++)
        if (nodes_is_blind(a, (nodes_check_kind)kind))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                                     kind_words[kind]);
    return used ? strdup(text) : NULL;
}

static double worst_bound(const nodes_analysis *a)
{
    double worst = 1;
    for (int kind = 0; kind < NODES_CLOCK; kind++) worst = fmin(worst, a->bound[kind]);
    return worst;
}

/* Nothing was found. Returns whether that says something. split: the inventory differs. */
static bool tell_nothing(cm_result *result, const nodes_options *options, const nodes_figures *f,
                         const nodes_analysis *a, bool split)
{
    if (f->hosts < NODES_FEWEST) {
        cm_result_finding(result, &(cm_finding){.what = CM_FINDING_NONE}, "%s",
                          split ? "the inventory differs, but no host from most hosts"
                                : "the inventory does not differ");
        return true;
    }
    char *blind = blind_words(a);
    const bool pairs_cut = f->candidates > 0 && f->again < options->again && !(a->bound_links > 0);
    if (!blind && !pairs_cut) {
        cm_result_finding(result, &(cm_finding){.what = CM_FINDING_NONE, .bound = worst_bound(a)},
                          "no host and no pair stands out; a host below %.2g of the others would "
                          "have been named",
                          worst_bound(a));
        return true;
    }
    const int done = f->rounds + f->again;
    for (int kind = 0; kind < NODES_CLOCK; kind++) {
        const cm_finding finding = said(CM_FINDING_CANNOT_TELL, nodes_names[kind], NAN, NULL, 0);
        if (nodes_is_blind(a, (nodes_check_kind)kind))
            cm_result_finding(result, &finding,
                              "after %d rounds a host at half of the others' rate would not have "
                              "been named for: %s",
                              done, kind_words[kind]);
    }
    const cm_finding cut =
        said(CM_FINDING_CANNOT_TELL, "pair_send", f->again, "rounds", (double)options->again);
    if (pairs_cut)
        cm_result_finding(result, &cut,
                          "pairs that looked slow were measured again in only %d of %lld rounds",
                          f->again, (long long)options->again);
    if (!f->burn)
        fprintf(stderr,
                "cm-nodes: could not tell whether a host is slow (%s) after %d rounds; give a "
                "longer --time-limit, more --rounds or longer --trial-seconds\n",
                blind ? blind : "pairs", done);
    free(blind);
    return false;
}

/* Writes how certain the findings are. */
static void tell_limits(cm_result *result, const nodes_figures *f, const nodes_analysis *a)
{
    if (f->hosts < NODES_FEWEST) {
        const cm_finding few = said(CM_FINDING_FEW_HOSTS, "hosts", f->hosts, "hosts", NODES_FEWEST);
        cm_result_finding(result, &few,
                          "%d host%s: which of fewer than 4 is slow cannot be told from which is "
                          "fast; no host is named for its figures",
                          f->hosts, f->hosts == 1 ? "" : "s");
        return;
    }
    const double pairs = 0.5 * f->hosts * (f->hosts - 1);
    const cm_finding alarms =
        said(CM_FINDING_FALSE_ALARMS, "false_alarms", a->false_alarms, "1", 0);
    const cm_finding covered = said(CM_FINDING_COVERED, "pairs", f->drawn, "pairs", pairs);
    cm_result_finding(result, &alarms,
                      "in at most %g of runs with hosts that are all alike, shared by %d kinds of "
                      "checks and %d hosts",
                      a->false_alarms, a->tests, f->hosts);
    char again[64] = "";
    if (f->candidates > 0 && f->again > 0)
        snprintf(again, sizeof again, "; %d measured again in the last %d of them", f->candidates,
                 f->again);
    cm_result_finding(result, &covered, "%d of %.0f drawn in %d rounds%s", f->drawn, pairs,
                      f->rounds + f->again, again);
    tell_bounds(result, a);
}

/* Returns false if nothing was found where nothing could have been. */
static bool tell_findings(cm_result *result, const nodes_options *options, const nodes_place *place,
                          const nodes_figures *figures, const nodes_analysis *a)
{
    findings f = {.result = result, .name = calloc((size_t)place->hosts, sizeof *f.name)};
    if (!f.name) cm_abort(CM_EXIT_SYSTEM, "out of memory for the names of %d hosts", place->hosts);
    for (int host = 0; host < place->hosts; host++)
        f.name[host] = cm_host(cm_world(), place->first[host]);
    if (!cm_result_each_odd(result, tell_odd, &f) || !cm_result_each_split(result, tell_split, &f))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for what differs between %d hosts", place->hosts);
    f.found += nodes_findings(a, f.name, tell_slow, &f);
    /* A burn-in that could tell is a result, whatever the few rounds before it could; one that
       could not is none. */
    bool burn_told = false;
    if (figures->burn)
        f.found += nodes_burn_tell(result, figures->burn, options, f.name, &burn_told);
    const bool rounds_told = f.found > 0 || tell_nothing(result, options, figures, a, f.split > 0);
    const bool told = f.found > 0 || (figures->burn ? burn_told : rounds_told);
    if (!told && figures->burn)
        fprintf(stderr,
                "cm-nodes: could not tell whether a host got slower in a burn-in of %.3g minutes; "
                "give more --minutes\n",
                figures->burn->minutes);
    nodes_again_tell(result, figures, f.name);
    tell_limits(result, figures, a);
    if (told) cm_result_metric(result, f.found == 0, "findings", cm_quantity_of(f.found));
    free(f.name);
    return told;
}

/* ---- Metrics --------------------------------------------------------------------------------- */

static double median_of(const nodes_analysis *a, nodes_check_kind kind)
{
    double *room = malloc((size_t)a->hosts * sizeof *room);
    size_t n = 0;
    if (!room) cm_abort(CM_EXIT_SYSTEM, "out of memory for the figures of %d hosts", a->hosts);
    for (int host = 0; host < a->hosts; host++)
        if (!isnan(a->figure[kind][host])) room[n++] = a->figure[kind][host];
    double median = nodes_median(room, n);
    free(room);
    return median;
}

static double slowest_ratio(const nodes_analysis *a)
{
    double least = 1;
    for (int kind = 0; kind < NODES_CLOCK; kind++)
        for (int host = 0; host < a->hosts; host++) least = fmin(least, exp(a->effect[kind][host]));
    return least;
}

/* A value over all hosts, which has no interval. */
static void tell_metric(cm_result *result, const char *metric, double value,
                        const nodes_checked *checked, const nodes_analysis *a)
{
    cm_quantity q = cm_quantity_of(value);
    q.over = "hosts";
    q.n = (size_t)a->hosts;
    q.disturbed = checked->disturbed;
    if (!isnan(value)) cm_result_metric(result, true, metric, q);
}

int nodes_result_close(cm_result *result, const nodes_options *options, const nodes_place *place,
                       const nodes_figures *figures, const nodes_checked *checked)
{
    nodes_analysis a;
    if (!nodes_analyse(figures, options->false_alarms, &a))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the figures of %d hosts", place->hosts);
    for (int host = 0; host < place->hosts; host++) {
        write_row(result, place, figures, &a, host);
        if (options->files.json) write_samples(result, figures, host);
        if (options->files.json && figures->burn) nodes_burn_samples(result, figures->burn, host);
    }
    cm_result_check(result, "wrong_bytes", checked->wrong_bytes, "==", 0);
    cm_result_check(result, "triad_error", checked->triad_error, "<=", CM_STREAM_TOLERANCE);
    if (!isnan(checked->gemm_error))
        cm_result_check(result, "gemm_error", checked->gemm_error, "==", 0);
    const bool told = tell_findings(result, options, place, figures, &a);
    tell_metric(result, "slowest_ratio", slowest_ratio(&a), checked, &a);
    tell_metric(result, "triad_MB_per_s", 1e-6 * median_of(&a, NODES_TRIAD), checked, &a);
    tell_metric(result, "gemm_Mflop_per_s", 1e-6 * median_of(&a, NODES_GEMM), checked, &a);
    tell_metric(result, "latency_us", 1e6 / median_of(&a, NODES_LATENCY), checked, &a);
    tell_metric(result, "link_MB_per_s", 1e-6 * median_of(&a, NODES_SEND), checked, &a);
    nodes_analysis_free(&a);
    const int status = cm_result_close(result);
    return status || told ? status : CM_EXIT_SYSTEM;
}
