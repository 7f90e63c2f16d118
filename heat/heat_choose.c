/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_choose.c: which stores and how many steps a pass are fastest on this plate, by trials.

   A trial is the iteration itself, heat_iterate with its exchanges and its swaps of the two arrays.
   Nothing simpler will do on a plate that the caches hold: a sweep past the caches evicts what it
   writes, and it is the next sweep, the one that reads these temperatures, that waits for memory.
   Sweeps that all read one array and write the other would charge nobody for that wait, or charge
   it to the ordinary sweep that comes after. */
#include <math.h>
#include "heat.h"

enum {
    PLACES = 3,
    POINTS = 1 << 24, /* more than caches hold, in two arrays */
    BATCHES = 5,
    MOST_ITERATIONS = 1 << 12, /* should the clock stand still */
    MOST_WAYS = 16
};
/* A batch takes at least short_s, many times the clock's resolution. One that computes for less
   than long_s is repeated, since it may be that the core was taken away for most of it. */
static const double short_s = 5e-4, long_s = 1e-3;
/* A way whose long trials take so many times as long as the fastest ones is not tried any more. */
static const double hopeless = 1.25;

/* What all ways are tried on. */
typedef struct {
    const heat_plate *plate;
    heat_plate part; /* of it */
    heat_state state;
    int64_t rows;  /* of the part */
    bool is_whole; /* the part is */
    int batches;   /* of a trial */
} ground;

enum { COMPUTE, HALO, QUANTITIES };
typedef struct {
    ground *ground;
    heat_stores stores;
    int64_t steps;
    int64_t pairs;                  /* of passes, of a batch */
    int trials;                     /* so far; says at which place the next one is */
    cm_samples samples[QUANTITIES]; /* leader: seconds of an iteration; HALO less than 0, since the
                                       largest of all ranks is to be the one that waits least */
} way;

/* The pass before a trial brings the caches into the state in which this way leaves them. */
static void go_there(void *context)
{
    way *w = context;
    ground *g = w->ground;
    int now = g->part.now, place = w->trials++ % PLACES;
    g->part =
        heat_plate_part(g->plate, 1 + (g->plate->mine - g->rows) * place / (PLACES - 1), g->rows);
    g->part.now = now;
    g->state.stores = w->stores;
    g->state.steps = w->steps;
    heat_iterate(&g->state, w->steps);
}

/* The fastest of some batches, each as many passes in either direction between the arrays. */
static double trial(void *context, int64_t pairs, double *value)
{
    way *w = context;
    heat_state *state = &w->ground->state;
    int64_t iterations = 2 * pairs * w->steps;
    double compute_s = INFINITY, halo_s = INFINITY;
    for (int batch = 0; batch < w->ground->batches; batch++) {
        state->halo_s = 0;
        double start_s = cm_time();
        heat_iterate(state, iterations);
        compute_s = fmin(compute_s, cm_time() - start_s - state->halo_s);
        halo_s = fmin(halo_s, state->halo_s);
    }
    value[COMPUTE] = compute_s / (double)iterations;
    value[HALO] = -halo_s / (double)iterations;
    return compute_s + halo_s;
}

static cm_subject subject_of(way *w)
{
    return (cm_subject){.who = CM_SAMPLE_SLOWEST,
                        .series = QUANTITIES,
                        .most_operations = MOST_ITERATIONS / (2 * w->steps),
                        .prepare = go_there,
                        .trial = trial,
                        .context = w};
}

/* How long batches are, and how many, from those of one way. */
static void set_effort(ground *g, way *ways, size_t n)
{
    const cm_sampling search = {
        .rule = {.most = 1, .time_limit_s = INFINITY}, .trial_s = short_s, .now_s = cm_time};
    const cm_subject subject = subject_of(&ways[0]);
    cm_sampled sampled = {.samples = ways[0].samples};
    g->batches = 1;
    cm_sample(&search, g->plate->group, 1, &subject, &sampled);
    int64_t iterations = 2 * sampled.operations * ways[0].steps;
    if (cm_rank(g->plate->group) == HEAT_LEADER
        && ways[0].samples[COMPUTE].value[0] * (double)iterations < long_s)
        g->batches = BATCHES;
    cm_bcast(g->plate->group, &g->batches, sizeof g->batches, HEAT_LEADER, CM_AUTO);
    for (size_t k = 0; k < n; k++) {
        int64_t pair = 2 * ways[k].steps;
        ways[k].pairs = (iterations + pair - 1) / pair;
        ways[k].trials = 0;
        for (int q = 0; q < QUANTITIES; q++) cm_samples_clear(&ways[k].samples[q]);
    }
}

/* Of a large plate the sum over the places, since memory is not everywhere equally fast (it depends
   on how the pages of both arrays lie to each other); of a small one the least. */
