/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_matrix.c: measures the triad from each team of cores to each NUMA node. */
#include "config.h"
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include "machine/machine.h"
#include "stream_matrix.h"

/* A team's measurements of a node. Ranks in no team have 0 in all members, so that the maximum over
   all ranks is the team's value. */
typedef struct {
    double best_MB_per_s, low_MB_per_s, high_MB_per_s, trials, disturbed, median_MB_per_s;
    double ranks, there, array_bytes, error;
} figures;
enum { FIGURES = sizeof(figures) / sizeof(double) };

typedef struct {
    stream_from source;
    int socket, node;
    cm_numa_kind kind;
    figures team;
} table_row;

typedef struct {
    const stream_options *options;
    cm_result *result; /* rank 0 */
    stream_found *found;
    cm_machine_node *node;
    int cpu, lead_cpu;
    bool here, lead; /* this rank is on the first host; it is rank 0 */
} matrix;

/* NULL on the ranks that are not in it. */
static cm_group *open_team(const matrix *m, stream_from from, int socket)
{
    const bool in =
        m->here && stream_matrix_is_in(m->node, from, socket, m->cpu, m->lead_cpu, m->lead);
    return cm_split(cm_world(), in ? 0 : -1, cm_rank(cm_world()));
}

/* Returns the size of the caches that a team uses. Its arrays must be larger than four times this.
   */
static double cache_bytes(const matrix *m, stream_from from)
{
    const double l3_bytes = (double)stream_matrix_l3_bytes(m->node, m->lead_cpu);
    const double all_bytes = (double)cm_machine_last_caches_bytes(NULL);
    if (from != STREAM_FROM_SOCKET && l3_bytes > 0) return l3_bytes;
    return fmax(l3_bytes, m->node->sockets > 1 ? all_bytes / m->node->sockets : all_bytes);
}

/* An interval that is not there is 0 to 0. */
static void keep_best(cm_quantity best, figures *own)
{
    const bool has = cm_quantity_has_interval(&best);
    own->best_MB_per_s = best.value;
    own->low_MB_per_s = has ? best.low : 0;
    own->high_MB_per_s = has ? best.high : 0;
    own->trials = (double)best.n;
    own->disturbed = best.disturbed;
}

static cm_quantity best_of(const figures *team)
{
    const bool has = team->high_MB_per_s > 0;
    return (cm_quantity){.value = team->best_MB_per_s,
                         .low = has ? team->low_MB_per_s : NAN,
                         .high = has ? team->high_MB_per_s : NAN,
                         .kind = CM_INTERVAL_RANGE,
                         .over = "trials",
                         .n = (size_t)team->trials,
                         .disturbed = (cm_disturbed)team->disturbed};
}

/* For memory that is elsewhere, the best rate stays 0. */
static void measure(matrix *m, cm_group *team, stream_from from, const cm_numa_node *node,
                    figures *own)
{
    const int ranks = cm_size(team), numa = node ? node->number : -1;
    const size_t given = m->found->n[STREAM_MEMORY];
    const size_t n = m->options->size_bytes > 0
                         ? given
                         : stream_matrix_numbers(given, cache_bytes(m, from),
                                                 node ? node->memory_bytes : 0, ranks);
    const size_t bytes = n * sizeof(double);
    const size_t apart = bytes + 21 * STREAM_LINE_BYTES; /* no multiple of 4096, as in a sweep */
    int *host = calloc((size_t)ranks, sizeof *host);
    stream_region region;
    cm_samples time_s = CM_SAMPLES_EMPTY;
    stream_times times = {.time_s = &time_s};
    if (!host) cm_abort(CM_EXIT_SYSTEM, "out of memory for a team of %d ranks", ranks);
    double there = stream_pages_open(STREAM_TRANSPARENT, numa, 3 * apart, &region) ? 1 : -1, least;
    if (there > 0 && numa >= 0) there = stream_pages_on_node(&region);
    cm_allreduce(team, &there, &least, 1, CM_DOUBLE, CM_MIN, CM_AUTO);
    own->ranks = ranks;
    own->there = fmax(0, least);
    own->array_bytes = (double)bytes;
    if (least >= STREAM_LEAST_ON_NODE) {
        const stream_setting setting = {.sampling = &m->options->sampling,
                                        .place = STREAM_SWEEP,
                                        .pages = STREAM_TRANSPARENT,
                                        .remote = numa >= 0,
                                        .first = CM_STREAM_TRIAD,
                                        .group = team,
                                        .hosts = 1,
                                        .host = host};
        cm_stream arrays = {.a = (double *)region.memory,
                            .b = (double *)(region.memory + apart),
                            .c = (double *)(region.memory + 2 * apart),
                            .n = n};
        stream_measure(&setting, &arrays, &times);
        own->error = times.error;
        if (time_s.n > 0) {
            const cm_summary s = cm_sample_summary(&time_s);
            const double MB = 1e-6 * ranks * cm_stream_bytes(CM_STREAM_TRIAD, n);
            keep_best(cm_quantity_invert(cm_sample_fastest(&time_s), MB), own);
            own->median_MB_per_s = MB / s.median;
        }
        cm_samples_free(&time_s);
    }
    if (there >= 0) stream_pages_close(&region);
    free(host);
}

