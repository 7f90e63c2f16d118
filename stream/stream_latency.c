/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_latency.c: how long a load from memory takes: one after the other while the host is idle,
   over all sizes, pages and nodes of memory, and from memory while the host's other ranks load
   it. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "machine/machine.h"
#include "machine/node.h"
#include "stream.h"

enum { LEADER = 0, TAG_STOP = 1, HOPS = 64, CHUNK = 4096 };

/* The part of its time in which a loading rank runs the triad. */
static const double shares[] = {1 / 16.0, 1 / 8.0, 1 / 4.0, 1 / 2.0, 1};
enum { SHARES = sizeof shares / sizeof *shares };

typedef struct {
    const stream_options *options;
    cm_result *result; /* rank 0 */
    stream_found *found;
    cm_group *firsts;   /* the first rank of each host, which chases; NULL elsewhere */
    int hosts, *host;   /* [rank]: number of its host */
    int chaser;         /* the first rank of this rank's host */
    bool chases;        /* it is this one */
    double *of_ranks;   /* rank 0: [rank], what a trial gave */
    stream_chase chase; /* of a rank that chases */
    cm_stream arrays;   /* of one that loads */
    size_t at, loaded;  /* where its next chunk begins; numbers that it has stored at least once */
    double share;
    int done, parts;
} latency;

static void open_ranks(latency *l)
{
    int world = cm_size(cm_world()), rank = cm_rank(cm_world());
    l->host = calloc((size_t)world, sizeof *l->host);
    l->of_ranks = calloc((size_t)world, sizeof *l->of_ranks);
    if (!l->host || !l->of_ranks)
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the hosts of %d ranks", world);
    l->hosts = cm_run_number_hosts(cm_world(), l->host);
    while (l->host[l->chaser] != l->host[rank]) l->chaser++;
    l->chases = l->chaser == rank;
    l->firsts = cm_split(cm_world(), l->chases ? 0 : -1, rank);
}

static int loading_ranks(const latency *l, int host)
{
    int ranks = -1;
    for (int rank = 0; rank < cm_size(cm_world()); rank++) ranks += l->host[rank] == host;
    return ranks;
}

/* ---- Idle ------------------------------------------------------------------------------------ */

/* Chases on this rank; sets the nanoseconds of a hop and returns the seconds of all. */
static double chase(latency *l, int64_t operations, double *ns)
{
    double start_s = cm_time();
    stream_chase_run(&l->chase, operations * HOPS);
    double took_s = cm_time() - start_s;
    *ns = 1e9 * took_s / (double)(operations * HOPS);
    return took_s;
}

/* The firsts are in the order of their hosts. */
static double idle_trial(void *context, int64_t operations, double *value)
{
    latency *l = context;
    double ns;
    cm_barrier(l->firsts, CM_AUTO);
    double took_s = chase(l, operations, &ns);
    cm_gather(l->firsts, &ns, sizeof ns, l->of_ranks, LEADER, CM_AUTO);
    if (cm_rank(l->firsts) == LEADER)
        for (int host = 0; host < l->hosts; host++) value[host] = l->of_ranks[host];
    return took_s;
}

/* ---- Loaded ---------------------------------------------------------------------------------- */

/* Returns how many numbers. */
static size_t load_chunk(latency *l)
{
    size_t left = l->arrays.n - l->at, n = left < CHUNK ? left : CHUNK;
    const cm_stream part = {l->arrays.a + l->at, l->arrays.b + l->at, l->arrays.c + l->at, n};
    cm_stream_run(&part, CM_STREAM_TRIAD, CM_STREAM_ORDINARY);
    l->at = n == left ? 0 : l->at + n;
    if (l->at == 0) l->loaded = l->arrays.n;
    else if (l->at > l->loaded) l->loaded = l->at;
    return n;
}

/* Loads until the rank that chases says that it has done. Returns the bytes, as STREAM counts them,
   in 10^6 of a second. */
static double load(latency *l, cm_request **stop)
{
    double start_s = cm_time(), now_s = start_s, bytes = 0;
    do {
        double began_s = now_s;
        bytes += cm_stream_bytes(CM_STREAM_TRIAD, load_chunk(l));
        now_s = cm_time();
        double until_s = began_s + (now_s - began_s) / l->share;
        while (now_s < until_s) now_s = cm_time();
    } while (!cm_test(stop, NULL));
    return 1e-6 * bytes / (cm_time() - start_s);
}

