/* SPDX-License-Identifier: BSD-3-Clause */
/* crew.h: all ranks of a job, either on this host alone (a rank_set) or on several hosts (a
   host_set). The calls are those of rank_set.h. */
#ifndef CM_LAUNCH_CREW_H
#define CM_LAUNCH_CREW_H

#include "launch/host_set.h"
#include "launch/rank_set.h"

typedef struct {
    rank_set *here; /* one of the two is NULL */
    host_set *there;
    const char *own_host;
} crew;

void crew_reap(crew *crew);
double crew_clock(crew *crew);
int crew_alive(const crew *crew);
pid_t crew_pid(const crew *crew, int rank);
const char *crew_host(const crew *crew, int rank);
void crew_answer(crew *crew, int rank, const char *line, size_t bytes);
void crew_answer_all(crew *crew, const char *line, size_t bytes);
void crew_keys(crew *crew, const char *text, size_t bytes);
void crew_signal(crew *crew, int signal);
void crew_kill(crew *crew, int rank);
void crew_hold_output(crew *crew, int stream, bool hold);
bool crew_leftovers(crew *crew, int signal);
void crew_drain(crew *crew);
void crew_free(crew *crew);

#endif
