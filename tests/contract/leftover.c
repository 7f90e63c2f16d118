/* SPDX-License-Identifier: BSD-3-Clause */
/* leftover.c: leaves one thing undone, which its argument names; contract/leftover.sh checks what
   cm_finalize reports about it on rank 0. */
#include "contract.h"

static char buffer[1000];

static void nothing(void) {}

/* Three messages, of which nobody receives any. */
static void unreceived(void)
{
    if (rank == size - 1)
        for (int i = 0; i < 3; i++) cm_send(world, buffer, (size_t)(100 + i), 0, 7 + i);
}

/* The first message is received, so the second one is the first that is left over. */
static void partly(void)
{
    unreceived();
    if (rank == 0) cm_recv(world, buffer, sizeof buffer, size - 1, 7, NULL);
}

static void posted(void)
{
    if (rank == 0) cm_irecv(world, buffer, 40, 0, 5);
}

static void posted_any(void)
{
    if (rank == 0) cm_irecv(world, buffer, 40, CM_ANY, CM_ANY);
}

/* Too long to be complete before it is received. */
static void long_send(void)
{
    enum { BYTES = 8 << 20 };
    char *data = memory(BYTES);
    fill(data, BYTES, 1);
    if (rank == 0 && size > 1) cm_isend(world, data, BYTES, size - 1, 3);
}

static void both(void)
{
    unreceived();
    posted();
    posted();
}

static void cancelled(void)
{
    cm_request *request = cm_irecv(world, buffer, 40, CM_ANY, 5);
    cm_cancel(&request);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"nothing", nothing}, {"unreceived", unreceived}, {"partly", partly},
             {"posted", posted},   {"posted-any", posted_any}, {"long-send", long_send},
             {"both", both},       {"cancelled", cancelled}};

int main(int argc, char **argv)
{
    int status = cm_init(&argc, &argv);
    if (status) return status;
    world = cm_world();
    rank = cm_rank(world);
    size = cm_size(world);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) cases[i].run();
    cm_finalize();
    return 0;
}
