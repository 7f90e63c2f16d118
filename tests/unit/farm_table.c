/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_table.c: what cm-farm concludes from the times of its rows, and what it leaves out because
   the times do not determine it. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include "../farm/farm.h"
#include "tap.h"

enum { UNITS = 120000 };
static const farm_options series = {.units = UNITS, .series = true, .batch = 1};
static char folder[] = "farm_table_XXXXXX";

/* A row of runs that took low_s to high_s. */
static farm_point point(int workers, int64_t batch, double low_s, double high_s)
{
    farm_point p = {.workers = workers, .units = UNITS, .batch = batch, .ceiling_per_s = NAN};
    p.last.batches = UNITS / batch;
    p.summary = (cm_summary){.n = low_s < high_s ? 3 : 1, .low = low_s, .high = high_s};
    p.summary.median = 0.5 * (low_s + high_s);
    p.coalesced_per_s = p.uncoalesced_per_s = NAN;
    return p;
}

static void derive(farm_table *table)
{
    for (int k = 0; k < table->n; k++) farm_table_derive(table, &table->point[k]);
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-12 * fabs(b); }

/* ---- Units and messages ---------------------------------------------------------------------- */

static void units(void)
{
    farm_options one = {.units = 1000, .batch = 7}, many = {.units = 1000, .series = true};
    bool even = true;
    ok(farm_plan_units(&one, 3) == 1000, "without a series --units is what is run");
    for (int64_t workers = 1; workers <= 40; workers++) {
        int64_t n = farm_plan_units(&many, workers);
        even = even && n >= 1000 && n < 1000 + 100 * workers && n % (100 * workers) == 0;
    }
    ok(even, "in a series every worker gets equally many of the largest batches");
    ok(farm_plan_units(&many, 0) == 1000, "one rank has no workers that could wait");
    many.units = UINT32_MAX;
    ok(farm_plan_units(&many, 7) == UINT32_MAX, "there are no more units than numbers");
    ok(farm_plan_least_messages(1) == 100 && farm_plan_least_messages(10) == 100
           && farm_plan_least_messages(19) == 190,
       "a rate needs 100 messages, and 10 for each worker");
}

/* ---- Overheads ------------------------------------------------------------------------------- */

static void overheads(void)
{
    farm_point points[] = {point(1, 100, 20, 20), point(1, 10, 19.5, 19.5), point(1, 1, 21.2, 21.2),
                           point(3, 100, 7, 8),   point(3, 10, 7.4, 8.4),   point(3, 1, 9, 9.2)};
    farm_table table = {.options = &series, .n = 6, .point = points};
    derive(&table);
    ok(points[0].overhead_s == 0 && points[0].overhead_message_s == 0,
       "the largest batch has no overhead by definition");
    ok(isnan(points[1].overhead_s) && isnan(points[1].overhead_message_s),
       "an overhead below zero is not determined");
    ok(near(points[2].overhead_s, 21.2 - 20)
           && near(points[2].overhead_message_s, (21.2 - 20) / (2 * UNITS)),
       "an overhead above zero is that of two messages per batch");
    farm_excess excess = farm_table_excess(&table, &points[4]);
    ok(near(excess.time_s, 7.9 - 7.5) && near(excess.spread_s, hypot(0.5, 0.5))
           && isnan(points[4].overhead_s),
       "an overhead below the spread of the runs is not determined");
    ok(near(points[5].overhead_s, 9.1 - 7.5), "one above it is");

    points[0].last.batches = 99;
    derive(&table);
    ok(isnan(points[0].messages_per_s) && isnan(points[0].overhead_s)
           && isnan(points[2].overhead_s),
       "99 messages are no rate, and no reference");
    ok(near(points[2].messages_per_s, UNITS / 21.2), "another row keeps its rate");
    points[5].workers = 0;
    derive(&table);
    ok(isnan(points[5].messages_per_s), "without workers there are no messages");

    points[0] = point(1, 1, 20, 20);
    points[1] = point(2, 1, 11, 11);
    points[1].units = UNITS + UNITS / 10;
    table.n = 2;
    ok(near(farm_speed_up(&table, &points[1]), 2), "a speed-up is that of the same work");
}

