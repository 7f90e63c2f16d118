/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_checks.h: every collective call of comm.h against directly computed results, on any
   group of any backend: all roots, several lengths, in place, operators whose order matters. */
#ifndef CM_TEST_COLLECTIVE_CHECKS_H
#define CM_TEST_COLLECTIVE_CHECKS_H

#include "comm/comm.h"

/* Called by all ranks of group. Returns how many results were wrong on this rank; the combination
   must be available. thorough: all roots and lengths; else the first and last root and short
   messages. */
int check_collective(cm_group *group, cm_collective collective, cm_algorithm algorithm,
                     bool thorough);

/* Sums of floats that round: the same bits from every root, in place and not, on all ranks. */
int check_repeatable(cm_group *group, cm_algorithm algorithm);

/* Non-blocking operations of this algorithm: several under way, completed in another order on every
   rank, with blocking operations in between. */
int check_nonblocking(cm_group *group, cm_algorithm algorithm);

#endif
