/* SPDX-License-Identifier: BSD-3-Clause */
/* history_steps.c: where lines changed their level, by how much, and how sure that is. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "history.h"

/* Points that count, as values for the test and by their indices. */
typedef struct {
    double *value;
    size_t *index, n;
    bool logarithms;
} counted;

/* The step that can be seen in noise of deviation 1, of series of each length below n; negative: it
   is not looked for yet. With gaps, a thousand hosts have few lengths, but in turns. */
typedef struct {
    size_t n;
    double alpha, *shift;
} visible_shift;

/* Logarithms, if all values have one: a change is a factor. */
static counted count(const history_line *line, bool with_disturbed)
{
    counted c = {suite_array(line->n + 1, sizeof *c.value),
                 suite_array(line->n + 1, sizeof *c.index), 0, false};
    bool positive = true;
    for (size_t k = 0; k < line->n; k++) {
        if (line->point[k].disturbed && !with_disturbed) continue;
        c.index[c.n] = k;
        c.value[c.n++] = line->point[k].value;
        positive = positive && line->point[k].value > 0;
    }
    for (size_t k = 0; positive && k < c.n; k++) c.value[k] = log(c.value[k]);
    c.logarithms = positive;
    return c;
}

static void set_way(history_step *step, const char *better)
{
    const double ratio = step->factor.ratio;
    if (strcmp(better, "neither") == 0 || isnan(ratio)) return;
    step->better = (ratio > 1) == (strcmp(better, "high") == 0);
    step->worse = !step->better;
}

/* From a level, which ends before `end`, to a later one, by the nearest values of both. */
static bool set_factor(const history_line *line, const counted *c, size_t from, size_t end,
                       size_t later, size_t later_end, cm_rank_factor *factor)
{
    double before[CM_RANK_MOST], after[CM_RANK_MOST];
    const size_t m = end - from < CM_RANK_MOST ? end - from : CM_RANK_MOST;
    const size_t n = later_end - later < CM_RANK_MOST ? later_end - later : CM_RANK_MOST;
    for (size_t k = 0; k < m; k++) before[k] = line->point[c->index[end - m + k]].value;
    for (size_t k = 0; k < n; k++) after[k] = line->point[c->index[later + k]].value;
    return cm_rank_ratio(m, before, n, after, factor);
}

/* The last step is by its test; of one before it, the last level may have undone it. */
static bool set_stays(const history_line *line, const counted *c, const cm_step *step, size_t found,
                      size_t k, history_step *one)
{
    cm_rank_factor now;
    one->stays = one->worse;
    if (!one->worse || k + 1 == found) return true;
    if (!set_factor(line, c, k > 0 ? step[k - 1].at : 0, step[k].at, step[found - 1].at, c->n,
                    &now))
        return false;
    one->stays = strcmp(line->better, "high") == 0 ? now.high < 1 : now.low > 1;
    return true;
}

static bool find_shift(visible_shift *known, size_t n, double alpha, double *shift)
{
    if (known->alpha != alpha) known->n = 0;
    known->alpha = alpha;
    if (n >= known->n) {
        known->shift = suite_longer(known->shift, n + 1, sizeof *known->shift);
        while (known->n <= n) known->shift[known->n++] = -1;
    }
    *shift = known->shift[n];
    if (!(*shift < 0)) return true;
    const bool had = cm_steps_visible(n, alpha, shift);
    known->shift[n] = *shift;
    return had;
}

/* Values that are all the same, but for rounding, say nothing of the noise. */
static bool set_visible(history_line *line, const counted *c, double alpha, const cm_step *step,
                        size_t found, visible_shift *known)
{
    static const double rounding = 1e-9;
    double deviation, shift;
    line->visible = NAN;
    if (!c->logarithms || c->n == 0) return true;
    if (!find_shift(known, c->n, alpha, &shift)
        || !cm_steps_deviation(c->n, c->value, step, found, &deviation))
        return false;
    if (deviation > rounding) line->visible = exp(shift * deviation);
    return true;
}

