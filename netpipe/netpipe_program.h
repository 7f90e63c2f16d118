/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_program.h: what the parts of cm-netpipe itself share. */
#ifndef NETPIPE_PROGRAM_H
#define NETPIPE_PROGRAM_H

#include "netpipe_write.h"

typedef struct {
    int64_t lower_bytes, upper_bytes, perturbation_bytes;
    bool stream, reverse, both, turns, pairs, early;   /* which mode */
    int policy;                /* netpipe_policy */
    bool invalidate;           /* policy cold */
    const char *offsets;       /* "SEND,RECEIVE"; NULL: none */
    int64_t socket_bytes;      /* 0: as the system has it */
    netpipe_sampling sampling;
    int64_t most_trials;       /* goes to sampling.rule.most; 0: the mode's default */
    int64_t sweeps;
    bool bind;
    cm_result_files files;

    netpipe_layout layout;     /* found from the above */
    const netpipe_mode *mode;
} netpipe_options;

/* ---- netpipe_options.c ---------------------------------------------------------------------- */

/* Parses argv and fills in *program, but for its table. Returns a status to end with, or
   CM_OPTION_RUN; then *refused is 0, or the status with which all ranks end once they have met in
   cm_init: options do not go together, or ask for what this host has not. */
int netpipe_options_parse(int argc, char **argv, netpipe_options *options, cm_program *program,
                          int *refused);

/* Bytes that one rank takes for its buffers and, as rank 0, for the times of single turns. */
size_t netpipe_options_memory(const netpipe_options *options);

/* ---- netpipe_lead.c ------------------------------------------------------------------------- */

/* Rank 0: measures everything, writes the result, ends the others' following. Returns the exit
   status. */
int netpipe_lead(const cm_program *program, int argc, char **argv, const netpipe_options *options,
                 netpipe_channel *channel);

/* ---- netpipe_table.c ------------------------------------------------------------------------ */

/* Opens the result with the columns of the mode. NULL: out of memory, or said why. */
cm_result *netpipe_table_open(const cm_program *program, int argc, char **argv,
                              const netpipe_options *options);

/* One row, and what else there is to say of a size. False: out of memory. */
bool netpipe_table_row(cm_result *result, const netpipe_options *options,
                       const netpipe_channel *channel, const netpipe_point *point, int64_t sweep);

/* Of messages of so many bytes, all directions and all pairs together. */
double netpipe_Mbit_per_s(const netpipe_options *options, double bytes, double time_s);

/* ---- netpipe_metadata.c --------------------------------------------------------------------- */

void netpipe_write_metadata(cm_result *result, const netpipe_options *options,
                            netpipe_channel *channel);

/* ---- netpipe_distribution.c ----------------------------------------------------------------- */

/* How the times of single turns are distributed. Percentiles 90, 95, 99, 99.9 and 99.99; NaN
   where n (1 - p) < 1, for then no sample stands for what lies above. False: out of memory. */
enum { NETPIPE_PERCENTILES = 5 };
extern const double netpipe_percentile[NETPIPE_PERCENTILES];   /* as fractions */
bool netpipe_percentiles(const cm_samples *samples, double value[NETPIPE_PERCENTILES]);

/* Comment lines "# histogram: size_bytes=.. sweep=.. from_s=.. to_s=.. count=..": 20 bins a
   decade, those that hold samples. */
void netpipe_write_histogram(cm_result *result, const netpipe_point *point, int64_t sweep);

#endif
