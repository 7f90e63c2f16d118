/* SPDX-License-Identifier: BSD-3-Clause */
/* write.h: the parts of a result that all programs that measure pairs of ranks write in the same
   words. */
#ifndef CM_PAIRS_WRITE_H
#define CM_PAIRS_WRITE_H

#include "measure/fit.h"
#include "pairs/pairs.h"
#include "option/option.h"
#include "result/result.h"

/* ---- write.c --------------------------------------------------------------------------------- */

/* Adds metadata: backend, machine, hosts, and the processors on which the ranks run. bind is true
   if each rank was bound to a core. All other ranks must be following. */
void cm_pair_write_place(cm_result *result, cm_pair_channel *channel, bool bind);

/* Adds the metadata of cm_sample_meta, and metadata that say what the timing includes. */
void cm_pair_write_sampling(cm_result *result, const cm_sampling *sampling, bool integrity,
                            const char *sample);

/* Ends the measurement with the check wrong_bytes == 0. Returns true if all data arrived right.
   Otherwise a comment names the first wrong byte, and the metric, which has no value, fails. */
bool cm_pair_write_check(cm_result *result, const cm_pair_damage *damage, const char *metric);

/* ---- fit.c ----------------------------------------------------------------------------------- */

/* Adds a comment line "# fit: model=..." with Hockney's constant and bandwidth and their standard
   errors, fitted to n medians in seconds. If the medians do not determine them, the line says
   so. */
void cm_pair_write_line(cm_result *result, const char *model, const char *constant, size_t n,
                        const double *bytes, const double *median_s);

/* Adds comment lines "# fit: ..." with Hockney's constant and bandwidth over all sizes and, if they
   describe the data better, with two protocols and their crossover. constant is the name of the
   time without bytes: "latency". bytes has n ascending sizes, median_s their medians in seconds.
   A constant below 0 is left out, and so is a crossover below the smallest or above the largest
   size; a comment says so. Returns the crossover, NaN if there is none. */
typedef struct {
    cm_estimate bytes;
    size_t values; /* of the line that has fewer of them */
} cm_pair_crossover;
cm_pair_crossover cm_pair_write_fits(cm_result *result, const char *constant, size_t n,
                                     const double *bytes, const double *median_s);

#endif
