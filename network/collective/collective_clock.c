/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_clock.c: gives every rank the time of rank 0's clock. */
#include "config.h"
#include <math.h>
#include <sched.h>
#include "collective_clock.h"

enum { TAG = 3, LEAST_ROUNDS = 10, MOST_ROUNDS = 100 };

/* Quartz clocks are accurate to some 50 parts per million. A drift whose error is larger than that
   is set to 0, which is closer. */
static const double drift_error_wanted = 50e-6;

void collective_clock_open(collective_clock *clock, cm_group *group, double (*read)(void))
{
    *clock = (collective_clock){.group = group, .read = read};
}

double collective_clock_common(const collective_clock *clock, double local_s)
{
    const collective_clock_point *last = &clock->last;
    return local_s + last->offset_s + clock->drift * (local_s - last->local_s);
}

/* ---- One rank with rank 0 ------------------------------------------------------------------- */

/* From rank 0. go = 1 asks for the rank's clock; go = 0 carries the point found. */
typedef struct {
    double go;
    collective_clock_point point;
} word;

/* Stops when LEAST_ROUNDS round trips in a row were no shorter than the shortest. */
static collective_clock_point ask(const collective_clock *clock, int rank)
{
    collective_clock_point best = {.error_s = INFINITY};
    for (int round = 0, since = 0; round < MOST_ROUNDS && since < LEAST_ROUNDS; round++, since++) {
        word now = {.go = 1};
        double theirs_s, before_s = clock->read();
        cm_send(clock->group, &now, sizeof now, rank, TAG);
        cm_recv(clock->group, &theirs_s, sizeof theirs_s, rank, TAG, NULL);
        double after_s = clock->read(), error_s = (after_s - before_s) / 2;
        if (error_s >= best.error_s) continue;
        best = (collective_clock_point){theirs_s, before_s + error_s - theirs_s, error_s};
        since = 0;
    }
    word end = {.point = best};
    cm_send(clock->group, &end, sizeof end, rank, TAG);
    return best;
}

static collective_clock_point answer(const collective_clock *clock)
{
    for (;;) {
        word now;
        cm_recv(clock->group, &now, sizeof now, 0, TAG, NULL);
        if (now.go == 0) return now.point;
        double mine_s = clock->read();
        cm_send(clock->group, &mine_s, sizeof mine_s, 0, TAG);
    }
}

/* ---- All ------------------------------------------------------------------------------------ */

/* Adopts the new point. Returns its distance from what the old points predicted. */
static double take(collective_clock *clock, collective_clock_point point)
{
    double predicted_s = collective_clock_common(clock, point.local_s);
    double jump_s = clock->synchronised ? fabs(point.local_s + point.offset_s - predicted_s) : 0;
    clock->last = point;
    clock->drift = 0;
    if (clock->synchronised++ == 0) clock->first = point;
    double span_s = point.local_s - clock->first.local_s;
    if (clock->first.error_s + point.error_s < drift_error_wanted * span_s)
        clock->drift = (point.offset_s - clock->first.offset_s) / span_s;
    else if (point.error_s < clock->first.error_s / 2) clock->first = point;
    return jump_s;
}

void collective_clock_synchronise(collective_clock *clock)
{
    cm_group *group = clock->group;
    int rank = cm_rank(group), size = cm_size(group);
    collective_clock_point own = {.local_s = clock->read()};
    cm_barrier(group, CM_NATIVE);
    /* All ranks of a simulator read one clock. */
    if (cm_comm_has(CM_HAS_SIMULATOR)) size = 1;
    for (int other = 1; other < size; other++) {
        if (rank == 0) ask(clock, other);
        else if (rank == other) own = answer(clock);
    }
    double mine[2] = {own.error_s, take(clock, own)}, worst[2];
    cm_allreduce(group, mine, worst, 2, CM_DOUBLE, CM_MAX, CM_NATIVE);
    clock->error_s = worst[0];
    clock->widest_s = fmax(clock->widest_s, worst[0]);
    clock->jump_s = fmax(clock->jump_s, worst[1]);
}

double collective_clock_wait(const collective_clock *clock, double common_s)
{
    /* Polls the clock in the last microseconds. Before them it advances messages and yields the
       core to others. A simulator's clock hardly moves while a rank polls: the wait is said. */
    static const double close_s = 50e-6;
    for (;;) {
        double left_s = common_s - collective_clock_common(clock, clock->read());
        if (left_s <= 0) return -left_s;
        cm_compute(0, left_s);
        if (left_s < close_s) continue;
        cm_progress();
        sched_yield();
    }
}
