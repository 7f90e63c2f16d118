/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_refine.c: --refine on every grid, with factors of every precision: its solutions against
   LAPACK's dsgesv, which matrices are solved again in double, and GMRES against what it must do
   with few eigenvalues. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "../linpack/linpack_choose.h"
#include "../linpack/linpack_system.h"
#include "contract.h"
#include "lapack.h"
#include "low_gemm.h"

static LOW_GEMM(plain_bfloat16, bfloat16) static LOW_GEMM(plain_half, half)

    static double *numbers(size_t n)
{
    return linpack_allocate(n, sizeof(double), "a test");
}

/* ---- Matrices: element of row i and column j, from 0, of order n ----------------------------- */

/* Between -1/2 and 1/2. */
static double noise(int i, int j)
{
    const linpack_matrix random = {.kind = LINPACK_RANDOM, .order = j + 1, .seed = 7};
    double element;
    linpack_matrix_part(&random, i + 1, j, 1, &element);
    return element;
}

static double hilbert(int n, int i, int j) { return (void)n, 1.0 / (i + j + 1); }

/* Rows from 1 to 1e-12, columns from 1 to 1e6. */
static double graded(int n, int i, int j)
{
    return noise(i, j) * pow(10, -12.0 * i / n) * pow(10, 6.0 * j / n);
}

/* Upper triangular and ill conditioned, without a small pivot (Kahan 1966). */
static double kahan(int n, int i, int j)
{
    const double c = cos(1.2), s = sin(1.2);
    return (void)n, j < i ? 0 : pow(s, i) * (j == i ? 1 : -c);
}

/* Elements grow like exp(n / 8) (Wright, SIAM J. Sci. Comput. 14, 1993). */
static double wright(int n, int i, int j)
{
    const double h = 0.3, cosine = exp(-h / 6) * cosh(h), sine = exp(-h / 6) * sinh(h);
    if (i == j || (i < 2 && j == n - 2 + i)) return 1;
    if (i / 2 != j / 2 + 1) return 0;
    return i % 2 == j % 2 ? -cosine : -sine;
}

/* Elements grow by the factor 2 from column to column. */
static double doubling(int n, int i, int j) { return j == n - 1 || i == j ? 1 : -(j < i); }

/* A diagonal, half of it 1, half 1e-10, between two reflections. Single precision has no digit of
   the small half, which is too many singular values for GMRES. */
static double two_levels(int n, int i, int j)
{
    double u = 0, v = 0, across = 0;
    for (int k = 0; k < n; k++) {
        u += noise(k, 0) * noise(k, 0);
        v += noise(k, 1) * noise(k, 1);
        across += noise(k, 0) * (k < n / 2 ? 1 : 1e-10) * noise(k, 1);
    }
    const double left = i < n / 2 ? 1 : 1e-10, right = j < n / 2 ? 1 : 1e-10;
    return (i == j ? left : 0) - 2 * noise(i, 0) * noise(j, 0) * right / u
           - 2 * left * noise(i, 1) * noise(j, 1) / v
           + 4 * noise(i, 0) * across * noise(j, 1) / (u * v);
}

/* A diagonal, half of it 1, half 1e-6, between two sine transforms, which mix all of it: too small
   for half precision, not for single. */
static double two_near_levels(int n, int i, int j)
{
    const double step = acos(-1) / (n + 1);
    double sum = 0;
    for (int k = 1; k <= n; k++)
        sum += sin(step * (i + 1) * k) * (k % 2 ? 1 : 1e-6) * copysign(1, noise(k, 2))
               * sin(step * (j + 1) * k);
    return 2 * sum / (n + 1);
}

/* Each element of the diagonal is larger than all others of its row together. */
static double dominant(int n, int i, int j) { return i == j ? n / 2.0 : noise(i, j); }

/* HPL-MxP's. */
static double mxp(int n, int i, int j)
{
    const linpack_matrix matrix = {.kind = LINPACK_MXP, .order = n, .seed = 7};
    double element;
    linpack_matrix_part(&matrix, i + 1, j, 1, &element);
    return element;
}

/* Rounded to single precision, all rows are equal to the first but for the identity that the rest
   hides. */
static double near_singular(int n, int i, int j)
{
    return (void)n, 1 + (i == j && i > 0 ? 1e-10 * (i + 1) : 0);
}

