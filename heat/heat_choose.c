/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_choose.c: finds by trials which stores and how many steps per pass are fastest on this
   plate.

   A trial is the iteration itself, heat_iterate with its exchanges and its swaps of the two arrays,
   and gathering. Nothing simpler is right for a plate that fits into the caches. A sweep with
   stores past the caches evicts what it writes, and the next sweep, which reads these temperatures,
   waits for memory. If all sweeps read one array and wrote the other, no sweep would pay for that
   wait, or the ordinary sweep that follows would. Gathering reads the plate and fills the caches
   with the picture, so it also decides which stores pay. */
#include <math.h>
#include "heat.h"

enum {
    PLACES = 3,
    POINTS = 1 << 24, /* two such arrays are more than caches hold */
    BATCHES = 5,
    MOST_ITERATIONS = 1 << 12, /* in case the clock does not advance */
    MOST_ROUNDS = 4,           /* with gathering, whose messages take long if ranks share cores */
    MOST_WAYS = 17
};
/* A batch takes at least short_s, many times the clock's resolution. If it computes for less than
   long_s it is repeated, because the core may have been taken away for most of it. */
static const double short_s = 5e-4, long_s = 1e-3;
/* Trials gather if the iterations between two gatherings take less than this. Otherwise the plate
   is large, or gathering is rare, and it changes little. */
static const double often_s = 0.1;
/* A way is dropped when its long trials take this many times as long as those of the fastest. */
static const double hopeless = 1.25;

/* The plate that all ways are tried on. */
typedef struct {
    const heat_plate *plate;
    heat_plate part; /* of the plate */
    heat_state state;
    int64_t rows;  /* of the part */
    bool is_whole; /* part is the whole plate */
    int batches;   /* of a trial */
    const heat_between *between;
    bool collects;        /* a round ends with gathering */
    heat_picture picture; /* if so */
} ground;

enum { COMPUTE, HALO, QUANTITIES };
typedef struct {
    ground *ground;
    heat_stores stores;
    int64_t steps;
    int64_t rounds;                 /* in a batch */
    int trials;                     /* so far; determines the place of the next one */
    cm_samples samples[QUANTITIES]; /* leader: seconds per iteration. HALO is negative, so that the
                                       largest over all ranks is the rank that waits least */
} way;

static void collect(ground *g)
{
    if (!g->collects) return;
    heat_collect(&g->part, &g->picture);
    cm_barrier(g->plate->group, CM_AUTO);
}

/* One pass before a trial brings the caches into the state in which this way leaves them. */
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
    collect(g);
}

/* A round is the iterations up to a gathering, or a pass in each direction. */
static int64_t round_of(const way *w)
{
    return w->ground->collects ? w->ground->between->collect_every : 2 * w->steps;
}

/* Passes end at the same iterations as in a run. */
static void iterate_round(const way *w)
{
    const int64_t iterations = round_of(w), every = w->ground->between->every;
    for (int64_t k = 0; k < iterations;) {
        int64_t some = iterations - k;
        if (w->ground->collects && every > 0 && some > every) some = every;
        heat_iterate(&w->ground->state, some);
        k += some;
    }
}

/* Measures the fastest of some batches, without gathering. */
static double trial(void *context, int64_t rounds, double *value)
{
    way *w = context;
    ground *g = w->ground;
    const double iterations = (double)(rounds * round_of(w));
    double compute_s = INFINITY, halo_s = INFINITY;
    for (int batch = 0; batch < g->batches; batch++) {
        double batch_s = 0;
        g->state.halo_s = 0;
        for (int64_t k = 0; k < rounds; k++) {
            double start_s = cm_time();
            iterate_round(w);
            batch_s += cm_time() - start_s;
            collect(g);
        }
        compute_s = fmin(compute_s, batch_s - g->state.halo_s);
        halo_s = fmin(halo_s, g->state.halo_s);
    }
    value[COMPUTE] = compute_s / iterations;
    value[HALO] = -halo_s / iterations;
    return compute_s + halo_s;
}

static cm_subject subject_of(way *w)
{
    const int64_t most = MOST_ITERATIONS / round_of(w);
    return (cm_subject){.who = CM_SAMPLE_SLOWEST,
                        .series = QUANTITIES,
                        .most_operations = most > 0 ? most : 1,
                        .prepare = go_there,
                        .trial = trial,
                        .context = w};
}

