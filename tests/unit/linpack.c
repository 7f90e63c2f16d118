/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack.c: cm-linpack's matrices against the plain programs that their numbers come
   from, and its sizes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../linpack/linpack_choose.h"
#include "../linpack/linpack_costs.h"
#include "../linpack/linpack_system.h"
#include "tap.h"

enum { MOST = 600 };

/* LINPACK's matgen as it is printed: one number after the other, column by column. */
static void matgen(int n, double *a, double *b)
{
    int number = 1325;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            number = 3125 * number % 65536;
            a[i + (size_t)j * (size_t)n] = (number - 32768.0) / 16384.0;
        }
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int j = 0; j < n; j++) b[i] += a[i + (size_t)j * (size_t)n];
    }
}

static bool columns_equal(int n, const double *a, int j, int k)
{
    return memcmp(a + (size_t)j * (size_t)n, a + (size_t)k * (size_t)n, (size_t)n * sizeof *a) == 0;
}

static void test_matgen(int n)
{
    double *a = malloc((size_t)n * (size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
    double *row = malloc((size_t)n * sizeof *row);
    linpack_matrix matrix = {.kind = LINPACK_MATGEN, .order = n};
    matgen(n, a, b);
    int wrong = 0, twice = 0;
    for (int i = 0; i < n; i++) {
        linpack_matrix_row(&matrix, i + 1, row);
        for (int j = 0; j < n; j++) wrong += row[j] != a[i + (size_t)j * (size_t)n];
        wrong += linpack_matrix_right(&matrix, i + 1) != b[i];
    }
    ok(wrong == 0, "matgen's matrix of order %d (%d elements differ)", n, wrong);
    for (int j = 1; j < n; j++) twice += columns_equal(n, a, 0, j);
    ok(linpack_matgen_repeats(n) == (twice > 0), "of which %d columns are the first one again",
       twice);
    free(a), free(b), free(row);
}

/* The first outputs of splitmix64 from state 0, as its authors' program prints them. */
static void test_random(void)
{
    static const uint64_t printed[] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u,
                                       0x06c45d188009454fu};
    double row[MOST], longer[MOST], other[MOST], sum = 0, largest = 0;
    linpack_matrix matrix = {.kind = LINPACK_RANDOM, .order = 1};
    for (int k = 1; k < 3; k++) {
        linpack_matrix_row(&matrix, k, row);
        ok(row[0] == ((double)(printed[k] >> 11) + 0.5) * 0x1p-53 - 0.5, "output %d of splitmix64",
           k + 1);
    }
    matrix.order = 300;
    linpack_matrix_row(&matrix, 17, row);
    matrix.order = MOST;
    linpack_matrix_row(&matrix, 17, longer);
    ok(memcmp(row, longer, 300 * sizeof *row) == 0, "an element does not depend on the order");
    matrix.seed = 1;
    linpack_matrix_row(&matrix, 17, other);
    ok(memcmp(row, other, sizeof *row) != 0, "but on the seed");
    for (int i = 1; i <= MOST; i++) {
        linpack_matrix_row(&matrix, i, row);
        for (int j = 0; j < MOST; j++) {
            sum += row[j];
            largest = fmax(largest, fabs(row[j]));
        }
    }
    /* The deviation of a mean of N uniform numbers is 1 / sqrt(12 N). */
    double deviations = sum / MOST * sqrt(12);
    ok(fabs(deviations) < 5, "the mean is 0 (%.2f standard deviations)", deviations);
    ok(largest <= 0.5 && largest > 0.4999, "numbers between -1/2 and 1/2 (%g)", largest);
    matrix.single = true;
    linpack_matrix_row(&matrix, MOST, other);
    int wrong = 0;
    for (int j = 0; j < MOST; j++) wrong += other[j] != (double)(float)row[j];
    ok(wrong == 0, "rounded to single precision");
}

static void test_sizes(void)
{
    linpack_options options = {.block = 1, .look_ahead = -1};
    int decreasing = 0, wide = 0, wrong = 0;
    size_t last = 0;
    for (int n = 1; n < 5000; n += 1 + n / 10) {
        size_t bytes = linpack_bytes(&options, n, 3, 0);
        int panel = linpack_panel(&options, n, (linpack_grid){3, 1});
        decreasing += bytes <= last;
        wide += panel < 1 || panel > n || panel > LINPACK_PANEL_MOST;
        last = bytes;
        int rows = 0;
        for (int rank = 0; rank < 7; rank++) rows += linpack_dealt(n, 3, 7, rank);
        wrong += rows != n;
    }
    ok(decreasing == 0, "a larger matrix takes more memory");
    ok(wide == 0, "a panel is not wider than the matrix");
    ok(wrong == 0, "all rows are dealt out");
    ok(linpack_bytes(&options, 4000, 1, 0) >= (size_t)4000 * 4000 * sizeof(float),
       "the whole matrix on one rank");
    size_t without = linpack_bytes(&options, 100, 3, 2);
    options.entries = 10000;
    ok(linpack_bytes(&options, 100, 3, 2)
           >= without + 10000 * (2 * sizeof(int32_t) + sizeof(double)),
       "and what a file has");
    options.entries = 0;
    options.precision = LINPACK_DOUBLE;
    ok(linpack_bytes(&options, 4000, 1, 0) >= (size_t)4000 * 4000 * sizeof(double),
       "in double precision");
    options.precision = LINPACK_SINGLE;
    const size_t single = linpack_bytes(&options, 4000, 1, 0);
    options.refine = true, options.refine_matrix = LINPACK_MATRIX_GENERATE;
    const size_t generated = linpack_bytes(&options, 4000, 1, 0);
    ok(generated > single && generated < 2 * single, "with vectors for refining");
    options.refine_matrix = LINPACK_MATRIX_KEEP;
    ok(linpack_bytes(&options, 4000, 1, 0) >= generated + (size_t)4000 * 4000 * sizeof(double),
       "and the matrix that is kept");
    options.refine = false, options.precision = LINPACK_DOUBLE;
    options.cache_bytes = 1 << 20;
    const linpack_grid one = {1, 1}, column = {2, 1}, row = {1, 2};
    ok(linpack_panel(&options, 20000, column) == 32,
       "a panel that the cache holds, or the narrowest");
    options.cache_bytes = 0;
    ok(linpack_panel(&options, 8000, row) < linpack_panel(&options, 8000, column),
       "a narrower panel for which others wait");
    options.refine = true, options.precision = LINPACK_SINGLE, options.panel = 77;
    ok(linpack_panel(&options, 4000, one) == 77 && linpack_panel(&options, 50, one) == 50,
       "a panel that is given");
}

/* Parts of rows, of both generators, are those of the whole rows. */
static void test_parts(void)
{
    enum { N = 100 };
    double row[N], part[N];
    int wrong = 0;
    for (int kind = LINPACK_RANDOM; kind <= LINPACK_HUGE; kind++) {
        const linpack_matrix matrix = {.kind = kind, .order = N, .seed = 3, .single = true};
        for (int i = 1; i <= N; i += 7) {
            linpack_matrix_row(&matrix, i, row);
            for (int first = 0; first < N; first += 9) {
                const int count = N - first < 9 ? N - first : 9;
                linpack_matrix_part(&matrix, i, first, count, part);
                wrong += memcmp(part, row + first, (size_t)count * sizeof *row) != 0;
            }
        }
    }
    ok(wrong == 0, "parts of rows");
}

/* Rows and columns beyond 2^24, of which single precision has not all, and sizes beyond 2^32. */
static void test_large(void)
{
    enum { N = LINPACK_ORDER_MOST, RANKS = 7001, BLOCK = 4096 };
    linpack_options options = {
        .block = 1, .look_ahead = -1, .algorithm = LINPACK_BLOCKED, .panel = 256};
    ok(linpack_bytes(&options, N, 1, 0) >= (size_t)N * N * sizeof(float)
           && (double)linpack_bytes(&options, N, 1, 0) < 4.01 * N * N,
       "the memory of the largest order on one rank");
    options.precision = LINPACK_DOUBLE, options.serial = true;
    ok((double)linpack_bytes(&options, N, 1, 0) >= 16.0 * N * N,
       "in double, and the plain program's");
    ok(linpack_market_bytes((int64_t)N * N) / N > (size_t)N * 32, "and of its entries in a file");
    ok(linpack_diagonal_elements(N, LINPACK_PANEL_MOST) >= (size_t)N * LINPACK_PANEL_MOST,
       "diagonal blocks of the widest panels");
    int64_t rows = 0;
    int wrong = 0;
    for (int rank = 0; rank < RANKS; rank++) {
        const linpack_layout map = {.block = BLOCK,
                                    .ranks = RANKS,
                                    .rank = rank,
                                    .order = N,
                                    .width = BLOCK,
                                    .grid_columns = RANKS,
                                    .grid_column = rank};
        const int own = linpack_dealt(N, BLOCK, RANKS, rank);
        rows += own;
        if (own == 0) continue;
        const int last = linpack_global_row(&map, own);
        wrong += last < 1 || last > N || (last - 1) / BLOCK % RANKS != rank;
        wrong += linpack_global_column(&map, own) != last;
        wrong += linpack_first_local_column(&map, last) != own;
        wrong += linpack_first_local_column(&map, N + 1) != own + 1;
    }
    ok(rows == N && wrong == 0, "rows of the largest order on %d ranks (%d wrong)", RANKS, wrong);
    double whole[40], part[40];
    const linpack_matrix matrix = {.kind = LINPACK_RANDOM, .order = N, .seed = 3};
    linpack_matrix_part(&matrix, N, N - 40, 40, whole);
    for (int j = 0; j < 40; j++) linpack_matrix_part(&matrix, N, N - 40 + j, 1, part + j);
    ok(memcmp(whole, part, sizeof whole) == 0, "elements of its last row");
}

/* What the papers say of the matrices. */
static void test_hard(void)
{
    double row[8], sum[2] = {0, 0};
    linpack_matrix matrix = {.kind = LINPACK_HILBERT, .order = 8};
    linpack_matrix_row(&matrix, 3, row);
    ok(row[0] == 1.0 / 3 && row[7] == 0.1, "Hilbert's matrix");
    matrix.kind = LINPACK_KAHAN;
    linpack_matrix_row(&matrix, 4, row);
    ok(row[2] == 0 && fabs(row[3] - pow(sin(1.2), 3)) < 1e-15
           && fabs(row[7] + cos(1.2) * pow(sin(1.2), 3)) < 1e-15,
       "Kahan's");
    /* exp(0.3 M) has the eigenvalues exp(0.3 (-1/6 +- 1)) for the vectors (1, +-1). */
    matrix.kind = LINPACK_WRIGHT;
    linpack_matrix_row(&matrix, 6, row);
    for (int j = 0; j < 8; j++) sum[0] += row[j], sum[1] += j == 2 ? -row[j] : j == 3 ? row[j] : 0;
    ok(fabs(sum[0] - (1 - exp(0.25))) < 1e-15 && fabs(sum[1] + exp(-0.35)) < 1e-15, "Wright's");
    linpack_matrix_row(&matrix, 2, row);
    ok(row[1] == 1 && row[7] == 1 && row[6] == 0, "with the identity in its corner");
    matrix.kind = LINPACK_FOSTER;
    linpack_matrix_row(&matrix, 8, row);
    ok(row[0] == -0.25 && row[1] == -0.5 && row[7] == -0.25, "Foster's");
    matrix.kind = LINPACK_WILKINSON;
    linpack_matrix_row(&matrix, 3, row);
    ok(row[0] == -1 && row[2] == 1 && row[3] == 0 && row[7] == 1, "Wilkinson's");
}

/* Random numbers, whose diagonal is the sum of the others of its row, as a whole and in parts. */
static void test_mxp(void)
{
    enum { N = 50 };
    const linpack_matrix random = {.kind = LINPACK_RANDOM, .order = N, .seed = 3};
    const linpack_matrix matrix = {.kind = LINPACK_MXP, .order = N, .seed = 3};
    double row[N], whole[N], part[N];
    int other = 0, wrong = 0;
    for (int i = 1; i <= N; i++) {
        double sum = 0;
        linpack_matrix_row(&random, i, row);
        linpack_matrix_row(&matrix, i, whole);
        for (int j = 0; j < N; j++) {
            if (j != i - 1) other += row[j] != whole[j], sum += fabs(row[j]);
        }
        wrong += fabs(whole[i - 1] - sum) > 1e-13;
        for (int j = 0; j < N; j += 7) {
            const int count = j + 7 < N ? 7 : N - j;
            linpack_matrix_part(&matrix, i, j, count, part);
            for (int k = 0; k < count; k++) wrong += part[k] != whole[j + k];
        }
    }
    ok(other == 0, "HPL-MxP's matrix has random's elements");
    ok(wrong == 0, "and a dominant diagonal");
}

static linpack_cost_range costs_of(double flop_s, double latency_s, double byte_s)
{
    const linpack_costs costs = {.flop_s = flop_s,
                                 .panel_flop_s = 5 * flop_s,
                                 .latency_s = latency_s,
                                 .record_s = latency_s,
                                 .byte_s = byte_s};
    return (linpack_cost_range){costs, costs, costs, 1};
}

static linpack_grid chosen(double latency_s, double bytes_per_s, int order, int ranks)
{
    const linpack_options options = {.algorithm = LINPACK_GRID,
                                     .block = 1,
                                     .look_ahead = -1,
                                     .costs = costs_of(1e-11, latency_s, 1 / bytes_per_s)};
    return linpack_grid_of_order(&options, order, ranks);
}

/* ---- --fit, on ranks that are not there: the linker puts these in the layer's place ---------- */

enum { FIT_RANKS = 16 };
static const int64_t fit_bytes = (int64_t)64 << 30;
static int modelled; /* grids, or ways of panels on them */

double __real_linpack_turns_s(const linpack_shape *shape, const linpack_costs *costs);
double __wrap_linpack_turns_s(const linpack_shape *shape, const linpack_costs *costs);
double __wrap_linpack_turns_s(const linpack_shape *shape, const linpack_costs *costs)
{
    modelled++;
    return __real_linpack_turns_s(shape, costs);
}

cm_group *__wrap_cm_world(void);
cm_group *__wrap_cm_world(void) { return NULL; }

int __wrap_cm_size(const cm_group *group);
int __wrap_cm_size(const cm_group *group)
{
    (void)group;
    return FIT_RANKS;
}

int __wrap_cm_rank(const cm_group *group);
int __wrap_cm_rank(const cm_group *group)
{
    (void)group;
    return 0;
}

/* All ranks are alike. */
void __wrap_cm_allreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                         cm_op op, cm_algorithm algorithm);
void __wrap_cm_allreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                         cm_op op, cm_algorithm algorithm)
{
    (void)group, (void)type, (void)op, (void)algorithm;
    memmove(out, in, count * sizeof(int32_t));
}