/* A sample of each host's latency, then of its load. */
static double loaded_trial(void *context, int64_t operations, double *value)
{
    latency *l = context;
    int world = cm_size(cm_world()), rank = cm_rank(cm_world());
    double mine, start_s, took_s;
    char done = 0;
    cm_request *stop = l->chases ? NULL : cm_irecv(cm_world(), &done, 1, l->chaser, TAG_STOP);
    cm_barrier(cm_world(), CM_AUTO);
    start_s = cm_time();
    if (l->chases) {
        took_s = chase(l, operations, &mine);
        for (int other = rank + 1; other < world; other++)
            if (l->host[other] == l->host[rank]) cm_send(cm_world(), &done, 1, other, TAG_STOP);
    } else {
        mine = load(l, &stop);
        took_s = cm_time() - start_s;
    }
    cm_gather(cm_world(), &mine, sizeof mine, l->of_ranks, LEADER, CM_AUTO);
    if (rank == LEADER) {
        for (int k = 0; k < 2 * l->hosts; k++) value[k] = 0;
        for (int other = 0; other < world; other++) {
            bool first = true;
            for (int before = 0; before < other; before++)
                first &= l->host[before] != l->host[other];
            value[(first ? 0 : l->hosts) + l->host[other]] += l->of_ranks[other];
        }
    }
    return took_s;
}

/* ---- Both ------------------------------------------------------------------------------------ */

static stream_latency_row row_of(const latency *l, const stream_region *region, bool loaded)
{
    return (stream_latency_row){.loaded = loaded,
                                .pages = region->pages,
                                .node = region->node,
                                .share = loaded ? l->share : 0,
                                .bytes = (double)(l->chase.lines * STREAM_LINE_BYTES)};
}

/* Measures on the ranks of the group, which all call it; rank 0 of the world writes the rows. */
static void take(latency *l, cm_group *group, stream_latency_row row)
{
    size_t series = (size_t)l->hosts * (row.loaded ? 2 : 1);
    cm_samples *samples = calloc(series, sizeof *samples);
    if (!samples) cm_abort(CM_EXIT_SYSTEM, "out of memory for the samples of %d hosts", l->hosts);
    const cm_subject subject = {
        .series = series, .trial = row.loaded ? loaded_trial : idle_trial, .context = l};
    cm_sampled sampled = {.samples = samples};
    cm_sample(&l->options->sampling, group, 1, &subject, &sampled);
    for (int host = 0; host < l->hosts && l->result; host++) {
        row.host = host;
        row.load_ranks = row.loaded ? loading_ranks(l, host) : 0;
        if (row.loaded && row.load_ranks == 0) continue;
        stream_latency_result_row(l->result, l->found, &row, &samples[host],
                                  row.loaded ? &samples[l->hosts + host] : NULL);
    }
    for (size_t k = 0; k < series; k++) cm_samples_free(&samples[k]);
    free(samples);
}

/* Returns the bytes of the whole lines in the memory of n numbers. */
static double chain_bytes(size_t n)
{
    return (double)(n * sizeof(double) / STREAM_LINE_BYTES * STREAM_LINE_BYTES);
}

/* Makes the chain through so many bytes, and looks whether it goes through all lines. */
static void chain(latency *l, const stream_region *region, size_t bytes)
{
    stream_chase_open(region, bytes, &l->chase);
    double missed = (double)l->chase.lines - (double)stream_chase_length(&l->chase);
    l->found->missed_lines = fmax(l->found->missed_lines, fabs(missed));
}

static void progress(latency *l, const char *what)
{
    if (l->result) cm_result_progress(l->result, l->done++ / (double)l->parts, "%s", what);
}

/* Measures from memory to the first cache, or memory alone. */
static void measure_idle(latency *l, const stream_region *region, bool all_sizes)
{
    const size_t longest = l->found->n[STREAM_SWEEP];
    double bytes = chain_bytes(longest);
    int64_t step = 0;
    do {
        chain(l, region, (size_t)bytes);
        take(l, l->firsts, row_of(l, region, false));
        bytes = chain_bytes(stream_step_n(longest, ++step, l->options->per_octave));
    } while (all_sizes && bytes >= l->found->first_bytes);
}

static void fill(cm_stream *arrays)
{
    for (size_t k = 0; k < arrays->n; k++) {
        arrays->a[k] = 0;
        arrays->b[k] = 2;
        arrays->c[k] = 1;
    }
}

