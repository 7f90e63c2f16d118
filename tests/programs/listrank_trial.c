/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_trial.c: the trials by which cm-listrank chooses its method on several hosts: each that
   could be taken is timed, all processes learn the same times, and the fastest is taken. */
#include "../sscrap/listrank/listrank.h"
#include "contract.h"

enum { NODES = 5000 };

static listrank_options options_of(int method, bool one_host)
{
    listrank_options options = listrank_defaults;
    options.method = method;
    options.job.size = NODES;
    options.place = (listrank_place){.processes = size, .here = 1, .one_host = one_host};
    return options;
}

static bool same_on_all(double value)
{
    double least, most;
    cm_allreduce(world, &value, &least, 1, CM_DOUBLE, CM_MIN, CM_AUTO);
    cm_allreduce(world, &value, &most, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    return least == most;
}

static void tries_each(void)
{
    listrank_options options = options_of(LISTRANK_AUTO, false);
    point("each usable method is timed");
    listrank_try(world, &options);
    int taken = listrank_method_of(&options, NODES, size, false);
    EXPECT(options.place.tried == (size > 1 ? NODES : 0), "%lld nodes",
           (long long)options.place.tried);
    for (int method = LISTRANK_COPIES; method < LISTRANK_METHODS && size > 1; method++) {
        double s = options.place.tried_s[method];
        bool usable = listrank_method_usable(&options, method, NODES, size);
        EXPECT(usable == (s > 0), "method %d: %g s", method, s);
        EXPECT(same_on_all(s), "method %d: %g s here", method, s);
        EXPECT(!usable || s >= options.place.tried_s[taken], "method %d, not %d", method, taken);
    }
}

static void tries_none(const char *why, listrank_options options)
{
    point("no trial: %s", why);
    listrank_try(world, &options);
    EXPECT(options.place.tried == 0, "%lld nodes", (long long)options.place.tried);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    tries_each();
    tries_none("one host", options_of(LISTRANK_AUTO, true));
    tries_none("a method is given", options_of(LISTRANK_RULERS, false));
    return contract_done();
}
