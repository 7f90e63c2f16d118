/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_tune.c: --tune: from what is used without it, changes one thing after the other and keeps
   what is faster. */
#include "linpack_tune.h"

/* A tenth of the runs; for short runs a second, which is hardly noticed. */
static const double part_of_runs = 0.1, always_s = 1;

typedef struct {
    const linpack_system *system;
    const linpack_options *all;
    int order, ranks;
    linpack_tuning *tuning;
    double began_s, panel_s; /* panel_s: what trying a setting took, for each of its panels */
} tuner;

static void set_options(const tuner *t, const linpack_setting *setting, linpack_options *own)
{
    *own = *t->all;
    own->panel = setting->panel;
    own->look_ahead = setting->look_ahead;
    own->slices = setting->slices;
    own->threads = setting->threads;
    own->exchange = setting->exchange;
    if (own->algorithm == LINPACK_GRID) own->grid_given = setting->grid;
    cm_algorithm_parse(setting->broadcast, &own->broadcast);
}

static linpack_setting *best(const tuner *t) { return &t->tuning->tried[t->tuning->chosen]; }

static bool same(const linpack_setting *a, const linpack_setting *b)
{
    return a->grid.rows == b->grid.rows && a->panel == b->panel && a->look_ahead == b->look_ahead
           && a->slices == b->slices && a->threads == b->threads && a->exchange == b->exchange
           && a->broadcast == b->broadcast;
}

static double cost_of(const linpack_setting *s) { return s->panel * (s->grid.columns + 1.0); }

static double try_again(tuner *t, const linpack_setting *setting)
{
    linpack_options own;
    set_options(t, setting, &own);
    const double since = cm_time();
    const double predicted_s = linpack_tune_trial(t->system, &own, t->order);
    t->panel_s = fmax(t->panel_s, (cm_time() - since) / cost_of(setting));
    t->tuning->spent_s = cm_time() - t->began_s;
    return predicted_s;
}

/* Returns true if there is time for trials of this cost. */
static bool is_time_for(const tuner *t, double cost)
{
    double next_s = cm_time() - t->began_s + cost * t->panel_s;
    cm_bcast(t->all->group, &next_s, sizeof next_s, 0, CM_AUTO);
    return next_s <= t->tuning->limit_s;
}

/* Tries a setting. Returns true if it is the best so far. */
static bool try_one(tuner *t, linpack_setting setting)
{
    linpack_tuning *tuning = t->tuning;
    linpack_options own;
    set_options(t, &setting, &own);
    for (int k = 0; k < tuning->n; k++)
        if (same(&setting, &tuning->tried[k])) return false;
    if (tuning->n == LINPACK_SETTINGS_MOST || !linpack_fits(&own, t->order, LINPACK_MEMORY_PART)
        || (tuning->n && !is_time_for(t, cost_of(&setting))))
        return false;
    setting.predicted_s = try_again(t, &setting);
    tuning->tried[tuning->n++] = setting;
    if (!(setting.predicted_s < best(t)->predicted_s)) return false;
    tuning->chosen = tuning->n - 1;
    return true;
}

/* ---- What can be changed --------------------------------------------------------------------- */

static int panel_on(const tuner *t, linpack_grid grid)
{
    return linpack_panel(t->all, t->order, grid);
}

/* Sets what is used without --tune on this grid. */
static void choose_look_ahead(const tuner *t, linpack_setting *setting)
{
    setting->look_ahead = linpack_look_ahead(t->all, t->order, setting->grid, setting->panel);
    setting->slices = linpack_slices(t->all, t->order, setting->grid, setting->panel);
}

/* The grids that the model does not give up, best first. */
static void try_grids(tuner *t)
{
    if (t->all->algorithm != LINPACK_GRID || t->all->grid_given.rows) return;
    const double least_s = linpack_model_s(t->all, t->order, t->tuning->tried[0].grid);
    double after_s = 0;
    for (;;) {
        linpack_setting next = {.grid = {0, 0}};
        double next_s = 2 * least_s;
        for (int rows = 1; rows <= t->ranks; rows++) {
            const linpack_grid grid = {rows, t->ranks / rows};
            if (grid.rows * grid.columns != t->ranks) continue;
            const double model_s = linpack_model_s(t->all, t->order, grid);
            if (model_s <= after_s || model_s >= next_s) continue;
            next = *best(t);
            next.grid = grid;
            next_s = model_s;
        }
        if (!next.grid.rows) return;
        if (!t->all->panel) next.panel = panel_on(t, next.grid);
        choose_look_ahead(t, &next);
        try_one(t, next);
        after_s = next_s;
    }
}

/* Tries another depth of the look-ahead, with the slices that it would have. */
static bool try_depth(tuner *t, int depth)
{
    linpack_setting next = *best(t);
    linpack_options own;
    next.look_ahead = depth;
    set_options(t, &next, &own);
    own.slices = t->all->slices;
    next.slices = linpack_slices(&own, t->order, next.grid, next.panel);
    return try_one(t, next);
}

/* A panel more, as long as that is better; otherwise one less. */
static void try_look_ahead(tuner *t)
{
    enum { MOST = 3 };
    const int usual = best(t)->look_ahead;
    if (t->ranks == 1 || t->all->look_ahead >= 0) return;
    while (best(t)->look_ahead < MOST && try_depth(t, best(t)->look_ahead + 1)) continue;
    if (best(t)->look_ahead == usual && usual > 0) try_depth(t, usual - 1);
}

