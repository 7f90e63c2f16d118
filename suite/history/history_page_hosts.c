/* SPDX-License-Identifier: BSD-3-Clause */
/* history_page_hosts.c: a row for each host that differs, one for all that are alike, and folded
   below it each of them. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "history_page.h"
#include "pages.h"

enum { COLUMNS = 8 };

/* The metrics of all hosts, in the order in which they come. */
typedef struct {
    const history_line *column[COLUMNS];
    size_t n;
} table_head;

static bool is_same(const history_line *a, const history_line *b)
{
    return strcmp(a->metric, b->metric) == 0 && strcmp(a->unit, b->unit) == 0;
}

static const history_line *find_metric(const history_host *host, const history_line *like)
{
    for (size_t k = 0; k < host->n; k++)
        if (is_same(&host->line[k], like)) return &host->line[k];
    return NULL;
}

static table_head head_of(const history *all)
{
    table_head head = {.n = 0};
    for (size_t h = 0; h < all->n_hosts; h++)
        for (size_t k = 0; k < all->host[h].n; k++) {
            size_t c = 0;
            while (c < head.n && !is_same(head.column[c], &all->host[h].line[k])) c++;
            if (c == head.n && head.n < COLUMNS) head.column[head.n++] = &all->host[h].line[k];
        }
    return head;
}

bool history_has_hosts(const history *all)
{
    for (size_t h = 0; h < all->n_hosts; h++)
        if (all->host[h].n > 0) return true;
    return false;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static void write_value(FILE *out, const history_line *line, double *per)
{
    const double value = line->point[line->n - 1].value;
    char unit[SUITE_UNIT], number[SUITE_NUMBER];
    *per = suite_unit_easy(value, line->unit, line->metric, unit);
    suite_number(value / *per, number, sizeof number);
    piece_history_cell_value(out, number, unit);
}

static void write_over_time(FILE *out, const history_line *line, double per)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t k = 0; k < line->n; k++) {
        least = fmin(least, line->point[k].value);
        most = fmax(most, line->point[k].value);
    }
    char low[SUITE_NUMBER], high[SUITE_NUMBER];
    suite_number(least / per, low, sizeof low);
    suite_number(most / per, high, sizeof high);
    piece_history_cell_over_time(out, low, high);
}

static void write_cell(const history_view *v, const history_line *line, bool drawn)
{
    FILE *out = v->out;
    double per;
    if (drawn) history_spark(out, v->all, line);
    write_value(out, line, &per);
    if (!drawn) write_over_time(out, line, per);
    for (size_t s = 0; s < line->n_steps; s++) {
        piece_history_cell_step(out, history_way(&line->step[s]),
                                history_day_of(v->all, line, line->step[s].place.at));
        history_write_factor(out, &line->step[s].factor);
        piece_history_cell_step_end(out, line->step[s].worse, line->step[s].better);
    }
    piece_history_cell_value_end(out);
}

static void write_row(const history_view *v, const table_head *head, const history_host *host,
                      bool drawn)
{
    FILE *out = v->out;
    piece_history_host(out, host->name, host->results, host->stood_out);
    for (size_t k = 0; k < host->n_changes; k++)
        piece_history_host_change(out, history_day(v->all->kept.kept[host->change[k].at].time),
                                  host->change[k].what, host->change[k].before,
                                  host->change[k].now);
    piece_history_host_end(out);
    for (size_t c = 0; c < head->n; c++) {
        const history_line *line = find_metric(host, head->column[c]);
        piece_history_cell_begin(out);
        if (line) write_cell(v, line, drawn);
        piece_history_cell_end(out);
    }
    piece_row_end(out);
}

/* ---- All that are alike in one row ----------------------------------------------------------- */

/* From the least to the greatest of their last values. */
static void write_alike_cell(const history_view *v, const history_line *like)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t h = 0; h < v->all->n_hosts; h++) {
        const history_host *host = &v->all->host[h];
        const history_line *line = history_host_is_odd(host) ? NULL : find_metric(host, like);
        if (!line) continue;
        least = fmin(least, line->point[line->n - 1].value);
        most = fmax(most, line->point[line->n - 1].value);
    }
    if (least > most) {
        piece_history_cell_begin(v->out);
        piece_history_cell_end(v->out);
        return;
    }
    char unit[SUITE_UNIT], low[SUITE_NUMBER], high[SUITE_NUMBER];
    const double per = suite_unit_easy(most, like->unit, like->metric, unit);
    suite_number(least / per, low, sizeof low);
    suite_number(most / per, high, sizeof high);
    piece_history_alike_cell(v->out, low, strcmp(low, high) != 0 ? high : NULL, unit);
}

static void write_alike(const history_view *v, const table_head *head)
{
    enum { NAMES_MOST = 8 };
    size_t n;
    char *names = history_names_alike(v->all, NAMES_MOST, &n);
    piece_history_alike_row(v->out, n, names);
    for (size_t c = 0; c < head->n; c++) write_alike_cell(v, head->column[c]);
    piece_row_end(v->out);
    free(names);
}

/* ---- The table ------------------------------------------------------------------------------- */

static void table_begin(FILE *out, const table_head *head)
{
    piece_history_hosts_table(out);
    for (size_t c = 0; c < head->n; c++) piece_history_hosts_metric(out, head->column[c]->metric);
    piece_head_end(out);
}

/* Rows of those that are odd, or of those that are not: at most `most`, without the first `skip`.
   So many lines are drawn that the page stays small. */
static void write_rows(const history_view *v, const table_head *head, bool odd, size_t skip,
                       size_t most)
{
    enum { DRAWN = 256 };
    size_t n = 0;
    for (size_t h = 0; h < v->all->n_hosts; h++) {
        if (history_host_is_odd(&v->all->host[h]) != odd) continue;
        if (n >= skip && n - skip < most) write_row(v, head, &v->all->host[h], n < DRAWN);
        n++;
    }
}

void history_write_hosts(const history_view *v)
{
    enum { FEW = 8, OPEN = 12 };
    const table_head head = head_of(v->all);
    size_t odd = 0;
    if (head.n == 0) return;
    for (size_t h = 0; h < v->all->n_hosts; h++) odd += history_host_is_odd(&v->all->host[h]);
    const size_t alike = v->all->n_hosts - odd;
    piece_history_hosts_begin(v->out);
    table_begin(v->out, &head);
    write_rows(v, &head, true, 0, OPEN);
    if (alike > FEW) write_alike(v, &head);
    else write_rows(v, &head, false, 0, alike);
    piece_table_end(v->out);
    if (odd > OPEN) {
        piece_history_hosts_more(v->out, odd - OPEN);
        table_begin(v->out, &head);
        write_rows(v, &head, true, OPEN, odd);
        piece_part_of_tables_end(v->out);
    }
    if (alike > FEW) {
        piece_history_hosts_each(v->out, alike);
        table_begin(v->out, &head);
        write_rows(v, &head, false, 0, alike);
        piece_part_of_tables_end(v->out);
    }
    piece_history_hosts_end(v->out);
}
