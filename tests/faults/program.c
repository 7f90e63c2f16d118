/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c: a job of two or more ranks in which rank 1 is killed or stopped at an exact
   place, or which is at a known place when something happens to its network.

        faults/program STAGE SIGNAL [FILE]

   SIGNAL: 9, 19 (stopped), 12 (its connections break, and it lives), 10 (they are reset, so late
   that it may be the kernel that gave up, and are made again), or 0 for none. FILE: where ranks say
   that they have come to the stage, a line each, and wait until FILE.go is there, when the stage
   has a use for that. A job that nothing disturbs ends with "N ranks right". */
#include "config.h"
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "comm/comm.h"
#include "shim.h"

/* Lengths of what stands on the wire (src/comm/engine/wire.h). main sets CM_AHEAD_BYTES to
   AHEAD. */
enum { GREETING = 72, HEADER = 32, AHEAD = 65536 };
enum { VICTIM = 1, TAG = 7, EAGER = 100000, LARGE = 4000000, MESSAGES = 20 };

static int rank, size, wrong;
static const char *file;

/* ---- Tools ----------------------------------------------------------------------------------- */

static char *buffer(size_t bytes, int value)
{
    char *data = malloc(bytes);
    if (!data) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    memset(data, value, bytes);
    return data;
}

static void nap(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&time, &time) != 0) {}
}

static void come_to_stage(void)
{
    char line[320], host[256] = "";
    if (!file) return;
    FILE *stream = fopen(file, "a");
    gethostname(host, sizeof host - 1);
    snprintf(line, sizeof line, "%d %s %ld\n", rank, host, (long)getpid());
    if (!stream || fputs(line, stream) < 0 || fclose(stream) != 0)
        cm_abort(CM_EXIT_SYSTEM, "%s", file);
}

static bool may_go(void)
{
    char name[4096];
    if (!file) return true;
    snprintf(name, sizeof name, "%s.go", file);
    return access(name, F_OK) == 0;
}

static void wait_for_go(void)
{
    while (!may_go()) nap(0.01);
}

/* The contents depend on the position, so that exchanged parts are noticed. */
static char content(size_t i) { return (char)(i * 2654435761u >> 13); }

/* One message between rank 0 and the victim, verified. */
static void message_in(char *data, int from, size_t bytes)
{
    int other = rank == 0 ? VICTIM : 0;
    for (size_t i = 0; i < bytes; i++) data[i] = (char)(content(i) ^ (rank == from ? 0 : 1));
    if (rank == from) cm_send(cm_world(), data, bytes, other, TAG);
    else if (rank == 0 || rank == VICTIM) {
        cm_recv(cm_world(), data, bytes, other, TAG, NULL);
        for (size_t i = 0; i < bytes; i++) wrong += data[i] != content(i);
    }
}

static void message(int from, size_t bytes)
{
    char *data = buffer(bytes, 0);
    message_in(data, from, bytes);
    free(data);
}

/* In memory that the ranks share, if they do. */
static void message_shared(int from, size_t bytes)
{
    char *data = cm_allocate(bytes);
    if (!data) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    message_in(data, from, bytes);
    cm_free(data);
}

/* ---- Operations, all ranks ------------------------------------------------------------------- */

static void nothing(void) {}
static void sends_short(void) { message(VICTIM, 8); }
static void sends_eager(void) { message(VICTIM, EAGER); }
static void sends_large(void) { message(VICTIM, LARGE); }
static void receives_short(void) { message(0, 8); }
static void receives_eager(void) { message(0, EAGER); }
static void receives_large(void) { message(0, LARGE); }
static void receives_large_of(int from) { message(from, LARGE); }
static void sends_shared(void) { message_shared(VICTIM, LARGE); }
static void receives_shared(void) { message_shared(0, LARGE); }

/* The victim frees memory that rank 0 is to copy from, and lives on. */
static void unmaps(void)
{
    char *data = NULL;
    cm_request *request = NULL;
    if (rank == VICTIM) {
        data = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (data == MAP_FAILED) cm_abort(CM_EXIT_SYSTEM, "out of memory");
        request = cm_isend(cm_world(), data, LARGE, 0, TAG);
        munmap(data, LARGE);
    }
    cm_barrier(cm_world(), CM_AUTO);
    if (rank == 0) receives_large_of(VICTIM);
    if (request) cm_wait(&request, NULL);
}

static void barrier(void) { cm_barrier(cm_world(), CM_AUTO); }

