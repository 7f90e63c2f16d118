/* SPDX-License-Identifier: BSD-3-Clause */
/* wrong.c: does one wrong thing, named by its argument, on the last rank;
   contract/wrong.sh looks at how the job ends. If the wrong call were accepted, the job would end
   with status 0. */
#include "contract.h"

static char buffer[1000];
static cm_request *request;

/* All ranks take part, so that the last rank's left neighbour does not hang if a wrong call is
   accepted. */
static void truncation(void)
{
    if (rank == 0) cm_send(world, buffer, 100, size - 1, 1);
    if (rank == size - 1) cm_recv(world, buffer, 40, 0, 1, NULL);
}

static void truncation_posted(void)
{
    if (rank == size - 1) request = cm_irecv(world, buffer, 40, 0, 1);
    meet();
    cm_request *send = rank == 0 ? cm_isend(world, buffer + 500, 100, size - 1, 1) : NULL;
    cm_wait(&request, NULL);
    cm_wait(&send, NULL);
}

static void truncation_exchange(void)
{
    cm_sendrecv(world, buffer, 100, rank, 1, buffer + 500, 40, rank, 1, NULL);
}

/* Above the eager limit, however small that is, a send is complete when the message has been
   received. */
static void truncation_rendezvous(void)
{
    request = cm_irecv(world, buffer, 40, rank, 1);
    cm_request *send = cm_isend(world, buffer + 500, 100, rank, 1);
    cm_wait(&request, NULL);
    cm_wait(&send, NULL);
}

static void truncation_large(void)
{
    size_t bytes = 8 << 20;
    char *large = memory(bytes);
    fill(large, bytes, 1);
    cm_request *send = rank == 0 ? cm_isend(world, large, bytes, size - 1, 1) : NULL;
    if (rank == size - 1) cm_recv(world, large, bytes - 1, 0, 1, NULL);
    cm_wait(&send, NULL);
}

/* The ranks know each other, so that the memory can be shared. */
static void truncation_shared(void)
{
    char *large = cm_allocate(100000);
    if (!large) cm_abort(CM_EXIT_SYSTEM, "no memory");
    meet();
    meet();
    cm_request *send = rank == 0 ? cm_isend(world, large, 99999, size - 1, 1) : NULL;
    if (rank == size - 1) cm_recv(world, large, 99998, 0, 1, NULL);
    cm_wait(&send, NULL);
}

static void free_sending(void)
{
    char *large = cm_allocate(1 << 20);
    if (!large) cm_abort(CM_EXIT_SYSTEM, "no memory");
    meet();
    meet();
    if (rank == size - 1) {
        request = cm_isend(world, large, 1 << 20, 0, 1);
        cm_free(large);
        cm_wait(&request, NULL);
    }
    if (rank == 0) cm_recv(world, large, 1 << 20, size - 1, 1, NULL);
}

static void leave_without_end(void) { exit(0); }

static void send_rank(void) { cm_send(world, buffer, 1, size, 1); }
static void send_any(void) { cm_send(world, buffer, 1, CM_ANY, 1); }
static void isend_negative(void) { request = cm_isend(world, buffer, 1, -7, 1); }
static void recv_rank(void) { request = cm_irecv(world, buffer, 1, size + 3, 1); }
static void recv_negative(void) { request = cm_irecv(world, buffer, 1, -2, 1); }
static void send_tag(void) { request = cm_isend(world, buffer, 1, rank, -5); }
static void send_tag_any(void) { request = cm_isend(world, buffer, 1, rank, CM_ANY); }
static void send_tag_limit(void) { request = cm_isend(world, buffer, 1, rank, CM_TAG_LIMIT); }
static void recv_tag(void) { request = cm_irecv(world, buffer, 1, rank, -2); }
static void probe_rank(void) { cm_iprobe(world, size, 1, NULL); }
static void probe_tag(void) { cm_iprobe(world, rank, CM_TAG_LIMIT, NULL); }
static void send_null(void) { request = cm_isend(world, NULL, 8, rank, 1); }
static void recv_null(void) { request = cm_irecv(world, NULL, 8, rank, 1); }
static void cancel_send(void)
{
    request = cm_isend(world, buffer, 1, rank, 1);
    cm_cancel(&request);
}
static void bcast_algorithm(void) { cm_alltoall(world, buffer, 0, buffer, CM_BINOMIAL); }
static void unknown_algorithm(void) { cm_barrier(world, CM_ALGORITHM(77, 0)); }
static void bcast_root(void) { cm_bcast(world, buffer, 1, size, CM_AUTO); }
static void reduce_type(void)
{
    cm_allreduce(world, buffer, buffer, 1, CM_DOUBLE, CM_XOR, CM_AUTO);
}
static void reduce_unknown_type(void)
{
    cm_allreduce(world, buffer, buffer, 1, 99, CM_SUM, CM_AUTO);
}
/* Lengths of a collective operation, by direct where ranks of a host can: OPERATION:ROOT:OTHERS,
   the bytes on rank 0 and on the others. Buffers are all 0, as answers of direct may be. */