static double cost_of(const way *w, int quantity)
{
    const cm_samples *samples = &w->samples[quantity];
    double sign = quantity == HALO ? -1 : 1, sum = 0, least = INFINITY;
    for (size_t k = 0; k < samples->n; k++) {
        sum += sign * samples->value[k];
        least = fmin(least, sign * samples->value[k]);
    }
    return w->ground->is_whole ? least : sum;
}

/* What each of n ways costs all ranks: the computing of the slowest rank and the exchanges of the
   one that waits least for others. Ways of as many steps exchange the same rows, so that they share
   the least time of these: how long a rank waits for one that does not run at the moment says
   nothing about stores. All ranks get the leader's numbers. */
static void costs_of(cm_group *group, size_t n, way *const *ways, double *cost_s)
{
    for (size_t k = 0; k < n && cm_rank(group) == HEAT_LEADER; k++) {
        double halo_s = INFINITY;
        for (size_t other = 0; other < n; other++)
            if (ways[other]->steps == ways[k]->steps)
                halo_s = fmin(halo_s, cost_of(ways[other], HALO));
        cost_s[k] = cost_of(ways[k], COMPUTE) + halo_s;
    }
    cm_bcast(group, cost_s, n * sizeof *cost_s, HEAT_LEADER, CM_AUTO);
}

/* Trials of n ways in turn, until each has so many. */
static void try_ways(size_t n, way *const *ways, size_t trials)
{
    const cm_sampling sampling = {.rule = {.most = trials, .time_limit_s = INFINITY},
                                  .now_s = cm_time};
    cm_subject subject[MOST_WAYS];
    cm_sampled sampled[MOST_WAYS];
    for (size_t k = 0; k < n; k++) {
        subject[k] = subject_of(ways[k]);
        sampled[k] = (cm_sampled){.samples = ways[k]->samples, .operations = ways[k]->pairs};
    }
    cm_sample(&sampling, ways[0]->ground->plate->group, n, subject, sampled);
}

/* Which of n ways is the fastest, by trials at some places of a large plate, or by as many of all
   of a small one. */
static const way *fastest(const heat_state *state, way *ways, size_t n)
{
    const heat_plate *plate = state->plate;
    ground g = {.plate = plate, .part = *plate, .state = *state};
    g.state.plate = &g.part;
    g.rows = POINTS / plate->columns + HEAT_WAVE_STEPS;
    if (g.rows > plate->mine) g.rows = plate->mine;
    g.is_whole = g.rows == plate->mine;
    way *left[MOST_WAYS], *chosen = ways;
    size_t n_left = n;
    for (size_t k = 0; k < n; k++) {
        ways[k].ground = &g;
        left[k] = &ways[k];
    }
    set_effort(&g, ways, n);
    for (size_t place = 0; place < PLACES; place++) {
        double cost_s[MOST_WAYS];
        try_ways(n_left, left, place + 1);
        costs_of(plate->group, n_left, left, cost_s);
        size_t best = 0, kept = 0;
        for (size_t k = 0; k < n_left; k++)
            if (cost_s[k] < cost_s[best]) best = k;
        const double most_s = g.batches > 1 ? INFINITY : hopeless * cost_s[best];
        chosen = left[best];
        for (size_t k = 0; k < n_left; k++)
            if (cost_s[k] <= most_s) left[kept++] = left[k];
        n_left = kept;
    }
    for (size_t k = 0; k < n; k++)
        for (int q = 0; q < QUANTITIES; q++) cm_samples_free(&ways[k].samples[q]);
    return chosen;
}

/* Both at once: what stores gain depends on the steps. More steps than a pass over memory takes are
   several such passes, so that HEAT_WAVE_STEPS stand for them. */
void heat_choose(heat_stores stores, int64_t steps, heat_state *state)
{
    static const int64_t many[] = {1, 3, 6, 9, 12, 15, 18, 24};
    const int64_t given[] = {steps < HEAT_WAVE_STEPS ? steps : HEAT_WAVE_STEPS};
    const int64_t *tried = steps == 0 ? many : given;
    size_t n_tried = steps == 0 ? sizeof many / sizeof *many : 1, n = 0;
    _Static_assert(2 * sizeof many / sizeof *many <= MOST_WAYS, "a time for each");
    way ways[MOST_WAYS];
    /* Chebyshev reads what it overwrites, and the others work in place. */
    if (stores == HEAT_AUTO && state->method != HEAT_JACOBI) stores = HEAT_ORDINARY;
    for (size_t k = 0; k < n_tried; k++) {
        if (tried[k] > state->steps) continue;
        if (stores != HEAT_AUTO) ways[n++] = (way){.stores = stores, .steps = tried[k]};
        else {
            ways[n++] = (way){.stores = HEAT_ORDINARY, .steps = tried[k]};
            ways[n++] = (way){.stores = HEAT_PAST, .steps = tried[k]};
        }
    }
    const way *chosen = n > 1 ? fastest(state, ways, n) : ways;
    state->stores = chosen->stores;
    state->steps = steps == 0 ? chosen->steps : steps;
}
