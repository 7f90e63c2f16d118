/* SPDX-License-Identifier: BSD-3-Clause */
/* tiles.c: which metric of which result answers the question of a tile. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "common/unit.h"

static const struct {
    const char *title, *name, *metric;
    double scale; /* from the metric's unit to the quantity's */
} sources[SUITE_QUANTITIES] = {
    [SUITE_MEMORY] = {"Memory", "stream", "triad_MB_per_s", 1},
    [SUITE_CORE] = {"One core", "hint", "peak_quips_double", 1},
    [SUITE_ARITHMETIC] = {"Node arithmetic", "nodes", "gemm_Mflop_per_s", 1e-3},
    [SUITE_LATENCY] = {"Latency", "netpipe", "latency_us", 1},
    [SUITE_BANDWIDTH] = {"Throughput", "netpipe", "peak_Mbit_per_s", 1},
    [SUITE_SCALING] = {"How programs scale", "heat", "speed_up", 100},
};

/* ---- Programs that scale --------------------------------------------------------------------- */

static bool is_heat(const suite_run *run)
{
    return strcmp(run->base, "heat") == 0 || strcmp(run->base, "heat-node") == 0;
}

static bool can_scale(const suite_entry *entry)
{
    return entry->state == SUITE_COMPLETE && suite_meta_number(&entry->record, "ranks", 1) > 1
           && cm_record_verdict_of(&entry->record, sources[SUITE_SCALING].metric);
}

/* Heat diffusion on most ranks that were not too many for the cores; else LINPACK on two. */
static const char *scaling_name(const suite_measured *measured)
{
    const char *found = NULL, *other = NULL;
    double most = 0;
    for (size_t r = 0; r < measured->table->n; r++) {
        const suite_run *run = &measured->table->run[r];
        const cm_record *record = &measured->entry[r].record;
        if (!can_scale(&measured->entry[r])) continue;
        if (strcmp(run->base, "linpack-classic") == 0 && !other) other = run->name;
        double ranks = suite_meta_number(record, "ranks", 1);
        if (suite_result_crowded(record)) ranks /= 1e6;
        if (!is_heat(run) || ranks <= most) continue;
        most = ranks;
        found = run->name;
    }
    if (found) return found;
    return other ? other : sources[SUITE_SCALING].name;
}

/* ---- In words -------------------------------------------------------------------------------- */

/* What the kernel gains is no speed-up, but says what one rank is compared with. */
static char *gain_words(const cm_record *record)
{
    const cm_record_verdict *gain = cm_record_verdict_of(record, "gain_over_plain");
    if (!gain) return suite_copy("");
    char *times = suite_three_digits(strtod(gain->value, NULL));
    char *words = suite_text(", where the same kernel is %s times as fast as plain loops", times);
    free(times);
    return words;
}

static char *scaling_words(const suite_tile *tile)
{
    bool heat = strncmp(tile->name, "heat", 4) == 0;
    char *times = suite_three_digits(strtod(tile->verdict->value, NULL));
    char *gain = gain_words(tile->record);
    char *words = suite_text("%s on %.0f ranks is %s times as fast as on one%s",
                             heat ? "Heat diffusion" : "LINPACK",
                             suite_meta_number(tile->record, "ranks", NAN), times, gain);
    free(times);
    free(gain);
    return words;
}

/* The tile's number is the highest row, which the rate of a link bounds; the bandwidth is the slope
   of a fitted line, if one was found, and may be above that rate. */
static char *throughput_words(const suite_tile *tile)
{
    bool several = suite_meta_number(tile->record, "hosts", 1) > 1;
    const char *where = several ? "two hosts" : "two cores of this host";
    const cm_record_verdict *fitted = cm_record_verdict_of(tile->record, "bandwidth_Mbit_per_s");
    double value;
    char unit[SUITE_UNIT];
    if (!fitted || !cm_record_number(fitted->value, &value))
        return suite_text("Highest row of messages between %s; no bandwidth was fitted", where);
    double divisor = suite_unit_easy(value, fitted->unit, NULL, unit);
    char *number = suite_three_digits(value / divisor);
    char *words = suite_text("Highest row of messages between %s; the bandwidth, fitted to the "
                             "longest messages, is %s %s",
                             where, number, unit);
    free(number);
    return words;
}