static void tell_elsewhere(cm_result *result, stream_from from, int socket,
                           const cm_numa_node *numa, double there)
{
    static const char *const who[] = {"one core", "one third-level cache", "socket"};
    char number[16] = "", part[32] = "none";
    if (from == STREAM_FROM_SOCKET) snprintf(number, sizeof number, " %d", socket);
    if (there > 0) snprintf(part, sizeof part, "only %.0f %%", 100 * there);
    cm_result_comment(result,
                      "node %d (%s) from %s%s: not measured, because %s of the memory could be had "
                      "there",
                      numa ? numa->number : -1,
                      cm_numa_kind_name(numa ? numa->kind : CM_NUMA_UNKNOWN), who[from], number,
                      part);
}

/* Rank 0 may not be of the team: it gets the largest, as the other ranks have 0. Returns the number
   of the team's ranks. */
static int take(matrix *m, cm_group *team, stream_from from, int socket, int index)
{
    const cm_numa_node *numa = index >= 0 ? &m->node->numa[index] : NULL;
    figures own = {0}, all;
    if (team) measure(m, team, from, numa, &own);
    cm_allreduce(cm_world(), &own, &all, FIGURES, CM_DOUBLE, CM_MAX, CM_AUTO);
    /* Rank 0 closes the result, and saw only its own teams' errors. */
    m->found->error = fmax(m->found->error, all.error);
    if (!m->result || all.ranks == 0) return (int)all.ranks;
    if (all.best_MB_per_s == 0) {
        tell_elsewhere(m->result, from, socket, numa, all.there);
        return (int)all.ranks;
    }
    if (all.ranks * all.array_bytes < CM_STREAM_CACHES * cache_bytes(m, from))
        m->found->short_cells++;
    const int lead_socket = stream_matrix_socket(m->node, m->lead_cpu);
    const table_row row = {.source = from,
                           .socket = from == STREAM_FROM_SOCKET ? socket : lead_socket,
                           .node = numa ? numa->number : -1,
                           .kind = numa ? numa->kind : CM_NUMA_UNKNOWN,
                           .team = all};
    cm_result_row(m->result, &row, NULL, NULL);
    cm_quantity *best = &m->found->triad[STREAM_MEMORY][from == STREAM_FROM_SOCKET];
    if (from != STREAM_FROM_L3) *best = cm_quantity_greater(*best, best_of(&all));
    return (int)all.ranks;
}

/* Measures the rates to all nodes with memory or, if there are no nodes, to the ranks' own memory,
   wherever it is. */
static void measure_source(matrix *m, stream_from from, int socket)
{
    cm_group *team = open_team(m, from, socket);
    int index = stream_matrix_next(m->node, 0);
    /* The same on all ranks: they have rank 0's node. */
    const int ranks = take(m, team, from, socket, index);
    while (ranks > 0 && index >= 0 && (index = stream_matrix_next(m->node, index + 1)) >= 0)
        take(m, team, from, socket, index);
    cm_group_free(team);
    if (ranks > 0 || !m->result) return;
    if (from == STREAM_FROM_SOCKET)
        cm_result_comment(m->result, "socket %d: not measured, because no rank runs there", socket);
    else
        cm_result_comment(m->result,
                          "l3: not measured, because the system tells of no third-level cache of "
                          "rank 0's core");
}

