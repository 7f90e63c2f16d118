/* SPDX-License-Identifier: BSD-3-Clause */
/* history_page.c: the page of `clustermark history`: steps first, then lines, hosts and results. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/say.h"
#include "common/unit.h"
#include "results/folder.h"
#include "history.h"
#include "pages.h"

/* "4.9 % lower (4.1 to 5.8 %)" */
static void write_factor(FILE *out, const cm_rank_factor *f)
{
    const bool up = f->ratio > 1;
    const double one = 100 * fabs(f->ratio - 1), a = 100 * (f->low - 1), b = 100 * (f->high - 1);
    piece_history_factor(out, !isnan(f->ratio), one, up, up ? a : -b, up ? b : -a,
                         f->interval != CM_INTERVAL_95);
}

static void write_sure(FILE *out, const history_step *step)
{
    if (step->pages >= 1e6) piece_history_chance_million(out);
    else if (step->pages < 100) piece_history_chance(out, step->pages);
    else piece_history_chance_most(out, floor(step->pages / 100) * 100);
}

enum { DAY = 16 }; /* a copy of what history_day returns, which the next call overwrites */

static void last_value(const history_line *line, char number[SUITE_NUMBER], char unit[SUITE_UNIT])
{
    const double value = line->point[line->n - 1].value;
    const double per = suite_unit_easy(value, line->unit, line->metric, unit);
    suite_number(value / per, number, SUITE_NUMBER);
}

static const suite_kept *kept_at(const history *all, const history_line *line, size_t point)
{
    return &all->kept.kept[line->point[point].at];
}

static const char *way_of(const history_step *step)
{
    return step->worse ? "slower" : step->better ? "faster" : "";
}

/* What changed from the last result before the step can be to the last at which it may begin. */
static void write_meanwhile(FILE *out, const history_line *line, const history_step *step,
                            const history_change *change, size_t n)
{
    const size_t after = line->point[step->place.from - 1].at, to = line->point[step->place.to].at;
    for (size_t k = 0; k < n; k++)
        if (change[k].at > after && change[k].at <= to)
            piece_history_change(out, change[k].what, change[k].before, change[k].now);
}

/* One row of the table of steps; host NULL: a headline. */
static void write_step(FILE *out, const history *all, const history_line *line, size_t s,
                       const history_host *host)
{
    const history_step *step = &line->step[s];
    char at[DAY], after[DAY];
    piece_history_step_of(out, host ? host->name : NULL, line->metric, line->benchmark, line->title,
                          way_of(step));
    write_factor(out, &step->factor);
    snprintf(at, sizeof at, "%s", history_day(kept_at(all, line, step->place.at)->time));
    snprintf(after, sizeof after, "%s",
             history_day(kept_at(all, line, step->place.from - 1)->time));
    piece_history_step_when(out, step->worse, step->better, at, after,
                            history_day(kept_at(all, line, step->place.to)->time));
    write_meanwhile(out, line, step, all->change, all->n_changes);
    if (host) write_meanwhile(out, line, step, host->change, host->n_changes);
    write_sure(out, step);
}

/* ---- The parts ------------------------------------------------------------------------------- */

static void head(FILE *out, const history *all, const char *style)
{
    const suite_kept *first = &all->kept.kept[0], *last = &all->kept.kept[all->kept.n - 1];
    char from[DAY];
    snprintf(from, sizeof from, "%s", history_day(first->time));
    piece_history_begin(out, last->cluster, style, all->kept.n, from, history_day(last->time),
                        all->n_hosts, PACKAGE_VERSION);
}

static void steps(FILE *out, const history *all)
{
    size_t of_lines, of_hosts;
    history_count_steps(all, &of_lines, &of_hosts);
    piece_history_steps_begin(out);
    if (of_lines + of_hosts == 0)
        piece_history_no_steps(out, all->kept.n, all->kept.n < HISTORY_FEW);
    else {
        piece_history_steps_table(out);
        for (size_t k = 0; k < all->n; k++)
            for (size_t s = all->line[k].n_steps; s-- > 0;)
                write_step(out, all, &all->line[k], s, NULL);
        for (size_t h = 0; h < all->n_hosts; h++)
            for (size_t k = 0; k < all->host[h].n; k++)
                for (size_t s = all->host[h].line[k].n_steps; s-- > 0;)
                    write_step(out, all, &all->host[h].line[k], s, &all->host[h]);
        piece_table_end(out);
    }
    piece_history_steps_end(out, CM_STEP_STAYS, CM_STEP_LEVEL);
}

static void changes(FILE *out, const history *all)
{
    size_t number = 0;
    if (all->n_changes == 0) return;
    piece_history_changes_begin(out);
    for (size_t k = 0; k < all->n_changes; k++) {
        const history_change *c = &all->change[k];
        number += k == 0 || c->at != all->change[k - 1].at;
        piece_history_change_row(out, number, history_day(all->kept.kept[c->at].time), c->what,
                                 c->before, c->now);
    }
    piece_history_changes_end(out);
}

static void lines(FILE *out, const history *all, char *const *link)
{
    if (all->n == 0) return;
    piece_history_lines_begin(out);
    for (size_t k = 0; k < all->n; k++) {
        const history_line *line = &all->line[k];
        char unit[SUITE_UNIT], number[SUITE_NUMBER];
        piece_history_line_begin(out, line->benchmark, line->title, line->metric);
        history_figure(out, all, line, link);
        last_value(line, number, unit);
        piece_history_line_end(out, number, unit,
                               strcmp(line->better, "neither") == 0 ? "no" : line->better,
                               line->meaning, line->hosts, line->ranks, line->n);
    }
    piece_history_lines_end(out);
}

