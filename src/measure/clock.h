/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h: this computer's monotonic clock and the cost of reading it. To time communication, use
   cm_time() of comm.h instead: under a simulator, it returns simulated time. */
#ifndef CM_CLOCK_H
#define CM_CLOCK_H
#ifdef __cplusplus
extern "C" {
#endif

double cm_clock_now_s(void);        /* seconds since an arbitrary start */
double cm_clock_resolution_s(void); /* seconds: measured smallest step between unequal readings */
double cm_clock_cost_s(void);       /* seconds: measured median time of one reading */

#ifdef __cplusplus
}
#endif
#endif
