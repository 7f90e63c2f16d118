/* SPDX-License-Identifier: BSD-3-Clause */
/* sscrap_series.h: all rows of a result, shared by the files behind sscrap_run. */
#ifndef SSCRAP_SERIES_H
#define SSCRAP_SERIES_H

#include "sscrap.h"

typedef struct {
    const sscrap_job *job;
    const sscrap_problem *problem;
    const void *options;
    cm_group *all;     /* the processes that may take part */
    cm_result *result; /* on rank 0 */
    double clock_hz;
    const char *clock_source;
    sscrap_checks checks;
    cm_sample_tally tally;
    int64_t last_size;
    cm_summary last_s;
    const char *took; /* in the last row */
} sscrap_series;

/* ---- sscrap_check.c ---- */
/* Checks the memory for the number of processes that needs most on this host, divided among its
   ranks. */
void sscrap_require_memory(const sscrap_series *series);

/* ---- sscrap_result.c ---- */
/* On rank 0: opens the result. */
void sscrap_result_open(sscrap_series *series, const cm_benchmark *benchmark);
/* On the processes of an SPMD part: writes the row of a size. */
void sscrap_result_row(sscrap_series *series, int64_t size, const sscrap_measured *measured);
/* On rank 0: writes checks and metric. Returns the status. */
int sscrap_result_close(sscrap_series *series);

#endif
