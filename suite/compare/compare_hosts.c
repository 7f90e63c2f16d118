/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_hosts.c: every host by cm-nodes, new over base. What stands out is what cm-nodes named.
   */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/index.h"
#include "common/memory.h"
#include "results/host_names.h"
#include "results/hosts_named.h"
#include "results/over.h"
#include "pages.h"

static const struct {
    const char *column, *head, *unit;
} columns[] = {
    {"triad_MB_per_s", SAID_HOSTS_TRIAD, "MB/s"},
    {"gemm_Mflop_per_s", SAID_HOSTS_GEMM, "Mflop/s"},
    {"quiet", SAID_HOSTS_QUIET, ""},
    {"latency_us", SAID_HOSTS_LATENCY, "us"},
    {"send_MB_per_s", SAID_HOSTS_SENDS, "MB/s"},
    {"receive_MB_per_s", SAID_HOSTS_RECEIVES, "MB/s"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], BASE = 0, NEW = 1 };

/* In the order in which a reader wants to see them. */
typedef enum { IN_NEW, IN_BOTH, NOT_IN_NEW, NOT_IN_BASE, IN_BASE, ALIKE, KINDS } kind;

typedef struct {
    size_t place; /* in the order in which the launches have them */
    kind is;
    size_t rows[2], named[2]; /* launches that have it, and of them those that name it */
    cm_samples value[2][COLUMNS];
    double median[2][COLUMNS];
} host;

typedef struct {
    const char *id;
    FILE *out;
    suite_index names; /* of the hosts */
    host *host;
    size_t n, n_of[KINDS];
} view;

/* ---- What the launches say ------------------------------------------------------------------- */

static host *host_of(view *v, const char *name)
{
    const size_t at = suite_index_add(&v->names, name);
    if (at == v->n) {
        v->host = suite_longer(v->host, v->n + 1, sizeof *v->host);
        host *new = &v->host[v->n++];
        *new = (host){.place = at};
        for (int side = BASE; side <= NEW; side++)
            for (size_t c = 0; c < COLUMNS; c++) new->value[side][c] = (cm_samples)CM_SAMPLES_EMPTY;
    }
    return &v->host[at];
}

static void read_launch(view *v, const cm_record *record, int side)
{
    suite_words names = {0};
    suite_index named = suite_hosts_named(record);
    suite_hosts_of_rows(record, &names);
    for (size_t row = 0; row < record->n_rows && row < names.n; row++) {
        host *one = host_of(v, names.word[row]);
        one->rows[side]++;
        one->named[side] += suite_hosts_is_named(&named, names.word[row]);
        for (size_t c = 0; c < COLUMNS; c++) {
            const int column = cm_record_column(record, columns[c].column);
            if (column >= 0)
                suite_over_add(&one->value[side][c], cm_record_cell(record, row, (size_t)column));
        }
    }
    suite_index_free(&named);
    suite_words_free(&names);
}

/* What is named comes first: a slow host of another cluster is not one of many. */
static kind kind_of(const host *one)
{
    const bool base = 2 * one->named[BASE] > one->rows[BASE];
    const bool new = 2 * one->named[NEW] > one->rows[NEW];
    if (base || new) return base && new ? IN_BOTH : new ? IN_NEW : IN_BASE;
    if (one->rows[NEW] == 0) return NOT_IN_NEW;
    return one->rows[BASE] == 0 ? NOT_IN_BASE : ALIKE;
}

