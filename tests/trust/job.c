/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c: see trust/job.h. */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "job.h"

static const double PATIENCE_S = 60;

double trust_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void error_path(const trust_job *job, char *path, size_t capacity)
{
    snprintf(path, capacity, "%s.err", job->path);
}

static _Noreturn void become_job(const trust_job *job, const char *mode, int files,
                                 const char *interface)
{
    char ranks[16], path[80];
    snprintf(ranks, sizeof ranks, "%d", job->size);
    error_path(job, path, sizeof path);
    int said = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int nothing = open("/dev/null", O_RDONLY);
    if (said < 0 || nothing < 0) _exit(99);
    dup2(nothing, 0);
    dup2(said, 2);
    if (interface) setenv("CM_INTERFACE", interface, 1);
    if (files) setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)files, (rlim_t)files});
    execl("../src/cmrun", "cmrun", "-n", ranks, "./trust/rank", job->path, mode, (char *)NULL);
    _exit(99);
}

static bool all_there(const trust_job *job)
{
    for (int i = 0; i < job->size; i++)
        if (!job->board->rank[i].pid) return false;
    return true;
}

bool trust_job_start(trust_job *job, int size, const char *mode, int files, const char *interface)
{
    *job = (trust_job){.size = size};
    snprintf(job->path, sizeof job->path, "trust_board.%d", (int)getpid());
    int fd = open(job->path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *job->board) != 0) return false;
    job->board = mmap(NULL, sizeof *job->board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (job->board == MAP_FAILED) return false;
    job->pid = fork();
    if (job->pid == 0) become_job(job, mode, files, interface);
    const double end_s = trust_now() + PATIENCE_S;
    for (; job->pid > 0 && trust_now() < end_s; usleep(10000)) {
        if (all_there(job)) {
            for (int i = 0; i < size; i++) job->door[i] = doors_of(job->board->rank[i].pid);
            return true;
        }
        if (waitpid(job->pid, NULL, WNOHANG) == job->pid) job->pid = -1;
    }
    return false;
}

bool trust_job_goes_on(const trust_job *job, long rounds)
{
    long want[TRUST_RANKS];
    for (int i = 0; i < job->size; i++) want[i] = job->board->rank[i].rounds + rounds;
    for (double end_s = trust_now() + PATIENCE_S; trust_now() < end_s; usleep(1000)) {
        int behind = 0;
        for (int i = 0; i < job->size; i++) behind += job->board->rank[i].rounds < want[i];
        if (!behind) return true;
        siginfo_t end = {0};
        if (waitid(P_PID, (id_t)job->pid, &end, WEXITED | WNOHANG | WNOWAIT) != 0) break;
        if (end.si_pid) break;
    }
    return false;
}

int trust_job_wait(trust_job *job, char *said, size_t capacity)
{
    char path[80];
    int status = -1;
    double end_s = trust_now() + PATIENCE_S;
    while (job->pid > 0 && waitpid(job->pid, &status, WNOHANG) == 0) {
        if (trust_now() > end_s) kill(job->pid, SIGKILL);
        usleep(10000);
    }
    error_path(job, path, sizeof path);
    FILE *file = fopen(path, "r");
    size_t bytes = file ? fread(said, 1, capacity - 1, file) : 0;
    said[bytes] = 0;
    if (file) fclose(file);
    unlink(path);
    unlink(job->path);
    return job->pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool trust_job_ends_well(trust_job *job)
{
    char said[1000];
    job->board->stop = 1;
    int status = trust_job_wait(job, said, sizeof said), wrong = job->board->wrong;
    munmap(job->board, sizeof *job->board);
    if (status == 0 && wrong == 0 && !*said) return true;
    printf("# status %d, %d times wrong, said: %s\n", status, wrong, said);
    return false;
}

int trust_crowd(const trust_job *job, int rank, int n, int *fds)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(job->door[rank].port)};
    bool found = inet_pton(AF_INET, job->door[rank].address, &address.sin_addr) == 1;
    int came = 0;
    for (int i = 0; i < n; i++) {
        int fd = fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (found && fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
            fcntl(fd, F_SETFL, O_NONBLOCK);
            came++;
        } else {
            printf("# cannot connect to rank %d: %s\n", rank, strerror(errno));
            if (fd >= 0) close(fd);
            fds[i] = -1;
        }
    }
    return came;
}

int trust_knock(const trust_job *job, int rank)
{
    int fd;
    trust_crowd(job, rank, 1, &fd);
    return fd;
}

int trust_sent_away(int n, int *fds, double seconds, size_t *heard)
{
    char bytes[4096];
    for (double end_s = trust_now() + seconds;; usleep(5000)) {
        int left = 0;
        for (int i = 0; i < n; i++) {
            if (fds[i] < 0) continue;
            ssize_t got = recv(fds[i], bytes, sizeof bytes, 0);
            if (got > 0) *heard += (size_t)got;
            if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
                close(fds[i]);
                fds[i] = -1;
            } else {
                left++;
            }
        }
        if (!left || trust_now() > end_s) return left;
    }
}
