/* SPDX-License-Identifier: BSD-3-Clause */
/* descendants.c: finds the processes that ranks leave behind. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "launch/descendants.h"

void descendants_adopt(void) { prctl(PR_SET_CHILD_SUBREAPER, 1); }

pid_t *descendants_children(size_t *n)
{
    char path[64];
    pid_t *list = NULL;
    size_t capacity = 0;
    long pid;
    *n = 0;
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *file = fopen(path, "re");
    if (!file) return NULL;
    while (fscanf(file, "%ld", &pid) == 1) {
        if (*n == capacity) {
            pid_t *longer = realloc(list, (capacity = 2 * capacity + 16) * sizeof *list);
            if (!longer) break;
            list = longer;
        }
        list[(*n)++] = (pid_t)pid;
    }
    fclose(file);
    return list;
}

bool descendants_in_group(pid_t group)
{
    siginfo_t info;
    while (waitid(P_PGID, (id_t)group, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
        if (errno != EINTR) return false;
    return true;
}
