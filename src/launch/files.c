/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c: raises the soft limit on open files, and restores it. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/exit.h"
#include "launch/files.h"

/* stdin, stdout, stderr, epoll, signals and the pipes of one child; more than enough */
enum { OWN_FILES = 32 };

int files_provide(int count, const char *what, int each, int others, files_limit *limit)
{
    const rlim_t need = (rlim_t)each * (rlim_t)count + (rlim_t)others + OWN_FILES;
    struct rlimit *before = &limit->before;
    limit->raised = false;
    if (getrlimit(RLIMIT_NOFILE, before) < 0 || before->rlim_cur >= need) return 0;
    if (before->rlim_max < need) {
        fprintf(stderr,
                "cmrun: %d %s need %llu open files, but the hard limit is %llu; raise it "
                "(ulimit -Hn %llu) or run with fewer %s\n",
                count, what, (unsigned long long)need, (unsigned long long)before->rlim_max,
                (unsigned long long)need, what);
        return CM_EXIT_SYSTEM;
    }
    const struct rlimit enough = {.rlim_cur = need, .rlim_max = before->rlim_max};
    limit->raised = setrlimit(RLIMIT_NOFILE, &enough) == 0;
    if (limit->raised) return 0;
    fprintf(stderr,
            "cmrun: %d %s need %llu open files; cannot raise the soft limit from %llu "
            "(ulimit -Sn %llu): %s\n",
            count, what, (unsigned long long)need, (unsigned long long)before->rlim_cur,
            (unsigned long long)need, strerror(errno));
    return CM_EXIT_SYSTEM;
}

void files_restore(const files_limit *limit)
{
    if (limit->raised) setrlimit(RLIMIT_NOFILE, &limit->before);
}
