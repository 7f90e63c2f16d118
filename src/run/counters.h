/* SPDX-License-Identifier: BSD-3-Clause */
/* counters.h: the counters of errors and throttling that moved while a benchmark ran, of each
   host. */
#ifndef CM_RUN_COUNTERS_H
#define CM_RUN_COUNTERS_H

#include "result/result.h"

typedef struct cm_run_counters cm_run_counters;

/* Reads them for the first time, on the first rank of each host. All ranks of the world call it.
   root is a prefix of every path. Returns NULL under a simulator. */
cm_run_counters *cm_run_counters_begin(const char *root);

/* On rank 0: gives the result the metadata counters_watched and counters_not_readable, and defers
   closing it until cm_run_counters_end. counters may be NULL. */
void cm_run_counters_tell(cm_run_counters *counters, cm_result *result);

/* Reads them again, and writes a comment for each that moved, "counters: HOST: ...", or that none
   did. All ranks call it when they have run the benchmark. */
void cm_run_counters_end(cm_run_counters *counters);

/* On rank 0: finishes the result. Frees the counters. Returns the exit status: the worse one of
   status and that of writing. */
int cm_run_counters_finish(cm_run_counters *counters, int status);

#endif
