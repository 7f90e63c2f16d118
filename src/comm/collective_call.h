/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_call.h: what the collective calls of comm.h share. A check ends the job with status 2
   and a line that says what is wrong. */
#ifndef CM_COLLECTIVE_CALL_H
#define CM_COLLECTIVE_CALL_H

#include "comm/backend.h"

void cm_call_check_group(cm_collective collective, const cm_group *group);
void cm_call_check_root(cm_collective collective, const cm_group *group, int root);

/* Refuses NULL if bytes is above 0. name: of the argument. */
void cm_call_check_data(cm_collective collective, const char *name, const void *data, size_t bytes);

/* Run a checked call, or start it. empty: no rank has any data, so there is nothing to do. All
   ranks know this. */
void cm_call_perform(cm_group *group, const cm_collective_call *call, cm_algorithm algorithm,
                     bool empty);
cm_request *cm_call_start(cm_group *group, const cm_collective_call *call, cm_algorithm algorithm,
                          bool empty);

#endif
