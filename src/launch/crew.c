/* SPDX-License-Identifier: BSD-3-Clause */
/* crew.c: forwards each call to the rank_set or the host_set. */
#include "config.h"
#include <math.h>
#include "launch/crew.h"

void crew_reap(crew *crew)
{
    if (crew->there) host_set_reap(crew->there);
    else if (crew->here) rank_set_reap(crew->here);
}

double crew_clock(crew *crew) { return crew->there ? host_set_clock(crew->there) : INFINITY; }

int crew_alive(const crew *crew)
{
    return crew->there ? host_set_alive(crew->there) : rank_set_alive(crew->here);
}

pid_t crew_pid(const crew *crew, int rank)
{
    return crew->there ? host_set_pid(crew->there, rank) : rank_set_pid(crew->here, rank);
}

const char *crew_host(const crew *crew, int rank)
{
    return crew->there ? host_set_host(crew->there, rank) : crew->own_host;
}

void crew_answer(crew *crew, int rank, const char *line, size_t bytes)
{
    if (crew->there) host_set_answer(crew->there, rank, line, bytes);
    else rank_set_answer(crew->here, rank, line, bytes);
}

void crew_answer_all(crew *crew, const char *line, size_t bytes)
{
    if (crew->there) host_set_answer_all(crew->there, line, bytes);
    else rank_set_answer_all(crew->here, line, bytes);
}

void crew_keys(crew *crew, const char *text, size_t bytes)
{
    if (crew->there) host_set_keys(crew->there, text, bytes);
}

void crew_signal(crew *crew, int signal)
{
    if (crew->there) host_set_signal(crew->there, signal);
    else rank_set_signal(crew->here, signal);
}

void crew_kill(crew *crew, int rank)
{
    if (crew->there) host_set_kill(crew->there, rank);
    else rank_set_kill(crew->here, rank);
}

void crew_hold_output(crew *crew, int stream, bool hold)
{
    if (crew->there) host_set_hold_output(crew->there, stream, hold);
    else rank_set_hold_output(crew->here, stream, hold);
}

bool crew_leftovers(crew *crew, int signal)
{
    return crew->there ? host_set_leftovers(crew->there, signal)
                       : rank_set_leftovers(crew->here, signal);
}

void crew_drain(crew *crew)
{
    if (crew->here) rank_set_drain(crew->here); /* the proxies of a host_set have drained theirs */
}

void crew_free(crew *crew)
{
    if (crew->there) host_set_free(crew->there);
    if (crew->here) rank_set_free(crew->here);
}
