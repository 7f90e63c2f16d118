/* SPDX-License-Identifier: BSD-3-Clause */
/* page_hosts_stream.c: the memory bandwidth of each host, of cm-stream's rows. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "results/hosts_alike.h"

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

/* The best of each host with as many ranks at once as there were; NaN: it has none. */
static double *triads_of(const cm_record *stream)
{
    double *best = suite_array(stream->n_hosts, sizeof *best), number, rate;
    double *most = suite_array(stream->n_hosts, sizeof *most), at_once;
    for (size_t host = 0; host < stream->n_hosts; host++) best[host] = NAN;
    for (size_t row = 0; row < stream->n_rows; row++) {
        if (!says(stream, row, "kernel", "triad") || !says(stream, row, "place", "memory")
            || !number_in(stream, row, "host", &number) || !(number >= 0)
            || number >= (double)stream->n_hosts || number != floor(number)
            || !number_in(stream, row, "ranks_at_once", &at_once)
            || !number_in(stream, row, "median_MB_per_s", &rate) || at_once < most[(size_t)number])
            continue;
        const size_t host = (size_t)number;
        best[host] = at_once > most[host] || isnan(best[host]) ? rate : fmax(best[host], rate);
        most[host] = at_once;
    }
    free(most);
    return best;
}

double *page_hosts_stream(const cm_record *stream, const cm_record *hosts)
{
    double *value = suite_array(hosts->n_hosts, sizeof value[0]);
    double *triad = stream ? triads_of(stream) : NULL;
    /* Its hosts may be in another order. */
    suite_index there = stream ? suite_hosts_index(stream) : (suite_index){0};
    for (size_t host = 0; host < hosts->n_hosts; host++) {
        const size_t place = suite_index_find(&there, hosts->host[host].name);
        value[host] = place < there.n && triad ? triad[place] : NAN;
    }
    suite_index_free(&there);
    free(triad);
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
