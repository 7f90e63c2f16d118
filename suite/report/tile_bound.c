/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_bound.c: what the hardware can do at most, from the metadata of the result itself. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "papers/needs.h"

/* ---- The network ----------------------------------------------------------------------------- */

/* "10 Gbit/s", "100 Mbit/s" */
static char *rate_words(double Mbit_per_s)
{
    return Mbit_per_s >= 1000 ? suite_text("%.4g Gbit/s", Mbit_per_s / 1000)
                              : suite_text("%.4g Mbit/s", Mbit_per_s);
}

/* The fastest port of "mlx5_0/1 rate=100 Gb/sec (4X EDR) link=InfiniBand": an MPI takes such a port
   where there is one. */
static double port_Mbit_per_s(const cm_record *record)
{
    double fastest = NAN;
    for (size_t k = 0; k < record->n_meta; k++) {
        const char *rate = strcmp(record->meta[k].key, "infiniband") == 0
                               ? strstr(record->meta[k].value, " rate=")
                               : NULL;
        char *end;
        double Gbit = rate ? strtod(rate + strlen(" rate="), &end) : 0;
        if (rate && strncmp(end, " Gb/sec", 7) == 0 && !(Gbit * 1000 <= fastest))
            fastest = Gbit * 1000;
    }
    return fastest;
}

/* Of the interface that the native backends say that they use; NaN: they do not say. */
static double interface_Mbit_per_s(const cm_record *record)
{
    static const char speed[] = " speed_Mbit_per_s=";
    const char *name = cm_record_meta(record, "interface");
    for (size_t k = 0; name && k < record->n_meta; k++) {
        const cm_record_entry *entry = &record->meta[k];
        size_t length = strlen(name);
        if (strcmp(entry->key, "nic") != 0 || strncmp(entry->value, name, length) != 0
            || entry->value[length] != ' ')
            continue;
        const char *at = strstr(entry->value, speed);
        if (at) return strtod(at + strlen(speed), NULL);
    }
    return NAN;
}

static double ethernet_Mbit_per_s(const cm_record *record)
{
    char *all = suite_needs_value(record, "Mbit_per_s");
    double rate = NAN;
    if (all && !cm_record_number(all, &rate)) rate = NAN;
    free(all);
    double own = interface_Mbit_per_s(record);
    return isfinite(own) && !cm_record_meta(record, "virtual_rate") ? own : rate;
}

double suite_link_Mbit_per_s(const cm_record *record, char **is)
{
    const char *comm = cm_record_meta(record, "comm");
    bool virtual = cm_record_meta(record, "virtual_rate");
    double rate = comm && strcmp(comm, "mpi") == 0 && !virtual ? port_Mbit_per_s(record) : NAN;
    const char *kind = "InfiniBand";
    if (!isfinite(rate)) {
        rate = ethernet_Mbit_per_s(record);
        kind = virtual ? "virtual network" : "Ethernet";
    }
    *is = NULL;
    if (!isfinite(rate)) return NAN;
    char *words = rate_words(rate);
    *is = suite_text("%s %s", words, kind);
    free(words);
    return rate;
}

/* ---- The others ------------------------------------------------------------------------------ */

static void bound_memory(suite_tile *tile)
{
    double bytes = suite_meta_number(tile->record, "memory_peak_bytes_per_s", NAN);
    if (!isfinite(bytes)) return;
    tile->bound = 1e-6 * bytes;
    tile->bound_is =
        suite_text("%.0f memory channels", suite_meta_number(tile->record, "memory_channels", NAN));
}

/* Of the cores that the ranks of a host had. */
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

void suite_tile_bound(suite_tile *tile, const suite_measured *measured)
{
    tile->bound = NAN;
    if (!tile->record || suite_is_dummy(measured)) return;
    if (tile->quantity == SUITE_SCALING) {
        tile->bound = 100;
        tile->bound_is = suite_copy("the ideal, one rank's speed times their number");
    }
    if (suite_is_simulated(measured)) return;
    if (tile->quantity == SUITE_MEMORY) bound_memory(tile);
    if (tile->quantity == SUITE_ARITHMETIC) bound_arithmetic(tile);
    if (tile->quantity == SUITE_BANDWIDTH && suite_meta_number(tile->record, "hosts", 1) > 1)
        tile->bound = suite_link_Mbit_per_s(tile->record, &tile->bound_is);
}
