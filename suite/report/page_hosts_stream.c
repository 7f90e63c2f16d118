/* SPDX-License-Identifier: BSD-3-Clause */
/* page_hosts_stream.c: the memory bandwidth of each host, of cm-stream's rows. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"

static bool number_in(const cm_record *record, size_t row, const char *name, double *value)
{
    int column = cm_record_column(record, name);
    return column >= 0 && cm_record_number(cm_record_cell(record, row, (size_t)column), value);
}

static bool says(const cm_record *record, size_t row, const char *name, const char *word)
{
    int column = cm_record_column(record, name);
    return column >= 0 && strcmp(cm_record_cell(record, row, (size_t)column), word) == 0;
}

/* The host's place in the other record, whose rows may be in another order; -1: it is not there. */
static double place_of(const cm_record *record, const char *name)
{
    for (size_t host = 0; host < record->n_hosts; host++)
        if (strcmp(record->host[host].name, name) == 0) return (double)host;
    return -1.0;
}

/* Returns the triad with as many ranks at once as there were. */
static double triad_of(const cm_record *stream, double host)
{
    double best = NAN, most = 0.0, at_once, number, rate;
    for (size_t row = 0; row < stream->n_rows; row++) {
        if (!says(stream, row, "kernel", "triad") || !says(stream, row, "place", "memory")
            || !number_in(stream, row, "host", &number) || number != host
            || !number_in(stream, row, "ranks_at_once", &at_once)
            || !number_in(stream, row, "median_MB_per_s", &rate) || at_once < most)
            continue;
        best = at_once > most || isnan(best) ? rate : fmax(best, rate);
        most = at_once;
    }
    return best;
}

double *page_hosts_stream(const cm_record *stream, const cm_record *hosts)
{
    double *value = suite_array(hosts->n_hosts, sizeof value[0]);
    for (size_t host = 0; host < hosts->n_hosts; host++)
        value[host] = stream ? triad_of(stream, place_of(stream, hosts->host[host].name)) : NAN;
    return value;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double *page_hosts_ratios(const double *value, size_t n)
{
    double *sorted = suite_array(n, sizeof sorted[0]), *ratio = suite_array(n, sizeof ratio[0]);
    size_t known = 0;
    for (size_t k = 0; k < n; k++)
        if (!isnan(value[k])) sorted[known++] = value[k];
    qsort(sorted, known, sizeof sorted[0], by_value);
    double median = known ? (sorted[(known - 1) / 2] + sorted[known / 2]) / 2 : NAN;
    for (size_t k = 0; k < n; k++) ratio[k] = value[k] / median;
    free(sorted);
    return ratio;
}
