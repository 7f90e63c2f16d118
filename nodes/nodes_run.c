/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_run.c: rounds of checks, on all ranks; rank 0 collects the figures. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "nodes_burn.h"
#include "nodes_job.h"
#include "random/random.h"

enum { LEAST_ROUNDS = 4 };

static void *array(size_t n, size_t bytes)
{
    void *room = calloc(n ? n : 1, bytes);
    if (!room) cm_abort(CM_EXIT_SYSTEM, "out of memory for the figures of the hosts");
    return room;
}

/* From 1 to 1e9, by the time of day. */
static int64_t another_seed(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)(cm_random_mix((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec)
                     % 1000000000)
           + 1;
}

static void open_job(nodes_job *j, const nodes_options *options)
{
    *j = (nodes_job){.options = options};
    nodes_place_open(&j->place);
    const size_t hosts = (size_t)j->place.hosts, all = (size_t)(options->rounds + options->again);
    cm_run_bind(options->bind);
    nodes_compute_open(options, j->place.ranks[j->place.host], j->place.turns, &j->compute);
    nodes_disturbed_open(&j->disturbed);
    nodes_buffers_open((size_t)options->size_bytes, &j->buffers);
    j->of_host = cm_split(cm_world(), j->place.host, 0);
    j->partner = array(hosts, sizeof(int));
    j->first = array(hosts + NODES_CANDIDATES, sizeof(int));
    j->second = array(hosts + NODES_CANDIDATES, sizeof(int));
    j->wave = array(hosts + NODES_CANDIDATES, sizeof(int));
    j->rate = array(all * NODES_COMPUTE, sizeof(double));
    j->pair = array(all, sizeof(nodes_pair));
    j->candidate = array(NODES_CANDIDATES, sizeof *j->candidate);
    j->more = array((size_t)options->again * NODES_CANDIDATES, sizeof(nodes_pair));
    j->seed = nodes_meet((int32_t)(options->seed ? options->seed : another_seed()));
    j->begin_s = cm_time();
}

static void close_job(nodes_job *j)
{
    cm_group_free(j->of_host);
    nodes_compute_close(&j->compute);
    nodes_disturbed_close(&j->disturbed);
    nodes_buffers_close(&j->buffers);
    nodes_place_close(&j->place);
    free(j->partner);
    free(j->first);
    free(j->second);
    free(j->wave);
    free(j->rate);
    free(j->pair);
    free(j->candidate);
    free(j->more);
}

/* ---- A round --------------------------------------------------------------------------------- */

static void meet_partners(nodes_job *j, int round)
{
    const int hosts = j->place.hosts, host = j->place.host;
    nodes_pair *pair = array((size_t)hosts, sizeof *pair);
    nodes_job_draw(j, round);
    for (int k = 0; k < hosts; k++) pair[k].second = -1;
    nodes_job_exchange(j, hosts, pair);
    j->pair[round] = pair[host];
    free(pair);
}

static void run_round(nodes_job *j, int round)
{
    if (j->result)
        cm_result_progress(j->result,
                           (double)round / (double)(j->options->rounds + j->options->again),
                           "round %d", round + 1);
    nodes_job_compute(j, round, j->rate + (size_t)round * NODES_COMPUTE);
    meet_partners(j, round);
}

/* Rank 0 looks at the clock. share: of the time limit, until the end of this round. */
static bool is_over(nodes_job *j, int done, double share)
{
    double spent_s = cm_time() - j->begin_s, each_s = done > 0 ? spent_s / done : 0;
    return nodes_meet(done >= LEAST_ROUNDS && spent_s + each_s > share * j->options->time_limit_s);
}

/* ---- Rank 0 gets the figures ----------------------------------------------------------------- */