int __wrap_cm_run_ranks_on_computer(const cm_group *group, int rank);
int __wrap_cm_run_ranks_on_computer(const cm_group *group, int rank)
{
    (void)group, (void)rank;
    return FIT_RANKS;
}

int64_t __wrap_cm_machine_memory_share_bytes(int processes, bool *limited);
int64_t __wrap_cm_machine_memory_share_bytes(int processes, bool *limited)
{
    (void)limited;
    return fit_bytes / processes;
}

static void test_fit(bool serial)
{
    const linpack_options options = {.algorithm = LINPACK_GRID,
                                     .precision = LINPACK_DOUBLE,
                                     .block = 1,
                                     .look_ahead = -1,
                                     .serial = serial,
                                     .costs = costs_of(1e-11, 1e-6, 1e-10)};
    const size_t share = (size_t)fit_bytes / 2 / FIT_RANKS;
    const int order = linpack_fit(&options, 0.5), for_fit = modelled;
    ok(linpack_bytes(&options, order, FIT_RANKS, 0) <= share
           && linpack_bytes(&options, order + order / 50, FIT_RANKS, 0) > share,
       "the largest order of half of the memory: %d", order);
    modelled = 0;
    linpack_grid_of_order(&options, order, FIT_RANKS);
    ok(for_fit <= 4 * modelled, "found by few models of grids: %d, of one order %d", for_fit,
       modelled);
    modelled = 0;
}

