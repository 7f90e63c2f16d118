/* SPDX-License-Identifier: BSD-3-Clause */
/* energy.h: what the job's computers use while a benchmark runs. */
#ifndef CM_RUN_ENERGY_H
#define CM_RUN_ENERGY_H

#include "result/result.h"

/* One rank of each computer reads its counters; hosts that share a kernel share counters. The
   energy counts if all computers have counters of the same kind. */
typedef struct cm_run_energy cm_run_energy;

/* Begins to count. All ranks of the world call it. root is a prefix of every path. Returns NULL
   under a simulator. */
cm_run_energy *cm_run_energy_begin(const char *root);

/* On rank 0: gives the result, whose closing is deferred, the metadata "energy". energy may be
   NULL. */
void cm_run_energy_tell(cm_run_energy *energy, cm_result *result);

/* Sums over the computers, and on rank 0 adds energy_J and mean_power_W to the result. All ranks
   call it when they have run the benchmark; status is what that returned. A run that did not pass
   has no energy, nor has one in which a rank that reads failed. energy is freed, and may be
   NULL. */
void cm_run_energy_end(cm_run_energy *energy, int status);

#endif