static void allreduce(void)
{
    double *own = (double *)buffer(EAGER * sizeof *own, 0);
    double *sum = (double *)buffer(EAGER * sizeof *sum, 0);
    for (int i = 0; i < EAGER; i++) own[i] = i % 100 + rank;
    cm_allreduce(cm_world(), own, sum, EAGER, CM_DOUBLE, CM_SUM, CM_AUTO);
    for (int i = 0; i < EAGER; i++) wrong += sum[i] != i % 100 * size + size * (size - 1) / 2;
    free(own);
    free(sum);
}

static void alltoall(void)
{
    char *out = buffer((size_t)size * EAGER, rank), *in = buffer((size_t)size * EAGER, 0);
    cm_alltoall(cm_world(), out, EAGER, in, CM_AUTO);
    for (int i = 0; i < size * EAGER; i++) wrong += in[i] != (char)(i / EAGER);
    free(out);
    free(in);
}

/* All wait for the victim, or for the rank whose cable is pulled. */
static void waits(void)
{
    come_to_stage();
    if (rank == VICTIM) wait_for_go();
    cm_barrier(cm_world(), CM_AUTO);
}

/* Rank 0 waits for the victim, or the other way round, over one connection that was used before. */
static void waits_quietly(int who)
{
    receives_short();
    come_to_stage();
    if (rank != who) wait_for_go();
    message(VICTIM - who, 8);
}

static void quiet(void) { waits_quietly(0); }
static void quiet_back(void) { waits_quietly(VICTIM); }

static void connects_late(void)
{
    come_to_stage();
    wait_for_go();
    message(0, 8);
}

/* The others' first messages go to the victim, which computes until it may go on, and then answers
   them. */
static void knock_at_the_busy(void)
{
    const int value = rank * rank;
    int answer = 0;
    if (rank != VICTIM) {
        cm_send(cm_world(), &value, sizeof value, VICTIM, TAG);
        come_to_stage();
        cm_recv(cm_world(), &answer, sizeof answer, VICTIM, TAG, NULL);
        wrong += answer != value + 1;
        return;
    }
    come_to_stage();
    wait_for_go();
    for (int i = 1; i < size; i++) {
        cm_status status;
        cm_recv(cm_world(), &answer, sizeof answer, CM_ANY, TAG, &status);
        wrong += answer != status.source * status.source;
        answer++;
        cm_send(cm_world(), &answer, sizeof answer, status.source, TAG);
    }
}

/* Rank 0 sends one message after the other, without waiting for any answer, until it may go on. */
static void streams(void)
{
    char *data = buffer(EAGER, 'm');
    if (rank > VICTIM) come_to_stage();
    for (int i = 0; rank <= VICTIM && data[0] != 'e'; i++) {
        if (rank == 0 && i > MESSAGES && may_go()) data[0] = 'e';
        if (rank == 0) cm_send(cm_world(), data, EAGER, VICTIM, TAG);
        else cm_recv(cm_world(), data, EAGER, 0, TAG, NULL);
        if (i == MESSAGES) come_to_stage();
    }
    free(data);
}

/* Rank 0 sends more than sockets hold to a rank that does not read for a long time. */
static void sends_to_the_busy(void)
{
    enum { N = 100 };
    char *data = buffer(EAGER, 'm');
    cm_request *request[N];
    for (int i = 0; rank == 0 && i < N; i++)
        request[i] = cm_isend(cm_world(), data, EAGER, VICTIM, TAG);
    come_to_stage();
    if (rank == VICTIM) wait_for_go();
    for (int i = 0; rank == VICTIM && i < N; i++) cm_recv(cm_world(), data, EAGER, 0, TAG, NULL);
    if (rank == 0) cm_waitall(N, request, NULL);
    free(data);
}

/* The victim leaves long after the others want to. */
static void leaves_late(void)
{
    come_to_stage();
    if (rank == VICTIM) wait_for_go();
}

static void print_pair(const char *key, const char *value, void *context)
{
    (void)context;
    printf("%s %s\n", key, value);
}

/* Prints rank 0's settings, and the send buffers of its connections. */
static void describes(void)
{
    receives_short();
    if (rank) return;
    cm_describe(print_pair, NULL);
    for (int fd = 3; fd < 256; fd++) {
        int bytes;
        socklen_t length = sizeof bytes;
        if (!faults_is_lane(fd)) continue;
        getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, &length);
        printf("send_buffer %d\n", bytes);
    }
}

/* The victim has no descriptor left when it connects, or is connected to. */
static void hoard(void)
{
    if (rank == VICTIM)
        while (dup(0) >= 0) {}
}

