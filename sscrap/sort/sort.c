/* SPDX-License-Identifier: BSD-3-Clause */
/* sort.c: cm-sort: sample sort of keys spread over all processes (ben-fradj-2003, section 2.2). */
#include "sort.h"

static int check(const cm_program *program, void *of_program)
{
    sort_options *options = of_program;
    if (options->local == SORT_LOCAL_VECTOR && !sort_vector_name())
        return cm_option_error(program, "--local vector: this build has no Google Highway; "
                                        "buckets, radix and library are there");
    return sscrap_check_options(program, &options->job, &sort_problem);
}

static int run(const cm_benchmark *benchmark, int argc, char **argv)
{
    const sort_options *options = benchmark->options;
    return sscrap_run(benchmark, argc, argv, &options->job, &sort_problem, options);
}

int main(int argc, char **argv)
{
    static const char *const keys[] = {"double", "float", "int32", "int64", 0};
    static const char *const inputs[] = {"uniform", "gaussian", "sorted",    "reverse",
                                         "few",     "equal",    "staggered", 0};
    static const char *const locals[] = {"auto", "buckets", "vector", "radix", "library", 0};
    sort_options options = sort_defaults;
    const cm_option table[] = {
        CM_HEADING("Keys"),
        CM_INTEGER("items", 'n', "N", &options.job.size, 1, 1e15, "keys of all processes together"),
        CM_INTEGER("from", 0, "N", &options.job.from, 0, 1e15,
                   "begin with N keys and double until --items; 0: --items alone"),
        CM_CHOICE("key", 'k', "TYPE", &options.key, keys, "type of the keys"),
        CM_CHOICE("input", 'i', "KIND", &options.input, inputs,
                  "distribution of the keys; few: 16 different ones; staggered: made to mislead "
                  "sampling"),
        CM_CHOICE(
            "local", 'l', "SORT", &options.local, locals,
            "how each process sorts what it got; buckets: dealt out into such that fit into the "
            "cache, uneven ones by radix; auto: uneven ones by vector where it is there; "
            "vector: Google Highway's vqsort; library: qsort"),
        SSCRAP_JOB_OPTIONS(&options.job),
        {0},
    };
    const cm_program program = {
        .name = "cm-sort",
        .purpose = "sorting of keys that are spread over all processes, by samples",
        .description =
            "Every process sends a random sample of its keys to all others; the samples, sorted, "
            "say which range of keys belongs to whom; counts and then the keys themselves are "
            "exchanged, and each process sorts what it got: three supersteps (Gerbessiotis and "
            "Valiant 1994). Equal keys are told apart by process and place, so that no process "
            "gets more than its share. Every run is verified: order within and between processes, "
            "a checksum of all keys, the largest part.",
        .examples = "mpiexec -n 8 cm-sort --items 100000000\t10^8 doubles, over MPI\n"
                    "cmrun -n 4 cm-sort --each --from 1000000 -o s.txt\t"
                    "1 to 4 processes, 10^6 to 10^7\n",
        .options = table,
        .metrics = sort_metrics,
    };
    const cm_benchmark benchmark = {.program = &program,
                                    .files = &options.job.files,
                                    .options = &options,
                                    .check = check,
                                    .run = run};
    return cm_run_main(&benchmark, argc, argv);
}
