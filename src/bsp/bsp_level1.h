/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_level1.h: collective operations of the BSPlib level 1 library, with the names and arguments
   of the Oxford BSP toolset 1.4 (J. M. D. Hill, 1998), and a total exchange.

   All processes call them, with the same number of bytes. Each call begins with a bsp_sync: what
   was requested before it is complete before the call reads src. A call ends with a bsp_sync, so it
   takes two supersteps or more, and messages that were in the queue are gone. dst need not be
   registered. If it is, the registration remains as it was.

   Sizes are in bytes and, except for bsp_bcast and the operators' data, those of one block: process
   k's block is the one k * bytes after the beginning. */
#ifndef CM_BSP_BSP_LEVEL1_H
#define CM_BSP_BSP_LEVEL1_H

#include "bsp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Copies -------------------------------------------------------------------------------- */

/* Copies src of process pid to dst of all processes. On process pid src and dst may be the same.
   With three processes or more and from 16384 bytes on, process pid sends each process a block, and
   they exchange these (two phases: h is 2 bytes instead of p bytes). */
void bsp_bcast(int pid, const void *src, void *dst, int bytes);

/* Copies src of each process into its block of dst of process pid. The other processes' dst may be
   NULL. src and dst must not overlap, here and below. */
void bsp_gather(int pid, const void *src, void *dst, int bytes);

/* Copies each process's block of src of process pid to its dst. The other processes' src may be
   NULL. */
void bsp_scatter(int pid, const void *src, void *dst, int bytes);

/* Copies block k of src to process k, into this process's block of dst. */
void bsp_total_exchange(const void *src, void *dst, int bytes);

/* ---- Reductions ---------------------------------------------------------------------------- */

/* Sets *result to left operator right. The operator is associative, but need not be commutative.
   The three do not overlap. */
typedef void (*bsp_operator)(void *result, void *left, void *right, int *bytes);

/* bsp_fold combines src of all processes in the order of the processes and copies the result to dst
   of all. bsp_scan combines src of processes 0 to this one. src and dst may be the same. Up to four
   processes, or 16384 bytes in all, every process gets all data in one superstep. Otherwise partial
   results double their width in each of log2 p supersteps. */
void bsp_fold(bsp_operator op, const void *src, void *dst, int bytes);
void bsp_scan(bsp_operator op, const void *src, void *dst, int bytes);

int bsp_all(int x); /* 1 if x is not 0 on all processes, else 0 */
int bsp_any(int x); /* 1 if x is not 0 on any process, else 0 */

/* Sum, product, minimum and maximum over all processes, of int (I), float (R), double (D). */
int bsp_sumI(int x);
float bsp_sumR(float x);
double bsp_sumD(double x);
int bsp_productI(int x);
float bsp_productR(float x);
double bsp_productD(double x);
int bsp_minI(int x);
float bsp_minR(float x);
double bsp_minD(double x);
int bsp_maxI(int x);
float bsp_maxR(float x);
double bsp_maxD(double x);

/* The same over processes 0 to this one. */
int bsp_sumI_prefix(int x);
float bsp_sumR_prefix(float x);
double bsp_sumD_prefix(double x);
int bsp_productI_prefix(int x);
float bsp_productR_prefix(float x);
double bsp_productD_prefix(double x);
int bsp_minI_prefix(int x);
float bsp_minR_prefix(float x);
double bsp_minD_prefix(double x);
int bsp_maxI_prefix(int x);
float bsp_maxR_prefix(float x);
double bsp_maxD_prefix(double x);

#ifdef __cplusplus
}
#endif
#endif
