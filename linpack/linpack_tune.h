/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_tune.h: --tune: the settings that are tried before an order is solved. */
#ifndef LINPACK_TUNE_H
#define LINPACK_TUNE_H

#include "linpack_program.h"

typedef struct {
    linpack_grid grid;
    int panel, look_ahead, slices, threads, exchange;
    const char *broadcast;
    double predicted_s; /* of a factorization; NaN: it could not be tried */
} linpack_setting;

enum { LINPACK_SETTINGS_MOST = 32 };
/* The same on all ranks. */
typedef struct {
    linpack_setting tried[LINPACK_SETTINGS_MOST];
    int n, chosen;           /* 0 is what is used without --tune */
    int again;               /* how often both of these were timed once more */
    double spent_s, limit_s; /* seconds of trying, and how many were allowed */
} linpack_tuning;

/* Tries settings for an order, and sets own to the options with the best of them. The BLAS has its
   number of threads then. All ranks call it. */
void linpack_tune(const linpack_system *system, int order, linpack_options *own,
                  linpack_tuning *tuning);
/* Writes what was tried. */
void linpack_tune_tell(cm_result *result, int order, const linpack_tuning *tuning);

/* ---- linpack_tune_trial.c -------------------------------------------------------------------- */
/* Returns the time that a factorization of this order with these options takes, by a few of its
   panels, the slowest rank's; NaN if the order has too few panels. All ranks call it. */
double linpack_tune_trial(const linpack_system *system, const linpack_options *options, int order);

/* ---- linpack_tune_again.c -------------------------------------------------------------------- */
enum { LINPACK_AGAIN_LEAST = 5, LINPACK_AGAIN_MOST = 12 };
typedef struct {
    double setting[LINPACK_AGAIN_MOST], usual[LINPACK_AGAIN_MOST]; /* times, in seconds */
    int n;                                                         /* of each */
    double setting_s, usual_s; /* their medians, if there are enough */
} linpack_comparison;
typedef struct {
    double (*time_s)(void *context, bool usual); /* NaN: it could not be told */
    bool (*has_time)(void *context);             /* for more than the least of comparisons */
    void *context;
} linpack_contest;
/* Returns true if a setting is faster than the usual one, by more than noise. */
bool linpack_tune_compare(const linpack_contest *contest, linpack_comparison *comparison);

#endif