static bool predicts(const linpack_options *options, linpack_grid grid, double expected_s)
{
    const double got_s = linpack_model_s(options, 1000, grid);
    if (fabs(got_s - expected_s) <= 1e-9) return true;
    printf("# %d x %d: %.9g s, expected %.9g\n", grid.rows, grid.columns, got_s, expected_s);
    return false;
}

/* Ten panels of 100 columns. Without computing, each step is a message of 1 ms. */
static void test_messages(void)
{
    linpack_options options = {
        .algorithm = LINPACK_GRID, .panel = 100, .look_ahead = -1, .costs = costs_of(0, 1e-3, 0)};
    ok(predicts(&options, (linpack_grid){1, 1}, 0), "one rank has no messages");
    ok(predicts(&options, (linpack_grid){2, 1}, 1 + 10e-3 + 10e-3),
       "two ranks in a column: pivots, rows of U, the solution");
    ok(predicts(&options, (linpack_grid){3, 1}, 3 * (1 + 10e-3) + 10e-3),
       "three: three rounds for each reduction");
    options.costs.usual.gap_s = 1e-3;
    ok(predicts(&options, (linpack_grid){3, 1}, 3 * (1 + 10e-3) + 40e-3),
       "and four messages with rows, of which three have a gap before them");
    options.costs.usual.gap_s = 0;
    /* Each panel is factored when the one before it has come: 10 hops. The last one goes on along
       the row. */
    options.broadcast = CM_CHAIN(1 << 30);
    ok(predicts(&options, (linpack_grid){1, 2}, 10e-3 + 10e-3), "two ranks in a row");
    /* Panel k is sent at 2 k - 1 ms: a rank can receive it when it has the one before, which comes
       there a hop later. The last one then makes four hops, the first of which waits. */
    ok(predicts(&options, (linpack_grid){1, 5}, 22e-3 + 4 * 10e-3), "five");
    options.look_ahead = 0;
    ok(predicts(&options, (linpack_grid){1, 2}, 10e-3 + 10e-3), "without look-ahead");
    options.look_ahead = -1;
    /* Of 4-byte numbers: nine panels of 100 columns, each with its block on the diagonal. */
    options.costs = costs_of(0, 0, 1e-9);
    double bytes = 0;
    for (int rows = 1000; rows > 0; rows -= 100) bytes += fmax(0, 400.0 * rows - 2048);
    options.broadcast = CM_LINEAR;
    const double got_s = linpack_model_s(&options, 1000, (linpack_grid){1, 2});
    ok(fabs(got_s / (1e-9 * bytes) - 1) < 0.1, "a panel to the other of two: %g of %g s", got_s,
       1e-9 * bytes);
    ok(linpack_model_s(&options, 1000, (linpack_grid){1, 4}) > got_s,
       "to three others it is longer");
}

