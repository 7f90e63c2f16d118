/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp.c: the pauses of cm-loggp last as long as asked for, and the core is yielded meanwhile.
   This test simulates clock and processor. */
#include <sched.h>
static int fake_yield(void);
#define cm_time fake_time
#define sched_yield fake_yield
#include "../network/loggp/loggp_kernels.c"
#undef cm_time
#undef sched_yield
#include "tap.h"

static double now_s, away_s;
static int yields;

double fake_time(void) { return now_s += 25e-9; }

/* Whoever wants the core keeps it for so long. */
static int fake_yield(void)
{
    yields++;
    now_s += away_s;
    return 0;
}

/* A pause of so long while another rank takes AWAY of each turn. */
static double paused(double delay_s, double away)
{
    double begin_s = now_s;
    yields = 0, away_s = away;
    double told_s = pause_s(delay_s);
    ok(told_s >= delay_s, "%g s: not shorter", delay_s);
    double lasted_s = now_s - begin_s;
    ok(told_s <= lasted_s && told_s > lasted_s - 60e-9, "%g s: as long as it says", delay_s);
    return told_s;
}

int main(void)
{
    /* Another rank's time to answer once it has the core, and a pause that is shorter. */
    double answer_s = 20e-6, delay_s = 100e-6, told_s = paused(delay_s, 0);
    ok(told_s < delay_s + 100e-9, "nobody else: it ends in time");
    ok(yields >= 2, "the core is given away more than once in a pause: %d", yields);
    ok(yields < 50, "and not all the time: %d", yields);
    paused(delay_s, answer_s);
    ok(yields >= 1, "the other rank answers within the pause");
    told_s = paused(delay_s, 0.01);
    ok(yields == 1 && told_s > 0.01, "what another one keeps of it counts");
    paused(0, 0);
    ok(yields == 0, "no pause, nothing given away");
    return tap_done();
}
