/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp.h: what the parts of cm-loggp share. */
#ifndef LOGGP_H
#define LOGGP_H

#include "measure/fit.h"
#include "pairs/job.h"

typedef struct {
    int64_t lower_bytes, upper_bytes, train;
    cm_sampling sampling;
    cm_result_files files;
} loggp_options;

/* ---- loggp_check.c -------------------------------------------------------------------------- */

int loggp_check(const cm_program *program, void *options);

/* ---- loggp_kernels.c ------------------------------------------------------------------------ */

/* The state of rank 0, and what its trains measure besides their total time. */
typedef struct {
    cm_pair_channel channel;  /* first: kernels get its address */
    double delay_s;           /* requested between messages, and before a late receive */
    double train_s;           /* the last train, from its first message to the answer */
    double waited_s;          /* sum of the pauses of the last delayed train */
    double *sends_s;          /* [messages of a train]: the calls of the last delayed train */
    double send_s, receive_s; /* a call of the last delayed train; the last late receive */
} loggp_end;

/* The trains of Hoefler et al. (2007): n messages (iterations) of s bytes, then one answer of the
   same size. DELAYED pauses before each message but the first, LATE before it receives the answer.
   The following end is the same for all. */
typedef enum { LOGGP_TRAIN, LOGGP_DELAYED, LOGGP_LATE, LOGGP_KERNELS } loggp_kernel;
extern const cm_pair_mode loggp_modes[LOGGP_KERNELS];

/* Returns the seconds from one reading of the clock to the next; every timed call includes them. */
double loggp_clock_s(void);

/* ---- loggp_result.c: rank 0 writes ---------------------------------------------------------- */

/* The times measured at one size. The four take turns, so that other activity affects all of them.
   */
typedef enum { LOGGP_TRIP_S, LOGGP_TRAIN_S, LOGGP_SEND_S, LOGGP_RECEIVE_S, LOGGP_TIMES } loggp_time;

/* The results of one size in seconds. */
typedef struct {
    cm_summary time_s[LOGGP_TIMES];
    double delay_s;                  /* pause between two messages of the delayed train */
    double gap_s, send_s, receive_s; /* from message to message of a train; the overheads */
    double first_ns, last_ns;        /* distance of the pair before and after */
} loggp_point;

/* Opens the result with columns and metadata, or ends the job with one line. All ranks must be
   following. clock_s is that of loggp_clock_s. */
cm_result *loggp_result_open(const cm_benchmark *benchmark, loggp_end *end, double clock_s);
/* Adds the row of a size. trips has the samples of LOGGP_TRIP_S. */
void loggp_result_row(cm_result *result, int64_t bytes, const loggp_point *p,
                      const cm_samples *trips);

/* The sizes that take part in the fit, because all their times are above 0. */
typedef struct {
    size_t n;
    double *bytes, *trip_s, *gap_s, *send_s, *receive_s; /* [n] */
    cm_disturbed disturbed;         /* some of the sizes has no undisturbed medians */
    cm_summary call_s[LOGGP_TIMES]; /* of the smallest of the sizes, with readings of the clock */
} loggp_lists;
/* Writes parameters, prediction, check and metrics. trip_s is the round trip of the smallest size.
   Returns the exit status. */
int loggp_result_close(cm_result *result, const cm_pair_damage *damage,
                       const cm_sample_tally *tally, const loggp_lists *lists,
                       const cm_summary *trip_s);

/* ---- loggp_fit.c ---------------------------------------------------------------------------- */

/* Parameters of the sizes up to a change of protocol, and of those above it. */
typedef struct {
    size_t split; /* sizes of `low`; all n if there is no change */
    cm_loggp low, high;
} loggp_protocols;

/* Fits one or two protocols. Returns false if the sizes do not determine the parameters. */
bool loggp_fit(const loggp_lists *lists, loggp_protocols *fit);

/* Writes what was fitted to sizes first .. last - 1 as comments "fit: model=MODEL", and says what
   is left out and why. */
void loggp_fit_write(cm_result *result, const char *model, const loggp_lists *lists, size_t first,
                     size_t last, const cm_loggp *fit);

/* Compares predicted and measured half round trips and gaps of these sizes in a comment. Returns
   what |predicted / measured - 1| of the half round trip is over the sizes. */
cm_summary loggp_fit_predict(cm_result *result, const loggp_lists *lists, size_t first, size_t last,
                             const cm_loggp *fit);

/* ---- loggp_run.c ---------------------------------------------------------------------------- */

int loggp_run(const cm_benchmark *benchmark);

extern const cm_metric loggp_metrics[]; /* of the RESULT lines */

#endif
