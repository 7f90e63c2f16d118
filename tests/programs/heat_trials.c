/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_trials.c: cm-heat's trials of stores and steps behave like its iteration, and find the
   fastest choice for it. Kernels, clock, waiting and gathering are stand-ins: a model of the caches
   gives the cost of a row. */
#undef cm_time
#undef cm_waitall
#undef cm_gatherv
#include "../heat/heat.h"
#include "contract.h"

double heat_trials_time(void);
void heat_trials_waitall(int n, cm_request **requests, cm_status *statuses);
void heat_trials_gatherv(cm_group *group, const void *part, size_t bytes, void *whole,
                         const size_t *all_bytes, const size_t *offset, int root,
                         cm_algorithm algorithm);

enum { ROWS = 12, COLUMNS = 11, DEPTH = 4 }; /* of the plate that is a rank's */

/* ---- What memory does ------------------------------------------------------------------------ */

/* A row of an array is in the cache or not. */
enum { CACHED = 1, READ = 4, FETCHED_AND_WRITTEN = 8, PAST = 4 };
typedef struct {
    bool fits;                 /* both arrays, into the cache */
    double row_s;              /* unit of a row's cost */
    double step, step_squared; /* cost of the steps of a pass */
    double wait_s;             /* for a neighbour, at most */
    double plain;              /* time of plain loops over that of ordinary stores */
} model;

static model model_now;
static bool cached[2][HEAT_WAVE_STEPS * 4];
static double clock_s;
static const heat_plate *plate;
static int passes, to_last;
static int64_t rows_done;

double heat_trials_time(void) { return clock_s; }

/* Neighbours arrive late, as with more processes than cores. */
void heat_trials_waitall(int n, cm_request **requests, cm_status *statuses)
{
    static uint32_t random = 1;
    cm_waitall(n, requests, statuses);
    random = random * 1664525 + 1013904223;
    if (size > 1) clock_s += model_now.wait_s * (double)(random >> 8) / (1 << 24);
}

/* A pass is of all rows; it begins when the one before has ended, and goes the other way. */
static void record(int to, int from, int64_t rows)
{
    EXPECT(from == 1 - to, "pass %d: from array %d to %d", passes, from, to);
    if (passes == 0 || to != to_last) {
        EXPECT(passes == 0 || rows_done == plate->mine, "pass %d was of %lld rows", passes,
               (long long)rows_done);
        passes++;
        rows_done = 0;
    }
    to_last = to;
    rows_done += rows;
    EXPECT(rows_done <= plate->mine, "pass %d does not swap the arrays", passes);
}

static int array_of(const void *at)
{
    const char *p = at, *first = heat_at(plate, 0, 1 - plate->depth, 0),
               *last = heat_at(plate, 0, plate->mine + plate->depth, COLUMNS + 1);
    return p >= first && p <= last ? 0 : 1;
}

static int64_t row_of(const void *at)
{
    const char *row_0 = heat_at(plate, array_of(at), 0, 0);
    return ((const char *)at - row_0) / (plate->stride * (int64_t)plate->kernels->bytes);
}

static void pass_over(int to, int from, int64_t first, int64_t rows, int64_t steps, bool past)
{
    double n = (double)steps,
           cost = steps > 1 ? model_now.step * n + model_now.step_squared * n * n : 0;
    record(to, from, rows);
    for (int64_t row = first; row < first + rows; row++) {
        clock_s += model_now.row_s * (cost + (cached[from][row] ? CACHED : READ));
        clock_s += model_now.row_s * (past ? PAST : cached[to][row] ? CACHED : FETCHED_AND_WRITTEN);
        cached[from][row] = model_now.fits;
        cached[to][row] = model_now.fits && !past;
    }
}

/* Plain loops may be faster than our kernels: the compiler optimizes them. */
static void sweep(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns,
                  heat_stores stores)
{
    const double began_s = clock_s;
    EXPECT(stride == plate->stride && columns == plate->columns, "the plate's rows");
    pass_over(array_of(to), array_of(from), row_of(to), rows, 1, stores == HEAT_PAST);
    if (stores == HEAT_PLAIN) clock_s = began_s + model_now.plain * (clock_s - began_s);
}

static void wave(void *to, const void *from, int64_t stride, const heat_span *rows,
                 const heat_span *columns, int64_t steps, void *ring, bool past)
{
    EXPECT(stride == plate->stride && columns->first == 1 && columns->last == plate->columns
               && ring,
           "the plate's rows");
    pass_over(array_of(to), array_of(from), rows->first, rows->last - rows->first + 1, steps, past);
}

/* Gathering takes the caches from both arrays. */
void heat_trials_gatherv(cm_group *group, const void *part, size_t bytes, void *whole,
                         const size_t *all_bytes, const size_t *offset, int root,
                         cm_algorithm algorithm)
{
    cm_gatherv(group, part, bytes, whole, all_bytes, offset, root, algorithm);
    memset(cached, 0, sizeof cached);
}

/* ---- Choices --------------------------------------------------------------------------------- */

static heat_problem problem_of(int64_t rows)
{
    return (heat_problem){.rows = rows * size, .columns = COLUMNS, .precision = HEAT_DOUBLE};
}

