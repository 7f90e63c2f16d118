/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe.h: what the parts of cm-netpipe share. */
#ifndef NETPIPE_H
#define NETPIPE_H

#include "pairs/job.h"

typedef struct {
    int64_t lower_bytes, upper_bytes, perturbation_bytes;
    bool stream, reverse, both, overlap, turns, pairs, early; /* which mode */
    int policy;                                               /* cm_pair_policy */
    bool invalidate;                                          /* policy cold */
    const char *offsets;                                      /* "SEND,RECEIVE"; NULL: none */
    int64_t socket_bytes;                                     /* 0: as the system has it */
    cm_sampling sampling;                                     /* most 0: the mode's default */
    bool integrity;
    int64_t sweeps;
    cm_result_files files;
    cm_benchmark *benchmark; /* whose ranks --pairs changes */

    cm_pair_layout layout; /* found from the above */
    const cm_pair_mode *mode;
} netpipe_options;

/* ---- netpipe_check.c ------------------------------------------------------------------------ */

/* For cm_benchmark's check; sets what follows from the options, too. */
int netpipe_check(const cm_program *program, void *options);

/* Every rank, first of all: memory for buffers and, of rank 0, the times of single turns; or the
   job ends with one line. */
void netpipe_require_memory(const netpipe_options *options);

/* ---- netpipe_overlap.c ---------------------------------------------------------------------- */

/* How much of an exchange's time is hidden behind computing that lasts as long: 1 - (time of both
   together - time of computing) / time of the exchange, medians of trials that take the three in
   turn. */
enum { NETPIPE_SILENT, NETPIPE_PROGRESS, NETPIPE_WAYS };
typedef struct {
    double total_s, overlap, low, high;
} netpipe_hidden;
typedef struct {
    double unit_s; /* of computing; 0: not yet measured */
    double compute_s;
    netpipe_hidden way[NETPIPE_WAYS]; /* without and with calls of cm_progress */
} netpipe_overlapped;

/* After cm_pair_measure of the same point. False: out of memory; wrong data as
   cm_pair_measure's. */
bool netpipe_measure_overlap(cm_pair_channel *channel, const cm_pair_mode *mode,
                             const cm_sampling *sampling, const cm_pair_point *point,
                             netpipe_overlapped *overlapped);

/* ---- netpipe_distribution.c ----------------------------------------------------------------- */

/* How the times of single turns are distributed. Percentiles 90, 95, 99, 99.9 and 99.99; NaN
   where n (1 - p) < 1, for then no sample stands for what lies above. False: out of memory. */
enum { NETPIPE_PERCENTILES = 5 };
bool netpipe_percentiles(const cm_samples *samples, double value[NETPIPE_PERCENTILES]);

/* Comment lines "# histogram: size_bytes=.. sweep=.. from_s=.. to_s=.. count=..": 20 bins a
   decade, those that hold samples. */
void netpipe_write_histogram(cm_result *result, const cm_pair_point *point, int64_t sweep);

/* ---- netpipe_result.c: rank 0 writes -------------------------------------------------------- */

/* With the columns of the mode, and metadata; or the job ends with one line. All ranks must be
   following. */
cm_result *netpipe_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                               cm_pair_channel *channel);

/* One row, and what else there is to say of a size. False: out of memory. */
bool netpipe_result_row(cm_result *result, const netpipe_options *options,
                        const cm_pair_channel *channel, const cm_pair_point *point,
                        const netpipe_overlapped *overlapped, int64_t sweep);

/* What all sweeps found. */
typedef struct {
    size_t sizes;
    double *bytes;    /* [size] */
    double *median_s; /* [sweep * sizes + size] */
    cm_sample_tally tally;
    netpipe_overlapped overlapped; /* of the last size */
} netpipe_found;

/* Fits, check and verdicts. Returns the exit status. */
int netpipe_result_close(cm_result *result, const netpipe_options *options,
                         const cm_pair_damage *damage, const netpipe_found *found);

/* ---- netpipe_run.c -------------------------------------------------------------------------- */

int netpipe_run(const cm_benchmark *benchmark, int argc, char **argv);

extern const cm_metric netpipe_metrics[]; /* of the RESULT lines */

#endif
