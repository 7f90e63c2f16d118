/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_trial.c: --method auto on several hosts: times the methods on a shorter list, because it
   depends on the network and the processors which is the fastest (doc/listrank.texi). */
#include <math.h>
#include "listrank.h"

/* This number of nodes of a process does not fit into its second-level cache, and takes some ten
   milliseconds over Gigabit Ethernet. */
enum { NODES = 1 << 17, RUNS = 3 };
static const double long_s = 0.1; /* a run that takes longer is not repeated */

/* Returns the seconds of the slowest process in the fastest run. In the first, processes connect
   and memory is touched for the first time. */
static double try_method(const listrank_options *options, int64_t n)
{
    void *state = listrank_problem.begin(options, n);
    double least_s = INFINITY;
    for (int run = 0; run < RUNS && (run < 2 || least_s < long_s); run++) {
        listrank_problem.fill(state, run);
        bsp_sync();
        double begin_s = cm_time();
        listrank_problem.solve(state);
        least_s = fmin(least_s, sscrap_max(cm_time() - begin_s));
    }
    listrank_problem.end(state);
    return least_s;
}

void listrank_try(cm_group *all, listrank_options *options)
{
    listrank_place *place = &options->place;
    int p = cm_size(all);
    int64_t n = options->job.size;
    if (options->method != LISTRANK_AUTO || place->one_host || p == 1) return;
    if (n > (int64_t)NODES * p) n = (int64_t)NODES * p;
    cm_bsp_begin(all);
    for (int method = LISTRANK_COPIES; method < LISTRANK_METHODS; method++) {
        listrank_options given = *options;
        given.method = method;
        if (!listrank_method_usable(options, method, options->job.size, p)) continue;
        place->tried_s[method] = try_method(&given, n);
        place->tried = n;
    }
    cm_bsp_end();
}
