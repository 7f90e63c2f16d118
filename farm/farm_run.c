/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_run.c: every rank's way through the program; rank 0 runs all there is to run and writes the
   result. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "farm.h"
#include "machine/machine.h"
#include "measure/clock.h"

const cm_metric farm_metrics[] = {
    {"units_per_s", "1/s", CM_BETTER_HIGH,
     "units that all workers do together, the highest rate of a number of workers and a "
     "batch size"},
    {"messages_per_s", "1/s", CM_BETTER_HIGH, "the most messages with work that left the master"},
    {0},
};

/* ---- What cannot be run ---------------------------------------------------------------------- */

/* Below the first one, in this job. */
static int masters_of(const farm_options *options)
{
    int ranks = cm_size(cm_world()) - 1;
    if (options->protocol != FARM_TREE || ranks == 0) return 0;
    return options->masters > 0 ? (int)options->masters : farm_tree_masters(ranks);
}

/* Every rank comes to the same answer; one of them says it. */
static int refuse(const cm_program *program, const farm_options *options)
{
    int available = cm_size(cm_world()) - 1;
    if (available > 0 && !cm_comm_has(CM_HAS_PROCESSES))
        return cm_option_error(program, "the dummy backend's peers do not compute; start one rank "
                                        "(CM_DUMMY unset), or a build --with-comm=sockets or mpi");
    if (options->survive && !cm_comm_has(CM_HAS_SURVIVAL))
        return cm_option_error(program,
                               "--survive: an MPI ends the job when a rank fails; a build "
                               "--with-comm=sockets goes on, started by cmrun --keep-going");
    if (options->protocol == FARM_TREE && available > 0) {
        if (available < 2)
            return cm_option_error(program, "--protocol tree: this job has 2 ranks; a master, one "
                                            "below it and its worker are 3");
        if (2 * options->masters > available)
            return cm_option_error(program,
                                   "--masters %lld: this job has %d ranks, and each "
                                   "master needs a worker: at most %d",
                                   (long long)options->masters, available + 1, available / 2);
        available -= masters_of(options);
    }
    for (int k = 0; k < options->workers.n; k++)
        if (options->workers.value[k] > available)
            return cm_option_error(program,
                                   "--workers %lld: this job has %d rank%s, %d of them %s: "
                                   "at most %d workers%s",
                                   (long long)options->workers.value[k], cm_size(cm_world()),
                                   cm_size(cm_world()) == 1 ? "" : "s",
                                   cm_size(cm_world()) - available,
                                   cm_size(cm_world()) - available > 1 ? "masters" : "the master",
                                   available, available > 0 ? "" : "; start it on more ranks");
    return options->survive && available > 0 ? cm_on_failure(CM_RETURN) : 0;
}

static int64_t most_batch(const farm_options *options)
{
    farm_counts batches;
    farm_plan_batches(options, &batches);
    return batches.value[batches.n - 1];
}

static void require_memory(const farm_options *o)
{
    cm_run_require_memory(farm_computer_bytes(&o->work), "--unit-bytes", "--unit-bytes %lld",
                          (long long)o->unit_bytes);
    /* What is in flight to all workers is with rank 0, but never more than there is. */
    double batch = (double)most_batch(o);
    double flying = batch * (double)o->credit * (cm_size(cm_world()) - 1);
    double units = batch + fmin(flying, (double)o->units);
    cm_run_require_memory((size_t)(units * sizeof(uint32_t)), "--batch",
                          "--batch %lld with %lld in flight", (long long)most_batch(o),
                          (long long)o->credit);
}

/* ---- Rank 0 ---------------------------------------------------------------------------------- */

typedef struct {
    const farm_options *options;
    cm_result *result;
    farm_computer *computer;
    farm_table table;
    farm_digest expected;
    bool coalesces; /* asked for, several in flight, and this backend does */
    int64_t wrong_digests, wrong_counts, lost, again, alone;
    int runs, runs_done;
} lead;

static void out_of_memory(void) { cm_abort(CM_EXIT_SYSTEM, "out of memory for the runs' results"); }

static farm_computer *computer_of(const farm_work *work)
{
    const char *why;
    farm_computer *computer = farm_computer_open(work, &why);
    if (!computer) cm_abort(CM_EXIT_SYSTEM, "%s", why);
    return computer;
}

/* The digest that must come out. */
static const char *expect(lead *l)
{
    const farm_options *o = l->options;
    if (farm_known(&o->work, (uint32_t)o->units, &l->expected))
        return "known, from the plain program";
    if (!farm_reference(&o->work, 0, (uint32_t)o->units, &l->expected))
        cm_abort(CM_EXIT_SYSTEM, "libcrypto does not do SHA-1 here, or no memory for a unit");
    return "the plain program, run on rank 0";
}