static const heat_between never = {0};

/* The stores and steps that heat_choose chooses (unless given) on this memory. */
static heat_state choose_for(model m, heat_stores stores, int64_t steps, int64_t most_steps,
                             heat_method method, heat_between between)
{
    heat_kernels kernels = *heat_kernels_of(HEAT_DOUBLE);
    heat_problem problem = problem_of(HEAT_WAVE_STEPS);
    problem.method = method;
    heat_plate whole;
    if (!heat_plate_open(&problem, world, most_steps, &whole))
        cm_abort(CM_EXIT_SYSTEM, "out of memory");
    kernels.sweep = sweep, kernels.wave = wave;
    whole.kernels = &kernels;
    model_now = m;
    memset(cached, 0, sizeof cached);
    plate = &whole;
    passes = 0;
    heat_state state = heat_begin(&problem, &whole, most_steps);
    heat_choose(stores, steps, &between, &state);
    EXPECT(passes == 0 || rows_done == whole.mine, "the last pass was of %lld rows",
           (long long)rows_done);
    heat_end(&state);
    heat_plate_close(&whole);
    return state;
}

static heat_state choose(model m, heat_stores stores, int64_t steps, int64_t most_steps)
{
    return choose_for(m, stores, steps, most_steps, HEAT_JACOBI, never);
}

static void expect(heat_state got, heat_stores stores, int64_t steps)
{
    EXPECT(got.stores == stores && got.steps == steps, "stores %d, %lld steps", got.stores,
           (long long)got.steps);
}

/* A sweep costs CACHED + CACHED or READ + PAST in the caches, READ + FETCHED_AND_WRITTEN or READ +
   PAST beyond them; a pass of n steps m + step n + step_squared n^2, m that of a sweep: per
   iteration least where n is about the root of m / step_squared. */
static void test_choices(void)
{
    const model in_caches = {true, 1e-3, 0.5, 0.02, 0, 1.5},
                beyond = {false, 1e-3, 0.5, 0.02, 0, 1.5}, narrow = {true, 1e-3, 9, 0, 0, 1.5},
                late = {true, 1e-6, 0.5, 0.02, 1e-2, 1.5}, plain = {true, 1e-3, 9, 0, 0, 0.7};
    point("a plate that the caches hold: ordinary stores");
    expect(choose(in_caches, HEAT_AUTO, 1, 1), HEAT_ORDINARY, 1);
    EXPECT(passes > 6, "%d passes", passes);
    point("one beyond them: past the caches");
    expect(choose(beyond, HEAT_AUTO, 1, 1), HEAT_PAST, 1);
    point("plain loops, where they are the fastest");
    expect(choose(plain, HEAT_AUTO, 1, 1), HEAT_PLAIN, 1);
    point("the same where neighbours come late");
    expect(choose(late, HEAT_AUTO, 1, 1), HEAT_ORDINARY, 1);
    point("what is given is not tried");
    expect(choose(in_caches, HEAT_PAST, 4, 4), HEAT_PAST, 4);
    EXPECT(passes == 0, "%d passes", passes);
    if (oversubscribed()) return;
    point("several steps that are given");
    expect(choose(in_caches, HEAT_AUTO, 4, 4), HEAT_ORDINARY, 4);
    expect(choose(beyond, HEAT_AUTO, 4, 4), HEAT_PAST, 4);
    point("steps and stores in the caches");
    expect(choose(in_caches, HEAT_AUTO, 0, HEAT_WAVE_STEPS), HEAT_ORDINARY, 9);
    point("and beyond them");
    expect(choose(beyond, HEAT_AUTO, 0, HEAT_WAVE_STEPS), HEAT_PAST, 18);
    point("steps for stores that are given, at most those that blocks allow");
    expect(choose(beyond, HEAT_ORDINARY, 0, HEAT_WAVE_STEPS), HEAT_ORDINARY, 24);
    expect(choose(beyond, HEAT_ORDINARY, 0, 13), HEAT_ORDINARY, 12);
    point("passes that end every 20 or 30 iterations are equally long");
    expect(
        choose_for(beyond, HEAT_AUTO, 0, HEAT_WAVE_STEPS, HEAT_JACOBI, (heat_between){.every = 20}),
        HEAT_PAST, 20);
    expect(
        choose_for(beyond, HEAT_AUTO, 0, HEAT_WAVE_STEPS, HEAT_JACOBI, (heat_between){.every = 30}),
        HEAT_PAST, 15);
    point("stores past the caches, where gathering takes them after each iteration");
    expect(choose_for(in_caches, HEAT_AUTO, 0, HEAT_WAVE_STEPS, HEAT_JACOBI,
                      (heat_between){1, 1, COLUMNS}),
           HEAT_PAST, 1);
    point("but not where it takes them after many");
    expect(choose_for(in_caches, HEAT_AUTO, 1, 1, HEAT_JACOBI, (heat_between){20, 20, COLUMNS}),
           HEAT_ORDINARY, 1);
    point("one step of every other method");
    expect(choose_for(beyond, HEAT_AUTO, 0, HEAT_WAVE_STEPS, HEAT_SOR, never), HEAT_ORDINARY, 1);
    point("one step, where several gain nothing");
    expect(choose(narrow, HEAT_AUTO, 0, HEAT_WAVE_STEPS), HEAT_ORDINARY, 1);
    expect(choose(plain, HEAT_AUTO, 0, HEAT_WAVE_STEPS), HEAT_PLAIN, 1);
}