/* Without messages the model counts the operations, those of panels five times. */
static void test_computing(void)
{
    linpack_options options = {
        .algorithm = LINPACK_GRID, .panel = 20, .look_ahead = -1, .costs = costs_of(1e-9, 0, 0)};
    const double n = 2000, nb = 20, flop = 2 * n * n * n / 3, panels = n * n * nb / 2;
    double got_s = linpack_model_s(&options, 2000, (linpack_grid){1, 1});
    ok(fabs(got_s / (1e-9 * (flop + 4 * panels)) - 1) < 0.01, "one rank: %g s", got_s);
    got_s = linpack_model_s(&options, 2000, (linpack_grid){4, 1});
    /* All four solve for U's rows. */
    ok(fabs(got_s / (1e-9 * ((flop + 4 * panels) / 4 + 0.75 * panels)) - 1) < 0.02,
       "four in a column: %g s", got_s);
    got_s = linpack_model_s(&options, 2000, (linpack_grid){1, 4});
    ok(fabs(got_s / (1e-9 * (flop + 4 * panels) / 4) - 1) < 0.1, "four in a row: %g s", got_s);
    /* A large order is computed at some of its panels. */
    options.panel = 100;
    got_s = linpack_model_s(&options, 200000, (linpack_grid){4, 4});
    const double large = 2 * pow(2e5, 3) / 3;
    ok(fabs(got_s / (1e-9 * large / 16) - 1) < 0.02, "order 200000: %g s", got_s);
}

