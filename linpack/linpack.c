/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack.c: cm-linpack: a system of linear equations, solved by all ranks together. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "linpack_program.h"

enum { DEFAULT_ORDER = 2000 };

static int parse_series(const cm_program *program, linpack_options *options)
{
    int64_t orders[LINPACK_SERIES_MOST];
    size_t n =
        cm_option_integers(options->series, 1, LINPACK_ORDER_MOST, orders, LINPACK_SERIES_MOST);
    if (n == 0)
        return cm_option_error(
            program, "--series %s: 1 to %d orders from 1 to %d with commas between them will do",
            options->series, LINPACK_SERIES_MOST, LINPACK_ORDER_MOST);
    while (options->n_orders < (int)n) {
        options->orders[options->n_orders] = (int)orders[options->n_orders];
        options->n_orders++;
    }
    return 0;
}

/* "memory=50%": 0.5; 0: not so. */
static double part_of_memory(const char *text)
{
    double percent;
    char sign, more;
    if (sscanf(text, "memory=%lf%c%c", &percent, &sign, &more) != 2 || sign != '%') return 0;
    return percent > 0 && percent <= 90 ? percent / 100 : 0;
}

static int check_together(const cm_program *program, const linpack_options *options)
{
    const int given = (options->order != 0) + (options->series != NULL) + (options->matrix != NULL)
                      + (options->fit != NULL);
    if (given > 1)
        return cm_option_error(
            program,
            "--order, --series, --matrix and --fit each choose the order: give one of them");
    if (options->refine && options->precision == LINPACK_DOUBLE)
        return cm_option_error(
            program, "--refine factors in single precision: leave --precision double out");
    if (options->serial && options->serial_file)
        return cm_option_error(program,
                               "--serial measures what --serial-from reads: give one of them");
    if ((options->serial || options->serial_file) && options->fit)
        return cm_option_error(
            program,
            "--fit with --serial%s: the plain program takes one rank's memory; give --order",
            options->serial ? "" : "-from");
    if (options->refine && (options->serial || options->serial_file))
        return cm_option_error(
            program, "--refine with --serial%s: the plain program does not refine; leave one out",
            options->serial ? "" : "-from");
    if (options->bind && options->threads > 1)
        return cm_option_error(
            program,
            "--bind with --threads %lld: threads of a rank would share its one core; "
            "leave one of them out",
            (long long)options->threads);
    if (options->algorithm == LINPACK_CLASSIC && options->panel)
        return cm_option_error(program, "--panel %lld: --algorithm classic has no panels",
                               (long long)options->panel);
    if (options->fit && part_of_memory(options->fit) == 0)
        return cm_option_error(program, "--fit %s: memory=P%% with P above 0, at most 90, will do",
                               options->fit);
    if (options->algorithm == LINPACK_CLASSIC && options->slices > 0)
        return cm_option_error(program, "--look-ahead %lld: --algorithm classic has none",
                               (long long)options->slices);
    return 0;
}

/* Only where rank 0 is: the others may have other files. */
static int check_serial_file(const cm_program *program, const linpack_options *options)
{
    if (!options->serial_file || cm_launch_rank() != 0) return 0;
    if (access(options->serial_file, R_OK))
        return cm_option_error(program, "--serial-from %s: %s", options->serial_file,
                               strerror(errno));
    for (int k = 0; k < options->n_orders; k++) {
        double serial_s = NAN, cpu_s = NAN;
        linpack_serial_read(options->serial_file, options->orders[k], &serial_s, &cpu_s);
        if (!(serial_s > 0))
            return cm_option_error(program,
                                   "--serial-from %s: has no time of order %d; a result with "
                                   "--serial and that order will do",
                                   options->serial_file, options->orders[k]);
    }
    return 0;
}

static int check(const cm_program *program, void *of_program)
{
    linpack_options *options = of_program;
    int status = check_together(program, options);
    if (!status) status = cm_blas_check(program);
    if (status) return status;
    options->n_orders = 0;
    if (options->series && (status = parse_series(program, options))) return status;
    if (options->matrix) {
        /* Rank 0 reads it; the others learn its order then. */
        int order = 1;
        if (cm_launch_rank() == 0)
            order = linpack_market_order(program, options->matrix, &options->entries);
        if (!order) return CM_EXIT_USAGE;
        options->orders[options->n_orders++] = order;
    }
    if (!options->n_orders && !options->fit)
        options->orders[options->n_orders++] = options->order ? (int)options->order : DEFAULT_ORDER;
    for (int k = 0; k < options->n_orders; k++)
        if (options->generator == LINPACK_MATGEN && !options->matrix
            && linpack_matgen_repeats(options->orders[k]))
            return cm_option_error(
                program,
                "--generator linpack with order %d: its random numbers repeat after 16384, "
                "columns are equal and the matrix is singular; --generator random will do",
                options->orders[k]);
    return check_serial_file(program, options);
}

