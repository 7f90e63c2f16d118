/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_dying.c: cm-farm whose workers die: TEST_DEAD="1 3" names the ranks (one digit each), each
   dies by SIGKILL when it has its TEST_BATCH-th batch, and the others do not begin theirs before;
   or whose worker TEST_SLOW is not done with its first batch until another has its
   TEST_BATCH-th; or the first that has unit TEST_LAST dies when the one before is computed.
   They know from files that begin with TEST_FILE. With TEST_WRONG each batch of a worker has a
   wrong digest. The rank TEST_DISTURBED says of each run that pages came from a disk. Compiled with
   -Dfarm_compute=farm_dying_compute -Dcm_sample_watch_end=farm_dying_watch_end. */
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

#undef cm_sample_watch_end
unsigned cm_sample_watch_end(cm_sample_watch *watch, double now_s, bool look);

unsigned farm_dying_watch_end(cm_sample_watch *watch, double now_s, bool look)
{
    const char *disturbed = getenv("TEST_DISTURBED");
    unsigned cause = cm_sample_watch_end(watch, now_s, look);
    return disturbed && atoi(disturbed) == cm_rank(cm_world()) ? CM_DISTURBED_FAULTED : cause;
}

enum { NAME = 4096 };

static const char *of_rank(const char *file, char rank, char name[NAME])
{
    snprintf(name, NAME, "%s.%c", file, rank);
    return name;
}

static void doze(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

static void wait_for(const char *file)
{
    while (access(file, F_OK) != 0) doze();
}

static void make(const char *file) { close(open(file, O_CREAT | O_WRONLY, 0600)); }

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void die_or_wait(const char *dead, char own, const char *file)
{
    char name[NAME];
    if (strchr(dead, own)) {
        make(of_rank(file, own, name));
        die();
    }
    for (; *dead; dead++)
        if (*dead != ' ') wait_for(of_rank(file, *dead, name));
}

/* Batches of one unit. Dies a little later, when the others most likely have nothing left to do. */
static void die_with_last(uint32_t last, uint32_t unit, const char *file)
{
    char before[NAME], dead[NAME];
    of_rank(file, 'b', before);
    of_rank(file, 'd', dead);
    if (unit == last - 1) make(before);
    if (unit != last || access(dead, F_OK) == 0) return;
    wait_for(before);
    make(dead);
    doze();
    die();
}

bool farm_dying_compute(farm_computer *computer, const uint32_t *unit, size_t n,
                        farm_digest *digest)
{
    static long batches;
    const char *dead = getenv("TEST_DEAD"), *batch = getenv("TEST_BATCH");
    const char *slow = getenv("TEST_SLOW"), *file = getenv("TEST_FILE");
    const char *last = getenv("TEST_LAST");
    char own = (char)('0' + cm_rank(cm_world()));
    bool worker = file && own != '0', there = worker && batch && ++batches == atol(batch);
    if (there && dead) die_or_wait(dead, own, file);
    if (worker && slow) {
        if (*slow == own) wait_for(file);
        else if (there) make(file);
    }
    if (worker && last) die_with_last((uint32_t)atol(last), *unit, file);
    bool good = farm_compute(computer, unit, n, digest);
    if (own != '0' && getenv("TEST_WRONG")) digest->byte[0] ^= 1;
    return good;
}