static void test_agreement(void)
{
    const model odd = {false, 1e-3, 0.5, 0.02, 0, 1.5}, even = {true, 1.3e-3, 0.5, 0.02, 0, 1.5};
    point("ranks whose memory is not alike choose alike");
    heat_state state = choose(rank % 2 ? odd : even, HEAT_AUTO, 0, 6);
    int64_t mine[] = {state.stores, -(int64_t)state.stores, state.steps, -state.steps}, most[4];
    cm_allreduce(world, mine, most, 4, CM_INT64, CM_MAX, CM_AUTO);
    EXPECT(most[0] == -most[1] && most[2] == -most[3], "stores %d, %lld steps", state.stores,
           (long long)state.steps);
}

static void test_clock(void)
{
    const model fast = {true, 1e-6, 0.5, 0.02, 0, 1.5}, stopped = {true, 0, 0, 0, 0, 1.5};
    if (oversubscribed()) return;
    point("passes that are short are repeated");
    expect(choose(fast, HEAT_AUTO, 1, 1), HEAT_ORDINARY, 1);
    EXPECT(passes > 200, "%d passes", passes);
    if (size > 1) return;
    point("but not for ever");
    choose(stopped, HEAT_AUTO, 1, 1);
}

/* ---- A part of a plate ----------------------------------------------------------------------- */

enum { FIRST = 4, PART = 6 };

static double value(int of_rank, int64_t row, int64_t column)
{
    return (double)((of_rank * 7919 + (row + 50) * 131 + column * 37) % 1009);
}

/* The result of plain loops, with the parts of all ranks one below the other. */
static double *plain(int iterations)
{
    enum { WIDTH = COLUMNS + 2 };
    int64_t rows = (int64_t)size * PART;
    double *now = calloc((size_t)((rows + 2) * WIDTH), sizeof *now),
           *next = calloc((size_t)((rows + 2) * WIDTH), sizeof *next);
    if (!now || !next) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    for (int64_t i = 0; i < rows + 2; i++)
        for (int64_t j = 0; j < WIDTH; j++) {
            int of_rank = (int)(i == 0 ? 0 : i > rows ? size - 1 : (i - 1) / PART);
            now[i * WIDTH + j] = next[i * WIDTH + j] =
                value(of_rank, FIRST + i - 1 - of_rank * PART, j);
        }
    for (int k = 0; k < iterations; k++) {
        for (int64_t i = 1; i <= rows; i++)
            for (int64_t j = 1; j <= COLUMNS; j++) {
                const double *p = now + i * WIDTH + j;
                next[i * WIDTH + j] = ((p[-WIDTH] + p[WIDTH]) + (p[-1] + p[1])) * 0.25;
            }
        double *last = now;
        now = next;
        next = last;
    }
    free(next);
    return now;
}

static void test_part(int steps, int iterations)
{
    point("a part of the plate, %d steps a pass: as the plain program", steps);
    heat_problem problem = problem_of(ROWS);
    heat_plate whole;
    if (!heat_plate_open(&problem, world, DEPTH, &whole)) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    for (int which = 0; which < 2; which++)
        for (int64_t row = 1 - DEPTH; row <= ROWS + DEPTH; row++)
            for (int64_t j = 0; j < COLUMNS + 2; j++)
                heat_set(HEAT_DOUBLE, heat_at(&whole, which, row, 0), j, value(rank, row, j));
    heat_plate part = heat_plate_part(&whole, FIRST, PART);
    heat_state state = heat_begin(&problem, &part, steps);
    heat_iterate(&state, iterations);
    double *right = plain(iterations);
    int different = 0, spoiled = 0;
    for (int64_t row = 1; row <= PART; row++)
        for (int64_t j = 1; j <= COLUMNS; j++)
            different += heat_get(HEAT_DOUBLE, heat_at(&part, part.now, row, 0), j)
                         != right[(rank * PART + row) * (COLUMNS + 2) + j];
    EXPECT(different == 0, "%d temperatures differ", different);
    for (int which = 0; which < 2; which++)
        for (int64_t row = 1 - DEPTH; row <= ROWS + DEPTH; row++)
            for (int64_t j = 0; j < COLUMNS + 2; j++)
                spoiled += (row < FIRST - steps || row >= FIRST + PART + steps)
                           && heat_get(HEAT_DOUBLE, heat_at(&whole, which, row, 0), j)
                                  != value(rank, row, j);
    EXPECT(spoiled == 0, "%d temperatures beside it are not as before", spoiled);
    free(right);
    heat_end(&state);
    heat_plate_close(&whole);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    test_choices();
    test_agreement();
    test_clock();
    test_part(1, 7);
    test_part(DEPTH, 9);
    return contract_done();
}
