/* SPDX-License-Identifier: BSD-3-Clause */
/* failure.h: cases of ranks that die, one for each job, because a dead rank stays dead. */
#ifndef CM_CONTRACT_FAILURE_H
#define CM_CONTRACT_FAILURE_H

#include "contract.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

static int victim;           /* the last rank */
static const char *folder;   /* for files that say what no message may */
static const char *how = ""; /* a variant of the case */
static char buffer[4096] UNUSED;

UNUSED static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

UNUSED static void expect_failed(const cm_status *status, int who)
{
    EXPECT(status->failed == who && status->source == who && status->tag == CM_ANY
               && !status->bytes,
           "failed %d, source %d, tag %d, %zu bytes", status->failed, status->source, status->tag,
           status->bytes);
}

UNUSED static void recv_failed(int source, int tag)
{
    cm_status status = {0, 0, 1, -7};
    cm_recv(world, buffer, sizeof buffer, source, tag, &status);
    expect_failed(&status, victim);
}

/* ---- Without messages ------------------------------------------------------------------------ */

UNUSED static void path_of(char *path, size_t capacity, const char *what, int of)
{
    const char *launcher = getenv("CM_LAUNCHER");
    snprintf(path, capacity, "%s/%s.%s%s.%d.%d", folder, what, launcher ? launcher : "", how, size,
             of);
}

UNUSED static void leave_file(const char *what)
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

UNUSED static long await_file(const char *what, int of)
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

UNUSED static void await_end(long pid)
{
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    for (FILE *file; (file = fopen(path, "r")); usleep(1000)) {
        const char *state = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
        fclose(file);
        if (state && (state[2] == 'Z' || state[2] == 'X')) return;
    }
}

/* Waits until all ranks have come here, without making a connection. */
UNUSED static void meet_quietly(void)
{
    leave_file("here");
    for (int r = 0; r < size; r++) await_file("here", r);
}

/* Checks that the n survivors go on exchanging right data. */
UNUSED static void go_on(int n)
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
        EXPECT(wrong_at(in, status.bytes, (unsigned)left + 1) == status.bytes, "%zu bytes",
               bytes[k]);
    }
    free(in);
    free(out);
}

/* Arguments of the program: case, variant, folder. A case that tests whether failures may return
   calls cm_on_failure itself. */
typedef struct {
    const char *name;
    void (*run)(void);
    bool asks;
} failure_case;

UNUSED static int failure_main(int argc, char **argv, const failure_case *cases, int n)
{
    const failure_case *chosen = NULL;
    for (int k = 0; argc > 1 && k < n; k++)
        if (!strcmp(cases[k].name, argv[1])) chosen = &cases[k];
    if (!chosen) {
        fprintf(stderr, "%s: CASE [VARIANT [FOLDER]], not '%s'\n", argv[0],
                argc > 1 ? argv[1] : "");
        return CM_EXIT_USAGE;
    }
    if (argc > 2) how = argv[2];
    if (argc > 3) folder = argv[3];
    contract_start(&argc, &argv);
    contract_outlives = true;
    victim = size - 1;
    if (!chosen->asks && (size < 2 || cm_on_failure(CM_RETURN)))
        cm_abort(CM_EXIT_USAGE, "this is for two ranks that may fail, or more");
    chosen->run();
    return contract_done();
}

#endif
