/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_sweep.c: the triad over all sizes, numbers of ranks, pages, stores and nodes of memory. */
#include "config.h"
#include <stdlib.h>
#include "machine/machine.h"
#include "stream.h"

/* Some ranks of each host, which work at once. */
typedef struct {
    cm_group *group; /* NULL on the ranks that wait */
    int hosts, *host;
    int ranks;     /* of a host that has so many, or all of its ranks */
    bool one, all; /* of a host: its first rank alone, or all of its ranks */
} team;

typedef struct {
    const stream_options *options;
    cm_result *result; /* rank 0 */
    stream_found *found;
    size_t first_n;
    team teams[STREAM_STEPS];
    int n_teams;
    int done, parts; /* of the progress */
} sweep;

/* ---- Who ------------------------------------------------------------------------------------- */

static int most_ranks_of_a_host(void)
{
    int64_t mine = 0, most;
    int world = cm_size(cm_world()), *host = calloc((size_t)world, sizeof *host);
    if (!host) cm_abort(CM_EXIT_SYSTEM, "out of memory for the hosts of %d ranks", world);
    cm_run_number_hosts(cm_world(), host);
    int rank = cm_rank(cm_world());
    for (int other = 0; other < world; other++) mine += host[other] == host[rank];
    free(host);
    cm_allreduce(cm_world(), &mine, &most, 1, CM_INT64, CM_MAX, CM_AUTO);
    return (int)most;
}

/* The first ranks of each host. */
static team team_of(int ranks, int most)
{
    int world = cm_size(cm_world()), rank = cm_rank(cm_world()), before = 0;
    team t = {.ranks = ranks, .one = ranks == 1, .all = ranks == most};
    t.host = calloc((size_t)world, sizeof *t.host);
    if (!t.host) cm_abort(CM_EXIT_SYSTEM, "out of memory for the hosts of %d ranks", world);
    cm_run_number_hosts(cm_world(), t.host);
    for (int other = 0; other < rank; other++) before += t.host[other] == t.host[rank];
    t.group = cm_split(cm_world(), before < ranks ? 0 : -1, rank);
    if (t.group) t.hosts = cm_run_number_hosts(t.group, t.host);
    return t;
}

/* 1, 2, 4, ... and all. */
static void open_teams(sweep *s)
{
    int most = most_ranks_of_a_host();
    for (int ranks = 1; ranks < most && s->n_teams < STREAM_STEPS - 1; ranks *= 2)
        s->teams[s->n_teams++] = team_of(ranks, most);
    s->teams[s->n_teams++] = team_of(most, most);
    s->found->swept.most_ranks = most;
}

static void close_teams(sweep *s)
{
    for (int k = 0; k < s->n_teams; k++) {
        cm_group_free(s->teams[k].group);
        free(s->teams[k].host);
    }
}

/* ---- Where ----------------------------------------------------------------------------------- */

/* Between the beginnings of two arrays: not a multiple of 4096 bytes, where a processor would take
   a load for one of the number just stored (aliasing of the low 12 bits of addresses). */
static size_t distance_bytes(size_t n)
{
    enum { APART = 21 * STREAM_LINE_BYTES };
    return (n * sizeof(double) + STREAM_LINE_BYTES - 1) / STREAM_LINE_BYTES * STREAM_LINE_BYTES
           + APART;
}

/* Arrays of n numbers at the beginning of the region, one after the other. */
static cm_stream arrays_in(const stream_region *region, size_t n)
{
    size_t distance = distance_bytes(n);
    return (cm_stream){.a = (double *)region->memory,
                       .b = (double *)(region->memory + distance),
                       .c = (double *)(region->memory + 2 * distance),
                       .n = n};
}

/* Opens the regions of all ranks, or none. Sets *there to the least part that any rank has on its
   far node; below 0: one has no region. */
