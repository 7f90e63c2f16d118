/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c: cm-collective: the time of collective operations by each of the layer's
   algorithms. */
#include "collective.h"

int main(int argc, char **argv)
{
    static const double most_bytes = 1LL << 40;
    collective_options o = {
        .operation = COLLECTIVE_OPERATIONS,
        .type = COLLECTIVE_TYPES,
        .algorithms_text = "all",
        .repetition = 2,
        .sampling = {.rule = {.relative_half_width = 0.02, .least = 10, .time_limit_s = -1},
                     .most = 10000,
                     .trial_s = 1e-3,
                     .warm_up_s = 0.1},
    };
    const cm_option table[] = {
        CM_HEADING("What is measured"),
        CM_CHOICE("operation", 0, "NAME", &o.operation, collective_operation_names,
                  "collective operation"),
        CM_CHOICE("type", 0, "TYPE", &o.type, collective_type_names,
                  "elements of the reductions, which are summed; default int64"),
        CM_TEXT("algorithm", 'a', "LIST", &o.algorithms_text,
                "all: every algorithm of the operation; or some of: " CM_ALGORITHM_FORMS
                "separated by commas"),
        CM_TEXT("leaves", 0, "LIST", &o.leaves_text,
                "with --algorithm all: leaves per node of trees, as 1,2,4; all: 1 to the number of "
                "ranks minus 1; default: that maximum and the powers of two below it"),
        CM_TEXT(
            "ranks", 0, "LIST", &o.ranks_text,
            "measure on the first N ranks for each N of the list, as 2,4,8; all: powers of two and "
            "the whole job; default: the whole job"),
        CM_TEXT("segments", 0, "LIST", &o.segments_text,
                "with --algorithm all: bytes per segment of chains; 0: chosen by the layer; "
                "default: 4Ki,64Ki"),
        CM_CHOICE("repetition", 0, "HOW", &o.repetition, collective_repetitions,
                  "back-to-back: operations follow each other; separated: by --sync"),
        CM_CHOICE(
            "sync", 0, "HOW", &o.sync, collective_syncs,
            "how to separate operations. barrier: a barrier before each; window: all ranks begin "
            "each at an agreed time, on clocks synchronised between the ranks"),
        CM_FLAG("overlap", 0, &o.overlap,
                "measure the non-blocking forms, and how much of them computing hides"),
        CM_BYTES(
            "lower", 'l', "BYTES", &o.lower_bytes, 1, most_bytes,
            "smallest message, vector or block; vectors are rounded up to elements of 8 bytes; "
            "default 1"),
        CM_BYTES("upper", 'u', "BYTES", &o.upper_bytes, 1, most_bytes,
                 "largest size; default 1048576, with --fit"),
        CM_INTEGER("factor", 0, "N", &o.factor, 2, 1 << 20, "from one size to the next; default 4"),
        CM_FLAG("fit", 0, &o.fit,
                "leave out the sizes of operations with a block for each rank that take more than "
                "half of the free memory, instead of refusing --upper"),
        CM_TEXT("write-tuning", 0, "FILE", &o.tuning,
                "write to FILE which algorithm is the fastest where, separated by barriers, for "
                "CM_TUNING; measures from 16 bytes to 4Mi in steps of 8, --ranks all, in three "
                "sweeps unless other options are given"),
        CM_HEADING("Sampling"),
        CM_SAMPLE_BIND(&o.sampling),
        CM_SAMPLE_TRIAL_SECONDS_AS(
            &o.sampling, "batch-seconds",
            "duration of a batch of operations; back to back, a batch is one sample"),
        CM_SAMPLE_HALF_WIDTH(&o.sampling),
        CM_SAMPLE_TRIALS_AS(&o.sampling, "samples"),
        CM_SAMPLE_TIME_LIMIT_ALSO(&o.sampling, "; default 0.1, with --write-tuning 0.003"),
        CM_SAMPLE_WARM_UP(&o.sampling),
        CM_SAMPLE_SWEEPS(&o.sweeps),
        CM_RESULT_OPTIONS(&o.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-collective",
        .purpose = "time of collective operations by algorithm over message size",
        .description =
            "Measures broadcast, reduce, allreduce, scan, reduce_scatter, barrier, gather, "
            "scatter, allgather and alltoall, and the last four with a length for each rank, on "
            "the ranks of the job, with the MPI's own algorithms and with those of the layer. The "
            "time of an operation is that of the slowest rank. Every operation, algorithm and "
            "size is verified before it is measured. At the end a table shows which algorithm is "
            "the fastest for each size. With --overlap the operations are started and waited for, "
            "and the result says how much of them computing in between hides.",
        .examples = "mpiexec -n 4 cm-collective -o result.txt\teverything, over MPI\n"
                    "mpiexec -n 4 cm-collective --overlap -a auto\t"
                    "what computing hides of the MPI's non-blocking operations\n"
                    "cmrun --hosts a,b,c,d cm-collective --leaves all --ranks all\t"
                    "every possible tree, on 2 to 4 hosts\n"
                    "cmrun -n 8 cm-collective --write-tuning here.tab\t"
                    "the fastest algorithms here, which CM_TUNING=here.tab then takes\n",
        .options = table,
        .metrics = collective_metrics,
        .labels = collective_labels,
    };
    const cm_benchmark benchmark = {.program = &program,
                                    .files = &o.files,
                                    .options = &o,
                                    .check = collective_check,
                                    .least = 1,
                                    .run = collective_run};
    return cm_run_main(&benchmark, argc, argv);
}
