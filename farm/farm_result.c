/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_result.c: columns, metadata, a row and a histogram for each number of workers and batch
   size, checks and metrics. */
#include <math.h>
#include <stdio.h>
#include "farm.h"

const char *const farm_sha1_kinds[] = {"libcrypto", "multi", NULL};

const cm_metric farm_metrics[] = {
    {"units_per_s", "Units of work computed", "1/s", CM_BETTER_HIGH,
     "units computed by all workers together, the highest rate of all rows"},
    {"messages_per_s", "Messages sent by the master", "1/s", CM_BETTER_HIGH,
     "messages with work from the master to all workers, the highest rate of all rows"},
    {0},
};

typedef struct {
    farm_point point;
    double units_per_s, million_units_s, message_us, overhead_million_units_s, overhead_message_us;
    double p50_us, p99_us, p99_9_us, max_us; /* of a round trip */
    double master_busy, workers_busy, speed_up, of_plain;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, point.workers, "workers", "%.0f"),
    CM_COLUMN(table_row, point.batch, "batch_units", "%.0f"),
    CM_SUMMARY_COLUMNS(table_row, point.summary, "_s", "%.5g"),
    CM_COLUMN(table_row, units_per_s, "units_per_s", "%.6g"),
    CM_COLUMN(table_row, million_units_s, "million_units_s", "%.5g"),
    CM_COLUMN(table_row, point.messages_per_s, "messages_per_s", "%.5g"),
    CM_COLUMN(table_row, message_us, "message_us", "%.5g"),
    CM_COLUMN(table_row, overhead_million_units_s, "overhead_million_units_s", "%.4g"),
    CM_COLUMN(table_row, overhead_message_us, "overhead_message_us", "%.4g"),
    CM_COLUMN(table_row, p50_us, "round_trip_p50_us", "%.5g"),
    CM_COLUMN(table_row, p99_us, "round_trip_p99_us", "%.5g"),
    CM_COLUMN(table_row, p99_9_us, "round_trip_p99_9_us", "%.5g"),
    CM_COLUMN(table_row, max_us, "round_trip_max_us", "%.5g"),
    CM_COLUMN(table_row, master_busy, "master_busy", "%.3g"),
    CM_COLUMN(table_row, workers_busy, "workers_busy", "%.3g"),
    CM_COLUMN(table_row, speed_up, "speed_up", "%.4g"),
    CM_COLUMN(table_row, of_plain, "of_plain", "%.4g"),
    CM_COLUMN(table_row, point.last.sent, "sent", "%.0f"),
    CM_COLUMN(table_row, point.last.received, "received", "%.0f"),
    CM_COLUMN(table_row, point.units, "units", "%.0f"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const double us_per_s = 1e6;

cm_result *farm_result_open(const cm_benchmark *benchmark)
{
    return cm_run_result_open(benchmark, columns, COLUMNS);
}

/* ---- Metadata -------------------------------------------------------------------------------- */

static const char *list(const farm_counts *counts, char *text, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < counts->n && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", k ? "," : "",
                                 (long long)counts->value[k]);
    return text;
}

static void write_work(const farm_lead *l)
{
    const farm_options *o = l->table.options;
    cm_result_meta_number(l->result, "units", (double)o->units, "%.0f");
    cm_result_meta_number(l->result, "unit_bytes", (double)o->unit_bytes, "%.0f");
    cm_result_meta(l->result, "work", "%s", o->work_text);
    if (o->work.kind != FARM_SHA1) return;
    bool multi = o->work.sha1 == FARM_MULTI;
    cm_result_meta(l->result, "sha1", "%s%s%s", farm_sha1_kinds[o->work.sha1], multi ? ", " : "",
                   multi ? farm_computer_sha1(l->computer) : "");
    cm_result_meta(l->result, "sha1_library", "%s", farm_sha1_version());
}

static const char *coalesce_text(const farm_lead *l)
{
    const farm_options *o = l->table.options;
    if (l->coalesces) return "on: short messages may share a write";
    if (o->coalesce == FARM_COALESCE_OFF) return "off";
    if (o->credit == 1) return "off: one batch in flight";
    return "off: this backend sends each message at once";
}

