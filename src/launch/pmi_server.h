/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_server.h: the launcher's side of PMI-1 for one job: the key-value space, the barrier, who
   joined and who left. It knows no files: lines come in, answers go out by the calls in
   pmi_server_events, so that the ranks may be this process's children or a proxy's. */
#ifndef CM_LAUNCH_PMI_SERVER_H
#define CM_LAUNCH_PMI_SERVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pmi_server pmi_server;

typedef struct {
    /* Sends a whole line to a rank. */
    void (*answer)(void *context, int rank, const char *line, size_t bytes);
    /* A rank asks for the end of the job, perhaps (blames >= 0) because of what it noticed of
       another. text is NULL when it sent none; printable, one line. */
    void (*abort)(void *context, int rank, int status, int blames, const char *text);
    /* A rank broke the protocol; why is one line. The rank's later lines are ignored. */
    void (*broken)(void *context, int rank, const char *why);
} pmi_server_events;

typedef enum { PMI_OUTSIDE, PMI_JOINED, PMI_LEFT, PMI_BROKEN } pmi_state;

/* size ranks. NULL: out of memory. */
pmi_server *pmi_server_new(int size, const pmi_server_events *events, void *context);
void pmi_server_free(pmi_server *server);

/* A line from rank, without its newline. Any bytes are allowed. */
void pmi_server_line(pmi_server *server, int rank, const char *line);

pmi_state pmi_server_state(const pmi_server *server, int rank);

/* The rank will send nothing any more. */
void pmi_server_gone(pmi_server *server, int rank);

/* The job goes on without the rank: it counts as arrived in every barrier from now on. */
void pmi_server_excuse(pmi_server *server, int rank);

/* Whether ranks wait in a barrier that can never complete, since a rank that is gone and not
   excused has not entered it; *rank is the first such rank, *waiting says how many wait. */
bool pmi_server_stuck(const pmi_server *server, int *rank, int *waiting);

#endif