/* All pairs are drawn once before any is drawn twice. */
static int count_drawn(const nodes_job *j)
{
    const int hosts = j->place.hosts, all = hosts * (hosts - 1) / 2;
    const int64_t drawn = (int64_t)(j->rounds + j->again) * (hosts / 2);
    return drawn < all ? (int)drawn : all;
}

/* [host * all + round] of each check, on rank 0: sums over a host's ranks, of quiet the mean. */
static void gather_rates(nodes_job *j, nodes_figures *f)
{
    const int all = j->rounds + j->again, hosts = j->place.hosts;
    const size_t n = (size_t)all * NODES_COMPUTE, own = (size_t)j->place.ranks[j->place.host];
    const bool leads = cm_rank(cm_world()) == 0;
    double *sum = array(n, sizeof *sum);
    cm_reduce(j->of_host, j->rate, sum, n, CM_DOUBLE, CM_SUM, 0, CM_AUTO);
    for (int k = 0; k < all; k++) sum[(size_t)k * NODES_COMPUTE + NODES_QUIET] /= (double)own;
    cm_group *firsts = cm_split(cm_world(), j->place.is_first ? 0 : -1, 0);
    double *of_hosts = leads ? array((size_t)hosts * n, sizeof *of_hosts) : NULL;
    nodes_pair *pairs = leads ? array((size_t)hosts * (size_t)all, sizeof *pairs) : NULL;
    if (firsts) {
        cm_gather(firsts, sum, n * sizeof *sum, of_hosts, 0, CM_AUTO);
        cm_gather(firsts, j->pair, (size_t)all * sizeof *pairs, pairs, 0, CM_AUTO);
    }
    cm_group_free(firsts);
    free(sum);
    if (!leads) return;
    for (int kind = 0; kind < NODES_COMPUTE; kind++) {
        free(f->compute[kind]);
        f->compute[kind] = array((size_t)hosts * (size_t)all, sizeof(double));
        for (size_t k = 0; k < (size_t)hosts * (size_t)all; k++)
            f->compute[kind][k] = of_hosts[k * NODES_COMPUTE + (size_t)kind];
    }
    free(f->pair);
    f->pair = array((size_t)hosts * (size_t)all, sizeof *pairs);
    for (size_t host = 0; host < (size_t)hosts; host++)
        for (size_t k = 0; k < (size_t)all; k++)
            f->pair[k * (size_t)hosts + host] = pairs[host * (size_t)all + k];
    free(of_hosts);
    free(pairs);
    f->hosts = hosts;
    f->rounds = j->rounds;
    f->again = j->again;
    f->drawn = count_drawn(j);
}

/* Each pair is known to the host that leads it; the others have zeros. */
static void gather_more(nodes_job *j, nodes_figures *f)
{
    const size_t n = (size_t)j->again * (size_t)j->candidates;
    enum { VALUES = 5 };
    double *own = array(n * VALUES, sizeof *own), *all = array(n * VALUES, sizeof *all);
    for (size_t k = 0; k < n; k++) {
        own[k * VALUES] = j->more[k].latency_s;
        own[k * VALUES + 1] = j->more[k].out_B_per_s;
        own[k * VALUES + 2] = j->more[k].in_B_per_s;
        own[k * VALUES + 3] = j->more[k].tcp.segments;
        own[k * VALUES + 4] = j->more[k].tcp.again;
    }
    cm_reduce(cm_world(), own, all, n * VALUES, CM_DOUBLE, CM_SUM, 0, CM_AUTO);
    f->candidates = j->candidates;
    f->candidate = j->candidate;
    f->more = j->more;
    for (size_t k = 0; cm_rank(cm_world()) == 0 && k < n; k++) {
        const int *ends = j->candidate[k % (size_t)j->candidates];
        const double *value = all + k * VALUES;
        j->more[k] =
            (nodes_pair){ends[0], ends[1], value[0], value[1], value[2], {value[3], value[4]}};
    }
    free(own);
    free(all);
}

/* ---- All ------------------------------------------------------------------------------------- */

