/* SPDX-License-Identifier: BSD-3-Clause */
/* sum.h: declarations that the files of cm-sum share. */
#ifndef SUM_H
#define SUM_H

#include <stdint.h>
#include "run/run.h"
#include "sample/sample.h"

enum { SUM_WORD_BYTES = sizeof(int64_t) };

typedef struct {
    int64_t upper_bytes; /* largest vector of a rank */
    cm_sampling sampling;
    cm_result_files files;
} sum_options;

extern const cm_metric sum_metrics[];

/* ---- sum_check.c: for the check of cm_benchmark ---- */
int sum_check(const cm_program *program, void *options);

/* ---- sum_run.c: for the run of cm_benchmark ---- */
int sum_run(const cm_benchmark *benchmark);

/* ---- sum_result.c: rank 0 writes ---- */
cm_result *sum_result_open(const cm_benchmark *benchmark);
void sum_result_row(cm_result *result, int64_t bytes, const cm_summary *summary,
                    const cm_samples *samples);
/* smallest_s: time of the smallest vector. Returns the exit status. */
int sum_result_close(cm_result *result, const cm_sample_tally *tally, double wrong,
                     const cm_summary *smallest);

#endif
