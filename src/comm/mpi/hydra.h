/* SPDX-License-Identifier: BSD-3-Clause */
/* hydra.h: lets MPICH's launcher, Hydra 4, pass on the last line and status of a rank. */
#ifndef CM_MPI_HYDRA_H
#define CM_MPI_HYDRA_H

/* Call it in a rank that has written its last line and is about to call MPI_Abort. It makes Hydra
   pass on the line and then the status. It takes 50 ms; exit, which MPI_Abort calls, takes 50 ms
   longer. With other launchers it does nothing. */
void cm_hydra_hear_out(void);

#endif
