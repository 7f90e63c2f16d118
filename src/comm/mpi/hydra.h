/* SPDX-License-Identifier: BSD-3-Clause */
/* hydra.h: what MPICH's launcher, Hydra 4, needs to pass on the end of a rank. */
#ifndef CM_MPI_HYDRA_H
#define CM_MPI_HYDRA_H

/* For a rank that has written its last line and is to call MPI_Abort: that Hydra passes on the
   line, and then the status. Lasts 50 ms; exit, in which MPI_Abort ends, lasts 50 ms longer. With
   other launchers nothing else happens. */
void cm_hydra_hear_out(void);

#endif
