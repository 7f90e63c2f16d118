/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack.c: cm-linpack: all ranks together solve a system of linear equations. */
#include <math.h>
#include "linpack.h"
#include "linpack_matrix.h"
#include "linpack_options.h"

int main(int argc, char **argv)
{
    static const char *const algorithms[] = {"grid", "blocked", "classic", NULL};
    static const char *const pivotings[] = {"partial", "tournament", NULL};
    static const char *const exchanges[] = {"direct", "roll", NULL};
    static const char *const precisions[] = {"single", "double", NULL};
    static const char *const matrices[] = {"auto", "generate", NULL};
    linpack_options options = {
        .block = 1,
        .look_ahead = -1,
        .seed = LINPACK_SEED,
        .precision = -1,
        .sampling = {.rule = {.relative_half_width = 0.02, .time_limit_s = INFINITY}, .most = 3}};
    const cm_option table[] = {
        CM_HEADING("The matrix"),
        CM_INTEGER("order", 'n', "N", &options.order, 1, LINPACK_ORDER_MOST,
                   "number of equations; default: 2000, unless another option chooses it"),
        CM_TEXT("series", 0, "N,N,...", &options.series, "several orders, one row for each"),
        CM_TEXT("fit", 0, "memory=P%", &options.fit,
                "the largest order that takes P % of the free memory of each host"),
        CM_TEXT("matrix", 0, "FILE", &options.matrix,
                "read the matrix from a file in Matrix Market format"),
        CM_TEXT("hpl", 0, "FILE", &options.hpl_file,
                "run the tests of an HPL.dat and print their lines as HPL does"),
        CM_CHOICE(
            "generator", 0, "NAME", &options.generator, linpack_generators,
            "random: numbers without a period; linpack: those of LINPACK's benchmark; hpl: those "
            "of HPL 2.3; hpl-mxp: with a dominant diagonal, which --refine counts as HPL-MxP does; "
            "others are hard for Gaussian elimination"),
        CM_INTEGER("seed", 0, "N", &options.seed, 0, 1e9, "seed of the random numbers"),
        CM_CHOICE("precision", 0, "NAME", &options.precision, precisions,
                  "precision of all numbers; default: single, or double with --hpl"),
        CM_HEADING("Solving"),
        CM_CHOICE(
            "algorithm", 'a', "NAME", &options.algorithm, algorithms,
            "grid: by panels on a grid of ranks; blocked: by panels, only rows dealt out; classic: "
            "the algorithm of 1995, column by column"),
        CM_TEXT("grid", 'g', "PxQ", &options.grid,
                "P ranks in each column and Q in each row of the grid; rows: all in one column; "
                "auto: chosen by a model of the time"),
        CM_TEXT("broadcast", 0, "NAME", &options.broadcast_text,
                "how panels go along a row of the grid: " LINPACK_BROADCASTS "; default: auto"),
        CM_CHOICE("exchange", 0, "NAME", &options.exchange, exchanges,
                  "how rows of U reach all ranks of a column of the grid: direct: from each to all "
                  "others; roll: round, from each to the next"),
        CM_CHOICE("pivoting", 0, "NAME", &options.pivoting, pivotings,
                  "partial: one reduction for each column finds its pivot; tournament: one for "
                  "each panel finds all of its pivots, which are others"),
        CM_INTEGER("block", 'b', "ROWS", &options.block, 1, 4096,
                   "number of rows that are dealt out at a time"),
        CM_INTEGER("panel", 'p', "COLUMNS", &options.panel, 0, LINPACK_PANEL_MOST,
                   "columns of a panel; 0: chosen by order, ranks and cache"),
        CM_INTEGER("look-ahead", 'l', "DEPTH", &options.look_ahead, -1, LINPACK_LOOK_AHEAD_MOST,
                   "factor this number of panels before the rest of the matrix is updated; 0: no "
                   "look-ahead; -1: chosen by grid and hosts"),
        CM_INTEGER("slices", 0, "N", &options.slices, 0, 64,
                   "divide the columns of an update into this number of slices, whose rows travel "
                   "one slice ahead; 0: chosen"),
        CM_FLAG("refine", 0, &options.refine,
                "factor in single precision, then refine the solution to double precision"),
        CM_CHOICE("refine-matrix", 0, "NAME", &options.refine_matrix, matrices,
                  "the matrix in double that refining needs. auto: in memory, if that holds it; "
                  "generate: made anew for each product with it"),
        CM_CHOICE("refine-factors", 0, "NAME", &options.refine_factors, linpack_factors,
                  "precision of the products that --refine factors with, if the BLAS has them in "
                  "bfloat16 or half; all else stays single"),
        CM_INTEGER(
            "threads", 't', "N", &options.threads, 0, 4096,
            "BLAS threads of each rank; 0: 1 with --bind, else those of the BLAS's variable, "
            "as OPENBLAS_NUM_THREADS, or of OMP_NUM_THREADS, else cores of the host / its "
            "ranks, at most those that the launcher left it"),
        CM_HEADING("Measuring"),
        CM_FLAG("serial", 0, &options.serial,
                "also run a plain one-processor program on rank 0, and report the speed-up over it "
                "(classic), or how many times as fast all ranks are by another algorithm"),
        CM_TEXT("serial-from", 0, "FILE", &options.serial_file,
                "take the plain program's times from an earlier result with --serial"),
        CM_FLAG("condition", 0, &options.condition, "estimate the matrix's condition number"),
        CM_SAMPLE_RUN_OPTIONS(&options.sampling, CM_SAMPLE_RUNS(&options.sampling)),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-linpack",
        .purpose = "linear equations by Gaussian elimination, on a grid of ranks",
        .description =
            "Factors a dense matrix as P L U with partial pivoting and solves with the factors, as "
            "LINPACK's SGEFA and SGESL do. Rows and columns are dealt out cyclically to a grid of "
            "ranks. The rate counts LINPACK's operations:\n\n"
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
        .labels = linpack_labels,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = linpack_check,
        .least = 1,
        .run = linpack_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
