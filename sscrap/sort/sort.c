/* SPDX-License-Identifier: BSD-3-Clause */
/* sort.c: cm-sort: sample sort of keys spread over all processes (ben-fradj-2003, section 2.2). */
#include "sort.h"

static int check(const cm_program *program, void *of_program)
{
    sort_options *options = of_program;
    if (options->local == SORT_LOCAL_VECTOR && !sort_vector_name())
        return cm_option_error(program, "--local vector: this build has no Google Highway; "
                                        "use buckets, radix or library");
    if (options->local == SORT_LOCAL_VECTOR && options->pairs)
        return cm_option_error(program, "--local vector sorts keys alone, not --pairs; "
                                        "use buckets, radix or library");
    return sscrap_check_options(program, &options->job, &sort_problem);
}

static int run(const cm_benchmark *benchmark)
{
    const sort_options *options = benchmark->options;
    return sscrap_run(benchmark, &options->job, &sort_problem, options);
}

int main(int argc, char **argv)
{
    static const char *const keys[] = {"double", "float", "int32", "int64", 0};
    static const char *const locals[] = {"auto", "buckets", "vector", "radix", "library", 0};
    static const char *const levels[] = {"auto", "1", "2", 0};
    sort_options options = sort_defaults;
    const cm_option table[] = {
        CM_HEADING("Keys"),
        CM_INTEGER("items", 'n', "N", &options.job.size, 1, 1e15,
                   "number of keys on all processes together"),
        CM_INTEGER("from", 0, "N", &options.job.from, 0, 1e15,
                   "begin with N keys and double up to --items; 0: only --items"),
        CM_CHOICE("key", 'k', "TYPE", &options.key, keys, "type of the keys"),
        CM_FLAG("pairs", 0, &options.pairs,
                "each key has a value of 8 bytes, which goes where the key goes"),
        CM_CHOICE(
            "input", 'i', "KIND", &options.input, sort_input_names,
            "distribution of the keys; few: 16 different ones; staggered: made to mislead "
            "sampling; zipf: 2^20 different ones, the rth as often as 1/r; root-dup: about as "
            "many different ones as of each; mirrored: all keys of a process leave for one "
            "other; all-to-one: likewise, and one key of each for the first; almost-sorted: "
            "one of 100 is elsewhere"),
        CM_CHOICE(
            "local", 'l', "SORT", &options.local, locals,
            "local sort of each process. buckets: deal the keys out to buckets that fit into the "
            "cache, and sort uneven ones by radix; auto: the same, or all or uneven ones by "
            "vector, or vector alone, whatever is fastest here; vector: Google Highway's vqsort, "
            "for which up to 8 processes part their keys by vectors, too; "
            "library: qsort"),
        CM_CHOICE("levels", 0, "N", &options.levels, levels,
                  "keys go to their processes at once (1), or first to groups of about as many "
                  "processes as there are groups (2, from 4 processes on); auto: 2 if there are "
                  "more than 256 processes"),
        SSCRAP_JOB_OPTIONS(&options.job),
        {0},
    };
    const cm_program program = {
        .name = "cm-sort",
        .purpose = "sample sort of keys that are spread over all processes",
        .description =
            "Every process sends a random sample of its keys to all others. The sorted samples "
            "determine the range of keys of each process. The processes exchange counts and then "
            "the keys themselves, and each sorts the keys that it received: three supersteps "
            "(Gerbessiotis and Valiant 1994). Their indices make equal keys different, so no "
            "process gets more than its share. Every run is verified: the order within and "
            "between processes, a checksum of all keys, and the largest part.",
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
