/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_write.h: what the results of this folder's programs say in the same words. */
#ifndef NETPIPE_WRITE_H
#define NETPIPE_WRITE_H

#include "measure/fit.h"
#include "netpipe.h"
#include "option/option.h"
#include "result/result.h"

/* ---- netpipe_write.c ------------------------------------------------------------------------ */

/* Metadata: backend, machine, hosts, and on which processors the ranks run; bind: each was bound to
   a core. All ranks must be following. */
void netpipe_write_place(cm_result *result, netpipe_channel *channel, bool bind);

/* Metadata: what a trial is, iterations being called so; when trials end. */
void netpipe_write_trial(cm_result *result, const netpipe_sampling *sampling,
                         const char *iteration);
void netpipe_write_rule(cm_result *result, const cm_stop_rule *rule);

/* A comment that names the first wrong byte. */
void netpipe_write_damage(cm_result *result, const netpipe_damage *damage);

/* ---- netpipe_fit.c -------------------------------------------------------------------------- */

/* A comment line "# fit: model=..." : Hockney's constant and bandwidth with their standard errors,
   over n medians; and where they do not determine them, that. */
void netpipe_write_line(cm_result *result, const char *model, const char *constant, size_t n,
                        const double *bytes, const double *median_s);

/* Comment lines "# fit: ..." : Hockney's constant and bandwidth over all sizes, and two protocols
   with their crossover where those describe the data better. constant: what the time without bytes
   is called, "latency"; n medians, ascending sizes. Returns the crossover in bytes, NaN where there
   is none. */
double netpipe_write_fits(cm_result *result, const char *constant, size_t n, const double *bytes,
                          const double *median_s);

#endif