static double large(int n, int i, int j) { return (void)n, 1e300 * noise(i, j); }
static double small(int n, int i, int j) { return (void)n, 1e-300 * noise(i, j); }
static double beyond_half(int n, int i, int j) { return 1e30 * dominant(n, i, j); }
static double below_half(int n, int i, int j) { return 1e-30 * dominant(n, i, j); }
static double random_elements(int n, int i, int j) { return (void)n, noise(i, j); }

typedef struct {
    const char *name;
    double (*element)(int n, int i, int j);
    int n, panel;
    bool again;    /* single precision cannot solve it, by any order of the sums */
    bool long_one; /* takes seconds where ranks share processors and spin */
    enum { AS_SINGLE, AGAIN, EITHER } low; /* again with factors in bfloat16 or half precision */
} problem;
static const problem problems[] = {
    {"one equation", random_elements, 1, 4, false, false, AS_SINGLE},
    {"two equations", random_elements, 2, 4, false, true, AS_SINGLE},
    {"three equations", random_elements, 3, 2, false, false, AS_SINGLE},
    {"random", random_elements, 50, 8, false, true, AS_SINGLE},
    {"random, less than a panel", random_elements, 11, 32, false, false, AS_SINGLE},
    {"dominant diagonal", dominant, 60, 8, false, false, AS_SINGLE},
    {"HPL-MxP's", mxp, 70, 8, false, false, AS_SINGLE},
    {"beyond half precision", beyond_half, 30, 8, false, true, AS_SINGLE},
    {"below half precision", below_half, 30, 8, false, true, AS_SINGLE},
    {"Hilbert's", hilbert, 12, 4, false, true, EITHER},
    {"graded", graded, 40, 8, false, true, EITHER},
    {"Kahan's", kahan, 30, 8, false, true, EITHER},
    {"Wright's", wright, 60, 16, false, true, EITHER},
    /* A product with U has elements to 2^19, beyond half precision; scaled, they are exact. */
    {"doubling", doubling, 24, 4, false, true, AS_SINGLE},
    {"small singular values", two_levels, 120, 32, true, true, AGAIN},
    {"small singular values for low precision", two_near_levels, 120, 16, false, true, AGAIN},
    {"singular in single precision", near_singular, 6, 2, true, false, AGAIN},
    {"beyond single precision", large, 20, 8, true, true, AGAIN},
    {"below single precision", small, 20, 8, true, true, AGAIN},
};

/* As a file: all elements in coordinates. */
static linpack_matrix matrix_of(const problem *p)
{
    const size_t n = (size_t)p->n;
    linpack_matrix m = {.order = p->n, .seed = 5};
    m.row_start = linpack_allocate(n + 1, sizeof *m.row_start, "a test");
    m.column = linpack_allocate(n * n, sizeof *m.column, "a test");
    m.value = numbers(n * n);
    for (int i = 0; i < p->n; i++) {
        m.row_start[i + 1] = (int64_t)(i + 1) * p->n;
        for (int j = 0; j < p->n; j++) {
            m.column[(size_t)i * n + (size_t)j] = j;
            m.value[(size_t)i * n + (size_t)j] = p->element(p->n, i, j);
        }
    }
    return m;
}

/* ---- LAPACK's -------------------------------------------------------------------------------- */

typedef struct {
    double *x;
    double reciprocal_condition; /* infinity norm */
} answer;

static answer by_lapack(const linpack_matrix *m)
{
    const int n = m->order, one = 1;
    const size_t order = (size_t)n;
    double *a = numbers(order * order), *b = numbers(order), *work = numbers(4 * order), norm = 0;
    float *single = linpack_allocate(order * (order + 1), sizeof *single, "a test");
    int *pivots = linpack_allocate(2 * order, sizeof *pivots, "a test"), iterations, info;
    answer result = {numbers(order), 0};
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            const double element = m->value[(size_t)i * order + (size_t)j];
            a[(size_t)i + (size_t)j * order] = element;
            sum += fabs(element);
        }
        norm = fmax(norm, sum);
        b[i] = linpack_matrix_right(m, i + 1);
    }
    double *copy = numbers(order * order);
    memcpy(copy, a, order * order * sizeof *a);
    dsgesv_(&n, &one, copy, &n, pivots, b, &n, result.x, &n, work, single, &iterations, &info);
    EXPECT(info == 0, "dsgesv: %d", info);
    dgetrf_(&n, &n, a, &n, pivots, &info);
    dgecon_("I", &n, a, &n, &norm, &result.reciprocal_condition, work, pivots + n, &info, 1);
    free(a), free(b), free(work), free(single), free(pivots), free(copy);
    return result;
}

