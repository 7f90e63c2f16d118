/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_run.c: takes all ranks through the same cases. */
#include <stdlib.h>
#include "collective.h"
#include "run/run.h"

/* ---- All cases ------------------------------------------------------------------------------- */

typedef struct {
    const collective_options *options;
    bool peers; /* the ranks above 0 only answer */
    collective_others others;
    collective_algorithms named;
    collective_extent extent;
    collective_list segments;
    collective_buffers buffers;
    collective_clock clock; /* of the current group */
    double unit_s;          /* of computing, in the current group */
    cm_samples samples;
    collective_result *result; /* rank 0's */
    double done, all;          /* operations and sizes */
} job;

/* Runs all algorithms of one operation and size one after the other, so that a change on the
   machine affects all of them. */
static bool run_size(job *j, collective_case now, const collective_algorithms *algorithms,
                     int64_t sweep)
{
    for (int k = COLLECTIVE_BACK_TO_BACK; k <= COLLECTIVE_SEPARATED; k++) {
        if (j->options->overlap && k != COLLECTIVE_BACK_TO_BACK) continue;
        if (j->options->repetition != 2 && j->options->repetition != k - 1) continue;
        now.repetition = k == COLLECTIVE_SEPARATED && j->options->sync == COLLECTIVE_SYNC_WINDOW
                             ? COLLECTIVE_WINDOWS
                             : (collective_repetition)k;
        if (j->options->overlap) now.repetition = COLLECTIVE_NONBLOCKING;
        for (size_t i = 0; i < algorithms->n; i++) {
            now.algorithm = algorithms->algorithm[i];
            if (j->result) collective_result_progress(j->result, j->done / j->all, &now);
            collective_damage damage;
            collective_call call = collective_call_of(now.operation, &j->buffers, (size_t)now.bytes,
                                                      j->options->type, now.algorithm);
            call.nonblocking = j->options->overlap;
            /* Large results take longer to verify than to measure. */
            const bool verified = j->options->tuning && sweep > 1;
            if (!verified
                && !collective_verify(now.group, j->others, now.operation, &call, &damage)) {
                if (j->result) collective_result_damage(j->result, &now, &damage);
                return false;
            }
            collective_count count = {0};
            cm_sampled sampled = {.samples = &j->samples};
            collective_overlapped overlapped = {0};
            if (j->options->overlap)
                collective_measure_overlap(&now, &call, &j->options->sampling, j->unit_s, &sampled,
                                           &overlapped);
            else collective_measure(&now, &call, &j->options->sampling, &sampled, &count);
            if (j->result)
                collective_result_row(j->result, &now, sweep, &sampled, &count, &overlapped);
        }
    }
    return true;
}

/* A table says what auto means. */
static void without_auto(collective_algorithms *algorithms)
{
    size_t n = 0;
    for (size_t i = 0; i < algorithms->n; i++)
        if (algorithms->algorithm[i].kind != CM_KIND_AUTO)
            algorithms->algorithm[n++] = algorithms->algorithm[i];
    algorithms->n = n;
}

/* Runs all operations and sizes on the ranks of group; if group is NULL, only counts them. Returns
   false if a result was wrong. */
static bool run_group(job *j, cm_group *group, int ranks, int64_t sweep)
{
    const collective_options *o = j->options;
    collective_list leaves;
    collective_leaves(o->leaves_text, ranks, &leaves);
    collective_clock_open(&j->clock, group, cm_time);
    if (group && o->overlap) j->unit_s = collective_unit_s(group);
    for (int k = 0; k < COLLECTIVE_OPERATIONS; k++) {
        if (o->operation != COLLECTIVE_OPERATIONS && o->operation != k) continue;
        collective_algorithms algorithms;
        collective_list sizes;
        collective_case now = {.operation = &collective_operations[k],
                               .group = group,
                               .ranks = ranks,
                               .place = group ? cm_tuning_place_of(group) : CM_TUNING_OWN,
                               .clock = &j->clock};
        collective_algorithms_of(now.operation, &j->named, &leaves, &j->segments, group,
                                 &algorithms);
        if (o->tuning) without_auto(&algorithms);
        collective_sizes(now.operation, o->lower_bytes,
                         collective_has_blocks(now.operation) ? j->extent.block_bytes
                                                              : o->upper_bytes,
                         o->factor, &sizes);
        if (!group) j->all += (double)sizes.n;
        for (size_t i = 0; i < sizes.n && group; i++, j->done++) {
            now.bytes = sizes.value[i];
            if (!run_size(j, now, &algorithms, sweep)) return false;
        }
    }
    if (j->result && j->clock.synchronised) collective_result_clock(j->result, &j->clock, ranks);
    return true;
}

