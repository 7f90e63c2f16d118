/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe.h: declarations that the files of cm-netpipe share. */
#ifndef NETPIPE_H
#define NETPIPE_H

#include "pairs/job.h"

enum { NETPIPE_MOST_WINDOW = 4096 };
enum { NETPIPE_EACH, NETPIPE_SHARED };             /* of --window-buffers */
extern const char *const netpipe_window_buffers[]; /* their names, NULL at the end */

typedef struct {
    int64_t lower_bytes, upper_bytes, perturbation_bytes;
    bool stream, reverse, both, overlap, turns, pairs, early; /* select the mode */
    bool distances;                                           /* netpipe_distances.h */
    int policy;                                               /* cm_pair_policy */
    int64_t window;                                           /* messages in flight; 0: one */
    int window_buffers;                                       /* NETPIPE_EACH, _SHARED */
    bool invalidate;                                          /* same as policy cold */
    int memory;                                               /* cm_pair_memory */
    const char *offsets;                                      /* "SEND,RECEIVE"; NULL: none */
    int64_t socket_bytes;                                     /* 0: the system's default */
    cm_sampling sampling; /* until the check most = 0, half-width and time limit -1: not given */
    bool integrity;
    int64_t sweeps;
    cm_result_files files;
    cm_benchmark *benchmark; /* --pairs changes its numbers of ranks */

    cm_pair_layout layout; /* set by netpipe_check, as all below */
    const cm_pair_mode *mode;
    cm_pair_mode window_mode; /* --window: what mode points to */
} netpipe_options;

/* ---- netpipe_check.c ------------------------------------------------------------------------ */

/* The check of cm_benchmark. It also sets the values that follow from the options. */
int netpipe_check(const cm_program *program, void *options);

/* Ends the job with one line if the buffers, or on rank 0 the times of single turns, do not fit in
   memory. Every rank calls it before anything else. */
void netpipe_require_memory(const netpipe_options *options);

/* ---- netpipe_overlap.c ---------------------------------------------------------------------- */

/* The part of an exchange's time that hides behind computing of the same length: 1 - (time of both
   together - time of computing) / time of the exchange. Medians are over trials that measure the
   three in turn. */
enum { NETPIPE_SILENT, NETPIPE_PROGRESS, NETPIPE_WAYS };
typedef struct {
    double total_s;
    cm_quantity overlap;
} netpipe_hidden;
typedef struct {
    double unit_s; /* time of a unit of computing; 0: not yet measured */
    double compute_s;
    netpipe_hidden way[NETPIPE_WAYS]; /* without and with calls of cm_progress */
} netpipe_overlapped;

/* Measures the overlap at the point that cm_pair_measure has just measured. Returns false if there
   is no memory; wrong data are reported as by cm_pair_measure. */
bool netpipe_measure_overlap(cm_pair_channel *channel, const cm_pair_mode *mode,
                             const cm_sampling *sampling, const cm_pair_point *point,
                             netpipe_overlapped *overlapped);

/* ---- netpipe_distribution.c ----------------------------------------------------------------- */

/* Computes the percentiles 90, 95, 99, 99.9 and 99.99 of the times of single turns. A percentile is
   NaN if n (1 - p) < 1, because no sample would lie above it. Returns false if there is no
   memory. */
enum { NETPIPE_PERCENTILES = 5 };
bool netpipe_percentiles(const cm_samples *samples, double value[NETPIPE_PERCENTILES]);

/* Writes comment lines "# histogram: size_bytes=.. sweep=.. from_s=.. to_s=.. count=..": 20 bins
   per decade, only those that hold samples. */
void netpipe_write_histogram(cm_result *result, const cm_pair_point *point, int64_t sweep);

/* ---- netpipe_result.c: rank 0 writes -------------------------------------------------------- */

/* Opens the result with the columns of the mode and writes the metadata. Ends the job with one line
   if it cannot. All other ranks must be in cm_pairs_follow. */
cm_result *netpipe_result_open(const cm_benchmark *benchmark, cm_pair_channel *channel);

/* Writes the metadata of the mode, the buffers and the sampling. */
void netpipe_result_conditions(cm_result *result, const netpipe_options *options);

/* The medians of all sweeps. */
typedef struct {
    size_t sizes;
    double *bytes;          /* [size] */
    double *median_s;       /* [sweep * sizes + size] */
    cm_summary *time_s;     /* [size], of the last sweep */
    double largest_s;       /* of all samples of short messages (CM_PAIR_SHORT_BYTES) */
    cm_disturbed disturbed; /* values of some row are of disturbed samples, too */
    cm_sample_tally tally;
    netpipe_overlapped overlapped; /* of the last size */
    cm_pair_cost cost;             /* likewise */
} netpipe_found;

/* Writes a row, and the histogram of single turns. Returns false if there is no memory. */
bool netpipe_result_row(cm_result *result, const netpipe_options *options,
                        const cm_pair_channel *channel, const cm_pair_point *point,
                        const netpipe_found *found, int64_t sweep);

/* Writes fits, check and metrics. Returns the exit status. */
int netpipe_result_close(cm_result *result, const netpipe_options *options,
                         const cm_pair_damage *damage, const netpipe_found *found);

/* ---- netpipe_run.c -------------------------------------------------------------------------- */

int netpipe_run(const cm_benchmark *benchmark);

extern const cm_metric netpipe_metrics[]; /* of the RESULT lines */
extern const cm_labels netpipe_labels[];

#endif