/* The metrics of all hosts, in the order in which they come. */
static const history_line *find_metric(const history_host *host, const history_line *like)
{
    for (size_t k = 0; k < host->n; k++)
        if (strcmp(host->line[k].metric, like->metric) == 0
            && strcmp(host->line[k].unit, like->unit) == 0)
            return &host->line[k];
    return NULL;
}

static size_t columns_of(const history *all, const history_line **column, size_t most)
{
    size_t n = 0;
    for (size_t h = 0; h < all->n_hosts; h++)
        for (size_t k = 0; k < all->host[h].n; k++) {
            const history_line *line = &all->host[h].line[k];
            size_t c = 0;
            while (c < n
                   && (strcmp(column[c]->metric, line->metric) != 0
                       || strcmp(column[c]->unit, line->unit) != 0))
                c++;
            if (c == n && n < most) column[n++] = line;
        }
    return n;
}

static void host_cell(FILE *out, const history *all, const history_line *line)
{
    char unit[SUITE_UNIT], number[SUITE_NUMBER];
    history_spark(out, all, line);
    last_value(line, number, unit);
    piece_history_cell_value(out, number, unit);
    for (size_t s = 0; s < line->n_steps; s++) {
        piece_history_cell_step(out, way_of(&line->step[s]),
                                history_day(kept_at(all, line, line->step[s].place.at)->time));
        write_factor(out, &line->step[s].factor);
        piece_history_span_end(out);
    }
    piece_history_cell_value_end(out);
}

static void host_row(FILE *out, const history *all, const history_host *host,
                     const history_line *const *column, size_t n)
{
    piece_history_host(out, host->name, host->results, host->stood_out);
    for (size_t k = 0; k < host->n_changes; k++)
        piece_history_host_change(out, history_day(all->kept.kept[host->change[k].at].time),
                                  host->change[k].what, host->change[k].before,
                                  host->change[k].now);
    piece_history_host_end(out);
    for (size_t c = 0; c < n; c++) {
        const history_line *line = find_metric(host, column[c]);
        piece_history_cell_begin(out);
        if (line) host_cell(out, all, line);
        piece_history_cell_end(out);
    }
    piece_row_end(out);
}

static bool is_odd(const history_host *host)
{
    bool odd = host->stood_out > 0 || host->n_changes > 0;
    for (size_t k = 0; k < host->n; k++) odd = odd || host->line[k].n_steps > 0;
    return odd;
}

/* A table of those hosts that are odd, or of those that are not. */
static void hosts_table(FILE *out, const history *all, const history_line *const *column, size_t n,
                        bool odd)
{
    piece_history_hosts_table(out);
    for (size_t c = 0; c < n; c++) piece_history_hosts_metric(out, column[c]->metric);
    piece_history_hosts_head_end(out);
    for (size_t h = 0; h < all->n_hosts; h++)
        if (is_odd(&all->host[h]) == odd) host_row(out, all, &all->host[h], column, n);
    piece_table_end(out);
}

/* Hosts of which nothing is to be told are one line, which opens, if there are many. */
static void hosts(FILE *out, const history *all)
{
    enum { COLUMNS = 8, MANY = 16 };
    const history_line *column[COLUMNS];
    const size_t n = columns_of(all, column, COLUMNS);
    size_t odd = 0;
    if (n == 0) return;
    for (size_t h = 0; h < all->n_hosts; h++) odd += is_odd(&all->host[h]);
    const size_t even = all->n_hosts - odd;
    piece_history_hosts_begin(out);
    if (odd > 0) hosts_table(out, all, column, n, true);
    if (even > MANY) piece_history_hosts_even(out, even, odd > 0);
    if (even > 0) hosts_table(out, all, column, n, false);
    if (even > MANY) piece_details_end(out);
    piece_history_hosts_end(out);
}

static void results(FILE *out, const history *all, char *const *link)
{
    piece_history_results_begin(out);
    if (all->n_left_out > 0) {
        piece_history_left_out(out);
        for (size_t k = 0; k < all->n_left_out; k++) piece_item(out, all->left_out[k]);
        piece_list_end(out);
    }
    if (all->kept.skipped > 0) piece_history_skipped(out, all->kept.skipped);
    piece_history_results_table(out);
    for (size_t k = all->kept.n; k-- > 0;) {
        const suite_kept *kept = &all->kept.kept[k];
        const char *from = json_string_value(json_object_get(kept->root, "kept_from"));
        piece_history_result(out, kept->date, link[k], from, kept->n_hosts, kept->file);
    }
    piece_folded_table_end(out);
    piece_section_end(out);
}

char *history_page(const suite_home *home, const history *all, const char *dir, const char *reports,
                   const char *page)
{
    char *file = suite_home_file(home, "suite/style.css"), *style = suite_file_text(file);
    char **link = history_links(all, dir, reports, page), *text = NULL;
    size_t length;
    FILE *out = style ? suite_there(open_memstream(&text, &length)) : NULL;
    if (!style) suite_say("history: cannot read %s: %s", file, strerror(errno));
    if (out) {
        head(out, all, style);
        steps(out, all);
        changes(out, all);
        lines(out, all, link);
        hosts(out, all);
        results(out, all, link);
        piece_history_end(out, PACKAGE_VERSION, dir);
        if (fclose(out) != 0) suite_there(NULL);
    }
    for (size_t k = 0; k < all->kept.n; k++) free(link[k]);
    free(link);
    free(style);
    free(file);
    return text;
}
