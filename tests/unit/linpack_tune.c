/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_tune.c: when cm-linpack --tune takes another setting: two settings of known times, on a
   machine whose disturbances are made up. */
#include "../linpack/linpack_tune.h"
#include "random.h"
#include "tap.h"

/* Disturbances come and last a while: a trial in one takes up to twice as long. Noise is uniform,
   on each side of 1. */
static struct {
    uint64_t state;
    double setting_s, usual_s, noise, busy; /* busy: part of the time */
    int disturbed, calls, most;             /* most: calls that there is time for */
    double unknown;                         /* part of the trials that cannot tell */
} machine;

static double next(void) { return random_uniform(&machine.state); }

static double time_s(void *context, bool usual)
{
    (void)context;
    machine.calls++;
    if (machine.disturbed > 0) machine.disturbed--;
    else if (next() < machine.busy) machine.disturbed = 1 + (int)(8 * next());
    const double slower = machine.disturbed > 0 ? 1 + next() : 1;
    if (next() < machine.unknown) return NAN;
    return (usual ? machine.usual_s : machine.setting_s) * slower
           * (1 + machine.noise * (2 * next() - 1));
}

static bool has_time(void *context)
{
    (void)context;
    return machine.calls + 2 <= machine.most;
}

/* Returns how many of a thousand comparisons take the setting. */
static int taken(double setting_s, double noise, double busy, double unknown)
{
    const linpack_contest contest = {time_s, has_time, NULL};
    int n = 0;
    for (int k = 0; k < 1000; k++) {
        linpack_comparison comparison;
        machine.state = 1 + (uint64_t)k;
        machine.setting_s = setting_s, machine.usual_s = 1, machine.noise = noise;
        machine.busy = busy, machine.unknown = unknown;
        machine.disturbed = machine.calls = 0;
        machine.most = 1000;
        n += linpack_tune_compare(&contest, &comparison);
    }
    return n;
}

/* Without time for more, a setting of half the time. */
static bool is_taken_at_once(double unknown)
{
    const linpack_contest contest = {time_s, has_time, NULL};
    linpack_comparison comparison;
    taken(0.5, 0, 0, 0);
    machine.unknown = unknown;
    machine.calls = machine.most = 0;
    return linpack_tune_compare(&contest, &comparison);
}

static void check(const char *what, int got, int least, int most)
{
    if (!ok(got >= least && got <= most, "%s", what))
        printf("# taken %d of 1000 times, not %d to %d\n", got, least, most);
}

int main(void)
{
    /* Eight tests, each of which wrongly finds one setting faster with probability 0.005. */
    check("the same time, little noise", taken(1, 0.01, 0, 0), 0, 0);
    check("the same time, much noise", taken(1, 0.2, 0, 0), 0, 40);
    check("the same time, a busy machine", taken(1, 0.02, 0.3, 0), 0, 40);
    check("slower, a busy machine", taken(1.1, 0.02, 0.3, 0), 0, 5);
    check("faster by less than 3 %", taken(0.98, 0.001, 0, 0), 0, 0);
    check("faster, little noise", taken(0.9, 0.02, 0, 0), 1000, 1000);
    check("faster, a machine that is sometimes busy", taken(0.8, 0.02, 0.02, 0), 900, 1000);
    check("faster, and a third of the trials tell nothing", taken(0.8, 0.02, 0, 0.15), 950, 1000);
    check("no trial tells anything", taken(0.5, 0, 0, 1), 0, 0);
    ok(is_taken_at_once(0) && machine.calls == 10, "five of each without time for more");
    ok(!is_taken_at_once(1) && machine.calls == 10, "but no more");
    return tap_done();
}
