/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c: cm-collective: the time of collective operations by each of the layer's
   algorithms. */
#include "collective.h"

int main(int argc, char **argv)
{
    static const double most_bytes = 1LL << 40;
    collective_options o = {
        .operation = COLLECTIVE_OPERATIONS,
        .algorithms_text = "all",
        .segments_text = "4Ki,64Ki",
        .repetition = 2,
        .lower_bytes = 1,
        .upper_bytes = 1 << 20,
        .factor = 4,
        .sweeps = 1,
        .sampling = {.rule = {.relative_half_width = 0.02, .least = 10, .time_limit_s = 0.1},
                     .most = 10000,
                     .trial_s = 1e-3,
                     .warm_up_s = 0.1},
    };
    const cm_option table[] = {
        CM_HEADING("What is measured"),
        CM_CHOICE("operation", 0, "NAME", &o.operation, collective_operation_names,
                  "collective operation"),
        CM_TEXT("algorithm", 'a', "LIST", &o.algorithms_text,
                "all that there are for the operation, or some of: " CM_ALGORITHM_FORMS
                "separated by commas"),
        CM_TEXT("leaves", 0, "LIST", &o.leaves_text,
                "with --algorithm all: leaves per node of trees, as 1,2,4; all: 1 to one below the "
                "ranks; without it powers of two below that, and that"),
        CM_TEXT(
            "ranks", 0, "LIST", &o.ranks_text,
            "measure on the first so many ranks, as 2,4,8; all: powers of two, and all of them; "
            "without it all of them"),
        CM_TEXT("segments", 0, "LIST", &o.segments_text,
                "with --algorithm all: bytes per segment of chains; 0: the layer chooses"),
        CM_CHOICE("repetition", 0, "HOW", &o.repetition, collective_repetitions,
                  "back-to-back: operations follow each other; separated: as --sync says"),
        CM_CHOICE(
            "sync", 0, "HOW", &o.sync, collective_syncs,
            "what separates operations. barrier; window: each begins at a moment of its own, on "
            "clocks synchronised between the ranks"),
        CM_BYTES(
            "lower", 'l', "BYTES", &o.lower_bytes, 1, most_bytes,
            "smallest message, vector or block; vectors are rounded up to elements of 8 bytes"),
        CM_BYTES("upper", 'u', "BYTES", &o.upper_bytes, 1, most_bytes, "no size is larger"),
        CM_INTEGER("factor", 0, "N", &o.factor, 2, 1 << 20, "from size to size"),
        CM_HEADING("Sampling"),
        CM_SAMPLE_BIND(&o.sampling),
        CM_SAMPLE_TRIAL_SECONDS_AS(
            &o.sampling, "batch-seconds",
            "a batch is as many operations as last this long; back to back it is one sample"),
        CM_SAMPLE_HALF_WIDTH(&o.sampling),
        CM_SAMPLE_TRIALS_AS(&o.sampling, "samples"),
        CM_SAMPLE_TIME_LIMIT(&o.sampling),
        CM_SAMPLE_WARM_UP(&o.sampling),
        CM_SAMPLE_SWEEPS(&o.sweeps),
        CM_RESULT_OPTIONS(&o.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-collective",
        .purpose = "time of collective operations by algorithm over message size",
        .description =
            "Broadcast, reduce, allreduce, barrier, gather, scatter, allgather and alltoall on the "
            "ranks of the job, by the MPI's own algorithms and by those of the layer; of each time "
            "the slowest rank's. Every operation, algorithm and size is verified before it is "
            "measured. At the end a table says which algorithm is the fastest where.",
        .examples = "mpiexec -n 4 cm-collective -o result.txt\teverything, over MPI\n"
                    "cmrun --hosts a,b,c,d cm-collective --leaves all --ranks all\t"
                    "every tree there is between two hosts and four\n",
        .options = table,
        .metrics = collective_metrics,
    };
    const cm_benchmark benchmark = {.program = &program,
                                    .files = &o.files,
                                    .options = &o,
                                    .check = collective_check,
                                    .least = 1,
                                    .run = collective_run};
    return cm_run_main(&benchmark, argc, argv);
}
