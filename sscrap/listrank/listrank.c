/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank.c: cm-listrank: ranking of a list spread over all processes (ben-fradj-2003,
   section 2.2). */
#include <math.h>
#include "listrank.h"
#include "machine/machine.h"

static int check(const cm_program *program, void *of_program)
{
    listrank_options *options = of_program;
    if (options->local >= 0 && options->permuted != 1)
        return cm_option_error(program,
                               "--local %g --permuted %g: with --local the nodes of each process "
                               "are in random order; give one of the two",
                               options->local, options->permuted);
    return sscrap_check_options(program, &options->job, &listrank_problem);
}

/* The methods of a run are chosen by what was free before it. */
static listrank_place look(cm_group *all)
{
    listrank_place place = {.processes = cm_size(all), .one_host = sscrap_one_host(all)};
    double bytes = (double)cm_machine_memory_free_bytes();
    if (bytes <= 0) bytes = INFINITY;
    cm_run_number_computers(all, &place.here);
    cm_allreduce(all, &bytes, &place.free_bytes, 1, CM_DOUBLE, CM_MIN, CM_AUTO);
    if (isinf(place.free_bytes)) place.free_bytes = 0;
    return place;
}

static int run(const cm_benchmark *benchmark)
{
    listrank_options options = *(const listrank_options *)benchmark->options;
    int status = sscrap_check_backend(benchmark->program);
    if (status) return status;
    cm_group *all = sscrap_place(options.job.place);
    if (all) {
        options.place = look(all);
        listrank_try(all, &options);
    }
    cm_group_free(all);
    return sscrap_run(benchmark, &options.job, &listrank_problem, &options);
}

int main(int argc, char **argv)
{
    static const char *const distances[] = {"unit", "random", 0};
    static const char *const methods[] = {"auto", "copies", "runs", "rulers", "tokens", 0};
    listrank_options options = listrank_defaults;
    const cm_option table[] = {
        CM_HEADING("List"),
        CM_INTEGER("items", 'n', "N", &options.job.size, 1, LISTRANK_MOST,
                   "number of nodes on all processes together"),
        CM_INTEGER("from", 0, "N", &options.job.from, 0, LISTRANK_MOST,
                   "begin with N nodes and double up to --items; 0: only --items"),
        CM_REAL("permuted", 0, "P", &options.permuted, 0, 1,
                "probability that a node leaves its place in the memory order; 1: a random "
                "permutation, 0: each node's successor is behind it"),
        CM_REAL("local", 0, "SHARE", &options.local, 0, 1,
                "share of links that stay within their process, whose nodes are in random order; "
                "not with --permuted"),
        CM_CHOICE("distance", 'd', "KIND", &options.distance, distances,
                  "distance from a node to its successor; random: 1 to 127"),
        CM_CHOICE(
            "method", 'm', "KIND", &options.method, methods,
            "copies: of up to eight processes; runs: of two; rulers: the least work; tokens: few "
            "supersteps; auto: copies or rulers on one host, otherwise the fastest in trials"),
        SSCRAP_JOB_OPTIONS(&options.job),
        {0},
    };
    const cm_program program = {
        .name = "cm-listrank",
        .purpose = "ranking of a list whose nodes are spread over all processes",
        .description =
            "Every node of a list knows its successor and the distance to it. The program "
            "computes each node's distance to the end. Some nodes are rulers. From each a walk "
            "follows the list until it meets another ruler; a process advances many walks in "
            "turn. A walk that leaves its process continues there in the next superstep. The "
            "rulers form a shorter list, which is ranked in the same way, finally by one process. "
            "Then every node asks its ruler. By rulers the number of supersteps grows with log p, "
            "as in Guerin Lassous and Gustedt 2002. By tokens, processes first find their runs, "
            "the nodes that a walk passes before it leaves its process, and rank the list of "
            "runs; up to eight processes need 15 supersteps and send fewer data, but each ranks "
            "all rulers of the runs. By default up to eight processes on one host need three "
            "supersteps, whatever their number: each copies the whole list and walks from its "
            "part of the rulers. Two hosts need four: each tells the other where its runs end, "
            "and so gets a list of its own runs. Every run is verified link by link, and against "
            "the answer, which is known from the way the list was made.",
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
