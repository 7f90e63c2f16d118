/* SPDX-License-Identifier: BSD-3-Clause */
/* hydra.c: ends a rank in a way that lets Hydra receive its last line and status. */
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "comm/mpi/hydra.h"

/* The pipes from a rank to Hydra's proxy. The rank inherits additional copies of them. */
static struct {
    struct stat file[3];
    int n;
} heard;

static void linger(void) { nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); }

static void note_heard(int fd)
{
    struct stat *file = &heard.file[heard.n];
    if (fstat(fd, file) == 0 && (S_ISFIFO(file->st_mode) || S_ISSOCK(file->st_mode))) heard.n++;
}

/* When the first of a rank's pipes closes, the proxy checks which process has ended. If it is this
   one, the proxy forgets its status, and mpiexec exits with 1 (in 5 of 236 jobs of one rank, in
   every other one under strace). So the pipes are closed beforehand. PMI's socket stays open,
   because Hydra takes its end for a crash. */
static void let_go(void)
{
    enum { INHERITED = 256 };
    struct stat file;
    for (int fd = 0; fd < INHERITED; fd++) {
        if (fstat(fd, &file) != 0) continue;
        for (int k = 0; k < heard.n; k++)
            if (file.st_dev == heard.file[k].st_dev && file.st_ino == heard.file[k].st_ino) {
                close(fd);
                break;
            }
    }
    linger();
}

void cm_hydra_hear_out(void)
{
    /* Hydra loses a line if it receives the abort before it has read the line (without this pause,
       in one of twenty jobs). */
    linger();
    if (getenv("PMI_FD"))
        for (int fd = 0; fd <= STDERR_FILENO; fd++) note_heard(fd);
    atexit(let_go);
}
