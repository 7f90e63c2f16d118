/* SPDX-License-Identifier: BSD-3-Clause */
/* backends_rows.c: which values of several backends stand beside each other. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "backends.h"
#include "common/memory.h"
#include "results/results.h"

/* ---- Rows at the points of a manifest -------------------------------------------------------- */

/* The value of KEY=VALUE in the setting of a row; NULL: it has no such key. The caller frees. */
static char *value_of(const char *setting, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = setting; (at = strstr(at, key)); at++)
        if ((at == setting || at[-1] == ' ') && at[n] == '=')
            return suite_text("%.*s", (int)strcspn(at + n + 1, " "), at + n + 1);
    return NULL;
}

/* NaN: it is no number. */
static double number_of(const char *setting, const char *key)
{
    char *text = value_of(setting, key);
    double number = NAN;
    if (text) cm_record_number(text, &number);
    free(text);
    return number;
}

static bool is_of(const compare_item *item, const suite_run *run, const suite_words *curves)
{
    return strcmp(item->bench, run->name) == 0 && item->setting
           && strcmp(item->metric, curves->word[0]) == 0;
}

/* The greatest number that the column has among the run's rows. */
static double most_of(const compare_items *rows, const suite_run *run, const suite_words *curves,
                      const char *key)
{
    double most = NAN;
    for (size_t k = 0; k < rows->n; k++)
        if (is_of(&rows->item[k], run, curves))
            most = fmax(most, number_of(rows->item[k].setting, key));
    return most;
}

/* Returns true if the row meets the conditions COLUMN=VALUE behind Y, X and PANEL. */
static bool meets(const compare_items *rows, const compare_item *item, const suite_run *run,
                  const suite_words *curves)
{
    bool met = is_of(item, run, curves);
    for (size_t k = 2; k < curves->n && met; k++) {
        char *key = suite_copy(curves->word[k]), *wanted = strchr(key, '=');
        if (wanted) {
            *wanted++ = '\0';
            char *value = value_of(item->setting, key);
            met = strcmp(wanted, "max") == 0
                      ? number_of(item->setting, key) == most_of(rows, run, curves, key)
                      : value && strcmp(value, wanted) == 0;
            free(value);
        }
        free(key);
    }
    return met;
}

/* How far apart two sizes are, as a factor. */
static double apart(double a, double b) { return a > b ? a / b : b / a; }

/* The row's X that is nearest to the point, at most a factor of 2 away: no profile has all sizes.
   NaN: there is none. panel: "" if there are no panels. */
static double nearest(const compare_items *rows, const suite_run *run, const suite_words *curves,
                      const char *panel, const char *value, double point)
{
    double best = NAN;
    for (size_t k = 0; k < rows->n; k++) {
        const compare_item *item = &rows->item[k];
        if (!meets(rows, item, run, curves)) continue;
        char *own = *panel ? value_of(item->setting, panel) : suite_copy("");
        double x = number_of(item->setting, curves->word[1]);
        if (own && strcmp(own, value) == 0 && x > 0 && apart(x, point) <= 2
            && !(apart(x, point) > apart(best, point))
            && !(apart(x, point) == apart(best, point) && x < best))
            best = x;
        free(own);
    }
    return best;
}

