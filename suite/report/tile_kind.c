/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_kind.c: the table of the tiles, and behind it what does not fit into a cell. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "common/unit.h"

/* ---- Programs that scale --------------------------------------------------------------------- */

static bool is_heat(const suite_run *run)
{
    return strcmp(run->base, "heat") == 0 || strcmp(run->base, "heat-node") == 0;
}

static bool can_scale(const suite_entry *entry)
{
    return entry->state == SUITE_COMPLETE && suite_meta_number(&entry->record, "ranks", 1) > 1
           && cm_record_verdict_of(&entry->record, "speed_up");
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
static char *gain_words(const cm_record *record)
{
    const cm_record_verdict *gain = cm_record_verdict_of(record, "gain_over_plain");
    if (!gain) return suite_copy("");
    char *times = suite_three_digits(strtod(gain->value, NULL));
    char *words = suite_text(", where the same kernel is %s times as fast as plain loops", times);
    free(times);
    return words;
}

static char *words_scaling(const suite_tile *tile)
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

static void bound_scaling(suite_tile *tile)
{
    tile->bound = 100;
    tile->bound_is = suite_copy("the ideal, one rank's speed times their number");
}

/* ---- Throughput ------------------------------------------------------------------------------ */

/* The tile's number is the highest row, which the rate of a link bounds; the bandwidth is the slope
   of a fitted line, if one was found, and may be above that rate. */
static char *words_throughput(const suite_tile *tile)
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

static void bound_throughput(suite_tile *tile)
{
    if (suite_meta_number(tile->record, "hosts", 1) > 1)
        tile->bound = suite_link_Mbit_per_s(tile->record, &tile->bound_is);
}

/* ---- One host -------------------------------------------------------------------------------- */

static void bound_memory(suite_tile *tile)
{
    double bytes = suite_meta_number(tile->record, "memory_peak_bytes_per_s", NAN);
    if (!isfinite(bytes)) return;
    tile->bound = 1e-6 * bytes;
    tile->bound_is =
        suite_text("%.0f memory channels", suite_meta_number(tile->record, "memory_channels", NAN));
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
    const char *from = cm_record_meta(record, "core_peak_from");
    if (from && strncmp(from, "measured", strlen("measured")) == 0) {
        tile->bound_is =
            suite_text("%.4g cores x %.3g Gflop/s, measured on one", used, 1e-9 * core);
        return;
    }
    tile->bound_is = suite_text("%.4g cores x %.0f FMA units x %.0f bits x %.3g GHz", used,
                                suite_meta_number(record, "fma_units", NAN),
                                suite_meta_number(record, "vector_bits", NAN),
                                1e-9 * suite_meta_number(record, "core_clock_hz", NAN));
}

/* ---- The table ------------------------------------------------------------------------------- */

const suite_tile_kind suite_tile_kinds[] = {
    {.key = "memory",
     .title = "Memory",
     .unit = "MB/s",
     .result = "stream",
     .metric = "triad_MB_per_s",
     .scale = 1,
     .one_host = "Bytes a second through memory, by all cores of the host at once (STREAM's triad)",
     .several_hosts = "Bytes a second through memory, by all cores of the slowest host at once "
                      "(STREAM's triad)",
     .bound = bound_memory,
     .bound_label = "its memory channels",
     .finding = {{"triad", "memory"}},
     .subject = "memory",
     .peak = "its channels' speed"},
    {.key = "core",
     .title = "One core",
     .unit = "QUIPS",
     .result = "hint",
     .metric = "peak_quips_double",
     .scale = 1,
     .one_host = "How fast one core improves an answer, at best (HINT)",
     .finding = {{"quiet", "time for programs"}}},
    {.key = "arithmetic",
     .title = "Node arithmetic",
     .unit = "Gflop/s",
     .result = "nodes",
     .metric = "gemm_Mflop_per_s",
     .scale = 1e-3,
     .one_host = "Double-precision matrix products, on all cores of the host",
     .several_hosts = "Double-precision matrix products, on all cores of a host; the median host",
     .bound = bound_arithmetic,
     .bound_label = "its cores' peak",
     .finding = {{"gemm", "arithmetic"}},
     .subject = "arithmetic",
     .peak = "its cores' peak"},
    {.key = "latency",
     .title = "Latency",
     .unit = "us",
     .less_is_better = true,
     .network = true,
     .result = "netpipe",
     .metric = "latency_us",
     .scale = 1,
     .one_host = "One byte from one core to another of this host (half a round trip)",
     .several_hosts = "One byte from one host to another (half a round trip)",
     .finding = {{"latency", "latency"}, {"pair_latency", "latency"}}},
    {.key = "bandwidth",
     .title = "Throughput",
     .unit = "Mbit/s",
     .network = true,
     .result = "netpipe",
     .metric = "peak_Mbit_per_s",
     .scale = 1,
     .describe = words_throughput,
     .bound = bound_throughput,
     .bound_label = "its link",
     .finding = {{"send", "sending"}, {"receive", "receiving"}, {"pair_send", "link"}},
     .subject = "network",
     .peak = "its link's speed"},
    {.key = "scaling",
     .title = "How programs scale",
     .unit = "%",
     .choose = choose_scaling,
     .metric = "speed_up",
     .scale = 100,
     .per_rank = true,
     .describe = words_scaling,
     .bound = bound_scaling,
     .bounds_models = true,
     .bound_label = "ideal"},
};
const size_t suite_tile_n_kinds = sizeof suite_tile_kinds / sizeof *suite_tile_kinds;

const suite_tile_kind *suite_tile_kind_find(const char *key)
{
    for (size_t k = 0; k < suite_tile_n_kinds; k++)
        if (strcmp(key, suite_tile_kinds[k].key) == 0) return &suite_tile_kinds[k];
    return NULL;
}
