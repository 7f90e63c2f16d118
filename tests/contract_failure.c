/* SPDX-License-Identifier: BSD-3-Clause */
/* contract_failure.c: comm.h, cm_on_failure(CM_RETURN): the last rank, or several, die by SIGKILL, and what
   the others had to do with them returns. contract_failure.sh runs it, a case a job: what dies stays dead. */
#include "contract.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

static int victim;                 /* the last rank                                                 */
static const char *folder;         /* for files that say what no message may                        */
static const char *how = "";       /* a variant of the case                                         */
static char buffer[4096];
static const size_t LARGE = 48 << 20;   /* more than two sockets' buffers */

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void expect_failed(const cm_status *status, int who)
{
    EXPECT(status->failed == who && status->source == who && status->tag == CM_ANY && !status->bytes,
           "failed %d, source %d, tag %d, %zu bytes", status->failed, status->source, status->tag,
           status->bytes);
}

static void recv_failed(int source, int tag)
{
    cm_status status = {0, 0, 1, -7};
    cm_recv(world, buffer, sizeof buffer, source, tag, &status);
    expect_failed(&status, victim);
}

/* ---- Without messages ------------------------------------------------------------------------ */

static void path_of(char *path, size_t capacity, const char *what, int of)
{
    const char *launcher = getenv("CM_LAUNCHER");
    snprintf(path, capacity, "%s/%s.%s%s.%d.%d", folder, what, launcher ? launcher : "", how, size, of);
}

static void leave_file(const char *what)
{
    char path[1000];
    path_of(path, sizeof path, what, rank);
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    if (fd < 0) cm_abort(CM_EXIT_SYSTEM, "%s: %s", path, strerror(errno));
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (write(fd, text, (size_t)n) != n) cm_abort(CM_EXIT_SYSTEM, "%s: cannot write", path);
    close(fd);
}

static long await_file(const char *what, int of)
{
    char path[1000];
    long pid = 0;
    path_of(path, sizeof path, what, of);
    for (FILE *file; !pid; usleep(1000)) {
        if (!(file = fopen(path, "r"))) continue;
        char line[32];
        if (fgets(line, sizeof line, file) && strchr(line, '\n')) pid = atol(line);
        fclose(file);
    }
    return pid;
}

static void await_end(long pid)
{
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    for (FILE *file; (file = fopen(path, "r")); usleep(1000)) {
        const char *state = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
        fclose(file);
        if (state && (state[2] == 'Z' || state[2] == 'X')) return;
    }
}

/* All ranks have come here, and no connection was made for it. */
static void meet_quietly(void)
{
    leave_file("here");
    for (int r = 0; r < size; r++) await_file("here", r);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* Survivors, of which there are n, go on exchanging right data. */
static void go_on(int n)
{
    size_t eager = eager_limit();
    const size_t bytes[] = {0, 1, 1000, eager, eager + 1, 2500000};
    unsigned char *in = memory(2500000 + eager), *out = memory(2500000 + eager);
    point("%d ranks go on", n);
    for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) {
        cm_status status;
        int right = (rank + 1) % n, left = (rank + n - 1) % n;
        fill(out, bytes[k], (unsigned)rank + 1);
        if (n > 1) cm_sendrecv(world, out, bytes[k], right, 3, in, bytes[k], left, 3, &status);
        else cm_sendrecv(world, out, bytes[k] % 4096, 0, 3, in, bytes[k] % 4096, 0, 3, &status);
        EXPECT(status.failed == -1 && status.source == left, "failed %d", status.failed);
        EXPECT(wrong_at(in, status.bytes, (unsigned)left + 1) == status.bytes, "%zu bytes", bytes[k]);
    }
    free(in);
    free(out);
}

