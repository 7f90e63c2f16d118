/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_compare.c: the paper's three tables, its numbers beside ours. */
#include <math.h>
#include <stdio.h>
#include "farm.h"

static const double us_per_s = 1e6;

/* Two numbers of a cell; NaN: ours has not been measured or is not determined. */
typedef struct {
    double ours[2], theirs[2];
} pair;
typedef pair cell_function(const farm_point *p, const farm_printed *printed);

static pair time_cell(const farm_point *p, const farm_printed *printed)
{
    return (pair){{p->summary.median * farm_per_million(p), NAN}, {printed->time_s, NAN}};
}

static pair rate_cell(const farm_point *p, const farm_printed *printed)
{
    return (pair){{p->messages_per_s, us_per_s / p->messages_per_s},
                  {printed->messages_per_s, printed->message_us}};
}

static pair overhead_cell(const farm_point *p, const farm_printed *printed)
{
    return (pair){{p->overhead_s * farm_per_million(p), us_per_s * p->overhead_message_s},
                  {printed->overhead_s, printed->overhead_message_us}};
}

/* At least three digits, without an exponent. */
static int print_ours(char *text, size_t size, double number)
{
    double magnitude = fabs(number);
    int decimals = number == 0 || magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
    return snprintf(text, size, "%.*f", decimals, number);
}

/* Prints the paper's number as it is printed there. */
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
            const farm_point *p = farm_table_find(table, workers, batches->value[b]);
            if (!p) continue;
            farm_printed printed = farm_paper(workers, p->batch);
            pair numbers = cell(p, &printed);
            print_numbers(ours, sizeof ours, numbers.ours, print_ours);
            print_numbers(theirs, sizeof theirs, numbers.theirs, print_theirs);
            snprintf(both, sizeof both, "%s (%s)", ours, theirs);
            used += snprintf(line + used, sizeof line - (size_t)used, "%32s", both);
        }
        cm_result_comment(result, "%s", line);
    }
}

void farm_compare_paper(cm_result *result, const farm_table *table)
{
    const farm_options *o = table->options;
    cm_result_comment(result,
                      "The tables of pelikan-2007, with its numbers in brackets (5 nodes with 2 "
                      "Xeon 5148 each, Gigabit Ethernet, 10^6 units of 32 KB); -: not determined");
    if (o->units != FARM_PAPER_UNITS)
        cm_result_comment(
            result,
            "scaled: %lld units were run, and more where workers x the largest batch do "
            "not divide them (column units); seconds are those of 10^6 at the same rate",
            (long long)o->units);
    if (o->unit_bytes != FARM_PAPER_UNIT_BYTES || o->work.kind != FARM_SHA1)
        cm_result_comment(result, "the work is not the paper's: units of %lld bytes, --work %s",
                          (long long)o->unit_bytes, o->work_text);
    print_table(result, table, "table: overall time (s)", time_cell);
    print_table(result, table,
                "table: messages per second from the master (1/s) : the time of one (us)",
                rate_cell);
    print_table(result, table,
                "table: overhead: time above that of the largest batch (s) : the same for each of "
                "two messages per batch (us)",
                overhead_cell);
}