static void lengths(const char *text)
{
    enum { ROOM = 200000 };
    char operation[16];
    size_t root, others;
    if (sscanf(text, "%15[a-z]:%zu:%zu", operation, &root, &others) != 3)
        cm_abort(11, "expected OPERATION:ROOT:OTHERS");
    const size_t bytes = rank == 0 ? root : others;
    char *x = calloc((size_t)size, ROOM), *y = calloc((size_t)size, ROOM);
    const cm_algorithm algorithm = CM_DIRECT;
    if (!strcmp(operation, "gather")) cm_gather(world, x, bytes, y, 0, algorithm);
    if (!strcmp(operation, "scatter")) cm_scatter(world, x, bytes, y, 0, algorithm);
    if (!strcmp(operation, "bcast")) cm_bcast(world, x, bytes, 0, algorithm);
    if (!strcmp(operation, "alltoall")) cm_alltoall(world, x, bytes, y, algorithm);
    if (!strcmp(operation, "reduce")) cm_reduce(world, x, y, bytes, CM_UINT8, CM_XOR, 0, algorithm);
    cm_barrier(world, CM_AUTO);
}

static void host_rank(void) { cm_host(world, size); }
static void hang(void)
{
    point("a message that never comes");
    cm_recv(world, buffer, 1, 0, 98, NULL);
}

static void abort_status(void) { cm_abort(42, "ends by its own will, value %d", 17); }

static const struct {
    const char *name;
    void (*run)(void);
    bool all;
} cases[] = {{"truncation", truncation, true},
             {"truncation-posted", truncation_posted, true},
             {"truncation-exchange", truncation_exchange, false},
             {"truncation-rendezvous", truncation_rendezvous, false},
             {"truncation-large", truncation_large, true},
             {"truncation-shared", truncation_shared, true},
             {"free-sending", free_sending, true},
             {"send-rank", send_rank, false},
             {"send-any", send_any, false},
             {"isend-negative", isend_negative, false},
             {"recv-rank", recv_rank, false},
             {"recv-negative", recv_negative, false},
             {"send-tag", send_tag, false},
             {"send-tag-any", send_tag_any, false},
             {"send-tag-limit", send_tag_limit, false},
             {"recv-tag", recv_tag, false},
             {"probe-rank", probe_rank, false},
             {"probe-tag", probe_tag, false},
             {"send-null", send_null, false},
             {"recv-null", recv_null, false},
             {"cancel-send", cancel_send, false},
             {"alltoall-algorithm", bcast_algorithm, false},
             {"unknown-algorithm", unknown_algorithm, false},
             {"bcast-root", bcast_root, false},
             {"reduce-type", reduce_type, false},
             {"reduce-unknown-type", reduce_unknown_type, false},
             {"host-rank", host_rank, false},
             {"abort", abort_status, false},
             {"hang", hang, true},
             {"exit", leave_without_end, false}};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    contract_start(&argc, &argv);
    if (strchr(name, ':')) {
        lengths(name);
        _exit(0);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(name, cases[i].name)) continue;
        if (cases[i].all || rank == size - 1) cases[i].run();
        /* The others wait for a message that never comes; the failure must end them too. */
        if (rank != size - 1) cm_recv(world, buffer, 1, size - 1, 99, NULL);
        for (int r = 0; rank == size - 1 && r < size - 1; r++) cm_send(world, buffer, 1, r, 99);
        _exit(0);
    }
    cm_abort(11, "no case '%s'", name);
}