/* Its messages: kept by the layer (acknowledged), unread, or even on a connection that nobody has accepted. */
static void received(void)
{
    size_t eager = strcmp(how, "kept") ? 2000 : eager_limit();
    char *data = memory(eager), token = 1;
    long pid = 0;
    if (strcmp(how, "unaccepted") == 0) meet_quietly();
    else meet();
    if (rank == victim) {
        fill(data, eager, 7);
        if (strcmp(how, "kept")) leave_file("dies");
        for (int r = 0; r < victim; r++) {
            cm_send(world, data, 0, r, 1);
            cm_send(world, data, 100, r, 1);
            cm_send(world, data, eager, r, 2);
            cm_send(world, &token, 1, r, 9);
            if (strcmp(how, "kept") == 0) cm_recv(world, &token, 1, r, 9, NULL);
        }
        die();
    }
    point("what a rank sent before it failed is received (%s)", how);
    cm_status status;
    if (strcmp(how, "kept")) {
        pid = await_file("dies", victim);
        await_end(pid);
    } else {
        cm_recv(world, &token, 1, victim, 9, NULL);
        cm_send(world, &token, 1, victim, 9);
        while (!cm_failed(world, victim)) cm_progress();
    }
    cm_recv(world, data, 0, victim, 1, &status);
    EXPECT(status.failed == -1 && status.bytes == 0);
    cm_recv(world, data, eager, victim, 2, &status);
    EXPECT(status.failed == -1 && wrong_at(data, status.bytes, 7) == eager, "%zu", status.bytes);
    cm_recv(world, data, 100, CM_ANY, 1, &status);
    EXPECT(status.failed == -1 && status.source == victim && wrong_at(data, status.bytes, 7) == 100,
           "failed %d, %zu bytes", status.failed, status.bytes);
    if (pid) {
        cm_recv(world, &token, 1, victim, 9, &status);
        EXPECT(status.failed == -1);
    }

    point("then every receive from it ends");
    recv_failed(victim, 1);
    recv_failed(victim, CM_ANY);
    cm_sendrecv(world, data, 100, victim, 1, buffer, sizeof buffer, victim, 1, &status);
    expect_failed(&status, victim);
    cm_request *request = cm_irecv(world, buffer, sizeof buffer, victim, 4);
    cm_wait(&request, &status);
    expect_failed(&status, victim);
    EXPECT(cm_failed(world, victim) && !cm_failed(world, rank) && cm_failures(world) == 1);
    free(data);
    go_on(victim);
}

static void any_source(void)
{
    cm_group *turned = cm_split(world, 0, -rank);
    cm_request *r[2] = {cm_irecv(world, buffer, sizeof buffer, CM_ANY, 6),
                        cm_irecv(world, buffer, sizeof buffer, CM_ANY, 7)};
    meet();
    if (rank == victim) die();
    point("of two receives from any source the first is told");
    cm_status status;
    cm_wait(&r[0], &status);
    expect_failed(&status, victim);
    if (victim > 1) {
        int right = (rank + 1) % victim, left = (rank + victim - 1) % victim;
        cm_send(world, buffer, 10, right, 7);
        cm_wait(&r[1], &status);
        EXPECT(status.failed == -1 && status.source == left && status.bytes == 10);
        EXPECT(!cm_iprobe(world, CM_ANY, 8, &status), "told again");
    } else {
        cm_wait(&r[1], &status);
        expect_failed(&status, victim);
        recv_failed(CM_ANY, CM_ANY);
    }
    point("another group is told by its own rank");
    cm_recv(turned, buffer, sizeof buffer, CM_ANY, CM_ANY, &status);
    expect_failed(&status, size - 1 - victim);
    EXPECT(cm_failed(turned, 0) && cm_failures(turned) == 1);
    go_on(victim);
    cm_group_free(turned);
}

static void waits(void)
{
    enum { N = 5 };
    char *large = memory(LARGE);
    int right = (rank + 1) % victim, left = (rank + victim - 1) % victim, done = 0;
    cm_status status[N];
    int indices[N], seen[N] = {0};
    meet();
    if (rank == victim) die();
    point("waitsome, waitany, test: receives and sends end by the failure, others as ever");
    cm_request *r[N] = {cm_irecv(world, buffer, 100, victim, 1), cm_irecv(world, buffer + 100, 100, left, 1),
                        cm_isend(world, large, LARGE, victim, 1), NULL,
                        cm_irecv(world, buffer + 200, 100, victim, CM_ANY)};
    cm_send(world, buffer + 300, 50, right, 1);
    for (int n; (n = cm_waitsome(N, r, indices, status)) > 0; done += n)
        for (int k = 0; k < n; k++) {
            seen[indices[k]]++;
            EXPECT(status[k].failed == (indices[k] == 1 ? -1 : victim), "request %d: %d", indices[k],
                   status[k].failed);
        }
    EXPECT(done == 4 && seen[0] == 1 && seen[1] == 1 && seen[2] == 1 && seen[4] == 1);
    r[0] = cm_irecv(world, buffer, 100, victim, 1);
    EXPECT(cm_waitany(N, r, status) == 0);
    expect_failed(status, victim);
    r[3] = cm_isend(world, buffer, 100, victim, 1);
    while (!cm_test(&r[3], status)) continue;
    EXPECT(status->failed == victim, "an eager send: %d", status->failed);
    cm_send(world, large, LARGE, victim, 1);
    r[0] = cm_irecv(world, buffer, 100, victim, 1);
    cm_cancel(&r[0]);
    EXPECT(!r[0]);
    free(large);
    go_on(victim);
}

