/* SPDX-License-Identifier: BSD-3-Clause */
/* survival.c: comm.h, cm_on_failure: a job that goes on without some of its ranks, and then ends
   normally or by a failure that ends it after all. contract/failure.sh runs it. */
#include "failure.h"
#include <sys/time.h>

/* ---- Going on, and leaving
   --------------------------------------------------------------------- */

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
    if (rank % 2)
        while (!cm_iprobe(world, victim, 1, &status)) continue;
    else cm_recv(world, buffer, sizeof buffer, CM_ANY, 1, &status);
    expect_failed(&status, victim);
    go_on(victim);
    if (rank == 0) kill((pid_t)pid, SIGKILL); /* the launcher waits for it */
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

/* Ranks that have finished do not count as failed, and a rank that dies while others leave does not
   delay them. */
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
        printf("ok 1 - %s\n1..1\n",
               contract_points[0].failures ? contract_points[0].first : "left");
        if (contract_points[0].failures) exit(CM_EXIT_WRONG);
    }
    leave_file("leaves");
    cm_finalize();
    exit(CM_EXIT_PASS);
}

/* It dies while it leaves, when a send that it regards as complete (a copy without credit) is still
   under way. */
static void owed(void)
{
    static char data[20000]; /* more than any credit in this case */
    cm_status status;
    meet();
    if (rank == victim) {
        cm_send(world, data, 100, 0, 1);
        cm_send(world, data, sizeof data, 0, 1);
        leave_file("leaves");
        cm_finalize();
        die();
    }
    point("a message that a rank owed when it left and died is missed");
    if (rank == 0) {
        long pid = await_file("leaves", victim);
        usleep(50000); /* let it say goodbye; should it not, it dies before */
        kill((pid_t)pid, SIGKILL);
        await_end(pid);
        cm_recv(world, data, sizeof data, victim, 1, &status);
        EXPECT(status.failed == -1 && status.bytes == 100, "%d", status.failed);
        cm_recv(world, data, sizeof data, CM_ANY, 1, &status);
        expect_failed(&status, victim);
        EXPECT(cm_failed(world, victim));
    }
    recv_failed(victim, 1);
    go_on(victim);
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

/* The victim ends at any time within operations in which the ranks read each other's memory. */
static void end_at_once(int signal)
{
    (void)signal;
    _exit(CM_EXIT_SYSTEM);
}

static void end_directly(void)
{
    enum { COUNT = 500000 };
    const struct itimerval soon = {{0, 0}, {0, 50000}};
    double *in = calloc(COUNT, sizeof *in), *out = calloc(COUNT, sizeof *out);
    if (!in || !out) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    if (strcmp(how, "all") == 0) cm_on_failure(CM_END_JOB);
    meet();
    if (rank == victim) {
        signal(SIGALRM, end_at_once);
        setitimer(ITIMER_REAL, &soon, NULL);
    }
    for (;;) cm_allreduce(world, in, out, COUNT, CM_DOUBLE, CM_SUM, CM_DIRECT);
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
    EXPECT(cm_comm_has(CM_HAS_SURVIVAL) && cm_on_failure(CM_RETURN) == 0);
    EXPECT(cm_failures(world) == 0 && !cm_failed(world, rank));
    meet();
    EXPECT(cm_on_failure(CM_END_JOB) == 0);
}

static const failure_case cases[] = {{"stopped", stopped, false},
                                     {"cascade", cascade, false},
                                     {"leave", leave, false},
                                     {"owed", owed, false},
                                     {"collective", end_collectively, false},
                                     {"direct", end_directly, false},
                                     {"again", end_again, false},
                                     {"refuse", refuse, true},
                                     {"accept", accept, true}};

int main(int argc, char **argv)
{
    return failure_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