static void connects_without(void)
{
    hoard();
    sends_short();
}

static void accepts_without(void)
{
    hoard();
    receives_short();
}

static void break_connections(int number)
{
    (void)number;
    for (int fd = 3; fd < 256; fd++)
        if (faults_is_lane(fd)) shutdown(fd, SHUT_RDWR);
}

/* As the kernel does with connections that it gives up. */
static void reset_late(int number)
{
    const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
    (void)number;
    nap(2.2);
    for (int fd = 3; fd < 256; fd++)
        if (faults_is_lane(fd)) connect(fd, &nowhere, sizeof nowhere);
}

/* The newest connection between rank 0 and the victim breaks. The others are intact, but nothing
   arrives over them any more. */
static void breaks_one(void)
{
    sends_large();
    int fd = 255;
    while (fd > 3 && !faults_is_lane(fd)) fd--;
    if (rank == VICTIM) shutdown(fd, SHUT_RDWR);
    char byte;
    if (rank <= VICTIM) cm_recv(cm_world(), &byte, 1, VICTIM - rank, TAG, NULL);
}

/* ---- Stages ---------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    enum {
        APART,
        TALKED,
        COPIED
    } before; /* what the victim and rank 0 have done before; COPIED:
                                              long messages, so each copies from the other one */
    enum { BY_ITSELF, BY_BYTES } how;
    faults_stream stream;
    size_t bytes;
    void (*operation)(void);
} stage;

static const stage stages[] = {
    {"joined", APART, BY_ITSELF, 0, 0, receives_short},
    {"idle", TALKED, BY_ITSELF, 0, 0, receives_short},
    {"apart", APART, BY_ITSELF, 0, 0, nothing},
    {"connect", APART, BY_BYTES, FAULTS_WRITTEN, 0, sends_short},
    {"handshake", APART, BY_BYTES, FAULTS_WRITTEN, GREETING / 2, sends_short},
    {"answer", APART, BY_BYTES, FAULTS_WRITTEN, GREETING / 2, receives_short},
    {"header", TALKED, BY_BYTES, FAULTS_WRITTEN, HEADER / 2, sends_short},
    {"eager", TALKED, BY_BYTES, FAULTS_WRITTEN, HEADER + EAGER / 2, sends_eager},
    {"ahead", TALKED, BY_BYTES, FAULTS_WRITTEN, HEADER + AHEAD / 2, sends_large},
    {"data", TALKED, BY_BYTES, FAULTS_WRITTEN, HEADER + AHEAD + HEADER + LARGE / 2, sends_large},
    {"header-in", TALKED, BY_BYTES, FAULTS_READ, HEADER / 2, receives_short},
    {"eager-in", TALKED, BY_BYTES, FAULTS_READ, HEADER + EAGER / 2, receives_eager},
    {"ahead-in", TALKED, BY_BYTES, FAULTS_READ, HEADER + AHEAD / 2, receives_large},
    {"data-in", TALKED, BY_BYTES, FAULTS_READ, HEADER + AHEAD + HEADER + LARGE / 2, receives_large},
    /* A place, then the header that it belongs to; at last the receiver's word that it is done. */
    {"offer", TALKED, BY_BYTES, FAULTS_WRITTEN, HEADER + HEADER / 2, sends_shared},
    {"asked", TALKED, BY_BYTES, FAULTS_READ, HEADER + HEADER / 2, sends_shared},
    {"offered", TALKED, BY_BYTES, FAULTS_READ, HEADER + HEADER / 2, receives_shared},
    {"claimed", TALKED, BY_BYTES, FAULTS_WRITTEN, HEADER + HEADER / 2, receives_shared},
    {"taken", TALKED, BY_BYTES, FAULTS_WRITTEN, 2 * HEADER + HEADER / 2, receives_shared},
    /* The same for ordinary memory (CM_COPY=halves), and in the middle of a copy. */
    {"copy-offer", COPIED, BY_BYTES, FAULTS_WRITTEN, HEADER + HEADER / 2, sends_large},
    {"copy-asked", COPIED, BY_BYTES, FAULTS_READ, HEADER + HEADER / 2, sends_large},
    {"copy-offered", COPIED, BY_BYTES, FAULTS_READ, HEADER + HEADER / 2, receives_large},
    {"copy-claimed", COPIED, BY_BYTES, FAULTS_WRITTEN, HEADER + HEADER / 2, receives_large},
    {"copy-taken", COPIED, BY_BYTES, FAULTS_WRITTEN, 2 * HEADER + HEADER / 2, receives_large},
    {"copy-out", COPIED, BY_BYTES, FAULTS_COPIED, EAGER, sends_large},
    {"copy-in", COPIED, BY_BYTES, FAULTS_COPIED, EAGER, receives_large},
    {"copy-unmapped", COPIED, BY_ITSELF, 0, 0, unmaps},
    {"allreduce", TALKED, BY_BYTES, FAULTS_WRITTEN, EAGER, allreduce},
    {"barrier", TALKED, BY_BYTES, FAULTS_WRITTEN, HEADER / 2, barrier},
    {"alltoall", TALKED, BY_BYTES, FAULTS_WRITTEN, EAGER / 2, alltoall},
    {"finalize", TALKED, BY_ITSELF, 0, 0, nothing},
    {"leaving", TALKED, BY_BYTES, FAULTS_SAID, 5, nothing},
    {"describe", APART, BY_ITSELF, 0, 0, describes},
    {"hoard", APART, BY_ITSELF, 0, 0, connects_without},
    {"hoard-in", APART, BY_ITSELF, 0, 0, accepts_without},
    {"waits", TALKED, BY_ITSELF, 0, 0, waits},
    {"quiet", APART, BY_ITSELF, 0, 0, quiet},
    {"quiet-back", APART, BY_ITSELF, 0, 0, quiet_back},
    {"leave-late", TALKED, BY_ITSELF, 0, 0, leaves_late},
    {"late", APART, BY_ITSELF, 0, 0, connects_late},
    {"knock", APART, BY_ITSELF, 0, 0, knock_at_the_busy},
    {"streams", APART, BY_ITSELF, 0, 0, streams},
    {"one", APART, BY_ITSELF, 0, 0, breaks_one},
    {"busy", APART, BY_ITSELF, 0, 0, sends_to_the_busy},
};

