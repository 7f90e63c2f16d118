/* SPDX-License-Identifier: BSD-3-Clause */
/* crossing.c: native backends: all ranks call each other first at the same moment, so that every
   pair makes two connections. One is left of them, and no message is lost or overtaken. */
#include "contract.h"
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { MESSAGES = 20, TAG = 3, LATER = 4, LONG = 300000, PATIENCE_S = 60 };

/* All ranks of the job have the same parent. */
static _Atomic int *shared_count(char *name, size_t capacity)
{
    snprintf(name, capacity, "crossing.%d.tmp", (int)getppid());
    int fd = open(name, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(int)) != 0) cm_abort(CM_EXIT_SYSTEM, "%s", name);
    void *map = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map == MAP_FAILED) cm_abort(CM_EXIT_SYSTEM, "%s", name);
    return map;
}

/* Without a call of the layer. */
static bool wait_for_all(_Atomic int *count, int n)
{
    const double end_s = cm_time() + PATIENCE_S;
    atomic_fetch_add(count, 1);
    while (atomic_load(count) < n && cm_time() < end_s) usleep(100);
    return atomic_load(count) >= n;
}

/* A file that is removed already, or a name without one. */
static bool is_of_rank(const struct sockaddr_un *address)
{
    static const char begin[] = "\0clustermark-";
    return memcmp(address->sun_path, begin, sizeof begin - 1) == 0
           || strstr(address->sun_path, "/.clustermark-");
}

/* A connection to another rank; the launcher's is of the UNIX domain and has no name. */
static bool is_connection(int fd)
{
    struct sockaddr_un own, peer;
    socklen_t own_bytes = sizeof own, peer_bytes = sizeof peer;
    memset(&own, 0, sizeof own);
    memset(&peer, 0, sizeof peer);
    if (getsockname(fd, (struct sockaddr *)&own, &own_bytes) != 0
        || getpeername(fd, (struct sockaddr *)&peer, &peer_bytes) != 0)
        return false;
    return own.sun_family != AF_UNIX || is_of_rank(&own) || is_of_rank(&peer);
}

static int connections(void)
{
    int n = 0;
    for (int fd = 3; fd < 4096; fd++) n += is_connection(fd);
    return n;
}

static void exchange_at_once(_Atomic int *count)
{
    cm_request **out = calloc((size_t)(size * MESSAGES), sizeof *out);
    int *data = calloc((size_t)(size * MESSAGES), sizeof *data), n = 0;
    for (int to = 0; to < size; to++)
        for (int i = 0; to != rank && i < MESSAGES; i++, n++) {
            data[n] = rank * 1000 + i;
            out[n] = cm_isend(world, &data[n], sizeof data[n], to, TAG);
        }
    EXPECT(wait_for_all(count, size), "some rank did not come");
    EXPECT(size == 1 || connections() >= size - 1, "%d connections of its own", connections());
    for (int i = 0; i < MESSAGES; i++)
        for (int from = 0; from < size; from++) {
            int got = -1;
            if (from == rank) continue;
            cm_recv(world, &got, sizeof got, from, TAG, NULL);
            EXPECT(got == from * 1000 + i, "%d from rank %d, message %d", got, from, i);
        }
    cm_waitall(n, out, NULL);
    free(out);
    free(data);
}

static void exchange_later(void)
{
    char *out = malloc(LONG), *in = malloc(LONG);
    for (int apart = 1; apart < size; apart++) {
        const int to = (rank + apart) % size, from = (rank + size - apart) % size;
        memset(out, rank + apart, LONG);
        cm_sendrecv(world, out, LONG, to, LATER, in, LONG, from, LATER, NULL);
        EXPECT(in[0] == (char)(from + apart) && in[LONG - 1] == in[0], "from rank %d", from);
    }
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    char name[64];
    contract_start(&argc, &argv);
    if (!cm_comm_has(CM_HAS_PMI)) {
        if (rank == 0) printf("1..0 # SKIP no backend that makes connections itself\n");
        cm_finalize();
        return 0;
    }
    _Atomic int *count = shared_count(name, sizeof name);
    point("messages of ranks that call each other at once arrive in order");
    exchange_at_once(count);
    unlink(name);
    point("long messages after that");
    exchange_later();
    point("each pair has one connection");
    const double end_s = cm_time() + PATIENCE_S;
    while (connections() != size - 1 && cm_time() < end_s) cm_progress();
    EXPECT(connections() == size - 1, "%d connections of %d ranks", connections(), size);
    return contract_done();
}
