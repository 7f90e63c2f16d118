/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_group.h: what BSPlib's standard does not have: the SPMD part in a job that is running
   already, progress of unbuffered writes, names and figures of supersteps. */
#ifndef CM_BSP_BSP_GROUP_H
#define CM_BSP_BSP_GROUP_H

#include "bsp/bsp.h"
#include "comm/comm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* bsp_begin and bsp_end within a group, whose ranks all call them; the job was begun by cm_init and
   goes on afterwards. Status 2 and one line where the processes of the group cannot all play (the
   dummy backend). */
void cm_bsp_begin(cm_group *group);
void cm_bsp_end(void);

/* The group of the SPMD part that is running, whose rank k is process k: for collectives between
   supersteps. NULL outside of bsp_begin and bsp_end. */
cm_group *cm_bsp_group(void);

/* Makes the file that CM_BSP_TRACE names, which process 0's cm_bsp_begin does at the latest: for
   who writes other files and wants to know before. Status 2 and one line where there is one
   already. */
void cm_bsp_trace_open(void);

/* Moves unbuffered reads and writes of this superstep on; call it inside long computations. */
void cm_bsp_progress(void);

/* The name of the superstep that is under way, in CM_BSP_TRACE's file: one word, at most 31 bytes.
   */
void cm_bsp_name(const char *name);

/* Sums over the supersteps since cm_bsp_begin, of this process. Bytes are payload to and from
   others, without what describes it. */
typedef struct {
    int64_t supersteps;
    double work_s; /* outside of bsp_sync */
    double sync_s; /* inside */
    int64_t out_bytes, in_bytes;
    int64_t out_messages, in_messages; /* writes, reads and messages */
} cm_bsp_sums;
cm_bsp_sums cm_bsp_total(void);

#ifdef __cplusplus
}
#endif
#endif