/* The row of the pair with this panel and X; NULL: it has none. */
static compare_item *find_row(const compare_items *rows, const suite_run *run,
                              const suite_words *curves, const char *panel, const char *value,
                              double x)
{
    for (size_t k = 0; k < rows->n; k++) {
        compare_item *item = &rows->item[k];
        if (!meets(rows, item, run, curves) || number_of(item->setting, curves->word[1]) != x)
            continue;
        char *own = *panel ? value_of(item->setting, panel) : suite_copy("");
        bool found = own && strcmp(own, value) == 0;
        free(own);
        if (found) return item;
    }
    return NULL;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

typedef struct {
    suite_backends *to;
    suite_metrics metrics;
    compare_item **chosen; /* rows that are tested here */
    size_t n_chosen;
} choice;

static suite_backends_row *add(choice *c, const suite_run *run, char *name)
{
    suite_backends *to = c->to;
    to->row = suite_longer(to->row, to->n + 1, sizeof *to->row);
    suite_backends_row *row = &to->row[to->n++];
    *row = (suite_backends_row){.run = run, .name = name};
    row->item = suite_array(to->names->n, sizeof *row->item);
    return row;
}

static const compare_item *find(const compare_items *items, const char *bench, const char *metric)
{
    for (size_t k = 0; k < items->n; k++)
        if (!items->item[k].setting && strcmp(items->item[k].bench, bench) == 0
            && strcmp(items->item[k].metric, metric) == 0)
            return &items->item[k];
    return NULL;
}

/* A tested metric, if any pair has it. */
static void add_metric(choice *c, const suite_run *run, const char *metric)
{
    const comparison *all = c->to->all;
    suite_backends_row *row = NULL;
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        const compare_item *item = find(&all->pair[k].headline, run->name, metric);
        if (!item) item = find(&all->pair[k].further, run->name, metric);
        if (!item) continue;
        char *program = suite_home_program(all->home, run->folder, run->program);
        if (!row) row = add(c, run, suite_metrics_label(&c->metrics, program, metric));
        row->item[k] = item;
        free(program);
    }
}

/* "8 B", "64 KiB"; a number of a column that is not of bytes stands as it is. */
static char *size_words(const char *column, double x)
{
    size_t n = strlen(column);
    if (n < 6 || strcmp(column + n - 6, "_bytes") != 0) return suite_text("%.10g", x);
    return x >= 1024 && fmod(x, 1024) == 0 ? suite_text("%.10g KiB", x / 1024)
                                           : suite_text("%.10g B", x);
}

static void add_point(choice *c, const suite_run *run, const suite_words *curves, const char *panel,
                      const char *value, double point)
{
    const comparison *all = c->to->all;
    double x = NAN;
    suite_backends_row *row = NULL;
    for (size_t k = 0; k + 1 < all->n_sides && isnan(x); k++)
        x = nearest(&all->pair[k].rows, run, curves, panel, value, point);
    for (size_t k = 0; k + 1 < all->n_sides && x > 0; k++) {
        compare_item *item = find_row(&all->pair[k].rows, run, curves, panel, value, x);
        if (!item) continue;
        char *size = size_words(curves->word[1], x);
        if (!row) row = add(c, run, suite_text("%s%s%s", value, *value ? ", " : "", size));
        row->item[k] = item;
        c->chosen = suite_longer(c->chosen, c->n_chosen + 1, sizeof *c->chosen);
        c->chosen[c->n_chosen++] = item;
        free(size);
    }
}

/* The values of the panel in the order of their names: rows are sorted by their change. */
static suite_words panels_of(const comparison *all, const suite_run *run, const suite_words *curves,
                             const char *panel)
{
    suite_words values = {0};
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        const compare_items *rows = &all->pair[k].rows;
        for (size_t i = 0; i < rows->n; i++) {
            char *value = *panel && meets(rows, &rows->item[i], run, curves)
                              ? value_of(rows->item[i].setting, panel)
                              : NULL;
            if (value && !suite_words_have(&values, value)) suite_words_add(&values, value);
            free(value);
        }
    }
    for (size_t k = 1; k < values.n; k++)
        for (size_t j = k; j > 0 && strcmp(values.word[j - 1], values.word[j]) > 0; j--) {
            char *word = values.word[j];
            values.word[j] = values.word[j - 1];
            values.word[j - 1] = word;
        }
    if (!*panel) suite_words_add(&values, "");
    return values;
}

