/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu.h: the processor time that this process has used. */
#ifndef CM_CPU_H
#define CM_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The time of all threads of the process together. The kernel knows the sum precisely. Its division
   between the program (user) and the kernel (system) may be estimated by sampling at each tick. */
typedef struct {
    double user_s, system_s;
} cm_cpu;

/* Returns the time used so far. A reading is a system call. */
cm_cpu cm_cpu_used(void);

/* Adds the time used since begin to sum. */
void cm_cpu_add_since(cm_cpu *sum, const cm_cpu *begin);

#ifdef __cplusplus
}
#endif
#endif
