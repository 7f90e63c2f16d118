/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_group.h: extensions of BSPlib's standard: an SPMD part in a job that is already running,
   progress of unbuffered writes, names and statistics of supersteps. */
#ifndef CM_BSP_BSP_GROUP_H
#define CM_BSP_BSP_GROUP_H

#include "bsp/bsp.h"
#include "comm/comm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* bsp_begin and bsp_end within a group; all its ranks call them. The job was started by cm_init and
   goes on afterwards. If the ranks of the group are not all processes (the dummy backend), the job
   ends with status 2 and one line. */
void cm_bsp_begin(cm_group *group);
void cm_bsp_end(void);

/* Returns the group of the SPMD part that is running, for collectives between supersteps. Its rank
   k is process k. Returns NULL outside of bsp_begin and bsp_end. */
cm_group *cm_bsp_group(void);

/* Sets how supersteps end from the next bsp_sync on: with a message of every process to every other
   one, or in log2(p) rounds and a message only where there are data. All processes call it in the
   same superstep. Without it, CM_BSP_DIRECT_MOST decides. */
void cm_bsp_in_rounds(bool rounds);

/* Returns what an SPMD part of so many processes begins with. */
bool cm_bsp_takes_rounds(int processes, bool one_host);

/* Creates the file that CM_BSP_TRACE names. Without this call process 0's cm_bsp_begin creates it;
   a program that writes other files can thus learn of an error earlier. If the file exists already
   or cannot be created, the job ends with status 2 and one line. */
void cm_bsp_trace_open(void);

/* Advances unbuffered reads and writes of this superstep. Call it inside long computations. */
void cm_bsp_progress(void);

/* Sets the name of the current superstep in CM_BSP_TRACE's file: one word of at most 31 bytes. */
void cm_bsp_name(const char *name);

/* Sums for this process over the supersteps since cm_bsp_begin. Bytes are those of the payload to
   and from other processes, without the headers that describe it. */
typedef struct {
    int64_t supersteps;                /* number of supersteps */
    double work_s;                     /* seconds outside of bsp_sync */
    double sync_s;                     /* seconds inside bsp_sync */
    int64_t out_bytes, in_bytes;       /* payload sent and received */
    int64_t out_messages, in_messages; /* writes, reads and messages */
} cm_bsp_sums;
cm_bsp_sums cm_bsp_total(void); /* returns the sums so far */

#ifdef __cplusplus
}
#endif
#endif
