/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_table.c: rows, histograms, and the paper's three tables beside ours. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "farm.h"

const cm_result_column farm_columns[FARM_COLUMNS] = {
    {"workers", "%.0f"},
    {"batch_units", "%.0f"},
    {"n", "%.0f"},
    {"min_s", "%.5g"},
    {"median_s", "%.5g"},
    {"low_s", "%.5g"},
    {"high_s", "%.5g"},
    {"units_per_s", "%.6g"},
    {"million_units_s", "%.5g"},
    {"messages_per_s", "%.5g"},
    {"message_us", "%.5g"},
    {"overhead_million_units_s", "%.4g"},
    {"overhead_message_us", "%.4g"},
    {"round_trip_p50_us", "%.5g"},
    {"round_trip_p99_us", "%.5g"},
    {"round_trip_p99_9_us", "%.5g"},
    {"round_trip_max_us", "%.5g"},
    {"master_busy", "%.3g"},
    {"workers_busy", "%.3g"},
    {"speed_up", "%.4g"},
    {"of_plain", "%.4g"},
    {"sent", "%.0f"},
    {"received", "%.0f"},
};

static const double us_per_s = 1e6;

static const farm_point *find(const farm_table *table, int workers, int64_t batch)
{
    for (int k = 0; k < table->n; k++)
        if (table->point[k].workers == workers && table->point[k].batch == batch)
            return &table->point[k];
    return NULL;
}

double farm_messages_per_s(const farm_point *p)
{
    return (double)p->last.batches / p->summary.median;
}

static const farm_point *largest_batch(const farm_table *table, int workers)
{
    const farm_point *largest = NULL;
    for (int k = 0; k < table->n; k++)
        if (table->point[k].workers == workers
            && (!largest || table->point[k].batch > largest->batch))
            largest = &table->point[k];
    return largest;
}

/* Time above that of the largest batch with as many workers (pelikan-2007); NaN where there is
   nothing to compare with. */
static double overhead_s(const farm_table *table, const farm_point *p)
{
    const farm_point *largest = largest_batch(table, p->workers);
    bool alone = true;
    for (int k = 0; k < table->n; k++)
        alone = alone && (table->point[k].workers != p->workers || &table->point[k] == p);
    return alone ? NAN : p->summary.median - largest->summary.median;
}

/* The same over 2 * batches messages. */
static double overhead_message_s(const farm_table *table, const farm_point *p)
{
    return overhead_s(table, p) / (2 * (double)p->last.batches);
}

double farm_speed_up(const farm_table *table, const farm_point *p)
{
    const farm_point *one = find(table, 1, p->batch);
    return one ? one->summary.median / p->summary.median : NAN;
}

/* From this run's units to the paper's million. */
static double per_million(const farm_table *table)
{
    return FARM_PAPER_UNITS / (double)table->options->units;
}

void farm_table_row(cm_result *result, const farm_table *table, const farm_point *p)
{
    const farm_outcome *o = &p->last;
    const cm_summary *s = &p->summary;
    double units = (double)table->options->units;
    const double values[FARM_COLUMNS] = {
        p->workers,
        (double)p->batch,
        (double)s->n,
        s->min,
        s->median,
        s->low,
        s->high,
        units / s->median,
        s->median * per_million(table),
        farm_messages_per_s(p),
        us_per_s / farm_messages_per_s(p),
        overhead_s(table, p) * per_million(table),
        us_per_s * overhead_message_s(table, p),
        us_per_s * farm_round_trips_quantile(o->trips, 0.5),
        us_per_s * farm_round_trips_quantile(o->trips, 0.99),
        us_per_s * farm_round_trips_quantile(o->trips, 0.999),
        o->trips->n > 0 ? us_per_s * o->trips->longest_s : NAN,
        p->workers > 0 ? p->master_busy : NAN,
        p->workers > 0 ? p->workers_busy : NAN,
        farm_speed_up(table, p),
        units / s->median * table->plain_unit_s,
        (double)o->sent,
        (double)o->received,
    };
    cm_result_row(result, values, &p->times, "s");
}

void farm_table_histogram(cm_result *result, const farm_point *p)
{
    uint64_t count[FARM_COARSE_BINS];
    farm_round_trips_coarse(p->last.trips, count);
    for (int k = 0; k < FARM_COARSE_BINS; k++)
        if (count[k] > 0)
            cm_result_comment(result,
                              "histogram: workers=%d batch_units=%lld from_s=%.4e "
                              "to_s=%.4e count=%llu",
                              p->workers, (long long)p->batch, farm_coarse_edge_s(k),
                              farm_coarse_edge_s(k + 1), (unsigned long long)count[k]);
}