static void try_slices(tuner *t)
{
    if (t->ranks == 1 || t->all->slices > 0) return;
    linpack_setting next = *best(t);
    next.slices = next.slices > 1 ? 1 : LINPACK_SLICES;
    try_one(t, next);
}

/* Tries widths of three halves and of two thirds, as long as they are better. */
static void try_panels(tuner *t)
{
    enum { STEP = 16 };
    if (t->all->panel) return;
    for (int wider = 0; wider < 2; wider++)
        for (;;) {
            linpack_setting next = *best(t);
            const double want = wider ? 1.5 * next.panel : next.panel / 1.5;
            next.panel = (int)(want / STEP + 0.5) * STEP;
            if (next.panel < STEP || next.panel > LINPACK_PANEL_MOST || !try_one(t, next)) break;
        }
}

static void try_threads(tuner *t)
{
    for (;;) {
        linpack_setting next = *best(t);
        next.threads /= 2;
        if (t->all->threads_given || next.threads < 1 || !try_one(t, next)) return;
    }
}

static void try_messages(tuner *t)
{
    /* In pieces, and whole from rank to rank, one of which is the usual way; and HPL's way for long
       messages. */
    static const char *const broadcasts[] = {"chain:0", "chain:1073741824", "scatter-allgather"};
    if (best(t)->grid.rows > 2 && t->all->exchange == LINPACK_DIRECT) {
        linpack_setting next = *best(t);
        next.exchange = LINPACK_ROLL;
        try_one(t, next);
    }
    for (size_t k = 0; k < sizeof broadcasts / sizeof *broadcasts; k++) {
        linpack_setting next = *best(t);
        next.broadcast = broadcasts[k];
        if (next.grid.columns > 2 && !t->all->broadcast_text) try_one(t, next);
    }
}

/* ---- Is the best one better? ----------------------------------------------------------------- */

static double time_again(void *context, bool usual)
{
    tuner *t = context;
    return try_again(t, usual ? &t->tuning->tried[0] : best(t));
}

static bool has_time(void *context)
{
    const tuner *t = context;
    return is_time_for(t, cost_of(&t->tuning->tried[0]) + cost_of(best(t)));
}

static void confirm(tuner *t)
{
    linpack_setting *usual = &t->tuning->tried[0], *chosen = best(t);
    if (chosen == usual) return;
    const linpack_contest contest = {time_again, has_time, t};
    linpack_comparison comparison;
    const bool is_better = linpack_tune_compare(&contest, &comparison);
    t->tuning->again = comparison.n;
    if (comparison.n >= LINPACK_AGAIN_LEAST) {
        chosen->predicted_s = comparison.setting_s;
        usual->predicted_s = comparison.usual_s;
    }
    if (!is_better) t->tuning->chosen = 0;
}

static void try_all(tuner *t)
{
    try_grids(t);
    try_look_ahead(t);
    try_slices(t);
    try_panels(t);
    try_threads(t);
    try_messages(t);
    confirm(t);
}

void linpack_tune(const linpack_system *system, int order, linpack_options *own,
                  linpack_tuning *tuning)
{
    linpack_options all = *system->options;
    const int ranks = cm_size(all.group);
    tuner t = {system, &all, order, ranks, tuning, cm_time(), 0};
    *tuning = (linpack_tuning){.limit_s = INFINITY};
    linpack_setting usual = {.grid = linpack_grid_of_order(&all, order, ranks),
                             .threads = (int)all.threads,
                             .exchange = all.exchange,
                             .broadcast = all.broadcast_text ? all.broadcast_text : "auto"};
    usual.panel = panel_on(&t, usual.grid);
    choose_look_ahead(&t, &usual);
    try_one(&t, usual);
    if (tuning->n && isfinite(tuning->tried[0].predicted_s)) {
        const double runs_s = (double)all.sampling.most * tuning->tried[0].predicted_s;
        tuning->limit_s = fmax(part_of_runs * runs_s, always_s);
        /* The first one had a cold machine. */
        if (is_time_for(&t, cost_of(&usual)))
            tuning->tried[0].predicted_s =
                fmin(tuning->tried[0].predicted_s, try_again(&t, &usual));
        try_all(&t);
    }
    set_options(&t, tuning->n ? best(&t) : &usual, own);
    cm_bcast(all.group, &tuning->spent_s, sizeof tuning->spent_s, 0, CM_AUTO);
    cm_blas_threads((int)own->threads);
}

void linpack_tune_tell(cm_result *result, int order, const linpack_tuning *tuning)
{
    for (int k = 0; k < tuning->n; k++) {
        const linpack_setting *s = &tuning->tried[k];
        cm_result_comment(result,
                          "tune: order=%d grid=%dx%d panel=%d look_ahead=%d slices=%d threads=%d "
                          "exchange=%s broadcast=%s predicted_s=%.4g%s%s",
                          order, s->grid.rows, s->grid.columns, s->panel, s->look_ahead, s->slices,
                          s->threads, s->exchange == LINPACK_ROLL ? "roll" : "direct", s->broadcast,
                          s->predicted_s, k ? "" : " default",
                          k == tuning->chosen ? " chosen" : "");
    }
    cm_result_comment(result, "tuned: order=%d tried=%d again=%d spent_s=%.3g limit_s=%.3g", order,
                      tuning->n, tuning->again, tuning->spent_s, tuning->limit_s);
}
