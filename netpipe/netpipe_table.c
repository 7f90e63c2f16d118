/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_table.c: the columns of cm-netpipe's result. All modes have the first; single turns add
   percentiles, many pairs the slowest and the fastest of them, overlap what computing hides. */
#include "netpipe_program.h"

enum {
    COMMON = CM_SAMPLE_COLUMN_COUNT + 4,
    TURNS = NETPIPE_PERCENTILES + 1,
    PAIRS = 3,
    OVERLAP = 9,
    MOST = COMMON + TURNS + PAIRS + OVERLAP
};

static const cm_result_column of_turns[TURNS] = {
    {"p90_s", "%.4e"},   {"p95_s", "%.4e"},    {"p99_s", "%.4e"},
    {"p99_9_s", "%.4e"}, {"p99_99_s", "%.4e"}, {"max_s", "%.4e"},
};
static const cm_result_column of_pairs[PAIRS] = {
    {"slowest_pair", "%.0f"},
    {"slowest_pair_s", "%.4e"},
    {"fastest_pair_s", "%.4e"},
};

static const cm_result_column of_overlap[OVERLAP] = {
    {"compute_s", "%.4e"},
    {"total_s", "%.4e"},
    {"overlap", "%.4f"},
    {"overlap_low", "%.4f"},
    {"overlap_high", "%.4f"},
    {"progress_total_s", "%.4e"},
    {"progress_overlap", "%.4f"},
    {"progress_overlap_low", "%.4f"},
    {"progress_overlap_high", "%.4f"},
};

cm_result *netpipe_table_open(const cm_program *program, int argc, char **argv,
                              const netpipe_options *options)
{
    cm_result_column columns[MOST] = {
        {"size_bytes", "%.0f"},
        CM_SAMPLE_COLUMNS("_s", "%.4e"),
        {"throughput_Mbit_per_s", "%.3f"},
        {options->mode->iteration, "%.0f"},
        {"sweep", "%.0f"},
    };
    size_t n = COMMON;
    for (int k = 0; options->turns && k < TURNS; k++) columns[n++] = of_turns[k];
    for (int k = 0; options->pairs && k < PAIRS; k++) columns[n++] = of_pairs[k];
    for (int k = 0; options->overlap && k < OVERLAP; k++) columns[n++] = of_overlap[k];
    return cm_result_open(program, argc, argv, &options->files, columns, n);
}

double netpipe_Mbit_per_s(const netpipe_options *options, double bytes, double time_s)
{
    double pairs = options->pairs ? cm_size(cm_world()) / 2 : 1;
    return 8e-6 * pairs * options->mode->directions * bytes / time_s;
}

bool netpipe_table_row(cm_result *result, const netpipe_options *options,
                       const cm_pair_channel *channel, const cm_pair_point *point,
                       const netpipe_overlapped *overlapped, int64_t sweep)
{
    const cm_summary *s = &point->summary;
    double values[MOST] = {(double)point->bytes};
    double *next = cm_sample_values(s, values + 1);
    *next++ = netpipe_Mbit_per_s(options, (double)point->bytes, s->median);
    *next++ = (double)point->iterations;
    *next++ = (double)sweep;
    if (options->turns) {
        if (!netpipe_percentiles(&point->samples, next)) return false;
        next += NETPIPE_PERCENTILES;
        *next++ = s->max;
    }
    if (options->pairs) {
        cm_pairs_spread spread;
        if (!cm_pairs_compare(channel->pairs, &spread)) return false;
        *next++ = spread.slowest;
        *next++ = spread.slowest_s;
        *next++ = spread.fastest_s;
    }
    if (options->overlap) {
        *next++ = overlapped->compute_s;
        for (int way = 0; way < NETPIPE_WAYS; way++) {
            const netpipe_hidden *hidden = &overlapped->way[way];
            *next++ = hidden->total_s;
            *next++ = hidden->overlap;
            *next++ = hidden->low;
            *next++ = hidden->high;
        }
    }
    cm_result_row(result, values, &point->samples, "s");
    if (options->turns) netpipe_write_histogram(result, point, sweep);
    return true;
}
