/* SPDX-License-Identifier: BSD-3-Clause */
/* history_page_steps.c: steps as rows: what, by how much, when, what else changed then, and how
   sure that is. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "history_page.h"
#include "pages.h"

/* A step, and the hosts that have it; host NULL: it is of a headline. */
typedef struct {
    const history_line *line;
    const history_step *step;
    const history_host *host;
    bool told; /* in the row of another host */
} found_step;

typedef struct {
    found_step *step;
    size_t n;
} found_steps;

static void collect(found_steps *found, const history_line *line, const history_host *host,
                    bool stays)
{
    for (size_t s = line->n_steps; s-- > 0;)
        if (line->step[s].stays == stays) {
            found->step = suite_longer(found->step, found->n + 1, sizeof *found->step);
            found->step[found->n++] = (found_step){line, &line->step[s], host, false};
        }
}

static void write_sure(FILE *out, const history_step *step)
{
    if (step->pages >= 1e6) piece_history_chance_million(out);
    else if (step->pages < 100) piece_history_chance(out, step->pages);
    else piece_history_chance_most(out, floor(step->pages / 100) * 100);
}

/* What changed from the last result before the step can be to the last at which it may begin. */
static void write_meanwhile(FILE *out, const found_step *f, const history_change *change, size_t n)
{
    const cm_step *place = &f->step->place;
    const size_t after = f->line->point[place->from - 1].at, to = f->line->point[place->to].at;
    for (size_t k = 0; k < n; k++)
        if (change[k].at > after && change[k].at <= to)
            piece_history_change(out, change[k].what, change[k].before, change[k].now);
}

/* ---- The same step on several hosts ---------------------------------------------------------- */

/* The kept results between which the step is. */
static void place_of(const found_step *f, size_t *from, size_t *to)
{
    *from = f->line->point[f->step->place.from].at;
    *to = f->line->point[f->step->place.to].at;
}

static bool is_same(const found_step *a, const found_step *b)
{
    size_t from_a, to_a, from_b, to_b;
    if (!a->host || !b->host || strcmp(a->line->metric, b->line->metric) != 0
        || strcmp(a->line->unit, b->line->unit) != 0
        || (a->step->factor.ratio > 1) != (b->step->factor.ratio > 1))
        return false;
    place_of(a, &from_a, &to_a);
    place_of(b, &from_b, &to_b);
    return from_a <= to_b && from_b <= to_a;
}

/* The hosts with the step of place `first`, and from where to where their factors reach. Returns
   how many there are; host has room for all. */
static size_t gather(const found_steps *found, size_t first, const history_host **host,
                     double *least, double *most)
{
    size_t n = 0;
    *least = INFINITY, *most = 0;
    for (size_t k = first; k < found->n; k++) {
        const found_step *f = &found->step[k];
        if (f->told || !is_same(f, &found->step[first])) continue;
        const double percent = 100 * fabs(f->step->factor.ratio - 1);
        *least = fmin(*least, percent);
        *most = fmax(*most, percent);
        host[n++] = f->host;
    }
    return n;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* hosts: the names of several, whose factors are from least to most; NULL: one host's step. */
static void write_row(const history_view *v, const found_step *f, const char *hosts, double least,
                      double most)
{
    FILE *out = v->out;
    enum { DAY = 16 };
    char at[DAY], after[DAY];
    piece_history_step_of(out,
                          hosts     ? hosts
                          : f->host ? f->host->name
                                    : NULL,
                          f->line->metric, f->line->benchmark, f->line->title,
                          history_way(f->step));
    if (hosts) piece_history_factors(out, least, most, f->step->factor.ratio > 1);
    else history_write_factor(out, &f->step->factor);
    snprintf(at, sizeof at, "%s", history_day_of(v->all, f->line, f->step->place.at));
    snprintf(after, sizeof after, "%s", history_day_of(v->all, f->line, f->step->place.from - 1));
    piece_history_step_when(out, f->step->worse, f->step->better, at, after,
                            history_day_of(v->all, f->line, f->step->place.to));
    write_meanwhile(out, f, v->all->change, v->all->n_changes);
    if (f->host && !hosts) write_meanwhile(out, f, f->host->change, f->host->n_changes);
    write_sure(out, f->step);
}

/* The row of the step, which tells those of other hosts if there are many. */
static void write_step(const history_view *v, found_steps *found, size_t k,
                       const history_host **host)
{
    enum { MANY = 3, NAMES_MOST = 6 };
    double least, most;
    const size_t n = found->step[k].host ? gather(found, k, host, &least, &most) : 0;
    if (n < MANY) {
        write_row(v, &found->step[k], NULL, 0, 0);
        return;
    }
    char *hosts = history_host_names(host, n, NAMES_MOST);
    write_row(v, &found->step[k], hosts, least, most);
    free(hosts);
    for (size_t i = k + 1; i < found->n; i++)
        if (is_same(&found->step[i], &found->step[k])) found->step[i].told = true;
}

void history_write_steps(const history_view *v, bool stays)
{
    enum { ROWS = 12 };
    const char *caption = stays ? SAID_HISTORY_CAPTION_WORSE : SAID_HISTORY_CAPTION_OTHERS;
    found_steps found = {0};
    for (size_t k = 0; k < v->all->n; k++) collect(&found, &v->all->line[k], NULL, stays);
    for (size_t h = 0; h < v->all->n_hosts; h++)
        for (size_t k = 0; k < v->all->host[h].n; k++)
            collect(&found, &v->all->host[h].line[k], &v->all->host[h], stays);
    if (found.n == 0) return;
    const history_host **host = suite_array(found.n, sizeof *host);
    size_t rows = 0;
    if (!stays) piece_history_other_steps(v->out, found.n);
    piece_history_steps_table(v->out, caption);
    for (size_t k = 0; k < found.n; k++) {
        if (found.step[k].told) continue;
        if (stays && rows++ == ROWS) {
            size_t left = 0;
            for (size_t i = k; i < found.n; i++) left += !found.step[i].told;
            piece_table_end(v->out);
            piece_history_more_steps(v->out, left);
            piece_history_steps_table(v->out, caption);
        }
        write_step(v, &found, k, host);
    }
    if (stays && rows <= ROWS) piece_table_end(v->out);
    else piece_part_of_tables_end(v->out);
    free(host);
    free(found.step);
}
