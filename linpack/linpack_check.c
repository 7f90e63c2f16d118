/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_check.c: checks the options together, their orders, and the memory for these. */
#include <stdio.h>
#include <string.h>
#include "linpack_hpl_run.h"
#include "linpack_result.h"

static int parse_series(const cm_program *program, linpack_options *options)
{
    int64_t orders[LINPACK_SERIES_MOST];
    size_t n =
        cm_option_integers(options->series, 1, LINPACK_ORDER_MOST, orders, LINPACK_SERIES_MOST);
    if (n == 0)
        return cm_option_error(
            program, "--series %s: expected 1 to %d orders from 1 to %d, separated by commas",
            options->series, LINPACK_SERIES_MOST, LINPACK_ORDER_MOST);
    while (options->n_orders < (int)n) {
        options->orders[options->n_orders] = (int)orders[options->n_orders];
        options->n_orders++;
    }
    return 0;
}

double linpack_part_of_memory(const char *text)
{
    double percent;
    char sign, more;
    if (sscanf(text, "memory=%lf%c%c", &percent, &sign, &more) != 2 || sign != '%') return 0;
    return percent > 0 && percent <= 90 ? percent / 100 : 0;
}

/* Takes --grid apart: PxQ, rows or auto. */
static int parse_grid(const cm_program *program, linpack_options *options)
{
    enum { MOST = 1 << 20 };
    const char *text = options->grid;
    linpack_grid grid = {0};
    char more;
    options->grid_given = grid;
    if (!text || strcmp(text, "auto") == 0) return 0;
    if (strcmp(text, "rows") == 0) {
        if (options->algorithm == LINPACK_GRID) options->algorithm = LINPACK_BLOCKED;
        return 0;
    }
    if (strspn(text, "0123456789x") != strlen(text) || strlen(text) > 15
        || sscanf(text, "%dx%d%c", &grid.rows, &grid.columns, &more) != 2 || grid.rows < 1
        || grid.columns < 1 || grid.rows > MOST || grid.columns > MOST)
        return cm_option_error(
            program, "--grid %s: expected PxQ, such as 2x3 for 6 ranks, or rows, or auto", text);
    if (options->algorithm != LINPACK_GRID)
        return cm_option_error(program,
                               "--grid %s: --algorithm %s deals out rows only; omit one of them",
                               text, options->algorithm == LINPACK_CLASSIC ? "classic" : "blocked");
    options->grid_given = grid;
    return 0;
}

static int parse_broadcast(const cm_program *program, linpack_options *options)
{
    const char *text = options->broadcast_text;
    if (text && options->algorithm != LINPACK_GRID)
        return cm_option_error(
            program, "--broadcast %s: no panel is sent where only rows are dealt out", text);
    if (options->exchange == LINPACK_ROLL && options->algorithm == LINPACK_CLASSIC)
        return cm_option_error(
            program, "--exchange roll: --algorithm classic exchanges row by row; omit one of them");
    const linpack_grid grid = options->grid_given;
    if (text && grid.rows > 1 && grid.columns == 1)
        return cm_option_error(program,
                               "--broadcast %s: --grid %s has one column, where no panel is sent; "
                               "omit one of them",
                               text, options->grid);
    if (options->exchange == LINPACK_ROLL && grid.rows == 1 && grid.columns > 1)
        return cm_option_error(program,
                               "--exchange roll: --grid %s has one row, where no rows are "
                               "exchanged; omit one of them",
                               options->grid);
    if (text
        && (!cm_algorithm_parse(text, &options->broadcast)
            || !cm_algorithm_available(CM_COLLECTIVE_BCAST, options->broadcast)))
        return cm_option_error(
            program, "--broadcast %s: expected an algorithm of bcast: " LINPACK_BROADCASTS, text);
    return 0;
}

int linpack_check_binding(const cm_program *program, const linpack_options *options)
{
    const int way = options->sampling.bind;
    if (way == CM_BIND_NONE || way == CM_BIND_PER_L3 || way == CM_BIND_PER_NUMA
        || options->threads <= 1)
        return 0;
    return cm_option_error(program,
                           "--bind with --threads %lld: all threads of a rank would share one "
                           "core; omit one of them",
                           (long long)options->threads);
}

