/* SPDX-License-Identifier: BSD-3-Clause */
/* launch_rank.c: finds this process's rank, and whether it is alone, in the variables that
   launchers set. */
#include <stdlib.h>
#include "base/launch_rank.h"

/* Returns the value of a variable as a number from 0 to INT_MAX, or -1 if it is unset or not such a
   number. */
static int number_of(const char *name)
{
    const char *text = getenv(name);
    if (!text || text[0] < '0' || text[0] > '9') return -1;
    char *end;
    long value = strtol(text, &end, 10);
    return *end == 0 && value <= 0x7fffffff ? (int)value : -1;
}

/* Innermost launcher first. Hydra and cmrun (PMI_RANK; also Slurm's PMI-1 and PMI-2) may have been
   started by Slurm or by another MPI's launcher, whose variables then describe the outer job. Slurm
   comes last and counts only inside a job step of several tasks: it sets SLURM_PROCID also in a
   batch script, which is not a rank, and sets it to the proxy's rank if it only starts another
   launcher's proxies. */
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

/* Slurm's number is of an outer job if this launcher is another one's proxy. */
bool cm_launch_alone(void)
{
    const int pmi = number_of("PMI_SIZE");
    return pmi >= 0 ? pmi == 1 : number_of("OMPI_COMM_WORLD_SIZE") == 1;
}
