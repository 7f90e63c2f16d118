/* SPDX-License-Identifier: BSD-3-Clause */
/* answers.c: counts the answers of cmrun's PMI server while ranks of the layer join a job and leave
   it. Their number grows with the ranks, not with their square. This program is the launcher. */
#include "config.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "comm/pmi/pmi_line.h"
#include "launch/pmi_server.h"
#include "tap.h"

enum { RANKS_MOST = 32 };

static struct {
    int size, requests, answers, lines_to_all, wrong;
    int fd[RANKS_MOST];
    cm_pmi_reader reader[RANKS_MOST];
} job;

static void on_answer(void *context, int rank, const char *line, size_t bytes)
{
    (void)context;
    job.answers++;
    job.wrong += !cm_pmi_line_send(job.fd[rank], line, bytes);
}

static void on_answer_all(void *context, const char *line, size_t bytes)
{
    job.lines_to_all++;
    for (int rank = 0; rank < job.size; rank++) on_answer(context, rank, line, bytes);
}

static void on_abort(void *context, int rank, int status, int blames, const char *text)
{
    (void)context, (void)status, (void)blames;
    printf("# rank %d aborts: %s\n", rank, text ? text : "");
    job.wrong++;
}

static void on_broken(void *context, int rank, const char *why)
{
    (void)context;
    printf("# rank %d %s\n", rank, why);
    job.wrong++;
}

static _Noreturn void be_rank(int rank, int fd)
{
    char number[16];
    snprintf(number, sizeof number, "%d", fd);
    setenv("PMI_FD", number, 1);
    struct stat status;
    fstat(fd, &status);
    snprintf(number, sizeof number, "%llu", (unsigned long long)status.st_ino);
    setenv("PMI_SOCKET", number, 1);
    snprintf(number, sizeof number, "%d", rank);
    setenv("PMI_RANK", number, 1);
    snprintf(number, sizeof number, "%d", job.size);
    setenv("PMI_SIZE", number, 1);
    setenv("CM_LOCAL_RANKS", number, 1);
    dup2(open("/dev/null", O_WRONLY), 1);
    execl("./launch/client", "client", "layer", (char *)NULL);
    _exit(127);
}

/* Returns false at the end of the rank's lines. */
static bool take_lines(pmi_server *server, int rank)
{
    char *line;
    for (;;) switch (cm_pmi_reader_next(&job.reader[rank], job.fd[rank], false, &line)) {
        case CM_PMI_READ_LINE:
            job.requests++;
            pmi_server_line(server, rank, line);
            break;
        case CM_PMI_READ_MORE:
            return true;
        default:
            return false;
        }
}

static void run(int size)
{
    static const pmi_server_events events = {
        .answer = on_answer, .answer_all = on_answer_all, .abort = on_abort, .broken = on_broken};
    struct pollfd files[RANKS_MOST];
    memset(&job, 0, sizeof job);
    job.size = size;
    pmi_server *server = pmi_server_new(size, &events, NULL);
    fflush(stdout);
    for (int rank = 0; rank < size; rank++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) exit(99);
        job.fd[rank] = ends[0];
        if (fork() == 0) {
            int fd = dup(ends[1]); /* without close-on-exec */
            be_rank(rank, fd);
        }
        close(ends[1]);
        files[rank] = (struct pollfd){.fd = ends[0], .events = POLLIN};
    }
    for (int left = size; left > 0 && poll(files, (nfds_t)size, 60000) > 0;)
        for (int rank = 0; rank < size; rank++)
            if (files[rank].revents && !take_lines(server, rank)) {
                files[rank].fd = -1;
                left--;
            }
    for (int rank = 0; rank < size; rank++) {
        int status = -1;
        close(job.fd[rank]);
        wait(&status);
        job.wrong += status != 0;
    }
    pmi_server_free(server);
}

int main(void)
{
    static const int sizes[] = {4, 16, 32};
    alarm(120);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run(sizes[i]);
        ok(job.wrong == 0, "a job of %d ranks", sizes[i]);
        /* Joining with the cards; the last barrier with leaving. */
        ok(job.requests == 2 * sizes[i], "%d requests of %d ranks", job.requests, sizes[i]);
        ok(job.answers <= 3 * sizes[i], "%d answers to %d ranks", job.answers, sizes[i]);
        ok(job.lines_to_all <= 3, "%d of them are the same for all ranks", job.lines_to_all);
    }
    return tap_done();
}
