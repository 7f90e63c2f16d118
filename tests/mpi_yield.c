/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_yield.c: a preloaded library for tests over MPICH (ch4:ucx), whose waiting ranks spin and
   never give up the processor: with more ranks than processors each step of a collective then lasts
   a time slice of the kernel, and two jobs that run at once time each other out. Here such a rank
   sleeps briefly after looking in vain for a while. A job of one rank waits as MPICH does, as does
   every other MPI.

   In a job of one host UCX does not ask for all networks of that host, which takes a third of a
   rank's start: ranks of one host write into shared memory anyway. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned progress_function(void *worker);

enum { LOOKS = 100 }; /* in vain, before a sleep */

static bool yields;
static _Thread_local unsigned looks;

__attribute__((constructor)) static void mpi_yield_begin(void)
{
    const char *ranks = getenv("PMI_SIZE"), *here = getenv("MPI_LOCALNRANKS");
    yields = ranks && atol(ranks) > 1;
    if (ranks && here && atol(ranks) == atol(here)) setenv("UCX_TLS", "posix,self", 0);
    if (!ranks && dlsym(RTLD_DEFAULT, "MPI_Init")) setenv("UCX_TLS", "self", 0); /* no launcher */
}

/* UCX is linked to the MPI, or it is loaded by it and then out of sight. */
static progress_function *find(void)
{
    void *found = dlsym(RTLD_NEXT, "ucp_worker_progress"), *ucx;
    if (!found && (ucx = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD)))
        found = dlsym(ucx, "ucp_worker_progress");
    if (!found) abort();
    return (progress_function *)found;
}

unsigned ucp_worker_progress(void *worker)
{
    static progress_function *ucx_progress;
    if (!ucx_progress) ucx_progress = find();
    unsigned events = ucx_progress(worker);
    if (events) looks = 0;
    else if (yields && ++looks >= LOOKS) {
        looks = 0;
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    }
    return events;
}