static void probes(void)
{
    meet();
    if (rank == victim) die();
    point("probes end, the one from any source once");
    cm_status status = {0};
    cm_probe(world, victim, 1, &status);
    expect_failed(&status, victim);
    while (!cm_iprobe(world, victim, CM_ANY, &status)) continue;
    expect_failed(&status, victim);
    cm_probe(world, CM_ANY, 1, NULL);
    cm_probe(world, CM_ANY, 1, &status);
    expect_failed(&status, victim);
    if (victim > 1) EXPECT(!cm_iprobe(world, CM_ANY, 1, &status), "told again");
    else EXPECT(cm_iprobe(world, CM_ANY, 1, &status) && status.failed == victim);
    EXPECT(!cm_iprobe(world, rank, CM_ANY, &status));
    go_on(victim);
}

/* A large message of which some has arrived, for a receive from this source, from any, or none yet. */
static void half(void)
{
    char token = 1, *large = rank && rank != victim ? NULL : memory(LARGE);
    bool posted = strcmp(how, "unexpected") != 0, any = strcmp(how, "any") == 0;
    cm_request *receive = NULL, *other = NULL;
    meet();
    if (rank == 0 && posted) {
        receive = cm_irecv(world, large, LARGE, any ? CM_ANY : victim, 1);
        other = cm_irecv(world, buffer, sizeof buffer, CM_ANY, 2);
        cm_send(world, &token, 1, victim, 9);
    }
    if (rank == victim) {
        if (posted) cm_recv(world, &token, 1, 0, 9, NULL);
        leave_file("dies");
        cm_request *send = cm_isend(world, large, LARGE, 0, 1);
        for (int k = 0; k < 5; k++) cm_progress();
        (void)send;
        die();
    }
    point("half a message (%s) was never sent", how);
    await_end(await_file("dies", victim));   /* reads nothing meanwhile: the message cannot become whole */
    cm_status status;
    if (receive) {
        cm_wait(&receive, &status);
        expect_failed(&status, victim);
        if (any) {   /* that was the one report, and where there is nobody else, others follow */
            EXPECT(cm_test(&other, &status) == (victim == 1));
            if (other) cm_cancel(&other);
        } else {
            cm_wait(&other, &status);
            expect_failed(&status, victim);
        }
    } else if (rank == 0) {
        while (!cm_failed(world, victim)) cm_progress();
        EXPECT(cm_iprobe(world, victim, 1, &status) && status.failed == victim, "%zu bytes", status.bytes);
        cm_recv(world, large, LARGE, CM_ANY, 1, &status);
        expect_failed(&status, victim);
    }
    recv_failed(victim, 1);
    free(large);
    go_on(victim);
}

/* It never had a connection. */
static void never(void)
{
    meet_quietly();
    if (rank == victim) {
        leave_file("dies");
        die();
    }
    if (strcmp(how, "dead") == 0) await_end(await_file("dies", victim));
    point("a rank that nobody had a connection to is missed");
    if (rank % 3 == 0) recv_failed(CM_ANY, 1);
    if (rank % 3 == 1) {
        cm_request *send = cm_isend(world, buffer, 10, victim, 1);
        cm_wait(&send, NULL);   /* the kernel may have taken it */
    }
    recv_failed(victim, 1);
    cm_send(world, buffer, 10, victim, 1);
    EXPECT(cm_failed(world, victim));
    go_on(victim);
}

/* More than its credit and the sockets' buffers hold is on its way to a rank that receives nothing. */
static void flood(void)
{
    enum { N = 300 };
    const size_t bytes = 300000;     /* above the eager limit: shorter ones may be complete before */
    cm_request *sends[N];
    cm_status statuses[N];
    int indices[N], done = 0, failed = 0, wrong = 0;
    char *data = memory(bytes), token = 1;
    meet();
    for (int k = 0; k < N && rank != victim; k++) sends[k] = cm_isend(world, data, bytes, victim, 1);
    if (rank != victim) cm_send(world, &token, 1, victim, 2);
    if (rank == victim) {
        for (int r = 0; r < victim; r++) cm_recv(world, &token, 1, r, 2, NULL);
        die();
    }
    point("all of many sends to a rank end when it fails");
    for (int n; (n = cm_waitsome(N, sends, indices, statuses)) > 0; done += n)
        for (int k = 0; k < n; k++) {
            failed += statuses[k].failed == victim;
            wrong += statuses[k].failed != victim && statuses[k].failed != -1;
        }
    EXPECT(done == N && failed > 0 && !wrong, "%d ended, %d by the failure", done, failed);
    free(data);
    go_on(victim);
}

/* It does not die, but nothing can be had from it. */
static void stopped(void)
{
    long pid = (long)getpid();
    meet();
    if (rank == victim) {
        for (int r = 0; r < victim; r++) cm_send(world, &pid, sizeof pid, r, 9);
        raise(SIGSTOP);
        die();
    }
    point("a rank that is stopped is missed");
    cm_status status = {0};
    cm_recv(world, &pid, sizeof pid, victim, 9, NULL);
    if (rank % 2) while (!cm_iprobe(world, victim, 1, &status)) continue;
    else cm_recv(world, buffer, sizeof buffer, CM_ANY, 1, &status);
    expect_failed(&status, victim);
    go_on(victim);
    if (rank == 0) kill((pid_t)pid, SIGKILL);     /* the launcher waits for it */
}

