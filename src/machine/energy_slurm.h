/* SPDX-License-Identifier: BSD-3-Clause */
/* energy_slurm.h: Slurm's counters of this node's energy. A call starts scontrol and waits for its
   answer, 5 s at most. Outside of a job's allocation there are no counters. */
#ifndef CM_MACHINE_ENERGY_SLURM_H
#define CM_MACHINE_ENERGY_SLURM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the first of the fields (they end with NULL) that has a counter. If none has, it returns
   NULL and writes why, for people; nothing outside of an allocation. */
const char *cm_machine_slurm_find(const char *const *fields, char *said, size_t bytes);

/* Reads a field of `scontrol show node`. Returns false if Slurm has no number above 0 there: it
   says 0 or n/s of what it does not know. */
bool cm_machine_slurm_counter(const char *field, int64_t *value);

/* Returns the seconds after which the node's daemon reads its sensors again (AcctGatherNodeFreq);
   0: only when it registers with the controller, or the configuration does not say; below 0: there
   is no answer. */
double cm_machine_slurm_interval_s(void);

#endif
