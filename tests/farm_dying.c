/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_dying.c: cm-farm whose workers die: CM_TEST_DEAD="1 3" names the ranks, each dies by SIGKILL
   when it has its CM_TEST_BATCH-th batch; or whose worker CM_TEST_SLOW is not done with its first
   batch until another has its CM_TEST_BATCH-th, which makes the file CM_TEST_FILE. Compiled with
   -Dfarm_compute=farm_dying_compute. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "../farm/farm.h"

#undef farm_compute
bool farm_compute(farm_computer *computer, const uint32_t *unit, size_t n, farm_digest *digest);

static void wait_for(const char *file)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (access(file, F_OK) != 0) nanosleep(&pause, NULL);
}

bool farm_dying_compute(farm_computer *computer, const uint32_t *unit, size_t n,
                        farm_digest *digest)
{
    static long batches;
    const char *dead = getenv("CM_TEST_DEAD"), *batch = getenv("CM_TEST_BATCH");
    const char *slow = getenv("CM_TEST_SLOW"), *file = getenv("CM_TEST_FILE");
    char own[16];
    snprintf(own, sizeof own, "%d", cm_rank(cm_world()));
    bool worker = batch && cm_rank(cm_world()) > 0, there = worker && ++batches == atol(batch);
    if (there && dead && strstr(dead, own)) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    if (worker && slow && file) {
        if (strcmp(slow, own) == 0) wait_for(file);
        else if (there) close(open(file, O_CREAT | O_WRONLY, 0600));
    }
    return farm_compute(computer, unit, n, digest);
}
