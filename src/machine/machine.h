/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.h: what this computer is. hwloc gives topology and binding where it was found at build time; the rest
   comes from the kernel's files. */
#ifndef CM_MACHINE_H
#define CM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls each(key, value, context) for: host, cpu, cores, threads, cache sizes in bytes (l1d_bytes, l2_bytes,
   l3_bytes, with how many share them), numa_nodes, memory_bytes, memory_free_bytes, binding (the cores this
   process may run on), clock_resolution_s, clock_cost_s, tsc_hz where known, kernel, virtualization, governor,
   huge_pages, congestion_control, and one "nic" a network interface that is up (name, driver, MTU, speed in
   Mbit/s, addresses left out). What is not known is left out, never guessed. */
void cm_machine_describe(void (*each)(const char *key, const char *value, void *context),
                         void *context);

int cm_machine_cores(void);                   /* cores this process may run on, at least 1           */
int64_t cm_machine_memory_bytes(void);        /* this machine's memory                               */
int64_t cm_machine_memory_free_bytes(void);   /* free for a new allocation: MemAvailable, cgroup limit */
int64_t cm_machine_cache_bytes(int level);    /* data or unified cache this core sees; 0: none       */
int64_t cm_machine_last_cache_bytes(void);    /* of the last level                                   */

/* Binds the calling thread to the k-th core (modulo their number) that this process may run on; returns the
   operating system's number of it, or -1 with one line in *why. */
int cm_machine_bind(int k, const char **why);

/* A program built for instructions that this processor lacks prints one line and exits with status 3
   instead of dying by SIGILL. Called first thing in main; compiled without those instructions. */
void cm_machine_require_cpu(const char *program);

#ifdef __cplusplus
}
#endif
#endif
