/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_kind.c: the table of the tiles, and behind it what does not fit into a cell. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "common/unit.h"
#include "pages.h"

/* ---- Programs that scale --------------------------------------------------------------------- */

static bool is_heat(const suite_run *run)
{
    return strcmp(run->base, "heat") == 0 || strcmp(run->base, "heat-node") == 0;
}

static bool can_scale(const suite_entry *entry)
{
    return entry->state == SUITE_COMPLETE && suite_meta_number(&entry->record, "ranks", 1) > 1
           && cm_record_metric_of(&entry->record, "speed_up");
}

/* Heat diffusion on most ranks that were not too many for the cores; else LINPACK on two. */
static const char *choose_scaling(const suite_measured *measured)
{
    const char *found = NULL, *other = NULL;
    double most = 0;
    for (size_t r = 0; r < measured->table->n; r++) {
        const suite_run *run = &measured->table->run[r];
        const cm_record *record = &measured->entry[r].record;
        if (!can_scale(&measured->entry[r])) continue;
        if (strcmp(run->base, "linpack-classic") == 0 && !other) other = run->name;
        double ranks = suite_meta_number(record, "ranks", 1);
        if (suite_result_oversubscribed(record)) ranks /= 1e6;
        if (!is_heat(run) || ranks <= most) continue;
        most = ranks;
        found = run->name;
    }
    if (found) return found;
    return other ? other : "heat";
}

/* The kernel's gain is not a speed-up; the words say what one rank is compared with. */
static char *words_scaling(const suite_tile *tile)
{
    const cm_record_metric *gain = cm_record_metric_of(tile->record, "gain_over_plain");
    char *times = suite_three_digits(strtod(tile->metric->value, NULL));
    char *kernel = gain ? suite_three_digits(strtod(gain->value, NULL)) : NULL;
    char *words = said_tile_scaling(strncmp(tile->name, "heat", 4) == 0,
                                    suite_meta_number(tile->record, "ranks", NAN), times, kernel);
    free(times);
    free(kernel);
    return words;
}

static void bound_scaling(suite_tile *tile)
{
    tile->bound = 100;
    tile->bound_is = suite_copy(SAID_BOUND_IDEAL);
    tile->bound_from = suite_copy(SAID_BOUND_FROM_RANKS);
}

/* ---- Throughput ------------------------------------------------------------------------------ */

/* The tile's number is the highest row, which the rate of a link bounds; the bandwidth is the slope
   of a fitted line, if one was found, and may be above that rate. */
static char *words_throughput(const suite_tile *tile)
{
    bool several = suite_meta_number(tile->record, "hosts", 1) > 1;
    const cm_record_metric *fitted = cm_record_metric_of(tile->record, "bandwidth_Mbit_per_s");
    double value;
    char unit[SUITE_UNIT];
    if (!fitted || !cm_record_number(fitted->value, &value))
        return said_tile_throughput(several, NULL, NULL);
    double divisor = suite_unit_easy(value, fitted->unit, NULL, unit);
    char *number = suite_three_digits(value / divisor);
    char *words = said_tile_throughput(several, number, unit);
    free(number);
    return words;
}

static void bound_throughput(suite_tile *tile)
{
    const char *from;
    if (suite_meta_number(tile->record, "hosts", 1) < 2) return;
    tile->bound = suite_link_Mbit_per_s(tile->record, &tile->bound_is, &from);
    if (tile->bound_is) tile->bound_from = suite_copy(from);
}

/* ---- One host -------------------------------------------------------------------------------- */

static void bound_memory(suite_tile *tile)
{
    double bytes = suite_meta_number(tile->record, "memory_peak_bytes_per_s", NAN);
    if (!isfinite(bytes)) return;
    tile->bound = 1e-6 * bytes;
    tile->bound_is = said_bound_channels(suite_meta_number(tile->record, "memory_channels", NAN));
    tile->bound_from = suite_copy(SAID_BOUND_FROM_MODULES);
}

/* Returns true if this says of a part of the peak that it was measured. */
static bool is_measured(const cm_record *record, const char *key)
{
    const char *from = cm_record_meta(record, key);
    return from && strncmp(from, "measured", strlen("measured")) == 0;
}

