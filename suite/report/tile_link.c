/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_link.c: the rate of the network between hosts, from the metadata of the result itself. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "papers/needs.h"
#include "pages.h"

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

/* Returns the rate of the interface that the native backends report to use; NaN: they report none.
   */
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

double suite_link_Mbit_per_s(const cm_record *record, char **is, const char **from)
{
    const char *comm = cm_record_meta(record, "comm");
    bool virtual = cm_record_meta(record, "virtual_rate");
    double rate = comm && strcmp(comm, "mpi") == 0 && !virtual ? port_Mbit_per_s(record) : NAN;
    const char *kind = SAID_LINK_INFINIBAND, *said = SAID_BOUND_FROM_PORT;
    if (!isfinite(rate)) {
        rate = ethernet_Mbit_per_s(record);
        kind = virtual ? SAID_LINK_VIRTUAL : SAID_LINK_ETHERNET;
        said = virtual ? SAID_BOUND_FROM_PLACE : SAID_BOUND_FROM_DRIVER;
    }
    *is = NULL;
    if (from) *from = said;
    if (!isfinite(rate)) return NAN;
    char *words = rate_words(rate);
    *is = suite_text("%s %s", words, kind);
    free(words);
    return rate;
}