static char *words_of(const suite_tile *tile)
{
    bool several = suite_meta_number(tile->record, "hosts", 1) > 1;
    switch (tile->quantity) {
    case SUITE_MEMORY:
        return suite_text("Bytes a second through memory, by all cores of %s at once (STREAM's "
                          "triad)",
                          several ? "the slowest host" : "the host");
    case SUITE_CORE:
        return suite_copy("How fast one core improves an answer, at best (HINT)");
    case SUITE_ARITHMETIC:
        return suite_text("Double-precision matrix products, on all cores of %s",
                          several ? "a host; the median host" : "the host");
    case SUITE_LATENCY:
        return suite_text("One byte from %s (half a round trip)",
                          several ? "one host to another" : "one core to another of this host");
    case SUITE_BANDWIDTH:
        return throughput_words(tile);
    default:
        return scaling_words(tile);
    }
}

/* A tile that was not measured says what would measure it. */
static char *missing_of(const suite_measured *measured, const char *name)
{
    for (size_t r = 0; r < measured->table->n; r++) {
        const suite_run *run = &measured->table->run[r];
        const suite_entry *entry = &measured->entry[r];
        if (strcmp(run->name, name) != 0) continue;
        if (entry->state == SUITE_COMPLETE) return suite_copy("the result does not have it");
        return suite_text("%s%.*s", entry->state == SUITE_FAILED ? "it failed: " : "",
                          (int)strcspn(entry->text, "\n"), entry->text);
    }
    return suite_copy("this place does not run it");
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void set_value(suite_tile *tile)
{
    double scale = sources[tile->quantity].scale, value;
    if (tile->quantity == SUITE_SCALING) scale /= suite_meta_number(tile->record, "ranks", NAN);
    if (!cm_record_number(tile->verdict->value, &value)) value = NAN;
    tile->value = scale * value;
    tile->low = scale * tile->verdict->low;
    tile->high = scale * tile->verdict->high;
}

static void make(const suite_measured *measured, suite_quantity quantity, suite_tile *tile)
{
    const char *name = sources[quantity].name, *metric = sources[quantity].metric;
    *tile = (suite_tile){
        .quantity = quantity, .title = sources[quantity].title, .metric = metric, .bound = NAN};
    if (quantity == SUITE_SCALING) name = scaling_name(measured);
    tile->name = suite_copy(name);
    const cm_record *record = suite_measured_record(measured, name);
    const cm_record_verdict *verdict = record ? cm_record_verdict_of(record, metric) : NULL;
    double value;
    if (quantity == SUITE_SCALING && record && suite_meta_number(record, "ranks", 1) < 2) {
        tile->missing = suite_copy("there was one rank");
        return;
    }
    if (!verdict || !cm_record_number(verdict->value, &value)) {
        tile->missing = missing_of(measured, name);
        return;
    }
    tile->record = record;
    tile->verdict = verdict;
    tile->what = words_of(tile);
    set_value(tile);
    suite_tile_bound(tile, measured);
    suite_tile_light(tile, measured);
}

void suite_tiles_make(const suite_measured *measured, suite_tile tile[SUITE_QUANTITIES])
{
    for (int k = 0; k < SUITE_QUANTITIES; k++) make(measured, (suite_quantity)k, &tile[k]);
}

void suite_tiles_free(suite_tile tile[SUITE_QUANTITIES])
{
    for (int k = 0; k < SUITE_QUANTITIES; k++) {
        free(tile[k].name);
        free(tile[k].what);
        free(tile[k].bound_is);
        free(tile[k].missing);
        free(tile[k].why);
    }
}
