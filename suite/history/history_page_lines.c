/* SPDX-License-Identifier: BSD-3-Clause */
/* history_page_lines.c: the headlines: a row with the last value of each, and each over time. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "history_page.h"
#include "pages.h"

/* Of what is worse, of what has steps, of the rest. */
static int class_of(const history_line *line)
{
    return history_is_worse(line) ? 0 : line->n_steps > 0 ? 1 : 2;
}

const history_line **history_lines_in_order(const history *all)
{
    const history_line **line = suite_array(all->n + 1, sizeof *line);
    size_t n = 0;
    for (int class = 0; class <= 2; class ++)
        for (size_t k = 0; k < all->n; k++)
            if (class_of(&all->line[k]) == class) line[n++] = &all->line[k];
    return line;
}

/* A value of the line in its unit, with the ends of its interval. */
typedef struct {
    char unit[SUITE_UNIT];
    suite_digits digits;
    bool known; /* that it has an interval */
} shown_value;

static shown_value shown(const history_line *line, const history_point *p, double like)
{
    shown_value s = {.known = isfinite(p->low)};
    const double per = suite_unit_easy(like, line->unit, line->metric, s.unit);
    s.digits = suite_digits_of(p->value / per, p->low / per, p->high / per);
    return s;
}

static const history_point *last_of(const history_line *line) { return &line->point[line->n - 1]; }

/* ---- The table ------------------------------------------------------------------------------- */

static void write_level(const history_view *v, const history_line *line)
{
    size_t s = line->n_steps;
    if (s == 0) {
        if (line->n < HISTORY_FEW) piece_history_level_few(v->out);
        else piece_history_level_same(v->out);
        return;
    }
    /* The last step that is worse; without one the last. */
    bool mended = false;
    for (size_t k = 0; k < line->n_steps; k++) mended = mended || line->step[k].worse;
    while (s > 0 && !line->step[s - 1].stays) s--;
    if (s == 0 && mended) {
        piece_history_level_mended(
            v->out, history_day_of(v->all, line, line->step[line->n_steps - 1].place.at));
        return;
    }
    const history_step *step = &line->step[s > 0 ? s - 1 : line->n_steps - 1];
    piece_history_level_span(v->out, history_way(step));
    history_write_factor(v->out, &step->factor);
    piece_history_level_since(v->out, step->worse, step->better,
                              history_day_of(v->all, line, step->place.at));
}

void history_write_headlines(const history_view *v)
{
    FILE *out = v->out;
    bool range = false;
    if (v->all->n == 0) return;
    const history_line **line = history_lines_in_order(v->all);
    piece_history_headlines_begin(out);
    for (size_t k = 0; k < v->all->n; k++) {
        const history_point *last = last_of(line[k]);
        shown_value s = shown(line[k], last, last->value);
        range = range || (s.known && last->range);
        piece_history_headline(out, line[k]->benchmark, line[k]->title, line[k]->metric,
                               s.digits.value, s.unit);
        piece_history_interval(out, s.known, s.digits.low, s.digits.high, last->range,
                               last->launches);
        piece_history_headline_level(out);
        write_level(v, line[k]);
        piece_history_headline_end(out);
    }
    piece_table_end(out);
    if (range) piece_range_mark(out);
    piece_section_end(out);
    free(line);
}

/* ---- Over time ------------------------------------------------------------------------------- */

/* The last value, and the levels around the last step. */
static void write_numbers(const history_view *v, const history_line *line)
{
    FILE *out = v->out;
    const history_point *last = last_of(line);
    const size_t at = line->n_steps > 0 ? line->step[line->n_steps - 1].place.at : 0;
    shown_value s = shown(line, last, last->value);
    piece_three_begin(out);
    piece_history_number(out, SAID_HISTORY_LAST, s.digits.value, s.unit);
    piece_history_interval(out, s.known, s.digits.low, s.digits.high, last->range, last->launches);
    piece_three_interval_end(out);
    const double now = history_median(line, at, line->n);
    s = shown(line, &(history_point){.value = now, .low = NAN, .high = NAN}, now);
    piece_history_number(out, SAID_HISTORY_LEVEL_NOW, s.digits.value, s.unit);
    if (at > 0) piece_history_number_since(out, history_day_of(v->all, line, at));
    else piece_history_number_median(out, line->n);
    piece_three_interval_end(out);
    if (at > 0) {
        const size_t from = line->n_steps > 1 ? line->step[line->n_steps - 2].place.at : 0;
        const double before = history_median(line, from, at);
        s = shown(line, &(history_point){.value = before, .low = NAN, .high = NAN}, now);
        piece_history_number(out, SAID_HISTORY_LEVEL_BEFORE, s.digits.value, s.unit);
        piece_history_number_median(out, at - from);
        piece_three_interval_end(out);
    }
    piece_three_end(out);
}

/* Every value, for who cannot point at it. */
static void write_values(const history_view *v, const history_line *line)
{
    const double like = last_of(line)->value;
    char unit[SUITE_UNIT];
    suite_unit_easy(like, line->unit, line->metric, unit);
    piece_history_values_begin(v->out, line->benchmark, line->title, unit, line->n);
    for (size_t k = line->n; k-- > 0;) {
        const history_point *p = &line->point[k];
        shown_value s = shown(line, p, like);
        piece_history_value(v->out, v->link[p->at], history_day_of(v->all, line, k), s.digits.value,
                            s.known, s.digits.low, s.digits.high, p->range, p->disturbed);
    }
    piece_part_of_tables_end(v->out);
}

static void write_line(const history_view *v, const history_line *line)
{
    FILE *out = v->out;
    piece_history_line_begin(out, line->benchmark, line->title, line->metric);
    history_figure(out, v->all, line, v->link);
    piece_history_line_figure_end(out);
    write_numbers(v, line);
    piece_rest_begin(out);
    piece_history_line_about(out, line->benchmark, line->meaning,
                             strcmp(line->better, "neither") == 0 ? "no" : line->better,
                             line->hosts, line->ranks, line->n);
    write_values(v, line);
    piece_rest_end(out);
    piece_section_end(out);
}

/* As many as are eight screens are open; each of the others is a line that opens. */
void history_write_lines(const history_view *v)
{
    enum { OPEN = 24 };
    if (v->all->n == 0) return;
    const history_line **line = history_lines_in_order(v->all);
    piece_group_begin(v->out, "lines", SAID_HISTORY_OVER_TIME);
    for (size_t k = 0; k < v->all->n; k++) {
        if (k >= OPEN) {
            shown_value s = shown(line[k], last_of(line[k]), last_of(line[k])->value);
            piece_history_folded_line(v->out, line[k]->title, s.digits.value, s.unit);
        }
        write_line(v, line[k]);
        if (k >= OPEN) piece_details_end(v->out);
    }
    piece_section_end(v->out);
    free(line);
}
