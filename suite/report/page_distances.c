/* SPDX-License-Identifier: BSD-3-Clause */
/* page_distances.c: a table for each host of cm-netpipe --distances: latency and throughput between
   two ranks on the threads of a core, on cores with one L3 cache, and further apart. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "common/unit.h"
#include "pages.h"

enum { EACH_MOST = 16 /* hosts with a table of their own */ };

static const struct {
    const char *name, *words; /* HTML, in one line each */
} distances[] = {{"same-core", SAID_DISTANCE_SAME_CORE},
                 {"same-l3", SAID_DISTANCE_SAME_L3},
                 {"same-socket", SAID_DISTANCE_SAME_SOCKET},
                 {"other-socket", SAID_DISTANCE_OTHER_SOCKET}};
enum { DISTANCES = sizeof distances / sizeof distances[0] };

/* The record, and what all of its tables have in common. */
typedef struct {
    FILE *out;
    const cm_record *record;
    /* Columns; -1: not there. */
    int host, distance, size, median, low, high, n, first, second;
    double least, most;                /* sizes, bytes */
    double time_divisor, rate_divisor; /* of seconds, of Mbit/s */
    char time_unit[SUITE_UNIT], rate_unit[SUITE_UNIT];
} view;

static double number_at(const view *v, size_t row, int column)
{
    double value;
    return column >= 0 && cm_record_number(cm_record_cell(v->record, row, (size_t)column), &value)
               ? value
               : NAN;
}

static double Mbit_per_s(double bytes, double time_s) { return 8e-6 * bytes / time_s; }

/* One unit for all tables, so that hosts can be compared. */
static void choose_units(view *v)
{
    double time_s = 0, rate = 0;
    for (size_t row = 0; row < v->record->n_rows; row++) {
        const double bytes = number_at(v, row, v->size), median = number_at(v, row, v->median);
        if (bytes == v->least) time_s = fmax(time_s, median);
        if (bytes == v->most) rate = fmax(rate, Mbit_per_s(bytes, median));
    }
    v->time_divisor = suite_unit_easy(time_s, "s", NULL, v->time_unit);
    v->rate_divisor = suite_unit_easy(rate, "Mbit/s", NULL, v->rate_unit);
}

static bool open_view(view *v)
{
    const cm_record *record = v->record;
    v->host = cm_record_column(record, "host");
    v->distance = cm_record_column(record, "distance");
    v->size = cm_record_column(record, "size_bytes");
    v->median = cm_record_column(record, "median_s");
    v->low = cm_record_column(record, "low_s");
    v->high = cm_record_column(record, "high_s");
    v->n = cm_record_column(record, "n");
    v->first = cm_record_column(record, "processor_0");
    v->second = cm_record_column(record, "processor_1");
    if (v->host < 0 || v->distance < 0 || v->size < 0 || v->median < 0) return false;
    v->least = INFINITY;
    for (size_t row = 0; row < record->n_rows; row++) {
        v->least = fmin(v->least, number_at(v, row, v->size));
        v->most = fmax(v->most, number_at(v, row, v->size));
    }
    choose_units(v);
    return true;
}

/* The row of a host, a distance and a size; -1: there is none. */
static int find(const view *v, size_t host, const char *distance, double bytes)
{
    for (size_t row = 0; row < v->record->n_rows; row++)
        if (number_at(v, row, v->host) == (double)host && number_at(v, row, v->size) == bytes
            && strcmp(cm_record_cell(v->record, row, (size_t)v->distance), distance) == 0)
            return (int)row;
    return -1;
}

/* Returns the reason why a host has no such pair, from the metadata "distance_lacking: 0 same-core:
   why". */
static const char *lacking(const view *v, size_t host, const char *distance)
{
    char *begin = suite_text("%zu %s: ", host, distance);
    const char *why = NULL;
    for (size_t m = 0; m < v->record->n_meta && !why; m++)
        if (strcmp(v->record->meta[m].key, "distance_lacking") == 0
            && strncmp(v->record->meta[m].value, begin, strlen(begin)) == 0)
            why = v->record->meta[m].value + strlen(begin);
    free(begin);
    return why;
}

static void print_quantity(const view *v, double value, double low, double high, size_t row)
{
    const bool range = suite_result_row_is_range(v->record, row);
    char *n = suite_text("%g", number_at(v, row, v->n));
    suite_digits digits = suite_digits_of(value, low, high);
    piece_distance_quantity(v->out, digits.value,
                            isfinite(low) && isfinite(high) ? digits.low : NULL, digits.high, range,
                            n);
    free(n);
}

static void print_row(const view *v, size_t host, size_t d)
{
    const int near = find(v, host, distances[d].name, v->least),
              far = find(v, host, distances[d].name, v->most);
    const char *why = lacking(v, host, distances[d].name);
    piece_distance(v->out, distances[d].words, distances[d].name);
    if (near < 0 || far < 0) {
        piece_distance_none(v->out, why);
        return;
    }
    const double time = v->time_divisor, rate = v->rate_divisor;
    piece_distance_pair(v->out, number_at(v, (size_t)near, v->first),
                        number_at(v, (size_t)near, v->second));
    print_quantity(v, number_at(v, (size_t)near, v->median) / time,
                   number_at(v, (size_t)near, v->low) / time,
                   number_at(v, (size_t)near, v->high) / time, (size_t)near);
    print_quantity(v, Mbit_per_s(v->most, number_at(v, (size_t)far, v->median)) / rate,
                   Mbit_per_s(v->most, number_at(v, (size_t)far, v->high)) / rate,
                   Mbit_per_s(v->most, number_at(v, (size_t)far, v->low)) / rate, (size_t)far);
    piece_row_end(v->out);
}

/* "1 MiB", "8 bytes"; the caller frees. */
static char *size_text(double bytes)
{
    enum { KiB = 1024, MiB = KiB * KiB };
    if (bytes >= MiB && fmod(bytes, MiB) == 0) return suite_text("%.0f MiB", bytes / MiB);
    if (bytes >= KiB && fmod(bytes, KiB) == 0) return suite_text("%.0f KiB", bytes / KiB);
    return suite_text("%.0f byte%s", bytes, bytes == 1 ? "" : "s");
}

static void print_host(const view *v, size_t host)
{
    const char *name =
        host < v->record->n_hosts ? v->record->host[host].name : cm_record_meta(v->record, "host");
    char *least = size_text(v->least), *most = size_text(v->most);
    piece_distances_begin(v->out, name, v->time_unit, least, v->rate_unit, most);
    for (size_t d = 0; d < DISTANCES; d++) print_row(v, host, d);
    piece_table_end(v->out);
    free(least);
    free(most);
}

/* Returns true if the result says something of the host's distances. */
static bool is_told(const view *v, size_t host)
{
    bool told = false;
    for (size_t d = 0; d < DISTANCES && !told; d++)
        told =
            find(v, host, distances[d].name, v->least) >= 0 || lacking(v, host, distances[d].name);
    return told;
}

bool page_distances(suite_page *page, const cm_record *record)
{
    view v = {.out = page->out, .record = record};
    size_t told = 0;
    if (!open_view(&v)) return false;
    const size_t hosts = record->n_hosts > 0 ? record->n_hosts : 1;
    for (size_t host = 0; host < hosts; host++) {
        if (!is_told(&v, host) || told++ >= EACH_MOST) continue;
        print_host(&v, host);
    }
    if (told > EACH_MOST) piece_distances_more(page->out, told - EACH_MOST);
    return told > 0;
}
