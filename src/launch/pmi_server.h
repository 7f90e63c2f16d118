/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_server.h: the launcher's side of PMI-1 for one job: the key-value space, the barrier, and
   which ranks joined and left. It adds gather_in to PMI-1, a barrier at which every rank gives a
   value and gets those of all ranks; "gather=1" in the answer to init announces it. A rank that
   knows its launcher joins and gathers with one line, init with a value, and enters its last
   barrier and leaves with another, barrier_in with finalize=1. The server handles no files: lines
   are passed in, and answers go out through pmi_server_events. So the ranks may be children of this
   process or of a proxy. */
#ifndef CM_LAUNCH_PMI_SERVER_H
#define CM_LAUNCH_PMI_SERVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pmi_server pmi_server;

typedef struct {
    /* Sends a whole line to a rank. */
    void (*answer)(void *context, int rank, const char *line, size_t bytes);
    /* Sends the same whole line to every rank. */
    void (*answer_all)(void *context, const char *line, size_t bytes);
    /* Before a barrier completes: keys and values that are new since the last one, as words
       NAME=VALUE, first kvsname=SPACE. The ranks' gets of these may be answered elsewhere from now
       on. NULL if nobody does. */
    void (*keys)(void *context, const char *text, size_t bytes);
    /* A rank calls abort. blames is the rank whose failure made it give up, or -1. text is one
       printable line, or NULL if the rank sent none. */
    void (*abort)(void *context, int rank, int status, int blames, const char *text);
    /* A rank violated the protocol; why is one line. Later lines of the rank are ignored. */
    void (*broken)(void *context, int rank, const char *why);
} pmi_server_events;

typedef enum { PMI_OUTSIDE, PMI_JOINED, PMI_LEFT, PMI_BROKEN } pmi_state;

/* Creates a server for size ranks. Returns NULL if out of memory. */
pmi_server *pmi_server_new(int size, const pmi_server_events *events, void *context);
void pmi_server_free(pmi_server *server);

/* Handles a line from rank, without its newline. Any bytes are allowed. */
void pmi_server_line(pmi_server *server, int rank, const char *line);

pmi_state pmi_server_state(const pmi_server *server, int rank);

/* The rank sends nothing more. */
void pmi_server_gone(pmi_server *server, int rank);

/* The job goes on without the rank: from now on every barrier counts it as arrived. */
void pmi_server_excuse(pmi_server *server, int rank);

/* Returns true if ranks wait in a barrier that can never complete, because a rank that has not
   entered it is gone and not excused. *rank is the first such rank, *waiting the number of ranks
   that wait. */
bool pmi_server_stuck(const pmi_server *server, int *rank, int *waiting);

#endif
