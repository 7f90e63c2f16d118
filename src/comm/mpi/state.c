/* SPDX-License-Identifier: BSD-3-Clause */
/* state.c: what this rank knows of the job and of MPI, which life.c sets. */
#include "comm/mpi/backend_mpi.h"

cm_mpi_state cm_mpi = {
    .world.comm = MPI_COMM_NULL, .world_shadow.comm = MPI_COMM_NULL, .tag_limit = CM_TAG_LIMIT};
