/* SPDX-License-Identifier: BSD-3-Clause */
/* page_hosts_table.c: the hosts, the odd ones first, hosts that are alike in one row. */
#include "config.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "results/host_names.h"
#include "results/hosts_alike.h"
#include "common/memory.h"
#include "page.h"
#include "common/unit.h"
#include "pages.h"

enum {
    KINDS_MOST = 100, /* rows of hosts that are alike */
    EACH_MOST = 128,  /* hosts with a row of their own below */
    RUNS_MOST = 12    /* of names, in a row */
};

static const char *const heads[SUITE_HOST_CELLS] = {
    SAID_HOSTS_CORES,    SAID_HOSTS_CPU,       SAID_HOSTS_MEMORY, SAID_HOSTS_KERNEL,
    SAID_HOSTS_GOVERNOR, SAID_HOSTS_INTERFACE, SAID_HOSTS_MTU,    SAID_HOSTS_ELSE};

/* The columns of each host that cm-nodes measures, and cm-stream, which has a row for each host. */
static const struct {
    const char *column, *ratio, *head, *unit;
} measures[] = {{"triad_MB_per_s", "triad_ratio", SAID_HOSTS_TRIAD, "MB/s"},
                {"gemm_Mflop_per_s", "gemm_ratio", SAID_HOSTS_GEMM, "Mflop/s"},
                {"quiet", "quiet_ratio", SAID_HOSTS_QUIET, "1"},
                {"latency_us", "latency_ratio", SAID_HOSTS_LATENCY, "us"},
                {"send_MB_per_s", "send_ratio", SAID_HOSTS_SENDS, "MB/s"},
                {"receive_MB_per_s", "receive_ratio", SAID_HOSTS_RECEIVES, "MB/s"},
                {NULL, NULL, SAID_HOSTS_STREAM, "MB/s"}};
enum { MEASURES = sizeof measures / sizeof measures[0], STREAM = MEASURES - 1 };

typedef struct {
    FILE *out;
    const cm_record *record;
    suite_hosts hosts;
    const char **name;            /* of each host */
    bool shown[SUITE_HOST_CELLS]; /* columns in which hosts differ */
    double *value[MEASURES];      /* of each host; NULL: not measured */
    double *ratio[MEASURES];      /* to the median host */
    char unit[MEASURES][SUITE_UNIT];
} view;

/* A column's values of all hosts, NAN where there is none; the caller frees. */
static double *read_column(const cm_record *record, const char *name)
{
    double *value = suite_array(record->n_hosts, sizeof value[0]);
    int column = record->n_rows == record->n_hosts ? cm_record_column(record, name) : -1;
    for (size_t host = 0; host < record->n_hosts; host++)
        if (column < 0
            || !cm_record_number(cm_record_cell(record, host, (size_t)column), &value[host]))
            value[host] = NAN;
    return value;
}

/* Without a value there is no column. */
static void keep_measure(view *v, size_t measure, double *value, double *ratio)
{
    const size_t n = v->record->n_hosts;
    double most = -INFINITY;
    for (size_t host = 0; host < n; host++) most = fmax(most, value[host]);
    const bool any = most > -INFINITY;
    /* One unit for the column, so that its numbers can be compared. */
    double divisor =
        any ? suite_unit_easy(most, measures[measure].unit, NULL, v->unit[measure]) : 1;
    for (size_t host = 0; host < n; host++) value[host] /= divisor;
    v->value[measure] = any ? value : NULL;
    v->ratio[measure] = any ? ratio : NULL;
    if (any) return;
    free(value);
    free(ratio);
}

static void open_view(view *v, const cm_record *stream)
{
    const cm_record *record = v->record;
    v->hosts = suite_hosts_alike(record);
    v->name = suite_array(record->n_hosts, sizeof v->name[0]);
    for (size_t host = 0; host < record->n_hosts; host++) v->name[host] = record->host[host].name;
    for (size_t c = 0; c < SUITE_HOST_CELLS; c++)
        for (size_t g = 1; g < v->hosts.n; g++)
            if (strcmp(v->hosts.group[g].cell[c], v->hosts.group[0].cell[c]) != 0)
                v->shown[c] = true;
    for (size_t m = 0; m < STREAM; m++)
        keep_measure(v, m, read_column(record, measures[m].column),
                     read_column(record, measures[m].ratio));
    double *triad = page_hosts_stream(stream, record);
    keep_measure(v, STREAM, triad, page_hosts_ratios(triad, record->n_hosts));
}

