/* SPDX-License-Identifier: BSD-3-Clause */
/* deaf.c: a launcher like Slurm's srun: it speaks plain PMI-1, and the death of a rank does not
   make it end the others. Only an abort does, as in a job step.

        launch/deaf RANKS PROGRAM [ARGUMENT]...

   It exits with the first status that is not 0, 128 + S after signal S. */
#include "config.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "comm/pmi/pmi_line.h"
#include "launch/pmi_server.h"

enum { RANKS_MOST = 64 };

static struct {
    int size, aborted;
    int fd[RANKS_MOST];
    pid_t pid[RANKS_MOST];
    cm_pmi_reader reader[RANKS_MOST];
} job;

static void on_answer(void *context, int rank, const char *line, size_t bytes)
{
    static const char plain[] = "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n";
    (void)context;
    if (strncmp(line, plain, strlen(plain) - 1) == 0) {
        line = plain;
        bytes = strlen(plain);
    }
    cm_pmi_line_send(job.fd[rank], line, bytes); /* the rank may be dead */
}

static void on_answer_all(void *context, const char *line, size_t bytes)
{
    for (int rank = 0; rank < job.size; rank++) on_answer(context, rank, line, bytes);
}

static void on_abort(void *context, int rank, int status, int blames, const char *text)
{
    (void)context, (void)rank, (void)blames, (void)text;
    if (!job.aborted) job.aborted = status;
    for (int i = 0; i < job.size; i++) kill(job.pid[i], SIGKILL);
}

static void on_broken(void *context, int rank, const char *why)
{
    (void)context;
    fprintf(stderr, "deaf: rank %d %s\n", rank, why);
    on_abort(context, rank, 99, -1, NULL);
}

static pid_t start(int rank, int fd, char **argv)
{
    char number[16];
    pid_t pid = fork();
    if (pid != 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    snprintf(number, sizeof number, "%d", dup(fd)); /* without close-on-exec */
    setenv("PMI_FD", number, 1);
    snprintf(number, sizeof number, "%d", rank);
    setenv("PMI_RANK", number, 1);
    snprintf(number, sizeof number, "%d", job.size);
    setenv("PMI_SIZE", number, 1);
    execv(argv[0], argv);
    _exit(127);
}

/* Returns false at the end of the rank's lines. */
static bool take_lines(pmi_server *server, int rank)
{
    char *line;
    for (;;) switch (cm_pmi_reader_next(&job.reader[rank], job.fd[rank], false, &line)) {
        case CM_PMI_READ_LINE:
            pmi_server_line(server, rank, line);
            break;
        case CM_PMI_READ_MORE:
            return true;
        default:
            return false;
        }
}

int main(int argc, char **argv)
{
    static const pmi_server_events events = {
        .answer = on_answer, .answer_all = on_answer_all, .abort = on_abort, .broken = on_broken};
    struct pollfd files[RANKS_MOST];
    int exit_status = 0;
    job.size = argc > 2 ? atoi(argv[1]) : 0;
    if (job.size < 1 || job.size > RANKS_MOST) return 2;
    pmi_server *server = pmi_server_new(job.size, &events, NULL);
    for (int rank = 0; rank < job.size; rank++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return 99;
        job.fd[rank] = ends[0];
        job.pid[rank] = start(rank, ends[1], argv + 2);
        close(ends[1]);
        files[rank] = (struct pollfd){.fd = ends[0], .events = POLLIN};
    }
    for (int left = job.size; left > 0 && poll(files, (nfds_t)job.size, -1) > 0;)
        for (int rank = 0; rank < job.size; rank++)
            if (files[rank].revents && !take_lines(server, rank)) {
                files[rank].fd = -1;
                left--;
            }
    for (int rank = 0; rank < job.size; rank++) {
        int status = 0;
        waitpid(job.pid[rank], &status, 0);
        int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        if (code && !exit_status) exit_status = code;
    }
    pmi_server_free(server);
    return job.aborted ? job.aborted : exit_status;
}
