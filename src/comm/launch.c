/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.c: what launchers leave in the environment about this process's rank. */
#include <stdlib.h>

#include "comm/comm.h"

/* The value of a variable as a number from 0 to INT_MAX; -1 when it is unset or something else. */
static int number_of(const char *name)
{
    const char *text = getenv(name);
    if (!text || text[0] < '0' || text[0] > '9') return -1;
    char *end;
    long value = strtol(text, &end, 10);
    return *end == 0 && value <= 0x7fffffff ? (int)value : -1;
}

/* Innermost launcher first: Hydra and cmrun (PMI_RANK; also Slurm's PMI-1 and PMI-2) may
   themselves have been started by Slurm or by another MPI's launcher, whose variables then
   describe the outer job. Slurm sets SLURM_PROCID even in a batch script, which is no rank, and
   to the proxy's rank where it only starts another launcher's proxies, so it comes last and
   counts only inside a job step of several tasks. */
int cm_launch_rank(void)
{
    static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        int rank = number_of(names[k]);
        if (rank >= 0) return rank;
    }
    int tasks = number_of("SLURM_STEP_NUM_TASKS");
    if (tasks < 0) tasks = number_of("SLURM_NTASKS");
    int rank = number_of("SLURM_PROCID");
    return tasks > 1 && rank >= 0 && rank < tasks ? rank : 0;
}
