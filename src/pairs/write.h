/* SPDX-License-Identifier: BSD-3-Clause */
/* write.h: writes the parts of a result that are the same in all programs that measure pairs of
   ranks. */
#ifndef CM_PAIRS_WRITE_H
#define CM_PAIRS_WRITE_H

#include "measure/fit.h"
#include "pairs/pairs.h"
#include "option/option.h"
#include "result/result.h"

/* ---- write.c --------------------------------------------------------------------------------- */

/* Adds metadata: backend, machine, hosts, the processors on which the ranks run, and how far apart
   those of the pairs are. bind is true if each rank was bound to a core. All ranks but rank 0 must
   be following its commands. */
void cm_pair_write_place(cm_result *result, cm_pair_channel *channel, int bind);

/* Adds the metadata of distances at the first look. None if no distance is known. */
void cm_pair_write_first_distances(cm_result *result, const cm_pair_distances_said *said);

/* Adds findings at the end of a run: how far apart the pairs were, and which of them moved in it.
   None if it is not known. */
void cm_pair_write_distances(cm_result *result, const cm_pair_distances_said *said);

/* Columns of a row with the members first_ns and last_ns of a cm_pair_point. */
#define CM_PAIR_DISTANCE_COLUMNS(row, first, last)           \
    CM_COLUMN(row, first, "pair_distance_first_ns", "%.4g"), \
        CM_COLUMN(row, last, "pair_distance_last_ns", "%.4g")

/* Adds the metadata of cm_sample_meta, and what the timing includes. */
void cm_pair_write_sampling(cm_result *result, const cm_sampling *sampling, bool integrity,
                            const char *sample);

/* Writes the check wrong_bytes == 0 at the end of a measurement. Returns true if all data arrived
   intact. Otherwise a comment names the first wrong byte, and the metric fails without a value. */
bool cm_pair_write_check(cm_result *result, const cm_pair_damage *damage, const char *metric);

/* ---- fit.c ----------------------------------------------------------------------------------- */

/* Returns a row for the fits below: a median with its interval. */
cm_protocol_row cm_pair_fit_row(double bytes, const cm_summary *time_s);

/* Adds a comment line "# fit: model=..." with Hockney's constant and bandwidth, their standard
   errors and intervals, fitted to n rows with ascending sizes. If the rows do not determine them,
   the line says so. A constant below 0 and outlying rows are left out; a comment says so. constant
   is the name of the time without bytes: "latency". */
void cm_pair_write_line(cm_result *result, const char *model, const char *constant, size_t n,
                        cm_protocol_row *rows);

/* Adds comment lines "# fit: ..." with the line through all sizes and, if the protocol changes, the
   lines of two protocols and their crossover (cm_fit_protocols). Sets fit. Returns false if there
   is no fit. */
bool cm_pair_write_fits(cm_result *result, const char *constant, size_t n, cm_protocol_row *rows,
                        cm_protocols *fit);

/* Writes a metric, factor * value, with its interval over the sizes. Returns false and writes
   nothing if the interval is unbounded. */
bool cm_pair_write_fitted(cm_result *result, const char *metric, const cm_bounded *value,
                          double factor, size_t sizes, cm_disturbed disturbed);

#endif
