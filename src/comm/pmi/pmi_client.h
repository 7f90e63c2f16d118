/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_client.h: a rank's side of PMI-1, PMI-2 and PMIx: its rank, the key-value space, the barrier,
   and the end of the job. Functions that return int return 0, or print one line on stderr (rank,
   host, problem) and return an exit status: CM_EXIT_SYSTEM unless stated otherwise. The launcher is
   cmrun, Hydra (mpiexec of MPICH), srun or mpiexec of Open MPI. */
#ifndef CM_PMI_CLIENT_H
#define CM_PMI_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_pmi cm_pmi;

/* Joins the job that PMI_FD, PMI_RANK and PMI_SIZE describe. Without PMI_FD the process is a job of
   its own: *pmi is NULL, and the function returns 0. Returns CM_EXIT_USAGE if the variables
   contradict each other. */
int cm_pmi_open(cm_pmi **pmi);

/* Does the same for a rank that calls cm_pmi_gather next if cm_pmi_gathers. Under cmrun it joins
   only then, with one request for both. */
int cm_pmi_open_to_gather(cm_pmi **pmi);

int cm_pmi_rank(const cm_pmi *pmi);
int cm_pmi_size(const cm_pmi *pmi);
bool cm_pmi_by_cmrun(const cm_pmi *pmi);
bool cm_pmi_gathers(const cm_pmi *pmi); /* the launcher has cm_pmi_gather; cmrun does */
int cm_pmi_fd(const cm_pmi *pmi);       /* for poll: readable if the launcher answered or is gone */

/* Keys have 1 to 63 printable bytes without space and '='. Values have 1 to 1023 printable bytes
   without space (cm_pmi_encode of pmi_line.h converts any text). A key is put once; other ranks see
   it after a barrier. cm_pmi_get fails if no rank has put the key or if the value does not fit
   (capacity includes the NUL); owner is the rank that has put it. */
int cm_pmi_put(cm_pmi *pmi, const char *key, const char *value);
int cm_pmi_get(cm_pmi *pmi, int owner, const char *key, char *value, size_t capacity);

/* Waits for all ranks. The two halves below do not block: call start, then done until it returns
   true, and no other function of this header in between. Meanwhile cm_pmi_fd can be polled for
   reading. */
int cm_pmi_barrier(cm_pmi *pmi);
int cm_pmi_barrier_start(cm_pmi *pmi);
int cm_pmi_barrier_done(cm_pmi *pmi, bool *done);

/* Waits for all ranks, for limit_s at most: then the first of the ranks that are there says which
   are missing, if the launcher can tell, and the function fails. */
int cm_pmi_barrier_within(cm_pmi *pmi, double limit_s);

/* Starts the last barrier, for cm_pmi_barrier_done. Under cmrun, the rank has left the job when
   that is done; cm_pmi_finalize must be called in any case. */
int cm_pmi_leave_start(cm_pmi *pmi);

/* Gives this rank's value to all ranks, and calls each(context, rank, value) for every rank in
   turn; value is "" if that rank gave none. Waits for all ranks. A barrier that hands out values:
   the launcher answers each rank once, while a get for each value is a number of answers that grows
   with the square of the ranks. Only if cm_pmi_gathers. */
int cm_pmi_gather(cm_pmi *pmi, const char *value,
                  void (*each)(void *context, int rank, const char *value), void *context);

/* Leaves the job. Frees pmi, also on failure; NULL is allowed. To the launcher, a rank that exits
   without this call has failed. */
int cm_pmi_finalize(cm_pmi *pmi);

/* Asks the launcher to end the whole job with this exit status, and shows text (one line, without a
   newline) on stderr. cmrun prints the text of the first rank, once for the job. Under Hydra,
   without a launcher, or if pmi is NULL, this function prints it itself. It returns at once; the
   caller then leaves by _exit(status). blames is the rank whose failure was noticed, or -1. If any
   rank asks with -1, its status and text become the job's. */
void cm_pmi_abort(cm_pmi *pmi, int status, int blames, const char *text);

/* Native backends call this before cm_pmi_open. It refuses an environment set by a launcher that
   does not support PMI (over a socket that a rank inherits) or PMIx, or whose PMIx this host has no
   library for (OMPI_COMM_WORLD_SIZE, SLURM_STEP_NUM_TASKS or PMI_SIZE above 1, or PMI_ID,
   PALS_RANKID or PMIX_RANK, without PMI_FD), because every rank would run as a job of one.
   Returns 0. Otherwise returns CM_EXIT_USAGE, and rank 0 of that launcher prints one line with a
   command that works. */
int cm_launch_check(void);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop
#endif