void farm_result_meta(const farm_lead *l)
{
    enum { LIST = 32 * FARM_MOST_COUNTS };
    const farm_options *o = l->table.options;
    char text[FARM_DIGEST_TEXT], counts[LIST];
    cm_run_meta(l->result);
    cm_run_meta_bound(l->result, o->sampling.bind);
    write_work(l);
    cm_result_meta(l->result, "workers", "%s",
                   cm_size(cm_world()) > 1 ? list(&l->workers, counts, sizeof counts)
                                           : "none: one rank is master and worker in one");
    cm_result_meta(l->result, "batches", "%s", list(&l->batches, counts, sizeof counts));
    cm_result_meta(l->result, "protocol", "%s", farm_protocols[o->protocol]);
    if (l->masters > 0) cm_result_meta_number(l->result, "masters", l->masters, "%.0f");
    cm_result_meta_number(l->result, "batches_in_flight", (double)o->credit, "%.0f");
    cm_result_meta(l->result, "coalesce", "%s", coalesce_text(l));
    cm_result_meta(l->result, "receive", "%s", farm_receives[o->receive]);
    cm_result_meta(l->result, "survive", "%s", o->survive ? "yes" : "no");
    cm_sample_meta(l->result, &o->sampling, "a run: from the first message to the last result");
    cm_result_meta(l->result, "digest", "%s", farm_digest_text(&l->digest, text));
    cm_result_meta(l->result, "digest_from", "%s", l->digest_from);
    if (!isnan(l->table.plain_unit_s))
        cm_result_meta_number(l->result, "plain_unit_us", us_per_s * l->table.plain_unit_s, "%.5g");
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static void write_row(const farm_lead *l, const farm_point *p, const cm_samples *times)
{
    const farm_table *table = &l->table;
    double units_per_s = (double)p->units / p->summary.median;
    const table_row row = {
        .point = *p,
        .units_per_s = units_per_s,
        .million_units_s = p->summary.median * farm_per_million(p),
        .message_us = us_per_s / p->messages_per_s,
        .overhead_million_units_s = p->overhead_s * farm_per_million(p),
        .overhead_message_us = us_per_s * p->overhead_message_s,
        .p50_us = us_per_s * farm_round_trips_quantile(p->trips, 0.5),
        .p99_us = us_per_s * farm_round_trips_quantile(p->trips, 0.99),
        .p99_9_us = us_per_s * farm_round_trips_quantile(p->trips, 0.999),
        .max_us = p->trips->n > 0 ? us_per_s * p->trips->longest_s : NAN,
        .master_busy = p->workers > 0 ? p->master_busy : NAN,
        .workers_busy = p->workers > 0 ? p->workers_busy : NAN,
        .speed_up = farm_speed_up(table, p),
        .of_plain = units_per_s * table->plain_unit_s,
    };
    cm_result_row(l->result, &row, times, "s");
}

static void write_histogram(cm_result *result, const farm_point *p)
{
    uint64_t count[FARM_COARSE_BINS];
    farm_round_trips_coarse(p->trips, count);
    for (int k = 0; k < FARM_COARSE_BINS; k++)
        if (count[k] > 0)
            cm_result_comment(result,
                              "histogram: workers=%d batch_units=%lld from_s=%.4e "
                              "to_s=%.4e count=%llu",
                              p->workers, (long long)p->batch, farm_coarse_edge_s(k),
                              farm_coarse_edge_s(k + 1), (unsigned long long)count[k]);
}

/* Says why a row has no rate or no overhead, if it has workers. If the largest batch has too few
   messages there is no overhead at all; its row says so. */
static void write_undetermined(const farm_lead *l, const farm_point *p)
{
    farm_excess excess = farm_table_excess(&l->table, p);
    bool largest = p->batch == l->batches.value[l->batches.n - 1];
    char which[64];
    snprintf(which, sizeof which, "workers=%d batch_units=%lld", p->workers, (long long)p->batch);
    if (p->workers == 0 || p->summary.n == 0) return;
    if (!farm_has_messages(p))
        cm_result_comment(l->result,
                          "not determined: %s: messages_per_s%s: %lld messages; at least %lld "
                          "are needed (--units)",
                          which,
                          l->batches.n == 1 ? ""
                          : largest         ? " and all overheads with as many workers"
                                            : " and overhead",
                          (long long)p->last.batches,
                          (long long)farm_plan_least_messages(p->workers));
    else if (isnan(p->overhead_s) && !isnan(excess.time_s))
        cm_result_comment(l->result,
                          "not determined: %s: overhead: the time minus that of the largest batch "
                          "is %.3g s, its spread %.2g s%s",
                          which, excess.time_s, excess.spread_s,
                          p->summary.n == 1 ? " (one run each)" : "");
}

void farm_result_row(const farm_lead *l, const farm_point *point, const cm_samples *times)
{
    write_row(l, point, times);
    write_undetermined(l, point);
    write_histogram(l->result, point);
}

/* ---- The end --------------------------------------------------------------------------------- */

/* A row whose first run is wrong has no time. The highest rate has the interval of its row. */
static void write_metrics(const farm_lead *l)
{
    cm_quantity units_per_s = cm_quantity_of(NAN), messages_per_s = cm_quantity_of(NAN);
    for (int k = 0; k < l->table.n; k++) {
        const farm_point *p = &l->table.point[k];
        const cm_quantity time_s = cm_quantity_median(&p->summary);
        units_per_s =
            cm_quantity_greater(units_per_s, cm_quantity_invert(time_s, (double)p->units));
        if (!isnan(p->messages_per_s))
            messages_per_s = cm_quantity_greater(
                messages_per_s, cm_quantity_invert(time_s, (double)p->last.batches));
    }
    bool right = l->wrong_digests == 0 && l->wrong_counts == 0;
    cm_result_metric(l->result, right, "units_per_s", units_per_s);
    if (!isnan(messages_per_s.value))
        cm_result_metric(l->result, right, "messages_per_s", messages_per_s);
}

void farm_result_end(const farm_lead *l)
{
    cm_sample_tell(l->result, &l->tally);
    if (l->table.options->survive)
        cm_result_comment(l->result,
                          "survived: workers_lost=%lld batches_given_again=%lld "
                          "units_by_the_master=%lld",
                          (long long)l->lost, (long long)l->again, (long long)l->alone);
    if (l->table.options->series) {
        farm_compare_paper(l->result, &l->table);
        farm_write_fits(l->result, &l->table);
    }
    farm_write_saturation(l->result, &l->table);
    cm_result_check(l->result, "wrong_digests", (double)l->wrong_digests, "==", 0);
    cm_result_check(l->result, "wrong_counts", (double)l->wrong_counts, "==", 0);
    write_metrics(l);
}
