/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c: cm-collective, the time of collective operations by each of the layer's
   algorithms. */
#include <stdlib.h>
#include <string.h>
#include "collective.h"
#include "pairs/pairs.h"
#include "run/run.h"

/* ---- All cases ------------------------------------------------------------------------------- */

typedef struct {
    const collective_options *options;
    bool native; /* the backend has collectives of its own */
    bool peers;  /* ranks above 0 only answer */
    collective_others others;
    collective_algorithms named;
    collective_list ranks, segments;
    collective_buffers buffers;
    collective_clock clock; /* of the group at work */
    cm_samples samples;
    collective_table *table; /* rank 0's */
    double done, all;        /* operations and sizes */
} job;

/* All algorithms of one operation and size follow each other, so that what changes on the machine
   changes for all of them. */
static bool run_size(job *j, collective_case now, const collective_algorithms *algorithms,
                     int64_t sweep)
{
    for (int k = COLLECTIVE_BACK_TO_BACK; k <= COLLECTIVE_SEPARATED; k++) {
        if (j->options->repetition != 2 && j->options->repetition != k - 1) continue;
        now.repetition = k == COLLECTIVE_SEPARATED && j->options->sync == COLLECTIVE_SYNC_WINDOW
                             ? COLLECTIVE_WINDOWS
                             : (collective_repetition)k;
        for (size_t i = 0; i < algorithms->n; i++) {
            now.algorithm = algorithms->algorithm[i];
            if (j->table) collective_table_progress(j->table, j->done / j->all, &now);
            collective_damage damage;
            collective_call call =
                collective_call_of(now.operation, &j->buffers, (size_t)now.bytes, now.algorithm);
            if (!collective_verify(now.group, j->others, now.operation, &call, &damage)) {
                if (j->table) collective_table_damage(j->table, &now, &damage);
                return false;
            }
            collective_count count = {0};
            cm_sampled sampled = {.samples = &j->samples};
            collective_measure(&now, &call, &j->options->sampling, &sampled, &count);
            if (j->table) collective_table_add(j->table, &now, sweep, &sampled, &count);
        }
    }
    return true;
}

/* All operations and sizes on the ranks of group; NULL: only counts them. False: something was
   wrong. */
static bool run_group(job *j, cm_group *group, int ranks, int64_t sweep)
{
    const collective_options *o = j->options;
    collective_list leaves;
    collective_leaves(o->leaves_text, ranks, &leaves);
    collective_clock_open(&j->clock, group, cm_time);
    for (int k = 0; k < COLLECTIVE_OPERATIONS; k++) {
        if (o->operation != COLLECTIVE_OPERATIONS && o->operation != k) continue;
        collective_algorithms algorithms;
        collective_list sizes;
        collective_case now = {.operation = &collective_operations[k],
                               .group = group,
                               .ranks = ranks,
                               .clock = &j->clock};
        collective_algorithms_of(now.operation, &j->named, &leaves, &j->segments, j->native,
                                 &algorithms);
        collective_sizes(now.operation, o->lower_bytes, o->upper_bytes, o->factor, &sizes);
        if (!group) j->all += (double)sizes.n;
        for (size_t i = 0; i < sizes.n && group; i++, j->done++) {
            now.bytes = sizes.value[i];
            if (!run_size(j, now, &algorithms, sweep)) return false;
        }
    }
    if (j->table && j->clock.synchronised) collective_table_clock(j->table, &j->clock, ranks);
    return true;
}

/* The first ranks of the job, as many as each entry of --ranks says. The others wait. */
static bool run_sweep(job *j, int64_t sweep)
{
    int rank = cm_rank(cm_world());
    for (size_t i = 0; i < j->ranks.n; i++) {
        int ranks = (int)j->ranks.value[i];
        bool all = ranks == cm_size(cm_world());
        cm_group *group = all ? cm_world() : cm_split(cm_world(), rank < ranks ? 0 : -1, rank);
        int32_t good = group ? run_group(j, group, ranks, sweep) : true;
        if (!all) {
            if (group) cm_group_free(group);
            cm_bcast(cm_world(), &good, sizeof good, 0, CM_NATIVE);
        }
        if (!good) return false;
    }
    return true;
}

