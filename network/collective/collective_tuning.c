/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_tuning.c: chooses an algorithm for each operation, place, number of ranks and size
   from measured times, and writes the table of these choices (comm/tuning.h). */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "collective.h"
#include "machine/machine.h"

/* An algorithm that takes at most TIE times as long as the fastest is as good; so is one that takes
   at most NOISE times as long if the ranges of the two overlap. An algorithm is changed from one
   size to the next only if all sizes together gain a factor of CHANGE: noise does not make rows. */
static const double TIE = 1.05, NOISE = 1.25, CHANGE = 1.1;

/* ---- What is measured ------------------------------------------------------------------------ */

void collective_ranks_of_parts(int here, int hosts, collective_list *list)
{
    const int most = here > hosts ? here : hosts, least = here > hosts ? hosts : here;
    list->n = 0;
    for (int64_t k = 2; k < most; k *= 2) {
        list->value[list->n++] = k;
        if (k < least && least < 2 * k && least < most) list->value[list->n++] = least;
    }
    list->value[list->n++] = most;
}

/* ---- What is chosen -------------------------------------------------------------------------- */

static int compare(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int by_case(const void *left, const void *right)
{
    const collective_timed *a = left, *b = right;
    const int64_t pairs[][2] = {{a->collective, b->collective},
                                {a->place, b->place},
                                {a->ranks, b->ranks},
                                {a->bytes, b->bytes},
                                {a->algorithm.kind, b->algorithm.kind},
                                {a->algorithm.parameter, b->algorithm.parameter}};
    int order = 0;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs && !order; k++)
        order = compare(pairs[k][0], pairs[k][1]);
    return order;
}

/* The times of one operation, place and number of ranks: `sizes` rows of `kinds` algorithms, both
   in order. The list of algorithms begins with the simplest. */
typedef struct {
    const collective_timed *time;
    size_t sizes, kinds;
} sheet;

static const collective_timed *cell(const sheet *t, size_t size, size_t kind)
{
    return &t->time[size * t->kinds + kind];
}

/* What an algorithm loses against the fastest of a size, as a logarithm; 0: it ties. */
static double loss(const sheet *t, size_t size, size_t kind)
{
    const collective_timed *best = cell(t, size, 0), *own = cell(t, size, kind);
    for (size_t k = 1; k < t->kinds; k++)
        if (cell(t, size, k)->time_s < best->time_s) best = cell(t, size, k);
    const double ratio = own->time_s / best->time_s;
    const bool ties = ratio <= TIE || (ratio <= NOISE && own->time_s <= best->high_s);
    return ties ? 0 : log(ratio);
}

/* The size from which the second of two algorithms is faster, between those of two rows: where the
   logarithms of their ratios, drawn as a line over the logarithm of the size, cross 0. */
static size_t crossover(const sheet *t, size_t row, size_t before, size_t after)
{
    const double low = (double)cell(t, row, 0)->bytes, high = (double)cell(t, row + 1, 0)->bytes;
    double gain[2];
    for (size_t k = 0; k < 2; k++)
        gain[k] = log(cell(t, row + k, after)->time_s / cell(t, row + k, before)->time_s);
    double part = gain[0] > gain[1] ? gain[0] / (gain[0] - gain[1]) : 0.5;
    part = fmin(fmax(part, 0), 1);
    return (size_t)fmax(low + 1, fmin(high, ceil(low * pow(high / low, part))));
}

/* One algorithm for all sizes. */
static size_t choose_one(const sheet *t)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t k = 0; k < t->kinds; k++) {
        double sum = 0;
        for (size_t s = 0; s < t->sizes; s++) sum += loss(t, s, k);
        if (sum < least) least = sum, best = k;
    }
    return best;
}