/* ---- The paper's tables ---------------------------------------------------------------------- */

/* Two numbers of a cell; ours may not have been measured. */
typedef struct {
    double ours[2], theirs[2];
} pair;
typedef pair cell_function(const farm_table *table, const farm_point *p,
                           const farm_printed *printed);

static pair time_cell(const farm_table *table, const farm_point *p, const farm_printed *printed)
{
    return (pair){{p->summary.median * per_million(table), NAN}, {printed->time_s, NAN}};
}

static pair rate_cell(const farm_table *table, const farm_point *p, const farm_printed *printed)
{
    (void)table;
    return (pair){{farm_messages_per_s(p), us_per_s / farm_messages_per_s(p)},
                  {printed->messages_per_s, printed->message_us}};
}

static pair overhead_cell(const farm_table *table, const farm_point *p, const farm_printed *printed)
{
    return (pair){
        {overhead_s(table, p) * per_million(table), us_per_s * overhead_message_s(table, p)},
        {printed->overhead_s, printed->overhead_message_us}};
}

/* Three digits and more, and no powers of ten. */
static int print_ours(char *text, size_t size, double number)
{
    double magnitude = fabs(number);
    int decimals = number == 0 || magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
    return snprintf(text, size, "%.*f", decimals, number);
}

/* As printed. */
static int print_theirs(char *text, size_t size, double number)
{
    return snprintf(text, size, "%.10g", number);
}

static void print_numbers(char *text, size_t size, const double number[2],
                          int (*print)(char *text, size_t size, double number))
{
    if (isnan(number[0])) {
        snprintf(text, size, "-");
        return;
    }
    int used = print(text, size, number[0]);
    if (isnan(number[1])) return;
    used += snprintf(text + used, size - (size_t)used, ":");
    print(text + used, size - (size_t)used, number[1]);
}

static void print_table(cm_result *result, const farm_table *table, const char *title,
                        cell_function *cell)
{
    enum { LINE = 200, CELL = 48 };
    char line[LINE], ours[CELL], theirs[CELL], both[2 * CELL + 4];
    const farm_counts *batches = &farm_paper_batches;
    cm_result_comment(result, "%s", title);
    int used = snprintf(line, sizeof line, "%-12s", "");
    for (int b = 0; b < batches->n; b++)
        used +=
            snprintf(line + used, sizeof line - (size_t)used, "%26d-batch", (int)batches->value[b]);
    cm_result_comment(result, "%s", line);
    int last = 0;
    for (int k = 0; k < table->n; k++) {
        int workers = table->point[k].workers;
        if (workers == last) continue;
        last = workers;
        used = snprintf(line, sizeof line, "%2d worker%-3s", workers, workers == 1 ? "" : "s");
        for (int b = 0; b < batches->n; b++) {
            const farm_point *p = find(table, workers, batches->value[b]);
            if (!p) continue;
            farm_printed printed = farm_paper(workers, p->batch);
            pair numbers = cell(table, p, &printed);
            print_numbers(ours, sizeof ours, numbers.ours, print_ours);
            print_numbers(theirs, sizeof theirs, numbers.theirs, print_theirs);
            snprintf(both, sizeof both, "%s (%s)", ours, theirs);
            used += snprintf(line + used, sizeof line - (size_t)used, "%32s", both);
        }
        cm_result_comment(result, "%s", line);
    }
}

void farm_table_paper(cm_result *result, const farm_table *table)
{
    const farm_options *o = table->options;
    cm_result_comment(result, "The tables of pelikan-2007, its numbers (5 nodes of 2 Xeon 5148, "
                              "Gigabit Ethernet, 10^6 units of 32 KB) in brackets");
    if (o->units != FARM_PAPER_UNITS)
        cm_result_comment(result,
                          "scaled: %lld units were run; seconds are those of 10^6 at the "
                          "same rate",
                          (long long)o->units);
    if (o->unit_bytes != FARM_PAPER_UNIT_BYTES || o->work.kind != FARM_SHA1)
        cm_result_comment(result, "not the paper's work: units of %lld bytes, --work %s",
                          (long long)o->unit_bytes, o->work_text);
    print_table(result, table, "table: overall time (s)", time_cell);
    print_table(result, table,
                "table: messages from the master (1/s) : the master's time for one "
                "(us)",
                rate_cell);
    print_table(result, table,
                "table: overhead, against the largest batch (s) : for one of two "
                "messages a batch (us)",
                overhead_cell);
}