static void add_points(choice *c, const suite_run *run)
{
    suite_words curves = {0}, points = {0};
    if (!run->points || !run->curves) return;
    suite_words_split(&curves, run->curves);
    suite_words_split(&points, run->points);
    const char *panel = curves.n > 2 && !strchr(curves.word[2], '=') ? curves.word[2] : "";
    suite_words values = panels_of(c->to->all, run, &curves, panel);
    for (size_t v = 0; v < values.n; v++)
        for (size_t p = 0; p < points.n; p++)
            add_point(c, run, &curves, panel, values.word[v], strtod(points.word[p], NULL));
    suite_words_free(&values);
    suite_words_free(&points);
    suite_words_free(&curves);
}

static bool is_shared(const comparison *all, const suite_run *run)
{
    for (size_t s = 0; s < all->n_sides; s++) {
        const compare_bench *bench = compare_side_find(&all->side[s], run->name);
        for (size_t k = 0; bench && k < bench->n; k++)
            if (suite_result_oversubscribed(&bench->launch[k])) return true;
    }
    return false;
}

/* The nodes' own programs send no messages. */
static bool is_wanted(const suite_run *run)
{
    return strcmp(run->group, "network") == 0 || strcmp(run->group, "collectives") == 0
           || strcmp(run->group, "programs") == 0;
}

/* A run without a result over the first backend has no row. */
static void add_lost(choice *c, const suite_run *run)
{
    const comparison *all = c->to->all;
    size_t found = 0;
    for (size_t s = 0; s < all->n_sides; s++)
        found += compare_side_find(&all->side[s], run->name) != NULL;
    for (size_t s = 0; s < all->n_sides && found > 0; s++) {
        if (compare_side_find(&all->side[s], run->name)) continue;
        char *lost = suite_text("%s over %s", run->name, c->to->names->word[s]);
        suite_words_add(&c->to->lost, lost);
        free(lost);
    }
}

static void add_run(choice *c, const suite_run *run)
{
    suite_words further = {0};
    if (!is_wanted(run)) return;
    add_lost(c, run);
    if (is_shared(c->to->all, run)) {
        suite_words_add(&c->to->shared, run->name);
        return;
    }
    if (!run->points && run->headline) add_metric(c, run, run->headline);
    if (!run->points && run->further) suite_words_split(&further, run->further);
    for (size_t k = 0; k < further.n; k++)
        if (!strchr(further.word[k], ':')) add_metric(c, run, further.word[k]);
    add_points(c, run);
    suite_words_free(&further);
}

suite_backends suite_backends_choose(comparison *all, const suite_words *names)
{
    suite_backends backends = {.all = all, .names = names};
    choice c = {.to = &backends};
    for (size_t r = 0; r < all->table.n; r++) add_run(&c, &all->table.run[r]);
    compare_judge_chosen(all, c.chosen, c.n_chosen);
    free(c.chosen);
    suite_metrics_free(&c.metrics);
    return backends;
}

void suite_backends_free(suite_backends *backends)
{
    for (size_t k = 0; k < backends->n; k++) {
        free(backends->row[k].name);
        free(backends->row[k].item);
    }
    free(backends->row);
    suite_words_free(&backends->shared);
    suite_words_free(&backends->lost);
    *backends = (suite_backends){0};
}

suite_backends_gain suite_backends_gain_of(const compare_item *item)
{
    const cm_rank_factor *f = &item->factor;
    suite_backends_gain gain = {.times = f->ratio,
                                .low = f->low,
                                .high = f->high,
                                .is_range = f->interval == CM_INTERVAL_RANGE,
                                .told = item->verdict >= COMPARE_FASTER};
    if (item->better == COMPARE_LOW) {
        gain.times = 1 / f->ratio;
        gain.low = 1 / f->high;
        gain.high = 1 / f->low;
    }
    return gain;
}

suite_backends_gain suite_backends_amount_of(const compare_item *item)
{
    suite_backends_gain gain = suite_backends_gain_of(item);
    if (item->verdict == COMPARE_SLOWER)
        gain = (suite_backends_gain){1 / gain.times, 1 / gain.high, 1 / gain.low, gain.is_range,
                                     gain.told};
    return gain;
}