static bool open_everywhere(stream_pages pages, bool remote, size_t bytes, stream_region *region,
                            double *there)
{
    int node = remote ? cm_machine_numa_farthest(cm_machine_numa_here()) : -1;
    const bool opened = (!remote || node >= 0) && stream_pages_open(pages, node, bytes, region);
    double mine = opened ? 1 : -1;
    if (opened && remote) mine = stream_pages_on_node(region);
    cm_allreduce(cm_world(), &mine, there, 1, CM_DOUBLE, CM_MIN, CM_AUTO);
    const bool all = *there >= STREAM_LEAST_ON_NODE;
    if (opened && !all) stream_pages_close(region);
    return all;
}

static void tell_refused(cm_result *result, stream_pages pages, bool remote, double there)
{
    if (remote && there >= 0)
        cm_result_comment(result,
                          "numa remote: not measured, because only %.0f %% of the memory could be "
                          "had on another node",
                          100 * there);
    else if (remote)
        cm_result_comment(result, "numa remote: not measured, because no other node has memory");
    else
        cm_result_comment(result, "pages %s: not measured, because the system has too few (%s)",
                          stream_pages_names[pages],
                          pages == STREAM_EXPLICIT ? "/proc/sys/vm/nr_hugepages" : "memory");
}

/* ---- How ------------------------------------------------------------------------------------- */

static void measure_team(sweep *s, const team *t, stream_pages pages, bool remote,
                         const stream_region *region)
{
    stream_setting setting = {
        .sampling = &s->options->sampling,
        .place = STREAM_SWEEP,
        .pages = pages,
        .remote = remote,
        .first = CM_STREAM_TRIAD,
        .group = t->group,
        .hosts = t->hosts,
        .host = t->host,
    };
    size_t longest = s->found->n[STREAM_SWEEP], n = longest;
    for (int64_t step = 0; step == 0 || n >= s->first_n;
         n = stream_step_n(longest, ++step, s->options->per_octave))
        for (int stores = 0; stores < CM_STREAM_STORES; stores++) {
            if (!cm_stream_has((cm_stream_stores)stores)) continue;
            cm_stream arrays = arrays_in(region, n);
            setting.stores = (cm_stream_stores)stores;
            cm_quantity triad = stream_take(s->result, s->found, &setting, &arrays);
            if (s->result) stream_swept_keep(s->found, &setting, n, t->ranks, &triad);
        }
}

/* With other kinds of pages, and on another node, it is enough to measure one rank and all ranks,
   because these show the difference. */
static void measure_pages(sweep *s, stream_pages pages, bool remote)
{
    stream_region region;
    double there;
    size_t bytes = 3 * distance_bytes(s->found->n[STREAM_SWEEP]);
    if (!open_everywhere(pages, remote, bytes, &region, &there)) {
        if (s->result) tell_refused(s->result, pages, remote, there);
        return;
    }
    if (s->result) stream_pages_tell(&region, s->result);
    for (int k = 0; k < s->n_teams; k++) {
        const team *t = &s->teams[k];
        if (s->result)
            cm_result_progress(s->result, s->done / (double)s->parts, "%s pages%s",
                               stream_pages_names[pages], remote ? ", far memory" : "");
        if (!t->one && !t->all && (remote || pages != STREAM_TRANSPARENT)) continue;
        if (t->group) measure_team(s, t, pages, remote, &region);
        cm_barrier(cm_world(), CM_AUTO);
        s->done++;
    }
    stream_pages_close(&region);
}

void stream_sweep(const stream_options *options, cm_result *result, stream_found *found)
{
    sweep s = {.options = options, .result = result, .found = found, .first_n = stream_first_n()};
    open_teams(&s);
    s.parts = s.n_teams + 2 * 3;
    measure_pages(&s, STREAM_TRANSPARENT, false);
    measure_pages(&s, STREAM_SMALL, false);
    measure_pages(&s, STREAM_EXPLICIT, false);
    measure_pages(&s, STREAM_TRANSPARENT, true);
    close_teams(&s);
}