static const stage *find(const char *name)
{
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (strcmp(stages[i].name, name) == 0) return &stages[i];
    return NULL;
}

/* Before and inside cm_init there is no world yet. */
static void start_faults(const char *name, int number)
{
    const char *own = getenv("PMI_RANK");
    if (!own || atoi(own) != VICTIM || !number) return;
    if (strcmp(name, "before") == 0) raise(number);
    else if (strcmp(name, "card") == 0) faults_after(FAULTS_SAID, 100, number);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: faults/program STAGE SIGNAL [FILE]\n");
        return CM_EXIT_USAGE;
    }
    const char *name = argv[1];
    int number = atoi(argv[2]);
    bool at_start = strcmp(name, "before") == 0 || strcmp(name, "card") == 0;
    const stage *now = find(at_start ? "joined" : name);
    if (!now) {
        fprintf(stderr, "faults/program: no stage '%s'\n", name);
        return CM_EXIT_USAGE;
    }
    file = argc > 3 ? argv[3] : NULL;
    setenv("CM_AHEAD_BYTES", "65536", 1);
    if (number == SIGUSR2) signal(SIGUSR2, break_connections);
    if (number == SIGUSR1) signal(SIGUSR1, reset_late);
    start_faults(name, number);
    int status = cm_init(&argc, &argv);
    if (status) return status;
    rank = cm_rank(cm_world());
    size = cm_size(cm_world());
    if (size < 2) cm_abort(CM_EXIT_USAGE, "2 ranks or more");
    if (now->before != APART) {
        cm_barrier(cm_world(), CM_AUTO);
        receives_short();
        sends_short();
    }
    for (int i = 0; now->before == COPIED && i < 2; i++) {
        receives_large();
        sends_large();
    }
    if (rank == VICTIM && number && !at_start) {
        if (now->how == BY_BYTES) {
            faults_after(now->stream, now->bytes, number);
        } else {
            nap(0.2); /* the others are where they wait, or on their way there */
            raise(number);
        }
    }
    now->operation();
    int32_t mine = wrong > 0, all = mine;
    bool leave = strcmp(name, "finalize") == 0 || strcmp(name, "leaving") == 0
                 || strcmp(name, "leave-late") == 0 || strcmp(name, "apart") == 0;
    if (!leave) cm_allreduce(cm_world(), &mine, &all, 1, CM_INT32, CM_MAX, CM_AUTO);
    if (rank == 0) printf("%d ranks %s\n", size, all ? "wrong" : "right");
    cm_finalize();
    return all ? CM_EXIT_WRONG : CM_EXIT_PASS;
}
