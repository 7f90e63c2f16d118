/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_clock.c: clocks that differ and drift by known amounts are synchronised within the
   reported error, and ranks begin together. All ranks are on one host, whose own clock is the
   truth. */
#include <math.h>
#include <time.h>
#include "../network/collective/collective_clock.h"
#include "contract.h"

static const double drift_of_rank = 1e-4, offset_of_rank_s = 1000;

static double truth(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What a rank's clock says at some moment. */
static double said(int whose, double true_s)
{
    return true_s * (1 + drift_of_rank * whose) - offset_of_rank_s * whose;
}
static double read_clock(void) { return said(rank, truth()); }

static void rest(double wanted_s)
{
    for (double begin_s = truth(); truth() - begin_s < wanted_s;) cm_progress();
}

/* The error of synchronising, plus that of the time since then, plus rounding of the seconds since
   the host booted. */
static double bound_s(const collective_clock *clock, double local_s)
{
    double drift = drift_of_rank * (rank + 1);
    return clock->error_s + 2 * drift * fabs(local_s - clock->last.local_s) + 1e-7;
}

static void test_agree(collective_clock *clock)
{
    point("clocks of other rates and beginnings agree as well as they say");
    for (int k = 0; k < 6; k++) {
        collective_clock_synchronise(clock);
        for (int moment = 0; moment < 100; moment++) {
            double now_s = truth(), local_s = said(rank, now_s);
            double away_s = collective_clock_common(clock, local_s) - said(0, now_s);
            EXPECT(fabs(away_s) <= bound_s(clock, local_s), "time %d: %g s away, error %g s", k,
                   away_s, clock->error_s);
        }
        rest(0.04);
    }
    EXPECT(clock->synchronised == 6 && clock->error_s > 0 - (size == 1)
               && clock->error_s <= clock->widest_s,
           "%d times, %g s", clock->synchronised, clock->error_s);
}

static void test_drift(const collective_clock *clock)
{
    point("a drift that is known is the right one");
    double known_s = clock->last.local_s - clock->first.local_s;
    double error = (clock->first.error_s + clock->last.error_s) / known_s + 1e-7;
    double fast = drift_of_rank * rank; /* seconds that the clock gains in one of rank 0's */
    if (rank > 0 && clock->drift != 0)
        EXPECT(fabs(clock->drift + fast / (1 + fast)) < error + 1e-7, "drift %.9g, error %g",
               clock->drift, error);
}

static void test_begin(const collective_clock *clock)
{
    point("ranks that do not say that they are late begin together");
    double first_s = 0;
    if (rank == 0) first_s = truth() + 0.01;
    cm_bcast(world, &first_s, sizeof first_s, 0, CM_AUTO);
    for (int k = 0; k < 50; k++) {
        double wanted_s = first_s + 1e-3 * k;
        double late_s = collective_clock_wait(clock, wanted_s), now_s = truth();
        /* A rank that was interrupted after its last reading of the clock does not know it. */
        double before_s = said(0, now_s) - wanted_s, error_s = bound_s(clock, read_clock());
        EXPECT(late_s >= 0 && before_s >= late_s - error_s, "%g s before the time", -before_s);
    }
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    collective_clock clock;
    collective_clock_open(&clock, world, read_clock);
    test_agree(&clock);
    test_drift(&clock);
    test_begin(&clock);
    return contract_done();
}