/* Sets the length and number of batches, and whether trials gather, from the time of one way. */
static void set_effort(ground *g, way *ways, size_t n)
{
    const cm_sampling search = {
        .rule = {.most = 1, .time_limit_s = INFINITY}, .trial_s = short_s, .now_s = cm_time};
    const cm_subject subject = subject_of(&ways[0]);
    const int64_t collect_every = g->between->collect_every;
    cm_sampled sampled = {.samples = ways[0].samples};
    g->batches = 1;
    cm_sample(&search, g->plate->group, 1, &subject, &sampled);
    int64_t iterations = sampled.operations * round_of(&ways[0]);
    if (cm_rank(g->plate->group) == HEAT_LEADER) {
        const double iteration_s = ways[0].samples[COMPUTE].value[0];
        g->collects =
            g->is_whole && collect_every > 0 && iteration_s * (double)collect_every < often_s;
        if (iteration_s * (double)iterations < long_s) g->batches = BATCHES;
    }
    cm_bcast(g->plate->group, &g->batches, sizeof g->batches, HEAT_LEADER, CM_AUTO);
    cm_bcast(g->plate->group, &g->collects, sizeof g->collects, HEAT_LEADER, CM_AUTO);
    if (g->collects) {
        heat_picture_open(&g->part, g->between->picture_points, &g->picture);
        if (iterations > MOST_ROUNDS * collect_every) iterations = MOST_ROUNDS * collect_every;
    }
    for (size_t k = 0; k < n; k++) {
        int64_t round = round_of(&ways[k]);
        ways[k].rounds = (iterations + round - 1) / round;
        ways[k].trials = 0;
        for (int q = 0; q < QUANTITIES; q++) cm_samples_clear(&ways[k].samples[q]);
    }
}

/* On a large plate takes the sum over the places, because memory is not equally fast everywhere (it
   depends on how the pages of both arrays lie relative to each other). On a small one takes the
   minimum. */
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

/* Computes the cost of each of n ways for all ranks: the computing of the slowest rank and the
   exchanges of the rank that waits least. Ways with equal steps exchange the same rows, so they
   share their smallest exchange time: how long a rank waits for one that is not running at the
   moment says nothing about stores. All ranks get the leader's numbers. */
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

/* Takes trials of n ways in turn, until each has this number. */
static void try_ways(size_t n, way *const *ways, size_t trials)
{
    const cm_sampling sampling = {.rule = {.most = trials, .time_limit_s = INFINITY},
                                  .now_s = cm_time};
    cm_subject subject[MOST_WAYS];
    cm_sampled sampled[MOST_WAYS];
    for (size_t k = 0; k < n; k++) {
        subject[k] = subject_of(ways[k]);
        sampled[k] = (cm_sampled){.samples = ways[k]->samples, .operations = ways[k]->rounds};
    }
    cm_sample(&sampling, ways[0]->ground->plate->group, n, subject, sampled);
}

/* Returns the fastest of n ways: by trials at several places of a large plate, or by as many trials
   of a whole small one. */
static const way *fastest(const heat_state *state, const heat_between *between, way *ways, size_t n)
{
    const heat_plate *plate = state->plate;
    ground g = {.plate = plate, .part = *plate, .state = *state, .between = between};
    g.state.plate = &g.part;
    /* The same for all ranks: those beside each other must exchange as many rows. */
    g.rows = POINTS / (plate->whole_columns / plate->grid.columns) + HEAT_WAVE_STEPS;
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
    if (g.collects) heat_picture_close(&g.picture);
    return chosen;
}

/* Makes passes that end at the same iterations equally long. */
static int64_t evenly(int64_t steps, int64_t every)
{
    int64_t passes = (every + steps - 1) / steps;
    return every > 0 ? (every + passes - 1) / passes : steps;
}

/* Chooses both at once, because the gain of stores depends on the steps. More steps than
   HEAT_WAVE_STEPS are several passes, so HEAT_WAVE_STEPS stand for them in the trials. */
void heat_choose(heat_stores stores, int64_t steps, const heat_between *between, heat_state *state)
{
    static const int64_t many[] = {1, 3, 6, 9, 12, 15, 18, 24};
    if (state->method != HEAT_JACOBI) steps = 1;
    const int64_t given[] = {steps < HEAT_WAVE_STEPS ? steps : HEAT_WAVE_STEPS};
    const int64_t *tried = steps == 0 ? many : given;
    size_t n_tried = steps == 0 ? sizeof many / sizeof *many : 1, n = 0;
    _Static_assert(2 * sizeof many / sizeof *many + 1 <= MOST_WAYS, "a time for each");
    way ways[MOST_WAYS] = {0};
    /* Chebyshev reads what it overwrites, and the other methods work in place. */
    if (stores == HEAT_AUTO && state->method != HEAT_JACOBI) stores = HEAT_ORDINARY;
    for (size_t k = 0; k < n_tried; k++) {
        int64_t now = steps == 0 ? evenly(tried[k], between->every) : tried[k];
        if (now > state->steps || (n > 0 && now == ways[n - 1].steps)) continue;
        if (stores != HEAT_AUTO) ways[n++] = (way){.stores = stores, .steps = now};
        else {
            ways[n++] = (way){.stores = HEAT_ORDINARY, .steps = now};
            ways[n++] = (way){.stores = HEAT_PAST, .steps = now};
            if (now == 1) ways[n++] = (way){.stores = HEAT_PLAIN, .steps = now};
        }
    }
    const way *chosen = n > 1 ? fastest(state, between, ways, n) : ways;
    state->stores = chosen->stores;
    state->steps = steps == 0 ? chosen->steps : steps;
}
