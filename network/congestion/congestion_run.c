/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_run.c: rounds over all victims, alone and with each aggressor. */
#include <math.h>
#include <stdlib.h>
#include "congestion.h"

enum { TAG_HISTOGRAM = 3, TAG_DISTURBED = 4, TAG_WORK = 5, TAG_LOOK = 6, WRITER = 0 };

typedef struct {
    const congestion_options *options;
    congestion_place place;
    congestion_end end;       /* of a victim */
    congestion_source source; /* of an aggressor */
    cm_sample_watch watch;    /* of a victim */
    cm_pairs pairs;           /* of the victims, which look how far apart they are */
    cm_pair_channel channel;
    congestion_table table; /* rank 0's */
    cm_result *result;      /* rank 0's */
    double done, all;       /* cases */
} job;

/* ---- One case -------------------------------------------------------------------------------- */

/* Moves what the root of a group has to rank 0 of the job. */
static void hand_over(void *data, size_t bytes, int root, int tag)
{
    int own = cm_rank(cm_world());
    if (root == WRITER) return;
    if (own == root) cm_send(cm_world(), data, bytes, WRITER, tag);
    if (own == WRITER) cm_recv(cm_world(), data, bytes, root, tag, NULL);
}

/* The victims look while no rank loads the network. Returns the greatest distance on the first
   victim. */
static double look(job *j)
{
    const cm_pair_mode *none = &cm_pair_pingpong[CM_PAIR_IN_TIME]; /* no messages of it */
    if (j->place.aggressor) return NAN;
    if (cm_rank(j->place.group) != CM_PAIR_LEADER) {
        cm_pairs_follow(&j->channel, none);
        return NAN;
    }
    cm_pair_look(&j->channel);
    cm_pair_command(&j->channel, none, CM_PAIR_QUIT, 0, 0);
    return cm_pair_distance_now(&j->channel);
}

static void open_look(job *j)
{
    j->channel = (cm_pair_channel){.group = j->place.group,
                                   .peer = j->end.peer,
                                   .pairs = &j->pairs,
                                   .conduct = &cm_pairs_conduct};
    if (!j->place.aggressor && !cm_pairs_open(&j->pairs, j->place.group, j->end.leads))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the pairs of the victims");
}

static void close_look(job *j)
{
    cm_pair_look_close(&j->channel);
    if (!j->place.aggressor) cm_pairs_close(&j->pairs);
}

/* What rank 0 of the job says of the distances. */
static cm_pair_distances_said distances_of(job *j)
{
    cm_pair_distances_said said = {0};
    if (cm_rank(cm_world()) == j->place.victim_root) said = cm_pair_distances_say(&j->channel);
    hand_over(&said, sizeof said, j->place.victim_root, TAG_LOOK);
    return said;
}

/* Returns on the first victim why any of them was disturbed, CM_DISTURBED_... */
static int32_t suffer(job *j, congestion_victim victim, congestion_load load,
                      cm_histogram *histogram)
{
    const cm_sampling *sampling = &j->options->sampling;
    bool first = cm_rank(j->place.group) == 0, loaded = load != CONGESTION_ALONE;
    if (loaded && first) congestion_load_await(&j->place);
    cm_sample_watch_begin(&j->watch, cm_time());
    congestion_victim_sample(&j->end, victim, sampling, sampling->warm_up_s,
                             sampling->rule.time_limit_s / (double)j->options->rounds, histogram);
    int32_t disturbed = (int32_t)cm_sample_watch_end(&j->watch, cm_time(), true);
    if (loaded && first) congestion_load_end(&j->place);
    cm_reduce(j->place.group, &disturbed, &disturbed, 1, CM_INT32, CM_OR, 0, CM_AUTO);
    return disturbed;
}

static void add_work(congestion_work *sum, const congestion_work *work)
{
    sum->operations += work->operations;
    sum->bytes += work->bytes;
    sum->seconds += work->seconds;
    if (work->longest_s > sum->longest_s) sum->longest_s = work->longest_s;
}

static void run_case(job *j, congestion_victim victim, congestion_load load, int64_t round)
{
    congestion_case *c = &j->table.cases[victim][load];
    cm_histogram *histogram = calloc(1, sizeof *histogram);
    congestion_work work = {0};
    int32_t disturbed = 0;
    double distance_ns[2];
    if (!histogram) cm_abort(CM_EXIT_SYSTEM, "out of memory for a histogram");
    if (j->result)
        cm_result_progress(j->result, j->done / j->all, "round %lld, %s, %s", (long long)round + 1,
                           congestion_victim_names[victim], congestion_load_names[load]);
    j->done++;
    distance_ns[0] = look(j);
    cm_barrier(cm_world(), CM_AUTO);
    if (!j->place.aggressor) disturbed = suffer(j, victim, load, histogram);
    else if (load != CONGESTION_ALONE)
        congestion_load_run(&j->source, load, &j->options->sampling, &work);
    distance_ns[1] = look(j);
    hand_over(distance_ns, sizeof distance_ns, j->place.victim_root, TAG_LOOK);
    hand_over(histogram, sizeof *histogram, j->place.victim_root, TAG_HISTOGRAM);
    hand_over(&disturbed, sizeof disturbed, j->place.victim_root, TAG_DISTURBED);
    if (load != CONGESTION_ALONE) hand_over(&work, sizeof work, j->place.load_root, TAG_WORK);
    if (j->result) {
        c->rounds[round] = *histogram;
        c->disturbed += disturbed != 0;
        if (round == 0) c->first_ns = distance_ns[0];
        c->last_ns = distance_ns[1];
        add_work(&c->work, &work);
    }
    free(histogram);
}