/* A unit's time in a plain loop by libcrypto, without master and messages. */
static double plain_unit_s(const farm_options *o)
{
    enum { FEW = 64 };
    const double enough_s = 0.1;
    uint32_t unit[FEW];
    farm_digest digest;
    farm_work work = o->work;
    if (work.kind == FARM_NONE) return NAN;
    if (work.kind == FARM_SPIN) return work.spin_s;
    work.sha1 = FARM_LIBCRYPTO;
    farm_computer *computer = computer_of(&work);
    double begun_s = cm_clock_now_s(), s = 0;
    int64_t n = 0;
    while (n < o->units && s < enough_s) {
        size_t few = o->units - n < FEW ? (size_t)(o->units - n) : FEW;
        for (size_t k = 0; k < few; k++) unit[k] = (uint32_t)(n + (int64_t)k);
        if (!farm_compute(computer, unit, few, &digest))
            cm_abort(CM_EXIT_SYSTEM, "libcrypto failed");
        n += (int64_t)few;
        s = cm_clock_now_s() - begun_s;
    }
    farm_computer_close(computer);
    return s / (double)n;
}

static const char *list(const farm_counts *counts, char *text, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < counts->n && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", k ? "," : "",
                                 (long long)counts->value[k]);
    return text;
}

static void write_metadata(lead *l, const char *expected_from, const farm_counts *workers,
                           const farm_counts *batches)
{
    enum { LIST = 32 * FARM_MOST_COUNTS };
    const farm_options *o = l->options;
    char text[FARM_DIGEST_TEXT], counts[LIST];
    cm_run_meta(l->result);
    cm_run_meta_bound(l->result, o->bind);
    cm_result_meta_number(l->result, "units", (double)o->units, "%.0f");
    cm_result_meta_number(l->result, "unit_bytes", (double)o->unit_bytes, "%.0f");
    cm_result_meta(l->result, "work", "%s", o->work_text);
    if (o->work.kind == FARM_SHA1) {
        cm_result_meta(l->result, "sha1", "%s%s%s", farm_sha1_kinds[o->work.sha1],
                       o->work.sha1 == FARM_MULTI ? ", " : "",
                       o->work.sha1 == FARM_MULTI ? farm_computer_sha1(l->computer) : "");
        cm_result_meta(l->result, "sha1_library", "%s", farm_sha1_version());
    }
    cm_result_meta(l->result, "workers", "%s",
                   cm_size(cm_world()) > 1 ? list(workers, counts, sizeof counts)
                                           : "none: one rank is master and worker in one");
    cm_result_meta(l->result, "batches", "%s", list(batches, counts, sizeof counts));
    cm_result_meta(l->result, "protocol", "%s", farm_protocols[o->protocol]);
    if (masters_of(o) > 0) cm_result_meta_number(l->result, "masters", masters_of(o), "%.0f");
    cm_result_meta_number(l->result, "batches_in_flight", (double)o->credit, "%.0f");
    cm_result_meta(l->result, "coalesce", "%s",
                   l->coalesces                       ? "on: short messages may share a write"
                   : o->coalesce == FARM_COALESCE_OFF ? "off"
                   : o->credit == 1                   ? "off: one batch in flight"
                                    : "off: this backend sends each message at once");
    cm_result_meta(l->result, "receive", "%s", farm_receives[o->receive]);
    cm_result_meta(l->result, "survive", "%s", o->survive ? "yes" : "no");
    cm_result_meta(l->result, "sample", "a run: from the first message to the last result");
    cm_result_meta_number(l->result, "repetitions", (double)o->repeat, "%.0f");
    cm_result_meta(l->result, "digest", "%s", farm_digest_text(&l->expected, text));
    cm_result_meta(l->result, "digest_from", "%s", expected_from);
    if (!isnan(l->table.plain_unit_s))
        cm_result_meta_number(l->result, "plain_unit_us", 1e6 * l->table.plain_unit_s, "%.5g");
}

/* ---- One number of workers, one batch size --------------------------------------------------- */

/* Every batch's result is merged once, whoever computed it, and each message is counted once. */
static bool counts_hold(const farm_outcome *o, const farm_run *run)
{
    int greet = run->protocol == FARM_TREE ? run->masters : run->workers;
    if (run->workers == 0) return o->sent == 0 && o->received == 0 && o->alone == run->units;
    if (o->lost > 0) return o->sent >= o->messages - o->alone && o->received >= greet - o->lost;
    return o->sent == o->messages && o->received == o->messages + greet && o->alone == 0
           && o->served == o->batches && o->computed == run->units;
}