/* The stored values must be those of the triad. */
static void check_load(latency *l)
{
    double wrong = 0, all;
    for (size_t k = 0; k < l->loaded; k++)
        wrong += !(fabs(l->arrays.a[k] - (2 + CM_STREAM_Q)) <= 1e-15 * 4);
    cm_allreduce(cm_world(), &wrong, &all, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    l->found->wrong_numbers = all;
}

static void measure_loaded(latency *l, const stream_region *region)
{
    size_t n = l->found->n[STREAM_SWEEP];
    int64_t opened = l->chases || cm_stream_open(n, &l->arrays), all;
    cm_allreduce(cm_world(), &opened, &all, 1, CM_INT64, CM_MIN, CM_AUTO);
    if (!all)
        cm_abort(CM_EXIT_SYSTEM,
                 "out of memory for three arrays of %zu bytes; try a smaller --size",
                 n * sizeof(double));
    if (l->chases) chain(l, region, (size_t)chain_bytes(n));
    else fill(&l->arrays);
    for (int k = 0; k < SHARES; k++) {
        progress(l, "loaded");
        l->share = shares[k];
        take(l, cm_world(), row_of(l, region, true));
    }
    check_load(l);
    if (!l->chases) cm_stream_close(&l->arrays);
}

/* The ranks that chase open their region, or none of them does. Sets *there to the least part that
   any of them has on the node; below 0: one has no region. */
static bool open_region(latency *l, stream_pages pages, int node, stream_region *region,
                        double *there)
{
    size_t bytes = l->found->n[STREAM_SWEEP] * sizeof(double);
    const bool opened = l->chases && stream_pages_open(pages, node, bytes, region);
    double mine = l->chases && !opened ? -1 : 1;
    if (opened && node >= 0) mine = stream_pages_on_node(region);
    cm_allreduce(cm_world(), &mine, there, 1, CM_DOUBLE, CM_MIN, CM_AUTO);
    const bool all = *there >= STREAM_LEAST_ON_NODE;
    if (opened && !all) stream_pages_close(region);
    return all;
}

static void tell_refused(cm_result *result, stream_pages pages, int node, double there)
{
    if (node >= 0 && there >= 0)
        cm_result_comment(result,
                          "node %d: not measured, because only %.0f %% of the memory could be had "
                          "there",
                          node, 100 * there);
    else if (node >= 0)
        cm_result_comment(result, "node %d: not measured, because the system refuses its memory",
                          node);
    else
        cm_result_comment(result, "pages %s: not measured, because the system has too few (%s)",
                          stream_pages_names[pages],
                          pages == STREAM_EXPLICIT ? "/proc/sys/vm/nr_hugepages" : "memory");
}

static void measure_pages(latency *l, stream_pages pages, int node, bool all_sizes, bool loaded)
{
    stream_region region = {0};
    double there;
    progress(l, stream_pages_names[pages]);
    if (!open_region(l, pages, node, &region, &there)) {
        if (l->result) tell_refused(l->result, pages, node, there);
        return;
    }
    if (l->result) stream_pages_tell(&region, l->result);
    if (l->chases) measure_idle(l, &region, all_sizes);
    cm_barrier(cm_world(), CM_AUTO);
    if (loaded) measure_loaded(l, &region);
    if (l->chases) stream_pages_close(&region);
}

/* The number of the k-th NUMA node with memory other than node `here`, of rank 0's host, on all
   ranks; -1: there is none. */
static int other_node(int here, int k)
{
    int64_t number = -1;
    if (cm_rank(cm_world()) == LEADER) {
        cm_machine_node *node = malloc(sizeof *node);
        if (!node) cm_abort(CM_EXIT_SYSTEM, "out of memory for the NUMA nodes");
        if (!cm_machine_node_read("", false, node)) node->numas = 0;
        for (int m = 0; m < node->numas && number < 0; m++)
            if (node->numa[m].number != here && node->numa[m].memory_bytes > 0
                && node->numa[m].kind != CM_NUMA_GPU && k-- == 0)
                number = node->numa[m].number;
        free(node);
    }
    cm_bcast(cm_world(), &number, sizeof number, LEADER, CM_AUTO);
    return (int)number;
}

void stream_latency(const stream_options *options, cm_result *result, stream_found *found)
{
    latency l = {.options = options, .result = result, .found = found};
    int node;
    open_ranks(&l);
    bool loaded = cm_size(cm_world()) > l.hosts;
    found->first_bytes = (double)(stream_first_n() * sizeof(double));
    l.parts = 3 + (loaded ? SHARES : 0);
    measure_pages(&l, STREAM_SMALL, -1, true, false);
    measure_pages(&l, STREAM_EXPLICIT, -1, true, false);
    measure_pages(&l, STREAM_TRANSPARENT, -1, true, loaded);
    /* Looked at once: a rank that is not bound may move. */
    const int here = cm_machine_numa_here();
    for (int k = 0; (node = other_node(here, k)) >= 0; k++)
        measure_pages(&l, STREAM_TRANSPARENT, node, false, false);
    int without = 0;
    for (int host = 0; host < l.hosts; host++) without += loading_ranks(&l, host) == 0;
    if (without == l.hosts && result)
        cm_result_comment(result, "loaded: not measured, because no host has two ranks");
    else if (without && result)
        cm_result_comment(result,
                          "loaded: not measured on %d of %d hosts, for lack of a second rank",
                          without, l.hosts);
    cm_group_free(l.firsts);
    free(l.host);
    free(l.of_ranks);
}
