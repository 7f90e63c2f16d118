/* SPDX-License-Identifier: BSD-3-Clause */
/* launch_check.c: native backends refuse launchers that they do not support. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "comm/comm.h"
#include "comm/pmi/pmi_internal.h"

/* The variables in which a launcher stores the number of ranks and the rank; size is NULL if it
   does not store the number. SLURM_NTASKS would not do: it is also set in a batch script and in the
   shell of salloc, which are not ranks. So is SLURM_PROCID in a batch script. */
static const struct {
    const char *name, *size, *rank;
} foreign[] = {
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"Slurm's srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
    {"a launcher without PMI_FD", "PMI_SIZE", "PMI_RANK"},
    {"a launcher with PMI over a port", NULL, "PMI_ID"},
    {"Cray's PALS", NULL, "PALS_RANKID"},
    {"a PMIx launcher", NULL, "PMIX_RANK"},
};

/* Returns the value as a decimal number, or otherwise if it is none. */
static long number(const char *name, long otherwise)
{
    const char *text = name ? getenv(name) : NULL;
    char *end;
    if (!text || !*text) return otherwise;
    errno = 0;
    long value = strtol(text, &end, 10);
    return errno || *end ? otherwise : value;
}

int cm_launch_check(void)
{
    char why[512] = "", reason[600] = "";
    if (getenv("PMI_FD")) return 0;
    const bool pmix = cm_pmix_present();
    if (pmix && cm_pmix_load(why, sizeof why)) return 0;
    if (pmix) snprintf(reason, sizeof reason, " without PMIx's library (%s)", why);
    bool size_known = false;
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        long size = number(foreign[i].size, 0);
        size_known |= size > 0;
        bool refused = foreign[i].size ? size > 1 : !size_known && getenv(foreign[i].rank);
        if (!refused) continue;
        if (number(foreign[i].rank, 0) == 0) {
            char ranks[24] = "N", variable[64];
            if (size) snprintf(ranks, sizeof ranks, "%ld", size);
            snprintf(variable, sizeof variable, "%s%s%s", size ? foreign[i].size : foreign[i].rank,
                     size ? "=" : "", size ? ranks : "");
            fprintf(
                stderr,
                "%s: started by %s (%s is set), which this build without MPI does not support%s; "
                "start it with: cmrun -n %s %s\n",
                program_invocation_short_name, foreign[i].name, variable, reason, ranks,
                program_invocation_name);
        }
        return CM_EXIT_USAGE;
    }
    return 0;
}