/* Runs all operations on the ranks that take part, while the others wait. */
static bool run_part(job *j, bool takes_part, int ranks, int64_t sweep)
{
    const bool all = ranks == cm_size(cm_world());
    cm_group *group =
        all ? cm_world() : cm_split(cm_world(), takes_part ? 0 : -1, cm_rank(cm_world()));
    int32_t good = group ? run_group(j, group, ranks, sweep) : true;
    if (!all) {
        if (group) cm_group_free(group);
        cm_bcast(cm_world(), &good, sizeof good, 0, CM_NATIVE);
    }
    return good;
}

/* Runs each entry of --ranks on the first ranks of the job. A table on several hosts has two parts:
   the first ranks of one host, and one rank of each of the first hosts. */
static bool run_sweep(job *j, int64_t sweep)
{
    const int rank = cm_rank(cm_world());
    const cm_hosts *hosts = cm_hosts_of(cm_world());
    const bool parts = j->options->tuning && hosts->hosts > 1;
    const int here = parts ? cm_hosts_count(hosts, 0) : cm_size(cm_world());
    const int host = parts ? hosts->host[rank] : 0, local = parts ? hosts->local[rank] : rank;
    for (size_t i = 0; i < j->extent.ranks.n; i++) {
        const int ranks = (int)j->extent.ranks.value[i];
        if (ranks <= here && !run_part(j, host == 0 && local < ranks, ranks, sweep)) return false;
        if (parts && ranks <= hosts->hosts
            && !run_part(j, local == 0 && host < ranks, ranks, sweep))
            return false;
    }
    return true;
}

/* Every rank determines the buffers' size and the number of cases. */
static void plan(job *j)
{
    const collective_options *o = j->options;
    j->extent = collective_require(o, j->peers);
    if (!collective_buffers_open(&j->buffers, &j->extent.room))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of --upper %lld bytes",
                 (long long)o->upper_bytes);
    for (size_t i = 0; i < j->extent.ranks.n; i++)
        run_group(j, NULL, (int)j->extent.ranks.value[i], 0);
    j->all *= (double)o->sweeps;
}

static void open_result(job *j, const cm_benchmark *b)
{
    int rank = cm_rank(cm_world()), size = cm_size(cm_world());
    cm_machine_cpus mine = cm_pair_own_cpus(), *cpus = NULL;
    if (rank == 0 && !(cpus = calloc((size_t)size, sizeof *cpus)))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the processors of %d ranks", size);
    cm_gather(cm_world(), &mine, sizeof mine, cpus, 0, CM_AUTO);
    if (rank == 0) {
        j->result = collective_result_open(b, j->others);
        /* The dummy backend's ranks share one process. */
        collective_result_core_shared(j->result,
                                      !j->peers && cm_pair_cores_shared(cm_world(), cpus));
        collective_result_left_out(j->result, &j->extent);
    }
    free(cpus);
}

int collective_run(const cm_benchmark *b)
{
    const collective_options *o = b->options;
    job j = {.options = o, .peers = !cm_comm_has(CM_HAS_PROCESSES), .samples = CM_SAMPLES_EMPTY};
    int status = 0;
    j.others = j.peers && cm_size(cm_world()) > 1 ? COLLECTIVE_PEERS : COLLECTIVE_RANKS;
    collective_names_parse(o->algorithms_text, &j.named);
    collective_segments_parse(o->segments_text, &j.segments);
    plan(&j);
    cm_run_bind(o->sampling.bind);
    open_result(&j, b);
    collective_warm_up(&o->sampling, cm_comm_has(CM_HAS_NATIVE));
    for (int64_t sweep = 1; sweep <= o->sweeps && run_sweep(&j, sweep);) sweep++;
    if (j.result) status = collective_result_close(j.result);
    cm_samples_free(&j.samples);
    collective_buffers_close(&j.buffers);
    return status;
}
