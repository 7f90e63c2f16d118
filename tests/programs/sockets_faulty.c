/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_faulty.c: what cm-sockets receives, made wrong on purpose. That program's sources are
   compiled with recv renamed to this. TEST_FAULT says how:

     flip    one bit of the 3rd receive: on a busy machine a stream may come in few
     drop    every tenth datagram is thrown away
     twice   every tenth datagram comes twice
     swap    every tenth datagram comes after the next one
     rank0, rank1
             nothing; that rank says of its whole part that pages came from a disk
     trials  nothing; each trial is said to be moved to another core

   How often recv was made wrong is written to the file that TEST_FAULT_COUNT names. */
#undef recv
#undef cm_sample_watch_end
#undef cm_sample
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "run/run.h"
#include "sample/disturbance.h"
#include "sample/sample.h"

unsigned sockets_faulty_watch_end(cm_sample_watch *watch, double now_s, bool look);
void sockets_faulty_sample(const cm_sampling *sampling, cm_group *group, size_t n,
                           const cm_subject *subject, cm_sampled *sampled);
ssize_t sockets_faulty_recv(int fd, void *data, size_t capacity, int flags);

static struct {
    long receives, done;
    char kept[1 << 16];
    ssize_t kept_bytes;
} fault;

static void note(void)
{
    const char *name = getenv("TEST_FAULT_COUNT");
    /* The other process receives little, and nothing of it is made wrong. */
    const int most = fault.done > 0 || fault.receives > 100;
    FILE *file = name && most ? fopen(name, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", fault.done);
    fclose(file);
}

static int is(const char *kind)
{
    const char *wanted = getenv("TEST_FAULT");
    return wanted && strcmp(wanted, kind) == 0;
}

static ssize_t give_kept(void *data)
{
    ssize_t n = fault.kept_bytes;
    memcpy(data, fault.kept, (size_t)n);
    fault.kept_bytes = 0;
    if (is("twice")) fault.done++; /* that of the last datagram of all may not be asked for */
    return n;
}

static void keep(const void *data, ssize_t n)
{
    memcpy(fault.kept, data, (size_t)n);
    fault.kept_bytes = n;
}

ssize_t sockets_faulty_recv(int fd, void *data, size_t capacity, int flags)
{
    if (fault.kept_bytes > 0) return give_kept(data);
    ssize_t n = recv(fd, data, capacity, flags);
    if (n <= 0 || (size_t)n > capacity || (size_t)n > sizeof fault.kept) return n;
    if (fault.receives++ == 0) atexit(note);
    if (is("flip") && fault.receives == 3) {
        ((unsigned char *)data)[n / 2] ^= 0x20;
        fault.done++;
    }
    if (!(flags & MSG_TRUNC) || fault.receives % 10 != 5) return n;
    if (is("drop")) {
        fault.done++;
        errno = EAGAIN;
        return -1;
    }
    if (is("twice")) keep(data, n);
    if (is("swap")) {
        keep(data, n);
        ssize_t next = recv(fd, data, capacity, flags);
        if (next <= 0) return give_kept(data);
        fault.receives++;
        fault.done++;
        return next;
    }
    return n;
}

unsigned sockets_faulty_watch_end(cm_sample_watch *watch, double now_s, bool look)
{
    unsigned cause = cm_sample_watch_end(watch, now_s, look);
    return is(cm_rank(cm_world()) == 0 ? "rank0" : "rank1") ? CM_DISTURBED_FAULTED : cause;
}

static unsigned moved(void) { return CM_DISTURBED_MOVED; }

void sockets_faulty_sample(const cm_sampling *sampling, cm_group *group, size_t n,
                           const cm_subject *subject, cm_sampled *sampled)
{
    cm_sampling own = *sampling;
    if (is("trials")) own.cause = moved;
    cm_sample(&own, group, n, subject, sampled);
}