/* Ends the job with one line, said by rank 0, where its size does not go with the options. */
static void plan(job *j)
{
    const collective_options *o = j->options;
    int size = cm_size(cm_world());
    collective_list leaves;
    bool leaves_fit = collective_leaves(o->leaves_text, size, &leaves);
    bool ranks_fit = collective_ranks(o->ranks_text, size, &j->ranks);
    /* The dummy's peers are in every group or in none. */
    for (size_t i = 0; ranks_fit && j->peers && i < j->ranks.n; i++)
        if (j->ranks.value[i] != size && o->ranks_text && strcmp(o->ranks_text, "all") != 0)
            ranks_fit = false;
    if (j->peers && ranks_fit) collective_ranks(NULL, size, &j->ranks);
    if (cm_rank(cm_world()) == 0 && !leaves_fit)
        cm_abort(CM_EXIT_USAGE,
                 "--leaves all: with %d ranks that is more than %d trees; name "
                 "those wanted, as --leaves 1,2,4,%d",
                 size, COLLECTIVE_MOST_LIST, size - 1);
    if (cm_rank(cm_world()) == 0 && !ranks_fit)
        cm_abort(CM_EXIT_USAGE, "--ranks %s: the job has %d ranks%s", o->ranks_text, size,
                 j->peers ? ", and the dummy backend no groups of fewer" : "");
    collective_room room = collective_room_of(o, size);
    cm_run_require_memory(collective_memory(&room), "--upper", "--upper %lld",
                          (long long)o->upper_bytes);
    /* Or a rank that does not look would meet the end of the job with a line of its own. */
    cm_barrier(cm_world(), CM_AUTO);
    if (!collective_buffers_open(&j->buffers, &room))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of --upper %lld bytes",
                 (long long)o->upper_bytes);
    for (size_t i = 0; i < j->ranks.n; i++) run_group(j, NULL, (int)j->ranks.value[i], 0);
    j->all *= (double)o->sweeps;
}

static void open_table(job *j, const cm_benchmark *b, int argc, char **argv)
{
    int rank = cm_rank(cm_world()), size = cm_size(cm_world());
    cm_machine_cpus mine = cm_pair_own_cpus(), *cpus = NULL;
    if (rank == 0 && !(cpus = calloc((size_t)size, sizeof *cpus)))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the processors of %d ranks", size);
    cm_gather(cm_world(), &mine, sizeof mine, cpus, 0, CM_AUTO);
    if (rank == 0) {
        j->table = collective_table_open(b->program, argc, argv, j->options, j->others);
        if (!j->table) cm_abort(CM_EXIT_SYSTEM, "the result cannot be opened");
        /* The dummy's ranks are one process. */
        collective_table_core_shared(j->table, !j->peers && cm_pair_cores_shared(cm_world(), cpus));
    }
    free(cpus);
}

static int run(const cm_benchmark *b, int argc, char **argv)
{
    const collective_options *o = b->options;
    job j = {.options = o,
             .native = cm_comm_has(CM_HAS_NATIVE),
             .peers = !cm_comm_has(CM_HAS_PROCESSES),
             .samples = CM_SAMPLES_EMPTY};
    int status = 0;
    j.others = j.peers && cm_size(cm_world()) > 1 ? COLLECTIVE_PEERS : COLLECTIVE_RANKS;
    collective_names_parse(o->algorithms_text, &j.named);
    collective_segments_parse(o->segments_text, &j.segments);
    plan(&j);
    if (o->sampling.bind) cm_run_bind();
    open_table(&j, b, argc, argv);
    collective_warm_up(&o->sampling, j.native);
    for (int64_t sweep = 1; sweep <= o->sweeps && run_sweep(&j, sweep);) sweep++;
    if (j.table) status = collective_table_close(j.table);
    cm_samples_free(&j.samples);
    collective_buffers_close(&j.buffers);
    return status;
}

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
                                    .check = collective_options_check,
                                    .least = 1,
                                    .run = run};
    return cm_run_main(&benchmark, argc, argv);
}
