/* SPDX-License-Identifier: BSD-3-Clause */
/* stops.c: records which ranks are stopped, and since when. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "launch/stops.h"

typedef struct {
    int signal;
    double since_s;
} stop;

struct stops {
    int ranks, stopped;
    bool paused;
    stop *rank;
};

stops *stops_new(int ranks)
{
    stops *stops = calloc(1, sizeof *stops);
    stop *rank = calloc((size_t)ranks, sizeof *rank);
    if (!stops || !rank) {
        free(stops);
        free(rank);
        return NULL;
    }
    stops->ranks = ranks;
    stops->rank = rank;
    return stops;
}

void stops_free(stops *stops)
{
    if (stops) free(stops->rank);
    free(stops);
}

void stops_note(stops *stops, int rank, int signal, double now_s)
{
    stop *stop = &stops->rank[rank];
    stops->stopped += (signal != 0) - (stop->signal != 0);
    stop->signal = signal;
    stop->since_s = now_s;
}

void stops_pause(stops *stops, bool pause, double now_s)
{
    stops->paused = pause;
    for (int i = 0; i < stops->ranks; i++) stops->rank[i].since_s = now_s;
}

int stops_find(const stops *stops, double limit_s, double now_s, int *signal, double *next_s)
{
    *next_s = INFINITY;
    if (stops->stopped == 0 || stops->paused) return -1;
    for (int i = 0; i < stops->ranks; i++) {
        const stop *stop = &stops->rank[i];
        if (!stop->signal) continue;
        *signal = stop->signal;
        if (now_s >= stop->since_s + limit_s) return i;
        *next_s = fmin(*next_s, stop->since_s + limit_s);
    }
    return -1;
}