static void measure_all(matrix *m)
{
    int memories = 0;
    for (int k = -1; (k = stream_matrix_next(m->node, k + 1)) >= 0;) memories++;
    if (m->result && memories == 1)
        cm_result_comment(m->result,
                          "one NUMA node: the matrix has one cell for each of those who load");
    measure_source(m, STREAM_FROM_CORE, 0);
    measure_source(m, STREAM_FROM_L3, 0);
    for (int socket = 0; socket == 0 || socket < m->node->sockets; socket++)
        measure_source(m, STREAM_FROM_SOCKET, socket);
}

void stream_matrix(const stream_options *options, cm_result *result, stream_found *found)
{
    const int ranks = cm_size(cm_world()), rank = cm_rank(cm_world());
    matrix m = {.options = options, .result = result, .found = found, .lead = rank == 0};
    int *host = calloc((size_t)ranks, sizeof *host);
    m.node = malloc(sizeof *m.node);
    if (!host || !m.node) cm_abort(CM_EXIT_SYSTEM, "out of memory for the model of the host");
    cm_run_number_hosts(cm_world(), host);
    m.here = host[rank] == host[0];
    m.cpu = m.lead_cpu = sched_getcpu();
    cm_bcast(cm_world(), &m.lead_cpu, sizeof m.lead_cpu, 0, CM_AUTO);
    if (rank == 0 && !cm_machine_node_read("", false, m.node)) cm_machine_node_clear(m.node);
    cm_bcast(cm_world(), m.node, sizeof *m.node, 0, CM_AUTO);
    measure_all(&m);
    free(m.node);
    free(host);
}

/* ---- Rank 0 writes --------------------------------------------------------------------------- */

cm_result *stream_matrix_result_open(const cm_benchmark *benchmark, const stream_found *found)
{
    static const cm_result_column columns[] = {
        CM_COLUMN(table_row, source, "source", "=core|l3|socket"),
        CM_COLUMN(table_row, socket, "socket", "%.0f"),
        CM_COLUMN(table_row, team.ranks, "ranks", "%.0f"),
        CM_COLUMN(table_row, node, "node", "%.0f"),
        CM_COLUMN(table_row, kind, "kind", "=processors|hbm|persistent|cxl|gpu|other|unknown"),
        CM_COLUMN(table_row, team.there, "on_node_share", "%.3f"),
        CM_COLUMN(table_row, team.array_bytes, "array_bytes", "%.0f"),
        CM_COLUMN(table_row, team.best_MB_per_s, "best_MB_per_s", "%.1f"),
        CM_COLUMN(table_row, team.median_MB_per_s, "median_MB_per_s", "%.1f"),
    };
    const stream_options *options = benchmark->options;
    cm_result *result = cm_run_result_open(benchmark, columns, sizeof columns / sizeof *columns);
    (void)found;
    cm_run_meta(result);
    cm_run_meta_bound(result, options->sampling.bind);
    cm_result_meta(result, "matrix",
                   "the triad of one core, of the cores of one third-level cache and of each "
                   "socket, of the first host, to each of its NUMA nodes that has memory");
    cm_result_meta(result, "node", "that was asked for; -1: the nodes are not known");
    cm_sample_meta(result, &options->sampling,
                   "a pass: the time of the slowest rank, or from the first rank's begin to the "
                   "last one's end if they did not run at once");
    return result;
}

int stream_matrix_result_close(cm_result *result, const stream_found *found)
{
    const cm_quantity *triad = found->triad[STREAM_MEMORY];
    cm_result_check(result, "largest_mean_error", found->error, "<=", CM_STREAM_TOLERANCE);
    if (found->short_cells > 0)
        cm_result_comment(result,
                          "the arrays of %d row%s are shorter than STREAM's rule, %d times the "
                          "last-level caches of those who load: what stands here as memory may be "
                          "the caches'",
                          found->short_cells, found->short_cells == 1 ? "" : "s", CM_STREAM_CACHES);
    if (triad[1].value > 0) cm_result_metric(result, true, "triad_socket_MB_per_s", triad[1]);
    if (triad[0].value > 0) cm_result_metric(result, true, "triad_core_MB_per_s", triad[0]);
    return cm_result_close(result);
}