/* HPL's, by plain loops in extended precision. */
static double scaled_residual(const linpack_matrix *m, const double *x)
{
    const int n = m->order;
    double rest_max = 0, a_infinity = 0, x_max = 0, b_max = 0;
    for (int i = 0; i < n; i++) {
        const double b = linpack_matrix_right(m, i + 1);
        long double rest = b, sum = 0;
        for (int j = 0; j < n; j++) {
            const long double element = m->value[(size_t)i * (size_t)n + (size_t)j];
            rest -= element * x[j];
            sum += fabsl(element);
        }
        if (!(fabsl(rest) <= rest_max)) rest_max = (double)fabsl(rest);
        a_infinity = fmax(a_infinity, (double)sum);
        x_max = fmax(x_max, fabs(x[i]));
        b_max = fmax(b_max, fabs(b));
    }
    return rest_max / (DBL_EPSILON / 2 * (a_infinity * x_max + b_max) * n);
}

/* ---- A trial --------------------------------------------------------------------------------- */

typedef struct {
    int algorithm, refine_matrix, columns; /* of the grid */
    int factors;
} way;

/* Returns how many of the trials fell back to double if they should: all or none. */
static int fallbacks_of(const problem *p, int factors, int trial, int seen)
{
    if (factors == LINPACK_FACTORS_SINGLE || p->low == AS_SINGLE) return p->again ? trial : 0;
    return p->low == AGAIN || seen ? trial : 0;
}

static void solve(const problem *p, linpack_matrix *m, const answer *expected, way how)
{
    const int ranks = cm_size(cm_world());
    const linpack_options options = {
        .block = 1,
        .panel = p->panel,
        .refine = true,
        .refine_matrix = how.refine_matrix,
        .refine_factors = how.factors,
        .low = how.factors == LINPACK_FACTORS_HALF
                   ? (cm_blas_low){CM_BLAS_HALF, "half", plain_half}
                   : (cm_blas_low){CM_BLAS_BFLOAT16, "bfloat16", plain_bfloat16},
        .algorithm = how.algorithm,
        .n_orders = 1,
        .group = cm_world(),
        .grid_given = {ranks / how.columns, how.columns},
        .sampling = {.most = 1},
    };
    linpack_course course = {.flop_all = 1};
    linpack_system s = {.options = &options,
                        .solvers = linpack_solvers_of(LINPACK_SINGLE),
                        .matrix = m,
                        .course = &course};
    linpack_system_open(&s, p->n);
    EXPECT((s.refined.kept != NULL) == (how.refine_matrix != LINPACK_MATRIX_GENERATE),
           "the matrix is %skept", s.refined.kept ? "" : "not ");
    const cm_subject subject = linpack_trial(&s);
    /* A trial must not find what the one before it left. */
    for (int trial = 1; trial <= 2; trial++) {
        double values[LINPACK_TIMES];
        subject.prepare(subject.context);
        const double total_s = subject.trial(subject.context, 1, values);
        EXPECT(s.failed == 0 && total_s > 0, "trial %d: column %d", trial, s.failed);
        if (s.failed) continue;
        EXPECT(values[LINPACK_TOTAL] + 1e-9
                   >= values[LINPACK_FACTOR] + values[LINPACK_SOLVE] + values[LINPACK_REFINE],
               "a total of %g s is less than its parts", values[LINPACK_TOTAL]);
        const double hpl = scaled_residual(m, s.x);
        EXPECT(hpl <= LINPACK_ACCEPTED, "trial %d: scaled residual %g", trial, hpl);
        subject.verify(subject.context);
        EXPECT(s.worst.hpl <= LINPACK_ACCEPTED, "it says %g", s.worst.hpl);
        const int fallbacks = fallbacks_of(p, how.factors, trial, s.refined.fallbacks);
        EXPECT(s.refined.fallbacks == fallbacks, "factors in %s, trial %d: %d fallbacks: %s",
               linpack_factors[how.factors], trial, s.refined.fallbacks, s.refined.why);
        EXPECT(s.solvers == linpack_solvers_of(fallbacks ? LINPACK_DOUBLE : LINPACK_SINGLE),
               "factors of the wrong precision");
    }
    /* Both are solutions of systems that are near: relative differences are at most n times the
       threshold's unit times the condition number. */
    double difference = 0, size = 0;
    for (int i = 0; i < p->n; i++) {
        difference = fmax(difference, fabs(s.x[i] - expected->x[i]));
        size = fmax(size, fabs(expected->x[i]));
    }
    const double bound = 2 * LINPACK_ACCEPTED * p->n * DBL_EPSILON / expected->reciprocal_condition;
    EXPECT(bound > 0.1 || difference <= bound * size, "differs from dsgesv's by %g of %g",
           difference, size);
    linpack_system_close(&s);
}

