/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.h: describes this computer. Topology and binding come from hwloc if it was found at build
   time; everything else comes from the kernel's files. */
#ifndef CM_MACHINE_H
#define CM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls each(key, value, context) for: host, cpu, cores, threads, cache sizes in bytes (l1d_bytes,
   l2_bytes, l3_bytes) and the number of hardware threads that share each cache (l1d_threads,
   l2_threads, l3_threads), numa_nodes, memory_bytes, memory_free_bytes, binding (the cores that
   this process may run on), topology only if hwloc's variables name another machine, whose cores,
   caches and NUMA nodes these then are, clock_resolution_s, clock_cost_s, tsc_hz if known, kernel,
   virtualization, governor, huge_pages, clock_source (what the kernel reads the time from: tsc,
   hpet, kvm-clock, ...), congestion_control, one "nic" for each network interface that is up ("eth0
   driver=virtio_net mtu_bytes=1500 speed_Mbit_per_s=10000 numa_node=0 offloads=rx,tx,tso,gro"; no
   addresses), one "infiniband" for each active port; container, cpu_quota (in processors) and
   memory_limit_bytes only if there is one.

   What the hardware can do at most is there if it is known: vector_bits, fma_units,
   fma_units_from, core_clock_hz, core_clock_from, core_peak_flop_per_s of double and
   core_single_peak_flop_per_s of single precision, core_peak_from (peak.c), fma_set,
   fma_flop_per_s, fma_single_flop_per_s, flop_per_cycle (fma.c), memory_channels and
   memory_peak_bytes_per_s (memory_channels.c).

   The cores and the binding are those of the first call in the process. Values that are not known
   are left out, never guessed. The caches of a virtual machine are those that it reports. */
void cm_machine_describe(void (*each)(const char *key, const char *value, void *context),
                         void *context);

/* Returns the number of cores of this computer, at least 1: "cores" of cm_machine_describe. */
int cm_machine_all_cores(void);

/* Likewise, what matters only where hosts are compared: microcode, smt, sockets, numa0_memory_bytes
   and so on, huge_pages_reserved (of the default size), swap_bytes, and the limits of this process:
   limit_open_files, limit_processes, limit_locked_bytes, limit_stack_bytes, limit_address_bytes
   ("unlimited" if there is none). */
void cm_machine_inventory(void (*each)(const char *key, const char *value, void *context),
                          void *context);

/* Returns the number of cores that this process may run on, at least 1. */
int cm_machine_cores(void);

/* Returns the number of processors (hardware threads) of this computer that are online, at least 1,
   wherever this process may run: some C libraries' sysconf counts only those. */
int cm_machine_online(void);

/* Returns the number of processors that this process may run on now, within the control group's
   quota, at least 1, and sets *which to a number that is the same for processes that may run on the
   same processors of one computer and, if the quota is less, share it. Does not read the rest of
   the machine. */
int cm_machine_processors(uint64_t *which);

/* Returns the number of cores of this host that the processes of the job share, at least 1. These
   are the cores that this process, or the process that started it (the launcher, not yet bound),
   may run on, within the control group's processor quota. */
int cm_machine_job_cores(void);

/* Returns the number of processor sockets with cores that this process may run on, at least 1. */
int cm_machine_sockets(void);

int64_t cm_machine_memory_bytes(void);      /* memory of this machine in bytes; 0: not known */
int64_t cm_machine_memory_free_bytes(void); /* bytes that this process can still allocate, within
                                               limits; 0: not known, or nothing left */
int64_t cm_machine_cache_bytes(int level);  /* bytes of the data or unified cache of this level (1,
                                               2, ...) that this core sees; 0: none */
int cm_machine_cache_threads(int level);    /* hardware threads that share it; 0: none */
int64_t cm_machine_last_cache_bytes(void);  /* bytes of the last-level cache that this core sees;
                                               0: none */

/* Returns bytes that each of so many processes of this computer can still allocate, within limits;
   0: not known, or nothing left. Sets *limited (may be NULL) to whether the limit of a process
   (ulimit -v) decides, which they do not share. */
int64_t cm_machine_memory_share_bytes(int processes, bool *limited);

/* Returns the bytes of all last-level caches of this computer together: what arrays that all ranks
   stream through must exceed. Where the system does not tell that, it is a floor, and *floor (may
   be NULL) is set to true. */
