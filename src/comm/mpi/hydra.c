/* SPDX-License-Identifier: BSD-3-Clause */
/* hydra.c: how a rank ends so that Hydra hears it out. */
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "comm/mpi/hydra.h"

/* The pipes by which Hydra's proxy hears a rank, of which the rank inherits further copies. */
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

/* When the first of a rank's pipes closes, the proxy looks who has ended, and forgets with which
   status if that is this process already: mpiexec then ends with 1 (five of 236 jobs of one rank,
   every other one under strace). So they are closed before; PMI's socket is not, of which it would
   take the end for a crash. */
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
    /* It loses a line when it hears of the abort before it has read it (without this pause in one
       of twenty jobs that were tried). */
    linger();
    if (getenv("PMI_FD"))
        for (int fd = 0; fd <= STDERR_FILENO; fd++) note_heard(fd);
    atexit(let_go);
}