static void test_model(void)
{
    linpack_options options = {.algorithm = LINPACK_GRID,
                               .panel = 100,
                               .look_ahead = -1,
                               .costs = costs_of(1e-9, 1e-3, 1e-6)};
    const linpack_grid five = {1, 5};
    options.costs.least.latency_s = 0.5e-3, options.costs.most.latency_s = 2e-3;
    const cm_quantity s = linpack_predict(&options, 1000, five);
    ok(s.low < s.value && s.value < s.high && s.value == linpack_model_s(&options, 1000, five),
       "an interval from the costs' ones: %g, %g, %g", s.low, s.value, s.high);
    options.costs = costs_of(1e-9, 2e-6, 1e-10);
    cm_algorithm way = linpack_broadcast(&options, 1000, five);
    ok(way.kind == CM_KIND_CHAIN && way.parameter >= 1 << 30, "whole panels on a fast network");
    ok(linpack_broadcast(&options, 1000, (linpack_grid){2, 2}).kind == CM_KIND_AUTO,
       "two ranks pass nothing on");
    options.costs.usual.latency_s = 2e-7;
    ok(linpack_broadcast(&options, 1000, five).kind == CM_KIND_AUTO,
       "through memory the layer chooses");
    linpack_grid grid = chosen(1e-4, 1e8, 4000, 2);
    ok(grid.rows == 1 && grid.columns == 2, "few ranks on a slow network: one row");
    grid = chosen(3e-7, 9e9, 4000, 2);
    ok(grid.rows == 1 && grid.columns == 2, "and through memory");
    grid = chosen(1e-6, 1e10, 20000, 64);
    ok(grid.rows > 1 && grid.columns > 1, "many ranks: %d x %d", grid.rows, grid.columns);
    grid = chosen(1e-6, 1e10, 4000, 7);
    ok(grid.rows * grid.columns == 7, "a prime number of ranks");
    options.algorithm = LINPACK_BLOCKED;
    grid = linpack_grid_of_order(&options, 1000, 6);
    ok(grid.rows == 6 && grid.columns == 1, "blocked deals out rows only");
    options = (linpack_options){.algorithm = LINPACK_GRID, .grid_given = {2, 3}};
    grid = linpack_grid_of_order(&options, 1000, 6);
    ok(grid.rows == 2 && grid.columns == 3, "a grid that is given");
}

