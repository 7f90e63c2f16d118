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

/* Rank 0's end, and what its trains say beside the time that they take. */
typedef struct {
    cm_pair_channel channel; /* first: kernels get its address */
    double delay_s;          /* wanted between messages, and before a late receive */
    double waited_s;         /* by the last delayed train, all its delays together */
    double receive_s;        /* the last late receive */
} loggp_end;

/* loggp_kernels.c: PRTT(n, d, s) of Hoefler et al. (2007), iterations being n and bytes s: n
   messages, d apart, then one answer of the same size. The following end is the same for all. */
typedef enum { LOGGP_TRAIN, LOGGP_DELAYED, LOGGP_LATE, LOGGP_KERNELS } loggp_kernel;
extern const cm_pair_mode loggp_modes[LOGGP_KERNELS];

/* Seconds from one reading of the clock to the next: they are in what is timed between two. */
double loggp_clock_s(void);

int loggp_run(const cm_benchmark *benchmark, int argc, char **argv); /* loggp_run.c */

extern const cm_metric loggp_metrics[]; /* of the RESULT lines */

#endif
