/* SPDX-License-Identifier: BSD-3-Clause */
/* life.c: comm.h: joining and leaving a job, ranks, hosts, time, the description. */
#include "config.h"
#include "subject.h"

#include <ctype.h>
#include <time.h>

typedef struct {
    int keys, bad, repeated;
    bool rails, buffers; /* it says how many, how long */
    char seen[64][48], comm[32];
} description;

static void note(const char *key, const char *value, void *context)
{
    description *d = context;
    for (const char *p = key; *p; p++) d->bad += !isalnum((unsigned char)*p) && *p != '_';
    d->bad += !*key || !*value || strpbrk(value, "\n\r") != NULL;
    for (int i = 0; i < d->keys && i < 64; i++) d->repeated += !strcmp(d->seen[i], key);
    if (d->keys < 64) snprintf(d->seen[d->keys], sizeof d->seen[0], "%s", key);
    d->keys++;
    d->rails |= !strcmp(key, "rails");
    d->buffers |= !strcmp(key, "socket_buffer_bytes");
    if (!strcmp(key, "comm")) snprintf(d->comm, sizeof d->comm, "%s", value);
}

static int launch_rank;    /* before cm_init */
static int32_t has_before; /* properties */

static void test_ranks(void)
{
    point("the launch rank before cm_init is the rank after it");
    EXPECT(launch_rank == rank, "%d and %d", launch_rank, rank);

    point("ranks are 0 to size - 1, each once");
    EXPECT(rank >= 0 && rank < size, "%d of %d", rank, size);
    int mine[2] = {rank, size};
    if (rank) cm_send(world, mine, sizeof mine, 0, 1);
    for (int r = 1; rank == 0 && r < size; r++) {
        int theirs[2];
        cm_recv(world, theirs, sizeof theirs, r, 1, NULL);
        EXPECT(theirs[0] == r, "rank %d calls itself %d", r, theirs[0]);
        EXPECT(theirs[1] == size, "rank %d sees %d ranks, rank 0 sees %d", r, theirs[1], size);
    }

    point("cm_world is one group");
    EXPECT(cm_world() == world && cm_rank(cm_world()) == rank && cm_size(cm_world()) == size);
}

static void test_hosts(void)
{
    enum { NAME = 256 };
    char mine[NAME];
    point("every rank has a host name, and all ranks call it the same");
    for (int r = 0; r < size; r++) {
        const char *host = cm_host(world, r);
        if (!EXPECT(host && *host && strlen(host) < NAME)) return;
        snprintf(mine, sizeof mine, "%s", host);
        /* Rank r's own word goes round. */
        if (rank == r) {
            for (int k = 0; k < size; k++)
                if (k != r) cm_send(world, mine, sizeof mine, k, 2);
        } else {
            char theirs[NAME];
            cm_recv(world, theirs, sizeof theirs, r, 2, NULL);
            EXPECT(!strcmp(mine, theirs), "rank %d is on %s, says itself %s", r, mine, theirs);
        }
    }
}

static void test_time(void)
{
    point("time never goes back, and moves");
    double first = cm_time(), last = first;
    for (int i = 0; i < 10000; i++) {
        double now = cm_time();
        EXPECT(now >= last, "%.17g after %.17g", now, last);
        last = now;
    }
    const struct timespec nap = {0, 20000000};
    nanosleep(&nap, NULL);
    last = cm_time();
    EXPECT(last - first >= 0.0199, "%g s after a sleep of 0.02 s", last - first);
    EXPECT(last - first < 20, "%g s for a sleep of 0.02 s", last - first);
    point("the clock's resolution is a time");
    double step = cm_time_resolution();
    EXPECT(step > 0 && step < 0.1, "%g s", step);
}

static int32_t properties(void)
{
    int32_t has = 0;
    for (int k = CM_HAS_PROCESSES; k <= CM_HAS_SIMULATOR; k++)
        has |= cm_comm_has((cm_property)k) << k;
    return has;
}

/* Returns true if it is one of the names that configure gives to scripts. */
static bool told(const char *word)
{
    char words[64], wanted[32];
    snprintf(words, sizeof words, " %s ", CM_PROPERTIES);
    snprintf(wanted, sizeof wanted, " %s ", word);
    return strstr(words, wanted) != NULL;
}

/* What can be asked before cm_init. */
__attribute__((constructor)) static void ask_before(void)
{
    launch_rank = cm_launch_rank();
    has_before = properties();
}

SUBJECT(life)
{
    test_ranks();
    test_hosts();
    test_time();

    point("cm_describe names the backend; keys are words, each once");
    description d = {0};
    cm_describe(note, &d);
    EXPECT(d.keys >= 3, "%d keys", d.keys);
    EXPECT(d.bad == 0 && d.repeated == 0, "%d bad, %d repeated", d.bad, d.repeated);
    EXPECT(*d.comm && strstr(" mpi sockets shm hybrid dummy ", d.comm), "comm is '%s'", d.comm);

    point("what the backend has is the same on all ranks, and what its calls do");
    int32_t has = properties(), all[2];
    cm_allreduce(world, &has, &all[0], 1, CM_INT32, CM_AND, CM_AUTO);
    cm_allreduce(world, &has, &all[1], 1, CM_INT32, CM_OR, CM_AUTO);
    EXPECT(all[0] == has && all[1] == has, "%x here, %x and %x", has, all[0], all[1]);
    EXPECT(has == has_before, "%x before cm_init, %x after it", has_before, has);
    EXPECT(has >> CM_HAS_PROCESSES & 1 || size == 1, "%d processes", size);
    EXPECT(cm_comm_has(CM_HAS_PROCESSES) == told("processes")
               && cm_comm_has(CM_HAS_PMI) == told("pmi")
               && cm_comm_has(CM_HAS_RAILS) == told("rails"),
           "scripts are told of '%s'", CM_PROPERTIES);
    EXPECT(cm_comm_has(CM_HAS_RAILS) == d.rails && cm_comm_has(CM_HAS_SOCKET_BUFFERS) == d.buffers,
           "rails %d, socket_buffer_bytes %d", d.rails, d.buffers);

    point("a group that is not is freed; progress without messages");
    cm_group_free(NULL);
    cm_progress();
}