/* ---- All cases ------------------------------------------------------------------------------- */

/* Returns true on all ranks if no data were wrong. Sets rank 0's damage. */
static bool right_so_far(job *j)
{
    int size = cm_size(cm_world());
    cm_pair_damage own = j->place.aggressor ? j->source.damage : j->end.damage, *all = NULL;
    own.rank = cm_rank(cm_world());
    if (j->result && !(all = calloc((size_t)size, sizeof *all)))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the reports of %d ranks", size);
    cm_gather(cm_world(), &own, sizeof own, all, WRITER, CM_AUTO);
    j->table.damage = (cm_pair_damage){0};
    for (int k = 0; all && k < size; k++) cm_pair_damage_add(&j->table.damage, &all[k]);
    free(all);
    int32_t right = j->table.damage.wrong_bytes == 0;
    cm_bcast(cm_world(), &right, sizeof right, WRITER, CM_AUTO);
    return right;
}

/* Every row is measured in each round, so that a change on the machine affects all of them. */
static bool run_round(job *j, int64_t round)
{
    for (int victim = 0; victim < CONGESTION_VICTIMS; victim++) {
        if (!j->options->victim[victim]) continue;
        for (int load = 0; load < CONGESTION_LOADS; load++)
            if (j->options->load[load])
                run_case(j, (congestion_victim)victim, (congestion_load)load, round);
    }
    j->table.rounds = round + 1;
    return right_so_far(j);
}

/* ---- Rank 0's table -------------------------------------------------------------------------- */

static void open_table(job *j)
{
    const congestion_options *o = j->options;
    for (int victim = 0; victim < CONGESTION_VICTIMS; victim++)
        for (int load = 0; load < CONGESTION_LOADS; load++) {
            congestion_case *c = &j->table.cases[victim][load];
            if (!o->victim[victim] || !o->load[load]) continue;
            c->rounds = calloc((size_t)o->rounds, sizeof *c->rounds);
            if (!c->rounds)
                cm_abort(CM_EXIT_SYSTEM, "out of memory for --rounds %lld", (long long)o->rounds);
        }
}

static void close_table(job *j)
{
    for (int victim = 0; victim < CONGESTION_VICTIMS; victim++)
        for (int load = 0; load < CONGESTION_LOADS; load++)
            free(j->table.cases[victim][load].rounds);
}

static void count_cases(job *j)
{
    for (int victim = 0; victim < CONGESTION_VICTIMS; victim++)
        for (int load = 0; load < CONGESTION_LOADS; load++)
            j->all += j->options->victim[victim] && j->options->load[load];
    j->all *= (double)j->options->rounds;
}

static void open_result(job *j, const cm_benchmark *benchmark)
{
    int rank = cm_rank(cm_world()), size = cm_size(cm_world());
    cm_machine_cpus mine = cm_pair_own_cpus(), *cpus = NULL;
    if (rank == WRITER && !(cpus = calloc((size_t)size, sizeof *cpus)))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the processors of %d ranks", size);
    cm_gather(cm_world(), &mine, sizeof mine, cpus, WRITER, CM_AUTO);
    look(j);
    const cm_pair_distances_said distances = distances_of(j);
    if (rank == WRITER) {
        open_table(j);
        j->result = congestion_result_open(benchmark, &j->place,
                                           cm_pair_cores_shared(cm_world(), cpus), &distances);
    }
    free(cpus);
}

static void require_memory(const congestion_options *o, int aggressors)
{
    cm_run_require_memory(congestion_load_bytes(o, aggressors), "--load-size",
                          "--load-size %lld with %d aggressors", (long long)o->load_bytes,
                          aggressors);
    cm_run_require_memory(congestion_victim_bytes(o), "--bandwidth-size",
                          "--bandwidth-size %lld with --window %lld", (long long)o->bandwidth_bytes,
                          (long long)o->window);
}

int congestion_run(const cm_benchmark *benchmark)
{
    const congestion_options *o = benchmark->options;
    job j = {.options = o};
    int status = cm_run_require_processes(benchmark->program, "do not load a network");
    if (!status) status = congestion_place_check(benchmark->program, o);
    if (status) return status;
    cm_run_bind(o->sampling.bind);
    congestion_place_open(&j.place, o);
    require_memory(o, j.place.aggressors);
    if (j.place.aggressor) congestion_load_open(&j.source, &j.place, o);
    else congestion_victim_open(&j.end, j.place.group, o);
    cm_sample_watch_open(&j.watch);
    open_look(&j);
    open_result(&j, benchmark);
    count_cases(&j);
    for (int64_t round = 0; round < o->rounds && run_round(&j, round);) round++;
    j.table.distances = distances_of(&j);
    if (j.result) status = congestion_result_close(j.result, o, &j.table);
    close_table(&j);
    cm_sample_watch_close(&j.watch);
    close_look(&j);
    if (j.place.aggressor) congestion_load_close(&j.source);
    else congestion_victim_close(&j.end);
    congestion_place_close(&j.place);
    return status;
}