static void close_view(view *v)
{
    suite_hosts_free(&v->hosts);
    for (size_t m = 0; m < MEASURES; m++) {
        free(v->value[m]);
        free(v->ratio[m]);
    }
    free(v->name);
}

static bool is_measured(const view *v)
{
    for (size_t m = 0; m < MEASURES; m++)
        if (v->value[m]) return true;
    return false;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static void print_head(const view *v, bool described)
{
    piece_hosts_head(v->out);
    for (size_t c = 0; described && c < SUITE_HOST_CELLS; c++)
        if (v->shown[c]) piece_hosts_head_cell(v->out, heads[c]);
    for (size_t m = 0; m < MEASURES; m++)
        if (v->value[m]) piece_hosts_head_measure(v->out, measures[m].head, v->unit[m]);
    piece_head_end(v->out);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Returns the ratio to the median host; NaN: unknown. */
static double ratio_of(const view *v, size_t host, size_t measure)
{
    return v->ratio[measure] ? v->ratio[measure][host] : NAN;
}

/* Returns true if this measure makes a host slow, because it is the farthest from the others'. */
static bool is_worst(const view *v, const suite_alike *group, size_t measure)
{
    double own = fabs(log(ratio_of(v, group->host[0], measure)));
    bool worst = group->slow && !isnan(own);
    for (size_t m = 0; m < MEASURES && worst; m++)
        worst = !(fabs(log(ratio_of(v, group->host[0], m))) > own);
    return worst;
}

/* "477 (0.70)": with the ratio to the median host. */
static char *single_text(const view *v, size_t host, size_t measure, double value)
{
    char *number = suite_three_digits(value);
    double ratio = ratio_of(v, host, measure);
    char *text = isnan(ratio) ? suite_copy(number) : suite_text("%s (%.2f)", number, ratio);
    free(number);
    return text;
}

/* "684 (671 to 690)": the median, the least and the greatest; value is sorted. */
static char *range_text(const double *value, size_t n)
{
    char *median = suite_three_digits((value[(n - 1) / 2] + value[n / 2]) / 2);
    char *least = suite_three_digits(value[0]), *most = suite_three_digits(value[n - 1]);
    char *text = suite_text("%s (%s to %s)", median, least, most);
    free(median);
    free(least);
    free(most);
    return text;
}

static void print_measure(const view *v, const suite_alike *group, size_t measure)
{
    double *value = suite_array(group->n, sizeof value[0]);
    size_t n = 0;
    for (size_t k = 0; k < group->n; k++) {
        double one = v->value[measure][group->host[k]];
        if (!isnan(one)) value[n++] = one;
    }
    qsort(value, n, sizeof value[0], by_value);
    char *text = n == 0          ? suite_copy("none")
                 : group->n == 1 ? single_text(v, group->host[0], measure, value[0])
                                 : range_text(value, n);
    piece_hosts_measure(v->out, is_worst(v, group, measure), text);
    free(text);
    free(value);
}

static void print_cell(const view *v, const suite_alike *group, size_t cell)
{
    const char *usual = v->hosts.usual[cell], *text = group->cell[cell];
    bool odd = usual && strcmp(text, usual) != 0;
    piece_hosts_cell(v->out, odd, text);
}

static char *names_of(const view *v, const suite_alike *group)
{
    const char **name = suite_array(group->n, sizeof name[0]);
    for (size_t k = 0; k < group->n; k++) name[k] = v->name[group->host[k]];
    char *names = suite_host_names(name, group->n, RUNS_MOST);
    free(name);
    return names;
}

static void print_group(const view *v, const suite_alike *group)
{
    char *names = names_of(v, group);
    piece_hosts_row(v->out, group->odd, group->n, names, group->slow);
    for (size_t c = 0; c < SUITE_HOST_CELLS; c++)
        if (v->shown[c]) print_cell(v, group, c);
    for (size_t m = 0; m < MEASURES; m++)
        if (v->value[m]) print_measure(v, group, m);
    piece_row_end(v->out);
    free(names);
}

static void print_common(const view *v)
{
    bool any = false;
    for (size_t c = 0; c < SUITE_HOST_CELLS; c++) {
        const char *text = v->hosts.group[0].cell[c];
        if (v->shown[c] || !*text) continue;
        piece_hosts_common(v->out, any, heads[c], text);
        any = true;
    }
    if (any) piece_hosts_common_end(v->out);
}

/* If there are very many kinds, prints only the first and the largest, so that the page stays
   readable. */
static void print_groups(const view *v)
{
    size_t hidden = 0;
    piece_hosts_table_begin(v->out, is_measured(v));
    print_head(v, true);
    for (size_t g = 0; g < v->hosts.n; g++) {
        const suite_alike *group = &v->hosts.group[g];
        if (g >= KINDS_MOST && g + 1 < v->hosts.n) hidden += group->n;
        else print_group(v, group);
    }
    piece_table_end(v->out);
    if (hidden > 0) piece_hosts_hidden(v->out, hidden);
}

static void print_each(const view *v, const char *run)
{
    const size_t n = v->record->n_hosts;
    if (!is_measured(v)) return;
    if (n > EACH_MOST) {
        piece_hosts_many(v->out, n, run);
        return;
    }
    piece_hosts_each_begin(v->out);
    print_head(v, false);
    for (size_t host = 0; host < n; host++) {
        suite_alike one = {.host = &host, .n = 1};
        piece_hosts_each_row(v->out, v->name[host]);
        for (size_t m = 0; m < MEASURES; m++)
            if (v->value[m]) print_measure(v, &one, m);
        piece_row_end(v->out);
    }
    piece_folded_table_end(v->out);
}

/* ---- The section ----------------------------------------------------------------------------- */

/* The run whose result has most hosts; of several cm-nodes's, which measures each. SIZE_MAX: no
   result has more than one. */
static size_t run_with_hosts(const suite_page *page)
{
    size_t best = SIZE_MAX;
    double most = 1;
    for (size_t r = 0; r < page->table->n; r++) {
        const cm_record *record = &page->entry[r].record;
        const char *text = cm_record_meta(record, "hosts");
        double hosts = 0;
        if (page->entry[r].state != SUITE_COMPLETE || !text || !cm_record_number(text, &hosts))
            continue;
        bool better = hosts > most
                      || (hosts == most && best != SIZE_MAX
                          && strcmp(page->table->run[r].name, "nodes") == 0);
        if (!better) continue;
        most = hosts;
        best = r;
    }
    return best;
}

/* If there is only a text record, the note on hosts that differ replaces the table. */
bool page_has_hosts_table(const suite_page *page)
{
    const size_t run = run_with_hosts(page);
    return run != SIZE_MAX && page->entry[run].record.n_hosts > 1;
}

static const cm_record *stream_of(const suite_page *page)
{
    for (size_t r = 0; r < page->table->n; r++)
        if (strcmp(page->table->run[r].name, "stream") == 0
            && page->entry[r].state == SUITE_COMPLETE)
            return &page->entry[r].record;
    return NULL;
}

void page_hosts_table(suite_page *page)
{
    if (!page_has_hosts_table(page)) return;
    const size_t run = run_with_hosts(page);
    view v = {.out = page->out, .record = &page->entry[run].record};
    open_view(&v, stream_of(page));
    piece_hosts_begin(page->out, v.record->n_hosts, v.hosts.n);
    if (!suite_place_simulates(page->place)) print_common(&v);
    print_groups(&v);
    char *file = suite_text("%s%s", page->below, page->table->run[run].name);
    print_each(&v, file);
    free(file);
    piece_section_end(page->out);
    close_view(&v);
}
