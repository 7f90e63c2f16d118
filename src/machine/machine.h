/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.h: what this computer is. hwloc gives topology and binding where it was found at build
   time; the rest comes from the kernel's files. */
#ifndef CM_MACHINE_H
#define CM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls each(key, value, context) for: host, cpu, cores, threads, cache sizes in bytes
   (l1d_bytes, l2_bytes, l3_bytes, with how many share them), numa_nodes, memory_bytes,
   memory_free_bytes, binding (the cores this process may run on), clock_resolution_s,
   clock_cost_s, tsc_hz where known, kernel, virtualization, governor, huge_pages,
   congestion_control, one "nic" a network interface that is up ("eth0 driver=virtio_net
   mtu_bytes=1500 speed_Mbit_per_s=10000"; no addresses), one "infiniband" an active port. How
   many hardware threads share a cache stands in l1d_threads, l2_threads, l3_threads; container,
   cpu_quota (processors) and memory_limit_bytes only where there is one. The cores and binding
   are those of the first call in the process. What is not known is left out, never guessed; a
   virtual machine's caches are what it reports. */
void cm_machine_describe(void (*each)(const char *key, const char *value, void *context),
                         void *context);

int cm_machine_cores(void); /* cores this process may run on, at least 1 */

/* Cores of this host that the processes of the job share, at least 1: those that this process or
   the one that started it (the launcher, not yet bound) may run on, within the control group's
   processor quota. */
int cm_machine_job_cores(void);
int64_t cm_machine_memory_bytes(void);      /* this machine's memory */
int64_t cm_machine_memory_free_bytes(void); /* what can still be allocated, within limits */
int64_t cm_machine_cache_bytes(int level);  /* data or unified cache this core sees; 0: none */
int64_t cm_machine_last_cache_bytes(void);  /* of the last level */

/* Binds the calling thread to the k-th core (modulo their number) that this process may run on,
   counted as at the first call into this module, so that threads may bind one after the other;
   returns the operating system's number of the processor, or -1 with one line in *why (a
   constant; NULL allowed). */
int cm_machine_bind(int k, const char **why);

/* runs: what openblas_get_corename says. The kernels that this processor could run, to be set as
   OPENBLAS_CORETYPE, when those are of an earlier generation of vectors; else NULL. */
const char *cm_machine_better_blas_kernel(const char *runs);
/* False: they have instructions that this processor lacks, and would end by SIGILL. */
bool cm_machine_runs_blas_kernel(const char *runs);

/* A program built for instructions that this processor lacks prints one line and exits with
   status 3 instead of dying by SIGILL. Called first thing in main; compiled without those
   instructions. A program that calls it is also checked before main begins, whose own prologue
   may hold such instructions. */
void cm_machine_require_cpu(const char *program);

#ifdef __cplusplus
}
#endif
#endif
