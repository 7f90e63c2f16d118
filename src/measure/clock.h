/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h: this computer's monotonic clock, and what reading it costs. Timed communication uses
   cm_time() of comm.h instead, which is simulated time under a simulator. */
#ifndef CM_CLOCK_H
#define CM_CLOCK_H
#ifdef __cplusplus
extern "C" {
#endif

double cm_clock_now_s(void);        /* seconds since an arbitrary start */
double cm_clock_resolution_s(void); /* smallest step between two readings that differ, measured */
double cm_clock_cost_s(void);       /* median time of one reading, measured */

#ifdef __cplusplus
}
#endif
#endif
