/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack.c: cm-linpack's matrices against the plain programs that their numbers come
   from, and its sizes. */
#include <stdlib.h>
#include "../linpack/linpack_program.h"
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

static linpack_grid chosen(double latency_s, double bytes_per_s, int order, int ranks)
{
    const linpack_options options = {.algorithm = LINPACK_GRID,
                                     .block = 1,
                                     .look_ahead = -1,
                                     .rank_flop_per_s = 1e11,
                                     .network = {latency_s, bytes_per_s}};
    return linpack_grid_of_order(&options, order, ranks);
}

static void test_model(void)
{
    linpack_options options = {
        .algorithm = LINPACK_GRID, .panel = 100, .rank_flop_per_s = 1e9, .network = {1e-3, 1e6}};
    /* One rank: 2/3 s without the panels' 0.05 s, which take five times as long. */
    ok(fabs(linpack_model_s(&options, 1000, (linpack_grid){1, 1}) - (2 / 3.0 - 0.05 + 0.25)) < 1e-9,
       "the model of one rank has no messages");
    /* Rows only: half of both, and U's rows on both, 0.05 s; 1000 reductions of 1 ms + 800 bytes;
       for each panel a message with U's rows and one with displaced ones, of 4/2 (1 + 1/2) / 2 MB
       together; the solution's 10 reductions, of 400 bytes. */
    ok(fabs(linpack_model_s(&options, 1000, (linpack_grid){2, 1})
            - ((2 / 3.0 - 0.05) / 2 + 0.05 + 0.125 + 1000 * (1e-3 + 800e-6) + 10 * 2e-3 + 1.5
               + 10 * (1e-3 + 400e-6)))
           < 1e-9,
       "two ranks in a column");
    /* Columns only: the panels' chain, 0.25 s and the update of their own columns; 10 ms and 2.4 MB
       of panels with their diagonal blocks; the solution. The update is beside. */
    ok(fabs(linpack_model_s(&options, 1000, (linpack_grid){1, 2})
            - (0.25 + 0.11 + 10e-3 + 2.4 + 10 * (1e-3 + 400e-6)))
           < 1e-9,
       "two ranks in a row");
    /* Five ranks in a row: the panels' chain is 0.25 s, and the update of their own columns 0.11 s;
       0.16 s of update and a fifth of the panels take less. A tree has 3 rounds of 0.24 MB. */
    const linpack_grid five = {1, 5};
    const double update_s = (2 / 3.0 - 0.05 + 0.2) / 5, chain_s = 0.25 + 0.11;
    const double solve_s = 30 * (1e-3 + 400e-6);
    options.broadcast = CM_BINOMIAL;
    ok(fabs(linpack_model_s(&options, 1000, five) - (chain_s + 10 * 3 * (1e-3 + 0.24) + solve_s))
           < 1e-9,
       "five ranks in a row: a tree");
    options.broadcast = CM_LINEAR;
    ok(fabs(linpack_model_s(&options, 1000, five) - (chain_s + 10 * (1e-3 + 4 * 0.24) + solve_s))
           < 1e-9,
       "a panel to each of four others");
    /* Pieces wait for the update. Three ranks pass them on. */
    const double pieces_s = update_s + chain_s + 10 * (1e-3 + 0.24) + 3 * 1e-3 + solve_s;
    options.broadcast = CM_CHAIN(1 << 10);
    ok(fabs(linpack_model_s(&options, 1000, five) - pieces_s) < 1e-9, "pieces");
    options.broadcast = CM_CHAIN(1 << 30);
    ok(fabs(linpack_model_s(&options, 1000, five)
            - (chain_s + 10 * (1e-3 + 3 * 0.24) + 3 * (1e-3 + 0.24) + solve_s))
           < 1e-9,
       "whole panels from rank to rank");
    options.broadcast = CM_AUTO;
    ok(fabs(linpack_model_s(&options, 1000, five) - pieces_s) < 1e-9, "the better of both");
    /* Eight: a scatter and a ring have 10 latencies and twice the data. The update, an eighth of
       2/3 - 0.05 + 0.35 s, comes on top. */
    options.broadcast = CM_SCATTER_ALLGATHER;
    ok(fabs(linpack_model_s(&options, 1000, (linpack_grid){1, 8})
            - (0.25 + 0.11 + (2 / 3.0 + 0.3) / 8 + 10 * (10e-3 + 2 * 0.24) + 30 * (1e-3 + 400e-6)))
           < 1e-9,
       "eight ranks in a row: a ring");
    options.broadcast = CM_AUTO;
    /* Four slices have a message each, and with look-ahead the next panel's columns have one. */
    options.slices = 4;
    options.look_ahead = 1;
    const linpack_grid two = {2, 1};
    const double slices_s = linpack_model_s(&options, 1000, two);
    options.slices = options.look_ahead = 0;
    ok(fabs(slices_s - linpack_model_s(&options, 1000, two) - 10 * 4 * 2e-3) < 1e-9,
       "slices cost their messages");
    cm_algorithm way = linpack_broadcast(&options, 1000, five);
    ok(way.kind == CM_KIND_CHAIN && way.parameter == 0, "panels in pieces on a slow network");
    options.network = (cm_ring){2e-6, 1e10};
    way = linpack_broadcast(&options, 1000, five);
    ok(way.kind == CM_KIND_CHAIN && way.parameter >= 1 << 30, "whole on a fast one");
    ok(linpack_broadcast(&options, 1000, (linpack_grid){2, 2}).kind == CM_KIND_AUTO,
       "two ranks pass nothing on");
    options.network.latency_s = 2e-7;
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
    test_model();
    test_progress();
    return tap_done();
}
