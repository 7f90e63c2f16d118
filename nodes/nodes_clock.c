/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_clock.c: how far the hosts' times of day are apart (Cristian, Distributed Computing 3
   (1989) 146): the other clock is read between two readings of the own one, and the narrowest
   of some tries counts. */
#include <math.h>
#include <time.h>
#include "nodes.h"

enum { TRIES = 20 };

static double time_of_day_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void answer(void)
{
    double now_s;
    for (int k = 0; k < TRIES; k++) {
        if (k == 0) nodes_wait(NULL, 0, 0, NODES_TAG_CLOCK);
        else cm_recv(cm_world(), NULL, 0, 0, NODES_TAG_CLOCK, NULL);
        now_s = time_of_day_s();
        cm_send(cm_world(), &now_s, sizeof now_s, 0, NODES_TAG_CLOCK);
    }
}

static void ask(int rank, double *offset_s, double *error_s)
{
    *error_s = INFINITY;
    for (int k = 0; k < TRIES; k++) {
        double theirs_s, begin_s = time_of_day_s();
        cm_send(cm_world(), NULL, 0, rank, NODES_TAG_CLOCK);
        if (k == 0) nodes_wait(&theirs_s, sizeof theirs_s, rank, NODES_TAG_CLOCK);
        else cm_recv(cm_world(), &theirs_s, sizeof theirs_s, rank, NODES_TAG_CLOCK, NULL);
        double end_s = time_of_day_s();
        if (end_s < begin_s || (end_s - begin_s) / 2 >= *error_s) continue;
        *error_s = (end_s - begin_s) / 2;
        *offset_s = theirs_s - (begin_s + *error_s);
    }
}

void nodes_clock(const nodes_place *place, double *offset_s, double *error_s)
{
    if (cm_rank(cm_world()) != 0) {
        if (place->is_first) answer();
        return;
    }
    offset_s[0] = error_s[0] = 0;
    for (int host = 1; host < place->hosts; host++)
        ask(place->first[host], &offset_s[host], &error_s[host]);
}