static void judge(lead *l, const farm_run *run, const farm_outcome *o)
{
    char text[FARM_DIGEST_TEXT];
    if (memcmp(&o->digest, &l->expected, sizeof o->digest) != 0) {
        l->wrong_digests++;
        cm_result_comment(l->result, "wrong digest: workers=%d batch_units=%lld: %s", run->workers,
                          (long long)run->batch, farm_digest_text(&o->digest, text));
    }
    if (!counts_hold(o, run)) {
        l->wrong_counts++;
        cm_result_comment(l->result,
                          "wrong counts: workers=%d batch_units=%lld: of %lld messages "
                          "%lld sent, %lld received; of %lld batches %lld, of %lld units %lld "
                          "computed",
                          run->workers, (long long)run->batch, (long long)o->messages,
                          (long long)o->sent, (long long)o->received, (long long)o->batches,
                          (long long)o->served, (long long)run->units, (long long)o->computed);
    }
    l->lost += o->lost;
    l->again += o->again;
    l->alone += o->alone;
}

static int most(int64_t wanted, int64_t there) { return (int)(wanted < there ? wanted : there); }

static farm_run run_of(const lead *l, int64_t workers, int64_t batch)
{
    const farm_options *o = l->options;
    int masters = masters_of(o), hired = most(workers, farm_master_alive() - masters);
    return (farm_run){
        .workers = hired,
        .masters = most(masters, hired),
        .units = o->units,
        .batch = batch,
        .protocol = (farm_protocol)o->protocol,
        .credit = (int)o->credit,
        .receive = (farm_receive_kind)o->receive,
        .kind = o->work.kind,
        .coalesce = l->coalesces,
    };
}

/* What the master can do when nobody computes: enough batches to be past the beginning. */
static double ceiling_per_s(lead *l, farm_run run, bool coalesce, farm_round_trips *trips)
{
    const int64_t batches = 4000;
    farm_outcome outcome = {.trips = trips};
    if (run.workers == 0) return NAN;
    run.kind = FARM_NONE;
    run.coalesce = coalesce;
    if (run.units > batches * run.batch) run.units = batches * run.batch;
    farm_work work = l->options->work;
    work.kind = FARM_NONE;
    farm_computer *computer = computer_of(&work);
    farm_master(&run, computer, &outcome);
    farm_computer_close(computer);
    l->lost += outcome.lost;
    l->again += outcome.again;
    return (double)outcome.batches / outcome.time_s;
}

static void merge_trips(farm_round_trips *all, const farm_round_trips *one)
{
    all->n += one->n;
    all->longest_s = fmax(all->longest_s, one->longest_s);
    for (int k = 0; k < FARM_BINS; k++) all->count[k] += one->count[k];
}

