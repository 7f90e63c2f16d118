/* SPDX-License-Identifier: BSD-3-Clause */
/* failure.c: the mpi backend cannot go on if a rank fails, because MPI ends the job or hangs. */
#include <stdio.h>
#include "comm/comm.h"

int cm_on_failure(cm_failure_mode mode)
{
    if (mode == CM_END_JOB) return 0;
    if (mode != CM_RETURN)
        cm_abort(CM_EXIT_USAGE, "cm_on_failure: mode %d; expected CM_END_JOB or CM_RETURN",
                 (int)mode);
    if (cm_rank(cm_world()) == 0)
        fprintf(stderr,
                "clustermark: rank 0 on %s: cm_on_failure(CM_RETURN): the mpi backend cannot go on "
                "when a rank fails; expected a build with configure --with-comm=sockets\n",
                cm_host(cm_world(), 0));
    return CM_EXIT_USAGE;
}

bool cm_failed(const cm_group *group, int rank)
{
    cm_host(group, rank); /* ends the job if rank is not in the group */
    return false;
}

int cm_failures(const cm_group *group)
{
    (void)group;
    return 0;
}
