/* SPDX-License-Identifier: BSD-3-Clause */
/* matmul.c: cm-matmul: the product of two matrices in column blocks, as in ben-fradj-2003, section
   2.2. */
#include "matmul.h"

static int check(const cm_program *program, void *of_program)
{
    matmul_options *options = of_program;
    const int way = options->job.sampling.bind;
    if (way != CM_BIND_NONE && way != CM_BIND_PER_L3 && way != CM_BIND_PER_NUMA
        && options->threads > 1)
        return cm_option_error(program,
                               "--bind gives each process one core, which is too few for "
                               "--threads %lld; omit one of them",
                               (long long)options->threads);
    int status = cm_blas_check(program);
    if (status) return status;
    return sscrap_check_options(program, &options->job, &matmul_problem);
}

static int run(const cm_benchmark *benchmark)
{
    const matmul_options *options = benchmark->options;
    return sscrap_run(benchmark, &options->job, &matmul_problem, options);
}

int main(int argc, char **argv)
{
    static const char *const precisions[] = {"single", "double", 0};
    static const char *const inputs[] = {"integer", "real", 0};
    matmul_options options = matmul_defaults;
    const cm_option table[] = {
        CM_HEADING("Matrices"),
        CM_INTEGER("order", 'n', "N", &options.job.size, 1, 1 << 24, "N rows and N columns"),
        CM_INTEGER("from", 0, "N", &options.job.from, 0, 1 << 24,
                   "begin with order N and double up to --order; 0: only --order"),
        CM_CHOICE("precision", 'p', "KIND", &options.precision, precisions,
                  "precision of all three matrices"),
        CM_CHOICE("input", 'i', "KIND", &options.input, inputs,
                  "integer: whole numbers with an exact product; real: between -1 and 1"),
        CM_HEADING("Method"),
        CM_INTEGER("slices", 's', "N", &options.slices, 1, 1e6,
                   "divide each product of blocks into N parts of at least 200 terms per sum; the "
                   "next block moves on between them"),
        CM_INTEGER("threads", 't', "N", &options.threads, 1, 1024, "BLAS threads of each process"),
        SSCRAP_JOB_OPTIONS(&options.job),
        {0},
    };
    const cm_program program = {
        .name = "cm-matmul",
        .purpose = "product of two matrices in column blocks that go round a ring",
        .description =
            "Each process has a block of columns of A, B and C = AB. The blocks of A go round a "
            "ring of processes. The number of supersteps is that of processes. In each, a process "
            "multiplies its current block of A by the BLAS while that block travels on to its "
            "neighbour. Freivalds' test with several vectors verifies every run: exactly if the "
            "entries are whole numbers, otherwise within a bound on rounding errors.",
        .examples =
            "mpiexec -n 2 cm-matmul --order 4000 --bind\tover MPI\n"
            "cmrun -n 4 cm-matmul --each --from 400 --order 4000 -o m.txt\t1 to 4 processes, "
            "n = 400 to 4000\n",
        .options = table,
        .metrics = matmul_metrics,
    };
    const cm_benchmark benchmark = {.program = &program,
                                    .files = &options.job.files,
                                    .options = &options,
                                    .check = check,
                                    .run = run};
    return cm_run_main(&benchmark, argc, argv);
}