/* One after the other, until rank 0 is left. */
static void cascade(void)
{
    for (int n = size; n > 1; n--) {
        go_on(n);
        if (rank == n - 1) die();
        point("rank %d is missed", n - 1);
        cm_status status;
        cm_recv(world, buffer, sizeof buffer, CM_ANY, 1, &status);
        expect_failed(&status, n - 1);
        EXPECT(cm_failures(world) == size - n + 1, "%d", cm_failures(world));
    }
    point("who is left alone receives nothing from any source");
    cm_status status;
    cm_recv(world, buffer, sizeof buffer, CM_ANY, 1, &status);
    expect_failed(&status, 1);
    cm_probe(world, CM_ANY, 1, &status);
    expect_failed(&status, 1);
    go_on(1);
}

/* Ranks that are done have not failed, and one that dies while others leave does not hold them. */
static void leave(void)
{
    meet_quietly();
    if (rank == victim) {
        for (int r = 0; r < victim; r++) await_file("leaves", r);
        die();
    }
    point("ranks that leave are not missed");
    if (rank == 0) {
        for (int r = 1; r < victim; r++) await_file("leaves", r);
        for (int k = 0; k < 100; k++) EXPECT(!cm_iprobe(world, CM_ANY, 1, NULL));
        EXPECT(cm_failures(world) == 0, "%d", cm_failures(world));
        printf("ok 1 - %s\n1..1\n", contract_points[0].failures ? contract_points[0].first : "left");
        if (contract_points[0].failures) exit(CM_EXIT_WRONG);
    }
    leave_file("leaves");
    cm_finalize();
    exit(CM_EXIT_PASS);
}

/* ---- Ends of the job ------------------------------------------------------------------------- */

static void end_collectively(void)
{
    char data[100] = "";
    cm_request *request = NULL;
    bool waits = strcmp(how, "under-way") == 0;
    meet();
    if (waits && rank != victim) request = cm_ibcast(world, data, sizeof data, victim, CM_LINEAR);
    if (rank == victim) _exit(CM_EXIT_SYSTEM);
    if (waits) cm_wait(&request, NULL);
    else recv_failed(victim, 1);
    if (strcmp(how, "split") == 0) cm_split(world, rank, 0);
    else cm_barrier(world, CM_AUTO);
    cm_finalize();
    exit(CM_EXIT_PASS);
}

static void end_again(void)
{
    meet();
    if (rank == victim) _exit(CM_EXIT_SYSTEM);
    recv_failed(victim, 1);
    cm_on_failure(CM_END_JOB);
    if (strcmp(how, "send") == 0) cm_send(world, buffer, 1, victim, 1);
    else cm_recv(world, buffer, 1, victim, 1, NULL);
    cm_finalize();
    exit(CM_EXIT_PASS);
}

static void refuse(void)
{
    int status = cm_on_failure(CM_RETURN);
    cm_finalize();
    exit(status);
}

static void accept(void)
{
    point("where nothing fails nothing has failed");
    EXPECT(cm_on_failure(CM_RETURN) == 0);
    EXPECT(cm_failures(world) == 0 && !cm_failed(world, rank));
    meet();
    EXPECT(cm_on_failure(CM_END_JOB) == 0);
}

static const struct { const char *name; void (*run)(void); } cases[] = {
    {"received", received}, {"any", any_source}, {"waits", waits}, {"probes", probes}, {"half", half},
    {"never", never}, {"flood", flood}, {"stopped", stopped}, {"cascade", cascade}, {"leave", leave},
    {"collective", end_collectively}, {"again", end_again}, {"refuse", refuse}, {"accept", accept}};

int main(int argc, char **argv)
{
    void (*run)(void) = NULL;
    for (size_t k = 0; argc > 1 && k < sizeof cases / sizeof *cases; k++)
        if (!strcmp(cases[k].name, argv[1])) run = cases[k].run;
    if (!run) {
        fprintf(stderr, "contract_failure: CASE [VARIANT [FOLDER]], not '%s'\n", argc > 1 ? argv[1] : "");
        return CM_EXIT_USAGE;
    }
    if (argc > 2) how = argv[2];
    if (argc > 3) folder = argv[3];
    contract_start(&argc, &argv);
    contract_outlives = true;
    victim = size - 1;
    if (run != refuse && run != accept && (size < 2 || cm_on_failure(CM_RETURN)))
        cm_abort(CM_EXIT_USAGE, "this is for two ranks that may fail, or more");
    run();
    return contract_done();
}