static void solve_in_all_ways(const problem *p, bool crowd)
{
    const int ranks = cm_size(cm_world());
    linpack_matrix m = matrix_of(p);
    point("%s", p->name);
    const answer expected = by_lapack(&m);
    for (int columns = 1; columns <= ranks; columns++) {
        if (ranks % columns != 0) continue;
        const int kept = columns % 2 ? LINPACK_MATRIX_KEEP : LINPACK_MATRIX_GENERATE;
        const int made = LINPACK_MATRIX_KEEP + LINPACK_MATRIX_GENERATE - kept;
        solve(p, &m, &expected, (way){LINPACK_GRID, kept, columns, LINPACK_FACTORS_SINGLE});
        solve(p, &m, &expected, (way){LINPACK_GRID, made, columns, LINPACK_FACTORS_HALF});
        if (crowd) continue;
        solve(p, &m, &expected, (way){LINPACK_GRID, made, columns, LINPACK_FACTORS_SINGLE});
        solve(p, &m, &expected, (way){LINPACK_GRID, kept, columns, LINPACK_FACTORS_BFLOAT16});
    }
    if (!crowd) {
        const int any = LINPACK_MATRIX_AUTO, made = LINPACK_MATRIX_GENERATE;
        solve(p, &m, &expected, (way){LINPACK_BLOCKED, any, 1, LINPACK_FACTORS_SINGLE});
        solve(p, &m, &expected, (way){LINPACK_BLOCKED, any, 1, LINPACK_FACTORS_BFLOAT16});
        solve(p, &m, &expected, (way){LINPACK_CLASSIC, made, 1, LINPACK_FACTORS_SINGLE});
    }
    free(expected.x);
    linpack_matrix_free(&m);
}

/* ---- Whether the matrix is kept -------------------------------------------------------------- */

/* In bytes; 0: not known. */
static double address_space(void)
{
    double pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lf", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

/* Each thread that OpenBLAS has takes 128 MB of address space when it begins, which may be after
   test_memory has read what is taken. A process that begins anew without them has none. */
static void begin_without_blas_threads(char **argv)
{
    const char *threads = getenv("OPENBLAS_NUM_THREADS");
    if (cm_comm_has(CM_HAS_SIMULATOR) || (threads && strcmp(threads, "1") == 0)) return;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv); /* without /proc test_memory does nothing */
}

/* Leaves address space for a little more than the system with its kept matrix, so that it would not
   fit if the factors, a third of it, counted as taken, too. Each rank has it to itself. */
static void test_memory(void)
{
    enum { ORDER = 6000 }; /* far more than what messages and the heap take */
    const int ranks = cm_size(cm_world()), rank = cm_rank(cm_world());
    linpack_options options = {.block = 1,
                               .panel = 8,
                               .refine = true,
                               .refine_matrix = LINPACK_MATRIX_KEEP,
                               .algorithm = LINPACK_BLOCKED,
                               .n_orders = 1,
                               .group = cm_world()};
    linpack_matrix m = {.kind = LINPACK_RANDOM, .seed = 7};
    linpack_course course = {0};
    linpack_system s = {.options = &options,
                        .solvers = linpack_solvers_of(LINPACK_SINGLE),
                        .matrix = &m,
                        .course = &course};
    struct rlimit before, limit;
    const double bytes = (double)linpack_bytes(&options, ORDER, ranks, rank);
    const double space = address_space();
    if (space <= 0 || getrlimit(RLIMIT_AS, &before) != 0) return;
    point("a matrix that just fits is kept");
    limit = before;
    limit.rlim_cur = (rlim_t)(space + 1.25 * bytes / LINPACK_MEMORY_PART);
    EXPECT(setrlimit(RLIMIT_AS, &limit) == 0, "no limit could be set");
    options.refine_matrix = LINPACK_MATRIX_AUTO;
    linpack_system_open(&s, ORDER);
    EXPECT(s.refined.kept, "it is generated again");
    linpack_system_close(&s);
    setrlimit(RLIMIT_AS, &before);
}

/* The last rank "frees" its memory late: nothing is free before there is this file. */
static char freed[40];
int64_t __real_cm_machine_memory_share_bytes(int processes, bool *limited);
int64_t __wrap_cm_machine_memory_share_bytes(int processes, bool *limited);
int64_t __wrap_cm_machine_memory_share_bytes(int processes, bool *limited)
{
    if (!*freed) return __real_cm_machine_memory_share_bytes(processes, limited);
    return access(freed, F_OK) == 0 ? INT64_MAX : 0;
}

