/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_client.h: a rank's side of PMI-1: which rank it is, the key-value space, the barrier, the
   end.

   Functions that return int return 0, or print one line on stderr (rank, host, what) and return an
   exit status: CM_EXIT_SYSTEM unless said otherwise. The launcher is cmrun, or Hydra (mpiexec of
   MPICH). */
#ifndef CM_PMI_CLIENT_H
#define CM_PMI_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_pmi cm_pmi;

/* Joins the job that PMI_FD, PMI_RANK and PMI_SIZE describe. Without PMI_FD *pmi is NULL and 0
   comes back: a job of one. CM_EXIT_USAGE: the variables contradict each other. */
int cm_pmi_open(cm_pmi **pmi);

int cm_pmi_rank(const cm_pmi *pmi);
int cm_pmi_size(const cm_pmi *pmi);
bool cm_pmi_by_cmrun(const cm_pmi *pmi);
int cm_pmi_fd(const cm_pmi *pmi); /* for poll: readable when the launcher answered or is gone */

/* Keys: 1 to 63 printable bytes without space and '='. Values: 1 to 1023 printable bytes without
   space (cm_pmi_encode of pmi_line.h makes one of any text). A key is put once; others see it after
   a barrier. cm_pmi_get fails when nobody put the key or the value does not fit (capacity counts
   the NUL). */
int cm_pmi_put(cm_pmi *pmi, const char *key, const char *value);
int cm_pmi_get(cm_pmi *pmi, const char *key, char *value, size_t capacity);

/* Waits for all ranks. The two halves do not block: start, then ask done until it is true, with
   nothing else of this page in between; meanwhile cm_pmi_fd can be polled for reading. */
int cm_pmi_barrier(cm_pmi *pmi);
int cm_pmi_barrier_start(cm_pmi *pmi);
int cm_pmi_barrier_done(cm_pmi *pmi, bool *done);

/* Leaves the job and frees pmi, also when it fails; NULL is allowed. A rank that exits without it
   has failed in the launcher's eyes. */
int cm_pmi_finalize(cm_pmi *pmi);

/* Asks the launcher to end the whole job with this exit status, and shows text (one line, without a
   newline) on stderr: cmrun prints it, once a job, the first rank's; under Hydra, with the launcher
   gone, or with pmi NULL this function prints it itself. Returns at once; the caller then leaves by
   _exit(status). blames: -1, or the rank whose failure was noticed; then the status and text of one
   that asks for the end without blaming another are the job's. */
void cm_pmi_abort(cm_pmi *pmi, int status, int blames, const char *text);

/* Native backends, before cm_pmi_open: refuses an environment made by a launcher that does not
   speak PMI-1 (OMPI_COMM_WORLD_SIZE or SLURM_NTASKS above 1, PMIX_RANK, and no PMI_FD), in which
   every rank would take itself for a job of one. Returns 0, or CM_EXIT_USAGE after one line, on
   that launcher's rank 0 only, with the command that would work. */
int cm_launch_check(void);

#ifdef __cplusplus
}
#endif
#endif