static int check_generator(const cm_program *program, const linpack_options *o)
{
    const int generator = o->generator;
    const char *name = linpack_generators[generator];
    if (o->matrix && generator != LINPACK_RANDOM)
        return cm_option_error(
            program, "--generator %s: the matrix is that of --matrix %s; omit one of them", name,
            o->matrix);
    if (o->seed != LINPACK_SEED && (generator == LINPACK_MATGEN || generator == LINPACK_HPL))
        return cm_option_error(program,
                               "--seed %lld: --generator %s has numbers of its own; omit one of "
                               "them",
                               (long long)o->seed, name);
    return 0;
}

static int check_together(const cm_program *program, const linpack_options *options)
{
    const int given = (options->order != 0) + (options->series != NULL) + (options->matrix != NULL)
                      + (options->fit != NULL);
    if (given > 1)
        return cm_option_error(
            program,
            "--order, --series, --matrix and --fit all choose the order: give only one of them");
    if (options->refine && options->precision == LINPACK_DOUBLE)
        return cm_option_error(program,
                               "--refine factors in single precision: omit --precision double");
    if (options->refine_matrix && !options->refine)
        return cm_option_error(program,
                               "--refine-matrix generate: only --refine needs it; omit one");
    if (options->refine_factors && !options->refine)
        return cm_option_error(program,
                               "--refine-factors %s: only --refine has factors to choose; "
                               "omit it",
                               linpack_factors[options->refine_factors]);
    if (options->refine_factors && options->algorithm == LINPACK_CLASSIC)
        return cm_option_error(program,
                               "--refine-factors %s: --algorithm classic makes no matrix "
                               "products; omit one of them",
                               linpack_factors[options->refine_factors]);
    if (options->serial && options->serial_file)
        return cm_option_error(program,
                               "--serial measures what --serial-from reads: give only one of them");
    if ((options->serial || options->serial_file) && options->fit)
        return cm_option_error(
            program,
            "--fit with --serial%s: the plain program needs the memory on one rank; give --order",
            options->serial ? "" : "-from");
    if (options->refine && (options->serial || options->serial_file))
        return cm_option_error(
            program, "--refine with --serial%s: the plain program does not refine; omit one",
            options->serial ? "" : "-from");
    if (options->algorithm == LINPACK_CLASSIC && options->panel)
        return cm_option_error(program, "--panel %lld: --algorithm classic has no panels",
                               (long long)options->panel);
    if (options->algorithm == LINPACK_CLASSIC && options->pivoting == LINPACK_TOURNAMENT)
        return cm_option_error(
            program, "--pivoting tournament: --algorithm classic has no panels; omit one of them");
    if (options->fit && linpack_part_of_memory(options->fit) == 0)
        return cm_option_error(
            program, "--fit %s: expected memory=P%%, with P above 0 and at most 90", options->fit);
    if (options->algorithm == LINPACK_CLASSIC && options->look_ahead > 0)
        return cm_option_error(program, "--look-ahead %lld: --algorithm classic has no look-ahead",
                               (long long)options->look_ahead);
    if (options->algorithm == LINPACK_CLASSIC && options->slices > 0)
        return cm_option_error(program, "--slices %lld: --algorithm classic updates row by row",
                               (long long)options->slices);
    return 0;
}

static int find_low(const cm_program *program, linpack_options *options)
{
    static const struct {
        cm_blas_format format;
        const char *openblas;
    } of[] = {[LINPACK_FACTORS_BFLOAT16] = {CM_BLAS_BFLOAT16, "OpenBLAS with BUILD_BFLOAT16=1"},
              [LINPACK_FACTORS_HALF] = {CM_BLAS_HALF, "OpenBLAS 0.3.30 with BUILD_HFLOAT16=1"}};
    const int factors = options->refine_factors;
    if (!factors || cm_blas_low_find(of[factors].format, &options->low)) return 0;
    const cm_blas_library blas = cm_blas_library_loaded();
    return cm_option_error(program,
                           "--refine-factors %s: the BLAS that is loaded, %s%s%s, has no matrix "
                           "product in %s; expected %s, or MKL",
                           linpack_factors[factors], blas.name, *blas.version ? " " : "",
                           blas.version, linpack_factors[factors], of[factors].openblas);
}