static bool find(history_line *line, size_t family, bool with_disturbed, visible_shift *known)
{
    const double alpha = HISTORY_LEVEL / (double)family;
    counted c = count(line, with_disturbed);
    cm_step *step = suite_array(c.n + 1, sizeof *step);
    size_t found;
    bool had = cm_steps_find(c.n, c.value, alpha, step, &found)
               && set_visible(line, &c, alpha, step, found, known);
    line->step = suite_array(found + 1, sizeof *line->step);
    for (size_t k = 0; had && k < found; k++) {
        const size_t from = k > 0 ? step[k - 1].at : 0;
        const size_t end = k + 1 < found ? step[k + 1].at : c.n;
        history_step *one = &line->step[line->n_steps++];
        *one = (history_step){.place = step[k], .pages = 1 / (step[k].p * (double)family)};
        had = set_factor(line, &c, from, step[k].at, step[k].at, end, &one->factor);
        one->place.at = c.index[step[k].at];
        one->place.from = c.index[step[k].from];
        one->place.to = c.index[step[k].to];
        set_way(one, line->better);
        had = had && set_stays(line, &c, step, found, k, one);
    }
    free(step);
    free(c.value);
    free(c.index);
    return had;
}

/* What is worse counts most, then any step. */
static double rank_of(const history_host *host)
{
    double rank = 0;
    for (size_t k = 0; k < host->n; k++)
        for (size_t s = 0; s < host->line[k].n_steps; s++)
            rank =
                fmax(rank, (host->line[k].step[s].stays ? 1e9 : 1) * host->line[k].step[s].pages);
    return rank;
}

static int by_rank(const void *a, const void *b)
{
    const history_host *x = a, *y = b;
    const double of_x = rank_of(x), of_y = rank_of(y);
    if (of_x != of_y) return of_x > of_y ? -1 : 1;
    if (x->stood_out != y->stood_out) return x->stood_out > y->stood_out ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

bool history_find_steps(history *all)
{
    size_t family = 0;
    bool had = true;
    visible_shift known = {0};
    for (size_t k = 0; had && k < all->n; k++) had = find(&all->line[k], all->n, true, &known);
    for (size_t h = 0; h < all->n_hosts; h++) family += all->host[h].n;
    /* A host's value has one or few launches, so a disturbed one says nothing of the host. */
    for (size_t h = 0; h < all->n_hosts; h++)
        for (size_t k = 0; had && k < all->host[h].n; k++)
            had = find(&all->host[h].line[k], family, false, &known);
    free(known.shift);
    if (had && all->n_hosts > 1) qsort(all->host, all->n_hosts, sizeof *all->host, by_rank);
    return had;
}

bool history_is_worse(const history_line *line)
{
    for (size_t s = 0; s < line->n_steps; s++)
        if (line->step[s].stays) return true;
    return false;
}

bool history_host_is_worse(const history_host *host)
{
    for (size_t k = 0; k < host->n; k++)
        if (history_is_worse(&host->line[k])) return true;
    return false;
}

bool history_host_is_odd(const history_host *host)
{
    bool odd = host->stood_out > 0 || host->n_changes > 0;
    for (size_t k = 0; k < host->n; k++) odd = odd || host->line[k].n_steps > 0;
    return odd;
}

static size_t steps_of(const history_line *line, size_t n)
{
    size_t steps = 0;
    for (size_t k = 0; k < n; k++) steps += line[k].n_steps;
    return steps;
}

void history_count_steps(const history *all, size_t *of_lines, size_t *of_hosts)
{
    *of_lines = steps_of(all->line, all->n);
    *of_hosts = 0;
    for (size_t h = 0; h < all->n_hosts; h++)
        *of_hosts += steps_of(all->host[h].line, all->host[h].n);
}

static int by_visible(const void *a, const void *b)
{
    const history_line *x = *(const history_line *const *)a, *y = *(const history_line *const *)b;
    return (x->visible > y->visible) - (x->visible < y->visible);
}

double history_visible(const history_line *const *line, size_t n, const history_line **most,
                       size_t *of)
{
    const history_line **known = suite_array(n + 1, sizeof *known);
    *of = 0;
    for (size_t k = 0; k < n; k++)
        if (isfinite(line[k]->visible)) known[(*of)++] = line[k];
    qsort(known, *of, sizeof *known, by_visible);
    *most = *of > 0 ? known[*of - 1] : NULL;
    const double half = *of > 0 ? known[(*of - 1) / 2]->visible : NAN;
    free(known);
    return half;
}