static void draw_rounds(nodes_job *j)
{
    while (j->rounds < j->options->rounds && !is_over(j, j->rounds, 0.7)) run_round(j, j->rounds++);
}

static void choose_candidates(nodes_job *j, nodes_figures *f)
{
    gather_rates(j, f);
    int32_t chosen = 0;
    if (cm_rank(cm_world()) == 0 && j->place.hosts > 2) {
        chosen = nodes_candidates(f, NODES_CANDIDATES, j->candidate);
        if (chosen < 0) cm_abort(CM_EXIT_SYSTEM, "out of memory for the pairs of the hosts");
    }
    j->candidates = nodes_meet(chosen);
    cm_bcast(cm_world(), j->candidate, NODES_CANDIDATES * sizeof *j->candidate, 0, CM_AUTO);
}

static void draw_again(nodes_job *j)
{
    while (j->candidates > 0 && j->again < j->options->again
           && !is_over(j, j->rounds + j->again, 1)) {
        run_round(j, j->rounds + j->again);
        for (int k = 0; k < j->candidates; k++) {
            j->first[k] = j->candidate[k][0];
            j->second[k] = j->candidate[k][1];
        }
        nodes_job_exchange(j, j->candidates, j->more + (size_t)j->again * (size_t)j->candidates);
        j->again++;
    }
}

static nodes_checked check_all(const nodes_job *j)
{
    const double own[] = {j->compute.triad_error, j->compute.gemm_error};
    double wrong = j->buffers.wrong_bytes, all[2];
    nodes_checked checked;
    cm_reduce(cm_world(), &wrong, &checked.wrong_bytes, 1, CM_DOUBLE, CM_SUM, 0, CM_AUTO);
    cm_reduce(cm_world(), own, all, 2, CM_DOUBLE, CM_MAX, 0, CM_AUTO);
    checked.triad_error = all[0];
    checked.gemm_error = all[1];
    return checked;
}

int nodes_run(const cm_benchmark *benchmark)
{
    int status = cm_run_require_processes(benchmark->program, "are no hosts");
    if (status) return status;
    nodes_job j;
    nodes_figures figures = {0};
    open_job(&j, benchmark->options);
    status = nodes_check_rounds(benchmark->program, benchmark->options, j.place.hosts);
    if (status) {
        close_job(&j);
        return status;
    }
    const bool leads = cm_rank(cm_world()) == 0;
    if (leads) {
        j.result = nodes_result_open(benchmark, j.seed);
        figures.offset_s = array((size_t)j.place.hosts, sizeof(double));
        figures.error_s = array((size_t)j.place.hosts, sizeof(double));
    }
    nodes_clock(&j.place, figures.offset_s, figures.error_s);
    draw_rounds(&j);
    choose_candidates(&j, &figures);
    draw_again(&j);
    if (j.again > 0) gather_rates(&j, &figures);
    gather_more(&j, &figures);
    nodes_burn burn = {0};
    if (j.options->minutes > 0) {
        nodes_burn_run(&j, &burn);
        figures.burn = &burn;
    }
    figures.ranks = j.place.ranks;
    nodes_checked checked = check_all(&j);
    checked.disturbed = nodes_disturbed_tell(&j.disturbed, j.result);
    if (leads && nodes_triad_in_caches(&j.compute, j.place.ranks[j.place.host]))
        cm_result_comment(j.result,
                          "the triad's arrays of a host have less than twice the size of its "
                          "last-level caches, so its figures are not those of memory");
    if (leads) status = nodes_result_close(j.result, j.options, &j.place, &figures, &checked);
    for (int kind = 0; kind < NODES_COMPUTE; kind++) free(figures.compute[kind]);
    free(figures.pair);
    nodes_kept_done(burn.kept);
    nodes_burn_free(&burn);
    free(figures.offset_s);
    free(figures.error_s);
    close_job(&j);
    return status;
}