/* Sets the bound of the cores that the ranks of a host had. */
static void bound_arithmetic(suite_tile *tile)
{
    const cm_record *record = tile->record;
    double core = suite_meta_number(record, "core_peak_flop_per_s", NAN);
    double ranks = suite_meta_number(record, "ranks", NAN);
    double cores = suite_meta_number(record, "cores", NAN);
    double used = ranks / suite_meta_number(record, "hosts", 1);
    if (used > cores) used = cores;
    if (!isfinite(core) || !isfinite(used)) return;
    tile->bound = 1e-9 * core * used;
    if (is_measured(record, "core_peak_from")) {
        tile->bound_is = said_bound_measured(used, 1e-9 * core);
        tile->bound_from = suite_copy(SAID_BOUND_FROM_CORE);
        return;
    }
    tile->bound_is = said_bound_units(used, suite_meta_number(record, "fma_units", NAN),
                                      suite_meta_number(record, "vector_bits", NAN),
                                      1e-9 * suite_meta_number(record, "core_clock_hz", NAN));
    tile->bound_from = said_bound_from_units(is_measured(record, "fma_units_from"),
                                             is_measured(record, "core_clock_from"));
}

/* ---- The table ------------------------------------------------------------------------------- */

const suite_tile_kind suite_tile_kinds[] = {
    {.key = "memory",
     .title = SAID_TILE_MEMORY_TITLE,
     .unit = "MB/s",
     .result = "stream",
     .metric = "triad_MB_per_s",
     .scale = 1,
     .one_host = SAID_TILE_MEMORY_ONE_HOST,
     .several_hosts = SAID_TILE_MEMORY_SEVERAL_HOSTS,
     .bound = bound_memory,
     .bound_label = SAID_TILE_MEMORY_BOUND_LABEL,
     .finding = {{"triad", SAID_ODD_MEMORY}},
     .subject = SAID_TILE_MEMORY_SUBJECT,
     .peak = SAID_TILE_MEMORY_PEAK},
    {.key = "core",
     .title = SAID_TILE_CORE_TITLE,
     .unit = "QUIPS",
     .result = "hint",
     .metric = "peak_quips_double",
     .scale = 1,
     .one_host = SAID_TILE_CORE_ONE_HOST,
     .finding = {{"quiet", SAID_ODD_QUIET}}},
    {.key = "arithmetic",
     .title = SAID_TILE_ARITHMETIC_TITLE,
     .unit = "Gflop/s",
     .result = "nodes",
     .metric = "gemm_Mflop_per_s",
     .scale = 1e-3,
     .one_host = SAID_TILE_ARITHMETIC_ONE_HOST,
     .several_hosts = SAID_TILE_ARITHMETIC_SEVERAL_HOSTS,
     .bound = bound_arithmetic,
     .bound_label = SAID_TILE_ARITHMETIC_BOUND_LABEL,
     .finding = {{"gemm", SAID_ODD_ARITHMETIC}},
     .subject = SAID_TILE_ARITHMETIC_SUBJECT,
     .peak = SAID_TILE_ARITHMETIC_PEAK},
    {.key = "latency",
     .title = SAID_TILE_LATENCY_TITLE,
     .unit = "us",
     .less_is_better = true,
     .network = true,
     .result = "netpipe",
     .metric = "latency_us",
     .scale = 1,
     .one_host = SAID_TILE_LATENCY_ONE_HOST,
     .several_hosts = SAID_TILE_LATENCY_SEVERAL_HOSTS,
     .finding = {{"latency", SAID_ODD_LATENCY}, {"pair_latency", SAID_ODD_LATENCY}}},
    {.key = "bandwidth",
     .title = SAID_TILE_BANDWIDTH_TITLE,
     .unit = "Mbit/s",
     .network = true,
     .result = "netpipe",
     .metric = "peak_Mbit_per_s",
     .scale = 1,
     .describe = words_throughput,
     .bound = bound_throughput,
     .bound_label = SAID_TILE_BANDWIDTH_BOUND_LABEL,
     .finding = {{"send", SAID_ODD_SENDING},
                 {"receive", SAID_ODD_RECEIVING},
                 {"pair_send", SAID_ODD_LINK},
                 {"sent_again", NULL},
                 {"pair_sent_again", NULL}},
     .subject = SAID_TILE_BANDWIDTH_SUBJECT,
     .peak = SAID_TILE_BANDWIDTH_PEAK},
    {.key = "scaling",
     .title = SAID_TILE_SCALING_TITLE,
     .unit = "%",
     .choose = choose_scaling,
     .metric = "speed_up",
     .scale = 100,
     .per_rank = true,
     .describe = words_scaling,
     .bound = bound_scaling,
     .bounds_models = true,
     .bound_label = SAID_TILE_SCALING_BOUND_LABEL},
};
const size_t suite_tile_n_kinds = sizeof suite_tile_kinds / sizeof *suite_tile_kinds;
