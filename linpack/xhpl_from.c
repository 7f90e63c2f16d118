/* SPDX-License-Identifier: BSD-3-Clause */
/* xhpl_from.c: --from: the hosts of a result of clustermark nodes. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "result/read.h"
#include "xhpl.h"

/* Returns a number of host k, which the result has where it differs from the first host's; NaN if
   the host does not have it. */
static double number_of(const cm_record *record, size_t k, const char *key)
{
    const cm_record_host *host = &record->host[k];
    const char *value = cm_record_meta(record, key);
    for (size_t d = 0; d < host->n_differs; d++)
        if (strcmp(host->differs[d].key, key) == 0) value = host->differs[d].value;
    return value ? strtod(value, NULL) : NAN;
}

static double metric_of(const cm_record *record, const char *name)
{
    const cm_record_metric *metric = cm_record_metric_of(record, name);
    return metric ? strtod(metric->value, NULL) : NAN;
}

static bool has_failed(const cm_record *record)
{
    for (size_t k = 0; k < record->n_checks; k++)
        if (!record->check[k].pass) return true;
    return false;
}

/* HPL.dat has room for grids of a million ranks. */
static bool are_too_many(const cm_record *record)
{
    enum { MOST = 1 << 20 };
    size_t ranks = 0;
    for (size_t k = 0; k < record->n_hosts && ranks <= MOST; k++)
        ranks += record->host[k].ranks <= MOST ? record->host[k].ranks : MOST + 1;
    return ranks > MOST;
}

/* Each rank of a host has its share of it; the least one decides. */
static bool find_share(const cm_record *record, xhpl_hosts *hosts)
{
    hosts->share_bytes = INFINITY;
    hosts->hosts = (int)record->n_hosts;
    for (size_t k = 0; k < record->n_hosts; k++) {
        const cm_record_host *host = &record->host[k];
        const double bytes = fmin(number_of(record, k, "memory_bytes"),
                                  number_of(record, k, "memory_limit_bytes")); /* NaN: the other */
        if (!(bytes > 0) || host->ranks == 0) return false;
        hosts->ranks += (int)host->ranks;
        if (bytes / (double)host->ranks >= hosts->share_bytes) continue;
        hosts->share_bytes = bytes / (double)host->ranks;
        hosts->least_bytes = bytes;
        hosts->least_ranks = (int)host->ranks;
        snprintf(hosts->least, sizeof hosts->least, "%s", host->name);
    }
    return hosts->ranks > 0;
}

/* The model's costs. One host has no links; its messages go through memory. An operation takes what
   it takes in the matrix product, as linpack_costs.c has it for simulated hosts. A copy, and what
   an update has for each element beside its operations, is a number that memory reads and writes.
   The result does not know further costs of a panel, nor of messages that are sent at the same
   time: they are 0, and so is a copy if the result lacks the memory's rate. */
static bool find_costs(const cm_record *record, xhpl_hosts *hosts)
{
    const double MEMORY_LATENCY_S = 5e-7, MEMORY_BYTES_PER_S = 5e9;
    const bool links = hosts->hosts > 1;
    const double share = (double)hosts->hosts / hosts->ranks; /* of a host, for each rank */
    const double flop_per_s = 1e6 * metric_of(record, "gemm_Mflop_per_s") * share;
    const double triad_bytes_per_s = 1e6 * metric_of(record, "triad_MB_per_s") * share;
    const double bytes_per_s =
        links ? 1e6 * metric_of(record, "link_MB_per_s") : MEMORY_BYTES_PER_S;
    linpack_costs c = {.flop_s = 1 / flop_per_s,
                       .panel_flop_s = 1 / flop_per_s,
                       .latency_s =
                           links ? 1e-6 * metric_of(record, "latency_us") : MEMORY_LATENCY_S,
                       .byte_s = 1 / bytes_per_s};
    if (triad_bytes_per_s > 0) c.move_s = c.element_s = 2 * sizeof(double) / triad_bytes_per_s;
    c.record_s = c.latency_s + LINPACK_RECORD_BYTES * c.byte_s;
    hosts->costs = (linpack_cost_range){c, c, c, .rounds = 1};
    return c.latency_s > 0 && bytes_per_s > 0 && flop_per_s > 0;
}

int xhpl_from_check(const cm_program *program, xhpl_options *x)
{
    cm_record record;
    char why[1024];
    if (!cm_record_read(x->from, &record, why, sizeof why))
        return cm_option_error(program, "--from %s", why);
    const char *by = cm_record_meta(&record, "program");
    int status = 0;
    if (!by || strcmp(by, "cm-nodes") != 0)
        status = cm_option_error(program,
                                 "--from %s: it is a result of %s; expected the JSON of "
                                 "clustermark nodes or cm-nodes",
                                 x->from, by ? by : "another program");
    else if (record.n_hosts == 0)
        status = cm_option_error(program,
                                 "--from %s: it does not list hosts; expected the JSON of "
                                 "clustermark nodes or cm-nodes",
                                 x->from);
    else if (has_failed(&record))
        status = cm_option_error(
            program, "--from %s: a check of it failed; expected a result that passed", x->from);
    else if (are_too_many(&record))
        status = cm_option_error(
            program, "--from %s: its hosts have more than 1048576 ranks; expected fewer", x->from);
    else if (!find_share(&record, &x->hosts))
        status = cm_option_error(program, "--from %s: it lacks memory_bytes of a host", x->from);
    else if (!find_costs(&record, &x->hosts))
        status = cm_option_error(program,
                                 "--from %s: it lacks latency_us, link_MB_per_s or "
                                 "gemm_Mflop_per_s, by which the grid is chosen",
                                 x->from);
    cm_record_free(&record);
    return status;
}
