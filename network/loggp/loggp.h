/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp.h: what the parts of cm-loggp share. */
#ifndef LOGGP_H
#define LOGGP_H

#include "pairs/job.h"

typedef struct {
    int64_t lower_bytes, upper_bytes, train;
    cm_sampling sampling;
    cm_result_files files;
} loggp_options;

/* ---- loggp_check.c -------------------------------------------------------------------------- */

int loggp_check(const cm_program *program, void *options);

/* ---- loggp_kernels.c ------------------------------------------------------------------------ */

/* Rank 0's end, and what its trains say beside the time that they take. */
typedef struct {
    cm_pair_channel channel; /* first: kernels get its address */
    double delay_s;          /* wanted between messages, and before a late receive */
    double waited_s;         /* by the last delayed train, all its delays together */
    double receive_s;        /* the last late receive */
} loggp_end;

/* PRTT(n, d, s) of Hoefler et al. (2007), iterations being n and bytes s: n messages, d apart, then
   one answer of the same size. The following end is the same for all. */
typedef enum { LOGGP_TRAIN, LOGGP_DELAYED, LOGGP_LATE, LOGGP_KERNELS } loggp_kernel;
extern const cm_pair_mode loggp_modes[LOGGP_KERNELS];

/* Seconds from one reading of the clock to the next: they are in what is timed between two. */
double loggp_clock_s(void);

/* ---- loggp_result.c: rank 0 writes ---------------------------------------------------------- */

/* What is timed at one size. In turns, so that what else the machine does meets all of them. */
typedef enum {
    LOGGP_TRIP_S,
    LOGGP_TRAIN_S,
    LOGGP_DELAYED_S,
    LOGGP_RECEIVE_S,
    LOGGP_TIMES
} loggp_time;

/* What comes of it, in seconds; [LOGGP_TIMES] medians. */
typedef struct {
    cm_summary time_s[LOGGP_TIMES];
    double delay_s;                  /* between two messages of the delayed train, mean */
    double gap_s, send_s, receive_s; /* g + (s - 1) G; the overheads */
} loggp_point;

/* With columns and metadata; or the job ends with one line. All ranks must be following. clock_s:
   loggp_clock_s. */
cm_result *loggp_result_open(const cm_benchmark *benchmark, int argc, char **argv, loggp_end *end,
                             double clock_s);
/* trips: samples of LOGGP_TRIP_S. */
void loggp_result_row(cm_result *result, const loggp_options *options, int64_t bytes,
                      const loggp_point *p, const cm_samples *trips);

/* What the parameters are fitted to: sizes whose times are above 0. */
typedef struct {
    size_t n;
    double *bytes, *following, *trip_s, *gap_s, *send_s, *receive_s, *overhead_s; /* [n] */
} loggp_lists;
/* Parameters, prediction, check and verdicts; half_trip_s: of the smallest size. Returns the exit
   status. */
int loggp_result_close(cm_result *result, const cm_pair_damage *damage,
                       const cm_sample_tally *tally, const loggp_lists *lists, double half_trip_s);

/* ---- loggp_run.c ---------------------------------------------------------------------------- */

int loggp_run(const cm_benchmark *benchmark, int argc, char **argv);

extern const cm_metric loggp_metrics[]; /* of the RESULT lines */

#endif