/* Only rank 0 reads the file; the other ranks may run where there is another. */
static int check_serial_file(const cm_program *program, const linpack_options *options)
{
    if (!options->serial_file || cm_launch_rank() != 0) return 0;
    for (int k = 0; k < options->n_orders; k++) {
        char why[1024];
        double serial_s, cpu_s;
        if (!linpack_serial_read(options->serial_file, options->orders[k], &serial_s, &cpu_s, why,
                                 sizeof why))
            return cm_option_error(program, "--serial-from %s", why);
    }
    return 0;
}

int linpack_check(const cm_program *program, void *of_program)
{
    enum { DEFAULT_ORDER = 2000 };
    linpack_options *options = of_program;
    if (options->precision < 0)
        options->precision =
            options->hpl_file && !options->refine ? LINPACK_DOUBLE : LINPACK_SINGLE;
    int status = check_together(program, options);
    if (!status) status = linpack_check_binding(program, options);
    if (!status) status = check_generator(program, options);
    if (!status) status = parse_grid(program, options);
    if (!status) status = parse_broadcast(program, options);
    if (!status) status = cm_blas_check(program);
    if (!status) status = find_low(program, options);
    if (status) return status;
    cm_sampling_check(&options->sampling);
    options->n_orders = 0;
    if ((status = linpack_hpl_check(program, options))) return status;
    if (options->series && (status = parse_series(program, options))) return status;
    if (options->matrix) {
        /* Rank 0 reads the file; the others learn the order when they have the matrix. */
        int order = 1;
        if (cm_launch_rank() == 0)
            order = linpack_market_order(program, options->matrix, &options->entries);
        if (!order) return CM_EXIT_USAGE;
        options->orders[options->n_orders++] = order;
    }
    if (!options->n_orders && !options->fit && !options->hpl_file)
        options->orders[options->n_orders++] = options->order ? (int)options->order : DEFAULT_ORDER;
    for (int k = 0; k < options->n_orders; k++)
        if (options->generator == LINPACK_MATGEN && !options->matrix
            && linpack_matgen_repeats(options->orders[k]))
            return cm_option_error(
                program,
                "--generator linpack with order %d: its random numbers repeat after 16384, so "
                "columns are equal and the matrix is singular; use --generator random",
                options->orders[k]);
    return check_serial_file(program, options);
}

static void require_memory(const linpack_options *options, int order)
{
    enum { PERCENT = (int)(100 * LINPACK_MEMORY_PART + 0.5) };
    int ranks = cm_size(cm_world()), rank = cm_rank(cm_world());
    if (linpack_fits(options, order, LINPACK_MEMORY_PART)) return;
    int fits = linpack_fit(options, LINPACK_MEMORY_PART);
    if (rank != 0) return;
    const char *memory = linpack_memory_of(options->group);
    if (options->matrix)
        cm_abort(
            CM_EXIT_USAGE,
            "--matrix %s: order %d and the %lld numbers of the file take %zu bytes on rank 0, more "
            "than %d %% of %s",
            options->matrix, order, (long long)options->entries,
            linpack_bytes(options, order, ranks, 0), PERCENT, memory);
    cm_abort(CM_EXIT_USAGE,
             "order %d takes %zu bytes on rank 0, more than %d %% of %s; "
             "the largest that fits on these %d ranks is --order %d",
             order, linpack_bytes(options, order, ranks, 0), PERCENT, memory, ranks, fits);
}

void linpack_require_grid(const linpack_options *options)
{
    const linpack_grid grid = options->grid_given;
    const int ranks = cm_size(cm_world());
    if (!grid.rows || (int64_t)grid.rows * grid.columns == ranks || cm_rank(cm_world()) != 0)
        return;
    cm_abort(CM_EXIT_USAGE, "--grid %s has %lld ranks, but the job has %d; expected P times Q = %d",
             options->grid, (long long)grid.rows * grid.columns, ranks, ranks);
}

void linpack_require_memory(const linpack_options *options)
{
    for (int k = 0; k < options->n_orders; k++) require_memory(options, options->orders[k]);
    /* Rank 0 ends the job before another rank runs out of memory. */
    cm_barrier(cm_world(), CM_AUTO);
}