static int by_kind(const void *a, const void *b)
{
    const host *x = a, *y = b;
    if (x->is != y->is) return x->is < y->is ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void read_sides(view *v, const compare_bench *const bench[2])
{
    for (int side = BASE; side <= NEW; side++)
        for (size_t k = 0; k < bench[side]->n; k++) read_launch(v, &bench[side]->launch[k], side);
    for (size_t h = 0; h < v->n; h++) {
        host *one = &v->host[h];
        one->is = kind_of(one);
        v->n_of[one->is]++;
        for (int side = BASE; side <= NEW; side++)
            for (size_t c = 0; c < COLUMNS; c++)
                one->median[side][c] = suite_over_summary(&one->value[side][c]).median;
    }
    if (v->n > 0) qsort(v->host, v->n, sizeof *v->host, by_kind);
}

static void free_view(view *v)
{
    for (size_t h = 0; h < v->n; h++)
        for (int side = BASE; side <= NEW; side++)
            for (size_t c = 0; c < COLUMNS; c++) cm_samples_free(&v->host[h].value[side][c]);
    free(v->host);
    suite_index_free(&v->names);
}

/* ---- The tables ------------------------------------------------------------------------------ */

/* New over base; NAN: one of them is not known, or not above 0. */
static double ratio_of(const host *one, size_t column)
{
    const double base = one->median[BASE][column], new = one->median[NEW][column];
    return base > 0 && new > 0 ? new / base : NAN;
}

static void cell(FILE *out, const host *one, size_t column)
{
    char text[2][SUITE_NUMBER], ratio[SUITE_NUMBER], unit[SUITE_UNIT];
    const double *median[] = {&one->median[BASE][column], &one->median[NEW][column]};
    if (isnan(*median[BASE]) && isnan(*median[NEW])) {
        piece_nodes_cell_none(out);
        return;
    }
    const double divisor =
        suite_unit_easy(fmax(*median[BASE], *median[NEW]), columns[column].unit, NULL, unit);
    for (int side = BASE; side <= NEW; side++)
        suite_number(*median[side] / divisor, text[side], SUITE_NUMBER);
    suite_number(ratio_of(one, column), ratio, sizeof ratio);
    piece_compare_host_cell(out, ratio, text[BASE], text[NEW], unit);
}

static void table_begin(const view *v)
{
    piece_compare_hosts_table_begin(v->out);
    for (size_t c = 0; c < COLUMNS; c++) piece_compare_hosts_head(v->out, columns[c].head);
    piece_head_end(v->out);
}

static const char *const words[] = {
    [IN_NEW] = SAID_COMPARE_HOST_IN_NEW,         [IN_BOTH] = SAID_COMPARE_HOST_IN_BOTH,
    [NOT_IN_NEW] = SAID_COMPARE_HOST_NOT_IN_NEW, [NOT_IN_BASE] = SAID_COMPARE_HOST_NOT_IN_BASE,
    [IN_BASE] = SAID_COMPARE_HOST_IN_BASE,       [ALIKE] = SAID_COMPARE_HOST_ALIKE};

static void rows_of(const view *v, kind is)
{
    for (size_t h = 0; h < v->n; h++) {
        const host *one = &v->host[h];
        if (one->is != is) continue;
        piece_compare_host(v->out, v->id, v->names.text[one->place], is == IN_NEW || is == IN_BOTH,
                           words[is]);
        for (size_t c = 0; c < COLUMNS; c++) cell(v->out, one, c);
        piece_row_end(v->out);
    }
}

/* From the least to the greatest ratio of the hosts of a kind. */
static void range_of(const view *v, kind is, size_t column)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t h = 0; h < v->n; h++) {
        const double ratio = ratio_of(&v->host[h], column);
        if (v->host[h].is != is || isnan(ratio)) continue;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    if (least > most) {
        piece_nodes_cell_none(v->out);
        return;
    }
    char low[SUITE_NUMBER], high[SUITE_NUMBER];
    suite_number(least, low, sizeof low);
    suite_number(most, high, sizeof high);
    piece_nodes_range(v->out, low, strcmp(low, high) != 0 ? high : NULL);
}

static void one_row_of(const view *v, kind is)
{
    enum { NAMES_MOST = 12 };
    const char **name = suite_array(v->n_of[is], sizeof name[0]);
    size_t n = 0;
    for (size_t h = 0; h < v->n; h++)
        if (v->host[h].is == is) name[n++] = v->names.text[v->host[h].place];
    char *names = suite_host_names(name, n, NAMES_MOST);
    piece_compare_hosts_row(v->out, n, is == ALIKE, names, words[is]);
    for (size_t c = 0; c < COLUMNS; c++) range_of(v, is, c);
    piece_row_end(v->out);
    free(names);
    free(name);
}

/* Many that are alike, or of another cluster, are one row. */
static bool is_one_row(const view *v, kind is)
{
    enum { FEW = 8 };
    return v->n_of[is] > FEW && (is == ALIKE || is == NOT_IN_NEW || is == NOT_IN_BASE);
}

static void print_hosts(const view *v)
{
    size_t folded = 0;
    piece_compare_hosts_begin(v->out, v->id);
    table_begin(v);
    for (kind is = 0; is < KINDS; is++)
        if (is_one_row(v, is)) {
            one_row_of(v, is);
            folded += v->n_of[is];
        } else rows_of(v, is);
    piece_table_end(v->out);
    if (folded > 0) {
        piece_compare_hosts_each_begin(v->out, v->id, folded);
        table_begin(v);
        for (kind is = 0; is < KINDS; is++)
            if (is_one_row(v, is)) rows_of(v, is);
        piece_nodes_alike_end(v->out);
    }
    piece_section_end(v->out);
}

bool compare_page_hosts(const compare_pair *pair, const char *id, FILE *out)
{
    const compare_bench *const bench[] = {compare_side_find(pair->base, "nodes"),
                                          compare_side_find(pair->new, "nodes")};
    view v = {.id = id, .out = out};
    if (!bench[BASE] || !bench[NEW]) return false;
    read_sides(&v, bench);
    const bool several = v.n > 1;
    if (several) print_hosts(&v);
    free_view(&v);
    return several;
}
