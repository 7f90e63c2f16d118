/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_faulty.c: communication made wrong on purpose, and a record of when it happened.
   cm-congestion's sources are compiled with these calls renamed. TEST_FAULT names a victim or an
   aggressor, of whose data one bit goes wrong. With TEST_LOG, each rank writes to TEST_LOG.RANK the
   case (barriers of the job so far), begin and end of each allreduce and alltoall; clocks of one
   host agree. */
#undef cm_alltoall
#undef cm_allreduce
#undef cm_barrier
#undef cm_bcast
#undef cm_send
#undef cm_isend
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "comm/comm.h"

void congestion_faulty_alltoall(cm_group *, const void *, size_t, void *, cm_algorithm);
void congestion_faulty_allreduce(cm_group *, const void *, void *, size_t, cm_type, cm_op,
                                 cm_algorithm);
void congestion_faulty_barrier(cm_group *, cm_algorithm);
void congestion_faulty_bcast(cm_group *, void *, size_t, int, cm_algorithm);
void congestion_faulty_send(cm_group *, const void *, size_t, int, int);
cm_request *congestion_faulty_isend(cm_group *, const void *, size_t, int, int);

static int cases;
static FILE *log_file;

static bool is(const char *what)
{
    const char *wanted = getenv("TEST_FAULT");
    return wanted && strcmp(wanted, what) == 0;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void note(char what, double begin_s)
{
    const char *path = getenv("TEST_LOG");
    if (!path) return;
    if (!log_file) {
        char name[4096];
        snprintf(name, sizeof name, "%s.%d", path, cm_rank(cm_world()));
        if (!(log_file = fopen(name, "w"))) exit(99);
    }
    fprintf(log_file, "%d %c %d %.9f %.9f\n", cases, what, cm_rank(cm_world()), begin_s, now_s());
}

static void flip(cm_group *group, unsigned char *data, size_t bytes)
{
    if (bytes && cm_rank(group) == cm_size(group) - 1) data[bytes - 1] ^= 0x10;
}

void congestion_faulty_alltoall(cm_group *group, const void *in, size_t bytes, void *out,
                                cm_algorithm a)
{
    double begin_s = now_s();
    cm_alltoall(group, in, bytes, out, a);
    note('A', begin_s);
    if (is("alltoall")) flip(group, out, bytes * (size_t)cm_size(group));
}

void congestion_faulty_allreduce(cm_group *group, const void *in, void *out, size_t count,
                                 cm_type type, cm_op op, cm_algorithm a)
{
    double begin_s = now_s();
    cm_allreduce(group, in, out, count, type, op, a);
    note('V', begin_s);
    if (is("allreduce")) flip(group, out, count * cm_type_bytes(type));
}

void congestion_faulty_barrier(cm_group *group, cm_algorithm a)
{
    if (group == cm_world()) cases++;
    cm_barrier(group, a);
}

/* Plans are short. */
void congestion_faulty_bcast(cm_group *group, void *data, size_t bytes, int root, cm_algorithm a)
{
    cm_bcast(group, data, bytes, root, a);
    if (is("broadcast") && bytes > 64) flip(group, data, bytes);
}

/* Messages of the victims have 8 bytes in the test. */
void congestion_faulty_send(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    bool data_of_pairs = group != cm_world() && bytes > 0;
    if (data_of_pairs && is(bytes == 8 ? "pingpong" : "incast"))
        ((unsigned char *)data)[bytes - 1] ^= 0x10;
    cm_send(group, data, bytes, dest, tag);
}

cm_request *congestion_faulty_isend(cm_group *group, const void *data, size_t bytes, int dest,
                                    int tag)
{
    if (is("bandwidth")) ((unsigned char *)data)[0] ^= 0x10;
    return cm_isend(group, data, bytes, dest, tag);
}