/* ---- Fits and saturation --------------------------------------------------------------------- */

/* What write says of the table, as text. */
static char *said(void (*write)(cm_result *result, const farm_table *table),
                  const farm_table *table)
{
    typedef struct {
        double n;
    } table_row;
    static const cm_result_column column = CM_COLUMN(table_row, n, "n", "%.0f");
    static const cm_metric metrics[] = {{0}};
    static const cm_program program = {.name = "cm-test", .purpose = "test", .metrics = metrics};
    static char name[64], text[1 << 16], *words[] = {"cm-test"};
    snprintf(name, sizeof name, "%s/result", folder);
    cm_result_files files = {.output = name, .force = true, .quiet = true};
    cm_result *result = cm_result_open(&program, 1, words, &files, &column, 1);
    if (!result) return strcpy(text, "no result");
    write(result, table);
    cm_result_close(result);
    FILE *file = fopen(name, "r");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
    if (file) fclose(file);
    remove(name);
    return text;
}

static void fits(void)
{
    farm_point points[] = {point(1, 100, 20, 20), point(2, 100, 9.9, 9.9), point(4, 100, 4.9, 4.9),
                           point(8, 100, 2.4, 2.4)};
    farm_table table = {.options = &series, .n = 4, .point = points};
    derive(&table);
    const char *text = said(farm_write_fits, &table);
    ok(!strstr(text, "\n# fit: model=amdahl_100 "), "a negative serial fraction is no result");
    ok(strstr(text, "\n# not determined: model=amdahl_100: serial_fraction: the fit gives -"),
       "and is said to be none");
    ok(!strstr(text, "contention=-") && !strstr(text, "coherence=-"),
       "nor is a negative contention or coherence one");
    for (int k = 1; k < table.n; k++) points[k].summary.median *= 1 + 0.05 * k;
    text = said(farm_write_fits, &table);
    ok(strstr(text, "\n# fit: model=amdahl_100 serial_fraction=0."), "a positive one is");
    for (int k = 0; k < table.n; k++) points[k].last.batches = 40;
    text = said(farm_write_fits, &table);
    ok(!strstr(text, "model=amdahl_100 "), "unless it comes from 40 messages");
}

static void saturation(void)
{
    farm_point points[] = {point(1, 1, 20, 20), point(3, 1, 7, 7)};
    farm_table table = {.options = &series, .n = 2, .point = points};
    points[0].ceiling_per_s = 60000;
    points[1].ceiling_per_s = 15000;
    derive(&table);
    const char *text = said(farm_write_saturation, &table);
    ok(strstr(text, "ceiling_per_s=60000 predicted_workers=10\n"),
       "the ceiling is the highest of all numbers of workers");
    points[0].ceiling_per_s = 16000;
    text = said(farm_write_saturation, &table);
    ok(!strstr(text, "model=saturation_1 one")
           && strstr(text, "\n# not determined: model=saturation_1: 16000 messages per second"),
       "a ceiling below a measured rate is none");
    farm_options none = series;
    none.work.kind = FARM_NONE;
    table.options = &none;
    text = said(farm_write_saturation, &table);
    ok(strstr(text, "ceiling_per_s=17143 "), "without work the rows measure it, too");
    table.options = &series;
    points[0].last.batches = 40;
    derive(&table);
    text = said(farm_write_saturation, &table);
    ok(strstr(text, "\n# not determined: model=saturation_1: too few messages of one worker"),
       "40 messages of one worker predict nothing");
}

int main(void)
{
    if (!mkdtemp(folder)) {
        ok(false, "a folder for results");
        return tap_done();
    }
    units();
    overheads();
    fits();
    saturation();
    rmdir(folder);
    return tap_done();
}
