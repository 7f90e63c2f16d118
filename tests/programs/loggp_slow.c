/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_slow.c: cm-loggp with ranks that check for disturbances slowly: no train includes that
   time. Each check calls getrusage. */
#include "config.h"
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int getrusage(__rusage_who_t who, struct rusage *usage)
{
    const struct timespec look = {.tv_nsec = 60000000};
    if (who == RUSAGE_THREAD) nanosleep(&look, NULL);
    return (int)syscall(SYS_getrusage, who, usage);
}
