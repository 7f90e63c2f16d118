/* SPDX-License-Identifier: BSD-3-Clause */
/* write.h: what the results of this folder's programs say in the same words. */
#ifndef CM_PAIRS_WRITE_H
#define CM_PAIRS_WRITE_H

#include "measure/fit.h"
#include "pairs/pairs.h"
#include "option/option.h"
#include "result/result.h"

/* ---- write.c ------------------------------------------------------------------------ */

/* Metadata: backend, machine, hosts, and on which processors the ranks run; bind: each was bound to
   a core. All ranks must be following. */
void cm_pair_write_place(cm_result *result, cm_pair_channel *channel, bool bind);

/* Metadata: what cm_sample_meta says, and what the timing holds. */
void cm_pair_write_sampling(cm_result *result, const cm_sampling *sampling, bool integrity,
                            const char *sample);

/* The end of the measuring: the check wrong_bytes == 0. Returns true if all data arrived right.
   Otherwise a comment names the first wrong byte, and metric, which has no value, fails. */
bool cm_pair_write_check(cm_result *result, const cm_pair_damage *damage, const char *metric);

/* ---- fit.c -------------------------------------------------------------------------- */

/* A comment line "# fit: model=..." : Hockney's constant and bandwidth with their standard errors,
   over n medians; and where they do not determine them, that. */
void cm_pair_write_line(cm_result *result, const char *model, const char *constant, size_t n,
                        const double *bytes, const double *median_s);

/* Comment lines "# fit: ..." : Hockney's constant and bandwidth over all sizes, and two protocols
   with their crossover where those describe the data better. constant: what the time without bytes
   is called, "latency"; n medians, ascending sizes. Returns the crossover in bytes, NaN where there
   is none. */
double cm_pair_write_fits(cm_result *result, const char *constant, size_t n, const double *bytes,
                          const double *median_s);

#endif