int64_t cm_machine_last_caches_bytes(bool *floor);

/* Returns the bytes of the last-level cache that one of `ranks` ranks of this computer has for
   itself, if they are bound to cores in their order: the cache is shared by its own cores at most.
   0: none. */
int64_t cm_machine_last_cache_share_bytes(int ranks);

/* Returns false if bytes are known to be more than the free memory, without swap and within the
   limits of the control group and all its parents. Beyond that the kernel ends a process. */
bool cm_machine_memory_holds(size_t bytes);

bool cm_machine_is_virtual(void); /* a hypervisor says that it is there. It may report the caches of
                                     its host, which the virtual machine shares with others */

/* Return the NUMA node of the processor that this thread runs on, the node with memory (and, if
   there is another such node, with processors) that is farthest from a node, and the node that
   holds the page at an address, which has been touched. Of several farthest nodes each node of a
   socket has another one. -1: there is none, or it is not known. */
int cm_machine_numa_here(void);
int cm_machine_numa_farthest(int node);
int cm_machine_numa_of(void *address);

/* Asks for the node's memory for whole pages that are not yet touched; where the node has none
   left, pages come from others. Returns false if the system refuses. */
bool cm_machine_numa_prefer(void *memory, size_t bytes, int node);

/* How the ranks of a host are bound: each to a core, in an order that spreads ranks over sockets,
   then NUMA nodes, L3 and L2 caches, or in the order of neighbours; or each to all processors of an
   L3 cache or of a NUMA node, which are spread in the same way. Faster kinds of cores come before
   slower ones, and all cores before their second threads. */
typedef enum {
    CM_BIND_NONE,
    CM_BIND_SPREAD,
    CM_BIND_PACK,
    CM_BIND_PER_L3,
    CM_BIND_PER_NUMA,
    CM_BIND_SAME_CORE,    /* two ranks at a distance: threads of one core, */
    CM_BIND_SAME_L3,      /* cores that share an L3 cache, */
    CM_BIND_SAME_SOCKET,  /* that share a socket but no L3 cache, */
    CM_BIND_OTHER_SOCKET, /* that share no socket */
    CM_BIND_WAYS
} cm_machine_way;
extern const char *const cm_machine_ways[]; /* their names; NULL ends them */

/* The row of an option table for --bind[=WAY]. way: int *. Its row needs option/option.h. */
#define CM_MACHINE_BIND(way)                                                                  \
    CM_SWITCH(                                                                                \
        "bind", "WAY", way, cm_machine_ways,                                                  \
        "bind each rank: to a core of its own, spread over sockets, then NUMA nodes and L3 "  \
        "caches (spread, or no WAY), or next to each other (pack), fast cores first, second " \
        "threads last; to an L3 cache (per-l3) or NUMA node (per-numa) of its own; or two "   \
        "ranks of a host at a distance (same-core: its threads, same-l3, same-socket, "       \
        "other-socket)")

/* Binds the calling thread to the k-th place, from 0, of those processors that this process may run
   on, and checks that the kernel did so. Places are found as at the first call into this module, so
   that threads may bind one after the other. With CM_BIND_PER_L3 and CM_BIND_PER_NUMA it also binds
   the process's other threads, such as those that a BLAS started before main, unless they are bound
   already; a single core would be too small for them. Returns 0. On an error it writes one line to
   why, of size bytes, and returns CM_EXIT_USAGE if there are not so many places, otherwise
   CM_EXIT_SYSTEM. */
int cm_machine_bind(cm_machine_way way, int k, char *why, size_t size);

/* runs is the name that openblas_get_corename returns. If those kernels are of an earlier
   generation of vectors than this processor's, returns the name of better kernels, to be set as
   OPENBLAS_CORETYPE; otherwise returns NULL. */
const char *cm_machine_better_blas_kernel(const char *runs);

/* Returns false if those kernels have instructions that this processor lacks and would therefore
   end by SIGILL. */
bool cm_machine_runs_blas_kernel(const char *runs);

/* Prints one line, which begins with the program's name, and exits with status 3 if the program was
   built for instructions that this processor lacks; it would otherwise die by SIGILL. Call it first
   in main. It is compiled without those instructions. A program that calls it is also checked
   before main begins, because main's own prologue may contain such instructions. */
void cm_machine_require_cpu(const char *program);

#ifdef __cplusplus
}
#endif
#endif