/* The algorithms of all sizes whose losses, and the changes between them, are least in sum. */
static void choose_each(const sheet *t, size_t *chosen)
{
    const size_t kinds = t->kinds;
    double *sum = calloc(t->sizes * kinds, sizeof *sum); /* up to a size, ending with a kind */
    size_t *from = calloc(t->sizes * kinds, sizeof *from);
    if (!sum || !from) cm_abort(CM_EXIT_SYSTEM, "out of memory for the choices");
    for (size_t s = 0; s < t->sizes; s++)
        for (size_t k = 0; k < kinds; k++) {
            const size_t at = s * kinds + k;
            from[at] = k;
            if (s > 0) {
                const double *before = sum + at - k - kinds;
                double least = before[k];
                for (size_t b = 0; b < kinds; b++)
                    if (before[b] + log(CHANGE) < least)
                        least = before[b] + log(CHANGE), from[at] = b;
                sum[at] = least;
            }
            sum[at] += loss(t, s, k);
        }
    const double *last = sum + (t->sizes - 1) * kinds;
    size_t best = 0;
    for (size_t k = 1; k < kinds; k++)
        if (last[k] < last[best]) best = k;
    for (size_t s = t->sizes; s-- > 0;) {
        chosen[s] = best;
        best = from[s * kinds + best];
    }
    free(sum);
    free(from);
}

static size_t rows_of(const sheet *t, cm_tuning_row *row)
{
    const collective_timed *first = t->time;
    size_t *chosen = calloc(t->sizes, sizeof *chosen), n = 0;
    if (!chosen) cm_abort(CM_EXIT_SYSTEM, "out of memory for the choices");
    if (cm_tuning_sized(first->collective)) choose_each(t, chosen);
    else chosen[0] = choose_one(t);
    for (size_t s = 0; s < (cm_tuning_sized(first->collective) ? t->sizes : 1); s++) {
        if (s > 0 && chosen[s] == chosen[s - 1]) continue;
        const size_t from = s ? crossover(t, s - 1, chosen[s - 1], chosen[s]) : 0;
        row[n++] = (cm_tuning_row){first->collective, first->place, first->ranks, from,
                                   cell(t, 0, chosen[s])->algorithm};
    }
    free(chosen);
    return n;
}

size_t collective_tuning_rows(collective_timed *times, size_t n, cm_tuning_row *row)
{
    size_t rows = 0, end;
    qsort(times, n, sizeof *times, by_case);
    for (size_t i = 0; i < n; i = end) {
        sheet t = {.time = times + i};
        for (end = i; end < n && times[end].collective == times[i].collective
                      && times[end].place == times[i].place && times[end].ranks == times[i].ranks;
             end++)
            t.kinds += times[end].bytes == times[i].bytes;
        t.sizes = (end - i) / t.kinds;
        rows += rows_of(&t, row + rows);
    }
    return rows;
}

/* ---- The file -------------------------------------------------------------------------------- */

static void write_head(FILE *file, const collective_options *options)
{
    const cm_hosts *hosts = cm_hosts_of(cm_world());
    char date[32] = "unknown";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    fprintf(file, CM_TUNING_FIRST "\nbackend: " CM_COMM "\nversion: " PACKAGE_VERSION "\n");
    fprintf(file, "date: %s\nhosts: %d, the first is %s\nranks_per_host: %d\ncores: %d\n", date,
            hosts->hosts, cm_host(cm_world(), 0), hosts->most, cm_machine_all_cores());
    fprintf(file,
            "measured: cm-collective, each operation after a barrier, the slowest rank, the "
            "fastest of %lld sweeps, bound: %s\n" CM_TUNING_COLUMNS "\n",
            (long long)options->sweeps, cm_machine_ways[options->sampling.bind]);
}

int collective_tuning_write(cm_result *result, const collective_options *options,
                            collective_timed *times, size_t n)
{
    char *text = NULL;
    size_t bytes = 0;
    cm_tuning_row *row = calloc(n, sizeof *row);
    FILE *file = row ? open_memstream(&text, &bytes) : NULL;
    if (!file) cm_abort(CM_EXIT_SYSTEM, "out of memory for the table of choices");
    const size_t rows = collective_tuning_rows(times, n, row);
    write_head(file, options);
    for (size_t i = 0; i < rows; i++) {
        char name[48];
        cm_algorithm_text(row[i].algorithm, name, sizeof name);
        fprintf(file, "%-14s %-8s %5d %10zu %s\n", cm_collective_name(row[i].collective),
                cm_tuning_places[row[i].place], row[i].ranks, row[i].from_bytes, name);
    }
    fprintf(file, "end\n");
    const bool whole = !ferror(file);
    if (fclose(file) != 0 || !whole)
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the table of choices");
    const bool good = cm_result_file_write(result, "--write-tuning ", options->tuning, text, bytes);
    if (good) cm_result_comment(result, "tuning: %s has %zu rows", options->tuning, rows);
    free(text);
    free(row);
    return good ? 0 : CM_EXIT_SYSTEM;
}