/* At a steady rate: a factorization of 10 s, one as long before it, two as long after it. */
static void test_progress(void)
{
    int n = 1000, wrong = 0;
    double flop = linpack_operations(n), last = 0;
    ok(fabs(linpack_operations(3) - 36) < 1e-12, "LINPACK's count of order 3: 18 + 18");
    for (int column = 1; column <= n; column++) {
        double left = pow((n - column) / (double)n, 3), passed_s = 10 * (1 - left);
        linpack_progress p = linpack_progress_of(n, column, passed_s, flop, 2 * flop);
        wrong += !(fabs(p.left_s - (10 * left + 20)) < 1e-6);
        wrong += !(fabs(p.done - (10 + passed_s) / 40) < 1e-9) || p.done <= last;
        last = p.done;
    }
    ok(wrong == 0, "the time that is left, and the part that is done");
}

int main(void)
{
    static const int orders[] = {1, 2, 7, 100, 129, 200, 512, 600};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) test_matgen(orders[k]);
    ok(linpack_matgen_repeats(2000) && linpack_matgen_repeats(4000) && linpack_matgen_repeats(8000)
           && linpack_matgen_repeats(20001) && !linpack_matgen_repeats(1000)
           && !linpack_matgen_repeats(1500),
       "orders whose matrix is singular");
    test_random();
    test_sizes();
    test_parts();
    test_large();
    test_hard();
    test_mxp();
    test_messages();
    test_computing();
    test_model();
    modelled = 0;
    test_fit(false);
    test_fit(true);
    test_progress();
    return tap_done();
}