static void measure(lead *l, int64_t workers, int64_t batch, bool ceiling)
{
    const farm_options *o = l->options;
    farm_point *p = &l->table.point[l->table.n++];
    farm_run run = run_of(l, workers, batch);
    farm_round_trips *one = malloc(sizeof *one), *all = calloc(1, sizeof *all);
    if (!one || !all) out_of_memory();
    *p = (farm_point){
        .batch = batch, .ceiling_per_s = NAN, .coalesced_per_s = NAN, .uncoalesced_per_s = NAN};
    if (ceiling) {
        /* The one that counts is that of answers as the workers give them. */
        bool held = l->coalesces && !(l->table.plain_unit_s * (double)batch >= FARM_WRITE_S);
        double alone_per_s = ceiling_per_s(l, run, false, one);
        if (l->coalesces) {
            p->uncoalesced_per_s = alone_per_s;
            p->coalesced_per_s = ceiling_per_s(l, run, true, one);
        }
        p->ceiling_per_s = held ? p->coalesced_per_s : alone_per_s;
    }
    double time_s = 0, waiting_s = 0, computing_s = 0;
    for (int64_t k = 0; k < o->repeat; k++) {
        cm_result_progress(l->result, (double)l->runs_done++ / l->runs,
                           "%d workers, batches of "
                           "%lld",
                           run.workers, (long long)batch);
        run = run_of(l, workers, batch);
        farm_outcome outcome = {.trips = one};
        farm_master(&run, l->computer, &outcome);
        judge(l, &run, &outcome);
        merge_trips(all, one);
        if (!cm_samples_add(&p->times, outcome.time_s)) out_of_memory();
        time_s += outcome.time_s;
        waiting_s += outcome.waiting_s;
        computing_s += outcome.computing_s;
        p->last = outcome;
    }
    free(one);
    p->last.trips = all;
    p->workers = run.workers;
    p->master_busy = 1 - waiting_s / time_s;
    p->workers_busy = o->work.kind == FARM_NONE ? NAN : computing_s / (run.workers * time_s);
    if (!cm_summarize(&p->times, &p->summary)) out_of_memory();
    farm_table_row(l->result, &l->table, p);
    farm_table_histogram(l->result, p);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void write_metrics(lead *l)
{
    double units_per_s = 0, messages_per_s = 0;
    for (int k = 0; k < l->table.n; k++) {
        const farm_point *p = &l->table.point[k];
        units_per_s = fmax(units_per_s, (double)l->options->units / p->summary.median);
        messages_per_s = fmax(messages_per_s, p->workers > 0 ? farm_messages_per_s(p) : 0);
    }
    bool right = l->wrong_digests == 0 && l->wrong_counts == 0;
    cm_result_verdict(l->result, right, "units_per_s", units_per_s);
    if (messages_per_s > 0) cm_result_verdict(l->result, right, "messages_per_s", messages_per_s);
}

static void write_end(lead *l)
{
    if (l->options->survive)
        cm_result_comment(l->result,
                          "survived: workers_lost=%lld batches_given_again=%lld "
                          "units_by_the_master=%lld",
                          (long long)l->lost, (long long)l->again, (long long)l->alone);
    if (l->options->series) {
        farm_table_paper(l->result, &l->table);
        farm_write_fits(l->result, &l->table);
    }
    farm_write_saturation(l->result, &l->table);
    cm_result_check(l->result, "wrong_digests", (double)l->wrong_digests, "==", 0);
    cm_result_check(l->result, "wrong_counts", (double)l->wrong_counts, "==", 0);
    write_metrics(l);
}

/* Connections are made, memory is touched. */
static void warm_up(lead *l, int64_t workers)
{
    const int64_t batches_each = 8;
    farm_run run = run_of(l, workers, 1);
    run.units = most(l->options->units, batches_each * (run.workers + 1));
    farm_outcome outcome = {.trips = malloc(sizeof *outcome.trips)};
    if (!outcome.trips) out_of_memory();
    farm_master(&run, l->computer, &outcome);
    l->lost += outcome.lost;
    l->again += outcome.again;
    free(outcome.trips);
}

static int lead_all(const cm_benchmark *benchmark, int argc, char **argv)
{
    const farm_options *o = benchmark->options;
    lead l = {.options = o, .table.options = o};
    farm_counts batches, workers;
    farm_plan_batches(o, &batches);
    farm_plan_workers(o, cm_size(cm_world()) - 1 - masters_of(o), &workers);
    l.runs = workers.n * batches.n * (int)o->repeat;
    l.table.point = calloc((size_t)(workers.n * batches.n), sizeof *l.table.point);
    l.result = cm_result_open(benchmark->program, argc, argv, benchmark->files, farm_columns,
                              FARM_COLUMNS);
    if (!l.result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
    if (!l.table.point) out_of_memory();
    l.computer = computer_of(&o->work);
    l.coalesces = o->coalesce == FARM_COALESCE_ON && o->credit > 1 && cm_coalesce(false);
    const char *expected_from = expect(&l);
    l.table.plain_unit_s = plain_unit_s(o);
    write_metadata(&l, expected_from, &workers, &batches);
    warm_up(&l, workers.value[workers.n - 1]);
    /* The largest batch first: the overhead of the others is told against it. */
    for (int w = 0; w < workers.n; w++)
        for (int b = batches.n - 1; b >= 0; b--)
            measure(&l, workers.value[w], batches.value[b], w == workers.n - 1);
    farm_master_end();
    write_end(&l);
    for (int k = 0; k < l.table.n; k++) {
        cm_samples_free(&l.table.point[k].times);
        free(l.table.point[k].last.trips);
    }
    free(l.table.point);
    farm_computer_close(l.computer);
    return cm_result_close(l.result);
}

int farm_run_all(const cm_benchmark *benchmark, int argc, char **argv)
{
    farm_options *options = benchmark->options;
    int status = refuse(benchmark->program, options);
    if (status) return status;
    int rank = cm_rank(cm_world());
    require_memory(options);
    if (options->bind) cm_run_bind();
    options->work.yields = cm_run_ranks_on_host(cm_world(), rank) > cm_machine_job_cores();
    return rank == 0 ? lead_all(benchmark, argc, argv) : farm_worker(options);
}
