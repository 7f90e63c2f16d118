/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns.h: declarations that the files of cm-patterns share. The three patterns are those of
   warschko-1995, section 6.1. */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "pairs/job.h"

typedef enum { PATTERNS_PING, PATTERNS_PINGPONG, PATTERNS_EXCHANGE, PATTERNS } patterns_pattern;
extern const char *const patterns_names[]; /* ping, ping-pong, exchange; NULL at the end */

/* The result writes these numbers. A word goes through a kernel that is compiled for its size. */
typedef enum { PATTERNS_WORD, PATTERNS_BLOCK } patterns_transfer;
typedef enum { PATTERNS_WORDS, PATTERNS_BLOCKS, PATTERNS_BOTH } patterns_choice;
extern const char *const patterns_choices[]; /* word, block, both; NULL at the end */

typedef struct {
    int pattern;   /* patterns_pattern */
    int transfers; /* patterns_choice */
    int64_t upper_bytes;
    int64_t both_send_bytes; /* exchange: up to this size both send before they receive; < 0: the
                                     layer's limit */
    cm_pair_job job;
    cm_result_files files;
} patterns_options;

/* ---- patterns_check.c ----------------------------------------------------------------------- */

int patterns_check(const cm_program *program, void *options);

/* ---- patterns_kernels.c --------------------------------------------------------------------- */

enum { PATTERNS_WORD_SIZES = 4 }; /* 1, 2, 4, 8 bytes */

/* Returns the mode for a pattern, transfer and size. both_send selects the exchange in which both
   ranks send first. For word transfers bytes is one of the word sizes. */
const cm_pair_mode *patterns_mode(patterns_pattern pattern, patterns_transfer transfer,
                                  int64_t bytes, bool both_send);

/* ---- patterns_plan.c ------------------------------------------------------------------------ */

typedef struct {
    patterns_transfer transfer;
    int64_t bytes;
    const cm_pair_mode *mode;
} patterns_row;

enum { PATTERNS_MOST_ROWS = 64 };

/* Fills in the rows of the result: 1, 2, 4, 8 bytes by words; then 4, 8, ..., 256, 508, 1024 bytes
   and further doublings by blocks; no size above upper_bytes. Returns the number of rows. */
size_t patterns_plan(const patterns_options *options, patterns_row rows[PATTERNS_MOST_ROWS]);

/* ---- patterns_paper.c ----------------------------------------------------------------------- */

/* The numbers that warschko-1995 prints; NaN where it prints none. */
typedef struct {
    double time_us, MB_per_s;
} patterns_printed;
patterns_printed patterns_paper(patterns_pattern pattern, patterns_transfer transfer,
                                int64_t bytes);

/* ---- patterns_result.c: rank 0 writes ------------------------------------------------------- */

/* Opens the result with its columns and writes the metadata. Ends the job with one line if it
   cannot. All other ranks must be in cm_pairs_follow. mode is that of the first row. */
cm_result *patterns_result_open(const cm_benchmark *benchmark, const cm_pair_mode *mode,
                                cm_pair_channel *channel);
/* Writes a row. ends[rank] holds the samples that each end has measured. */
void patterns_result_row(cm_result *result, const patterns_options *options,
                         const patterns_row *row, const cm_pair_point *point,
                         const cm_samples *ends);
/* Writes fits, check and metrics. s holds the summaries of the n rows, in seconds. Returns the
   exit status. */
int patterns_result_close(cm_result *result, const cm_pair_damage *damage, const patterns_row *rows,
                          size_t n, const cm_summary *s);

/* ---- patterns_run.c ------------------------------------------------------------------------- */

int patterns_run(const cm_benchmark *benchmark);

extern const cm_metric patterns_metrics[]; /* of the RESULT lines */

#endif