static void test_freed(void)
{
    const bool last = cm_rank(cm_world()) == cm_size(cm_world()) - 1;
    const linpack_options options = {.block = 1, .panel = 8, .group = cm_world()};
    snprintf(freed, sizeof freed, "linpack_refine.%ld", (long)getpid());
    cm_bcast(cm_world(), freed, sizeof freed, 0, CM_AUTO);
    point("what is free is read after all ranks have freed theirs");
    if (last) {
        usleep(100000);
        fclose(fopen(freed, "w"));
    }
    EXPECT(linpack_fits(&options, 10, 1), "a matrix that fits is said not to");
    cm_barrier(cm_world(), CM_AUTO);
    if (last) remove(freed);
    *freed = '\0';
}

/* ---- GMRES alone ----------------------------------------------------------------------------- */

enum { N = 30, VALUES = 6 };
static double eigenvalue(int i) { return i % VALUES + 1; }

/* context: counts the products. */
static void diagonal_product(void *context, const double *whole, double *part)
{
    const int first = (int)((int64_t)N * cm_rank(cm_world()) / cm_size(cm_world()));
    const int end = (int)((int64_t)N * (cm_rank(cm_world()) + 1) / cm_size(cm_world()));
    ++*(int *)context;
    for (int i = first; i < end; i++) part[i - first] = eigenvalue(i) * whole[i];
}

static void nothing(void *context, double *whole) { (void)context, (void)whole; }
static void no_numbers(void *context, double *whole) { (void)context, whole[0] = NAN; }

/* Without a preconditioner, GMRES ends after as many iterations as there are eigenvalues, and not
   before. */
static void test_gmres(void)
{
    linpack_gmres g;
    int products = 0;
    linpack_operator a = {diagonal_product, nothing, &products};
    double x[N] = {0}, worst = 0, residual[N], product[N], least;
    linpack_gmres_open(&g, cm_world(), N);
    point("GMRES ends with the last eigenvalue");
    for (int i = 0; i < N; i++) residual[i] = 1;
    EXPECT(linpack_gmres_cycle(&g, &a, residual, 1e-12, LINPACK_RESTART, x) == VALUES
               && products == VALUES,
           "%d products", products);
    for (int i = 0; i < N; i++) worst = fmax(worst, fabs(x[i] - 1 / eigenvalue(i)));
    EXPECT(worst <= 1e-13, "wrong by %g", worst);

    point("begins anew");
    memset(x, 0, sizeof x);
    for (int cycle = 0; cycle < 20; cycle++) {
        diagonal_product(&products, x, product);
        for (int i = 0; i < g.parts.count; i++) residual[i] = 1 - product[i];
        const double before = linpack_parts_largest(&g.parts, residual);
        const int made = linpack_gmres_cycle(&g, &a, residual, 0, 2, x);
        EXPECT(made == 2, "%d iterations", made);
        diagonal_product(&products, x, product);
        for (int i = 0; i < g.parts.count; i++) residual[i] = 1 - product[i];
        /* Two iterations leave at most a tenth: the Chebyshev polynomial of degree 2 on [1, 6]. */
        const double after = linpack_parts_largest(&g.parts, residual);
        EXPECT(after < before || after <= 1e-14, "%g after %g", after, before);
    }
    least = linpack_parts_largest(&g.parts, residual);
    EXPECT(least <= 1e-5, "after twenty times %g are left", least);

    point("needs numbers");
    a.precondition = no_numbers;
    for (int i = 0; i < N; i++) residual[i] = 1, x[i] = 2;
    EXPECT(linpack_gmres_cycle(&g, &a, residual, 1e-12, LINPACK_RESTART, x) == 0 && x[N - 1] == 2,
           "x is %g", x[N - 1]);
    linpack_gmres_close(&g);
}

int main(int argc, char **argv)
{
    begin_without_blas_threads(argv);
    contract_start(&argc, &argv);
    cm_blas_threads(1);
    const bool slow = oversubscribed() && cm_comm_has(CM_HAS_NATIVE);
    if (!cm_comm_has(CM_HAS_SIMULATOR)) test_memory(), test_freed(); /* ranks are one process */
    if (!slow) test_gmres();
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
        if (!slow || !problems[k].long_one) solve_in_all_ways(&problems[k], oversubscribed());
    return contract_done();
}