int main(int argc, char **argv)
{
    static const char *const algorithms[] = {"blocked", "classic", NULL};
    static const char *const precisions[] = {"single", "double", NULL};
    static const char *const generators[] = {"random", "linpack", NULL};
    linpack_options options = {.block = 1, .slices = -1, .repeat = 3, .seed = 1};
    const cm_option table[] = {
        CM_HEADING("The matrix"),
        CM_INTEGER("order", 'n', "N", &options.order, 1, LINPACK_ORDER_MOST,
                   "equations and unknowns; 2000 where nothing else chooses them"),
        CM_TEXT("series", 0, "N,N,...", &options.series, "several orders, a row each"),
        CM_TEXT("fit", 0, "memory=P%", &options.fit,
                "the largest order that takes P % of the free memory of each host"),
        CM_TEXT("matrix", 0, "FILE", &options.matrix, "a matrix from a file in Matrix Market form"),
        CM_CHOICE("generator", 0, "NAME", &options.generator, generators,
                  "random numbers without a period, or those of LINPACK's benchmark"),
        CM_INTEGER("seed", 0, "N", &options.seed, 0, 1e9, "of the random numbers"),
        CM_CHOICE("precision", 0, "NAME", &options.precision, precisions, "of all numbers"),
        CM_HEADING("Solving"),
        CM_CHOICE("algorithm", 'a', "NAME", &options.algorithm, algorithms,
                  "by panels, or the one of 1995, column by column"),
        CM_INTEGER("block", 'b', "ROWS", &options.block, 1, 4096,
                   "rows that are dealt out at a time"),
        CM_INTEGER("panel", 'p', "COLUMNS", &options.panel, 0, LINPACK_PANEL_MOST,
                   "columns of a panel; 0: chosen by order, ranks and cache"),
        CM_INTEGER(
            "look-ahead", 'l', "SLICES", &options.slices, -1, 64,
            "slices of the update between which the next panel goes on; 0: none; -1: chosen"),
        CM_FLAG("refine", 0, &options.refine,
                "factor in single precision, refine the solution to double precision"),
        CM_INTEGER(
            "threads", 't', "N", &options.threads, 0, 4096,
            "threads of the BLAS on each rank; 0: cores by ranks of the host, one with --bind"),
        CM_FLAG("bind", 0, &options.bind, "bind each rank to a core of its own"),
        CM_HEADING("Measuring"),
        CM_INTEGER("repeat", 'r', "N", &options.repeat, 1, 1e6,
                   "factorizations and solutions of each order"),
        CM_FLAG("serial", 0, &options.serial,
                "also run a plain one-processor program on rank 0, and give the speed-up over it"),
        CM_TEXT("serial-from", 0, "FILE", &options.serial_file,
                "take the plain program's times from a result with --serial"),
        CM_FLAG("condition", 0, &options.condition, "estimate the condition of the matrix"),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-linpack",
        .purpose = "linear equations by Gaussian elimination, rows on all ranks",
        .description =
            "Factors a dense matrix as P L U with partial pivoting and solves with it, as "
            "LINPACK's SGEFA and "
            "SGESL do. Rows are dealt out cyclically. The rate counts LINPACK's operations:\n\n"
            "    Mflop/s = 1e-6 (2/3 n^3 + 2 n^2) / (time to factor + time to solve)\n\n"
            "The solution is verified with the matrix made anew; the scaled residual is printed as "
            "an "
            "inequality.",
        .examples =
            "cm-linpack -n 4000\tone rank\n"
            "mpiexec -n 2 cm-linpack -n 8000 --bind\ttwo ranks, over MPI\n"
            "cmrun -n 2 cm-linpack -a classic --serial --series 100,500,1000,1500"
            "\tthe table of 1995\n"
            "cmrun --hosts a,b cm-linpack --fit memory=50% --refine\tlarge, to double precision\n",
        .options = table,
        .metrics = linpack_metrics,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = check,
        .least = 1,
        .run = linpack_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
