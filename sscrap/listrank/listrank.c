/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank.c: cm-listrank: ranking of a list spread over all processes (ben-fradj-2003,
   section 2.2). */
#include "listrank.h"

static int check(const cm_program *program, void *of_program)
{
    listrank_options *options = of_program;
    return sscrap_check_options(program, &options->job, &listrank_problem);
}

static int run(const cm_benchmark *benchmark, int argc, char **argv)
{
    const listrank_options *options = benchmark->options;
    return sscrap_run(benchmark, argc, argv, &options->job, &listrank_problem, options);
}

int main(int argc, char **argv)
{
    static const char *const distances[] = {"unit", "random", 0};
    static const char *const methods[] = {"auto", "copies", "runs", "rulers", 0};
    listrank_options options = listrank_defaults;
    const cm_option table[] = {
        CM_HEADING("List"),
        CM_INTEGER("items", 'n', "N", &options.job.size, 1, 1e12,
                   "nodes of all processes together"),
        CM_INTEGER("from", 0, "N", &options.job.from, 0, 1e12,
                   "begin with N nodes and double until --items; 0: --items alone"),
        CM_REAL("permuted", 0, "P", &options.permuted, 0, 1,
                "probability that a node leaves its place in the order of memory; 1: a random "
                "permutation, 0: each node's successor stands behind it"),
        CM_CHOICE("distance", 'd', "KIND", &options.distance, distances,
                  "from a node to its successor; random: 1 to 127"),
        CM_CHOICE(
            "method", 'm', "KIND", &options.method, methods,
            "of two processes, auto: by copies on one host, else by runs; others go by rulers"),
        SSCRAP_JOB_OPTIONS(&options.job),
        {0},
    };
    const cm_program program = {
        .name = "cm-listrank",
        .purpose = "ranking of a list whose nodes are spread over all processes",
        .description =
            "Every node of a list knows its successor and the distance to it; wanted is each "
            "node's distance to the end. Some nodes, the rulers, begin walks along the list, many "
            "in turn, until they come to another ruler; a walk that leaves a process goes on in "
            "the next superstep. The rulers are a shorter list, which is ranked in the same "
            "way, at last by one process; then every node asks its ruler. Supersteps grow with "
            "log p, as those of Guerin Lassous and Gustedt 2002. Two processes on one host need "
            "three: each has a copy of the whole list and walks from half of the rulers. On two "
            "hosts they need four: each tells the other where the runs end that the other's "
            "lead to, and has a list of its own runs then. Every run is verified, link by link, "
            "and against the answer, which the way the list was made tells.",
        .examples = "mpiexec -n 8 cm-listrank --items 100000000\t10^8 nodes, over MPI\n"
                    "cmrun -n 4 cm-listrank --permuted 0.01 -o l.txt\tnearly in order\n",
        .options = table,
        .metrics = listrank_metrics,
    };
    const cm_benchmark benchmark = {.program = &program,
                                    .files = &options.job.files,
                                    .options = &options,
                                    .check = check,
                                    .run = run};
    return cm_run_main(&benchmark, argc, argv);
}
