/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_faulty.c: collective operations made wrong on purpose. cm-collective's sources are
   compiled with them renamed to these. TEST_FAULT names the operation; of it, calls by algorithm
   linear go wrong:
   one bit of the last rank's last byte; a barrier does not wait. TEST_FREE is the free memory. */
#undef cm_bcast
#undef cm_allreduce
#undef cm_alltoall
#undef cm_barrier
#undef cm_iallreduce
#undef cm_machine_memory_share_bytes
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "machine/machine.h"

void collective_faulty_bcast(cm_group *, void *, size_t, int, cm_algorithm);
void collective_faulty_allreduce(cm_group *, const void *, void *, size_t, cm_type, cm_op,
                                 cm_algorithm);
void collective_faulty_alltoall(cm_group *, const void *, size_t, void *, cm_algorithm);
void collective_faulty_barrier(cm_group *, cm_algorithm);
cm_request *collective_faulty_iallreduce(cm_group *, const void *, void *, size_t, cm_type, cm_op,
                                         cm_algorithm);
int64_t collective_faulty_share_bytes(int processes, bool *limited);

int64_t collective_faulty_share_bytes(int processes, bool *limited)
{
    const char *bytes = getenv("TEST_FREE");
    return bytes ? atoll(bytes) / processes : cm_machine_memory_share_bytes(processes, limited);
}

static bool is(const char *operation, cm_algorithm algorithm)
{
    const char *wanted = getenv("TEST_FAULT");
    return wanted && strcmp(wanted, operation) == 0 && algorithm.kind == CM_KIND_LINEAR;
}

static void flip(cm_group *group, unsigned char *data, size_t bytes)
{
    if (bytes && cm_rank(group) == cm_size(group) - 1) data[bytes - 1] ^= 0x10;
}

void collective_faulty_bcast(cm_group *group, void *data, size_t bytes, int root, cm_algorithm a)
{
    cm_bcast(group, data, bytes, root, a);
    if (is("bcast", a)) flip(group, data, bytes);
}

void collective_faulty_allreduce(cm_group *group, const void *in, void *out, size_t count,
                                 cm_type type, cm_op op, cm_algorithm a)
{
    cm_allreduce(group, in, out, count, type, op, a);
    if (is("allreduce", a)) flip(group, out, count * cm_type_bytes(type));
}

void collective_faulty_alltoall(cm_group *group, const void *in, size_t bytes, void *out,
                                cm_algorithm a)
{
    cm_alltoall(group, in, bytes, out, a);
    if (is("alltoall", a)) flip(group, out, bytes * (size_t)cm_size(group));
}

void collective_faulty_barrier(cm_group *group, cm_algorithm a)
{
    if (!is("barrier", a)) cm_barrier(group, a);
}

/* A NULL request is complete. */
cm_request *collective_faulty_iallreduce(cm_group *group, const void *in, void *out, size_t count,
                                         cm_type type, cm_op op, cm_algorithm a)
{
    cm_request *request = cm_iallreduce(group, in, out, count, type, op, a);
    if (!is("iallreduce", a)) return request;
    cm_wait(&request, NULL);
    flip(group, out, count * cm_type_bytes(type));
    return NULL;
}
