/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_internal.h: a rank's side of the launcher, shared by PMI-1 (pmi_client.c), PMI-2
   (pmi2_client.c), PMIx (pmix_client.c) and the wait for all ranks (pmi_wait.c). */
#ifndef CM_PMI_INTERNAL_H
#define CM_PMI_INTERNAL_H

#include "comm/pmi/pmi2_message.h"
#include "comm/pmi/pmi_client.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* The functions of protocols other than PMI-1. All are as in pmi_client.h. */
typedef struct {
    int (*put)(cm_pmi *pmi, const char *key, const char *value);
    int (*get)(cm_pmi *pmi, int owner, const char *key, char *value, size_t capacity);
    int (*barrier_start)(cm_pmi *pmi);
    /* As cm_pmi_barrier_done, but waits if wait is true. */
    int (*barrier_done)(cm_pmi *pmi, bool wait, bool *done);
    /* This rank has waited in the barrier for a while: makes itself known to those who look. */
    int (*show)(cm_pmi *pmi);
    /* Returns whether a rank has entered the barrier, as far as can be known. */
    bool (*seen)(cm_pmi *pmi, int rank);
    int (*finalize)(cm_pmi *pmi);
    void (*abort)(cm_pmi *pmi, int status);
} cm_pmi_protocol;

struct cm_pmi {
    const cm_pmi_protocol *protocol; /* NULL: PMI-1 */
    int fd, rank, size;
    bool collects_messages; /* the launcher is cmrun, so abort may carry a text */
    bool gathers;           /* the launcher knows gather_in */
    bool joined;
    bool in_barrier, left;             /* in either half of a barrier; the last barrier is over */
    bool leaving;                      /* the barrier is the last one */
    bool all_asked;                    /* PMI-2: the fence is answered, and all ranks asked for */
    char space[CM_PMI_NAME_BYTES * 4]; /* name of the key-value space; Hydra's contains the host
                                          name; empty: not yet requested. PMI-2: name of the job */
    cm_pmi_reader reader;
    cm_pmi2_reader reader2;
};

/* Print one line and return CM_EXIT_SYSTEM. error 0: the launcher has closed the socket. */
__attribute__((format(printf, 2, 3))) int cm_pmi_failed(const cm_pmi *pmi, const char *format, ...);
int cm_pmi_lost(const cm_pmi *pmi, int error);

/* Returns true if PMIx is what the launcher offers, and nothing else. */
bool cm_pmix_present(void);
bool cm_pmix_load(char *why, size_t bytes); /* false: libpmix cannot be used; why says why */
int cm_pmix_open(cm_pmi **pmi);             /* as cm_pmi_open */

/* Goes over to PMI-2 on the same socket, after init with version 2. */
int cm_pmi2_join(cm_pmi *pmi);

#pragma GCC visibility pop
#endif
