/* SPDX-License-Identifier: BSD-3-Clause */
/* line.c: the leader makes a page of memory without a name in any folder. The other rank opens it
   through the leader's descriptor in /proc. The kernel lets only this user's processes do so, and
   nothing is left behind, however the ranks end. */
#include "config.h"
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "comm/computer.h"
#include "machine/machine.h"
#include "measure/clock.h"
#include "measure/distance.h"
#include "pairs/line.h"
#include "pairs/pairs.h"
#include "run/run.h"

/* The flag is alone on its line, and on the next one, which processors fetch together with it. */
enum { APART = 256, PAGE_BYTES = 4096 };
struct cm_pair_page {
    _Alignas(APART) _Atomic uint32_t flag;
    _Alignas(APART) _Atomic uint32_t given_up; /* the look that one of the ranks gave up */
};
_Static_assert(sizeof(struct cm_pair_page) <= PAGE_BYTES, "it is a page");
typedef struct cm_pair_page page;

/* A look has BATCHES batches of BOUNCES bounces there and back, and a first one that is not
   counted, in which the line and both loops warm up. A reading of the clock, some 25 ns, is 5 % of
   the shortest batch. A flag counts on within the numbers of a look. */
enum { BATCHES = 10, BOUNCES = 10, FLAGS_OF_LOOK = 256 };
_Static_assert(2 * (BATCHES + 1) * BOUNCES + 1 < FLAGS_OF_LOOK, "a look has flags enough");

/* A rank that is not there within a time slice or two does not come now. */
static const double patience_s = 5e-3;

/* ---- Opening --------------------------------------------------------------------------------- */

enum { NAME = 64 };

/* What the leader says of its page. */
typedef struct {
    int32_t made;    /* 0: it made none */
    int32_t rank;    /* of the leader in cm_world() */
    int32_t pid, fd; /* of the leader */
    char name[NAME]; /* of the memory, so that no other process' descriptor is taken for it */
    cm_machine_cpus cpus;
} offer;

static const int SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

static page *map(int fd)
{
    void *memory = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void make(offer *own, page **made)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(own->name, NAME, "clustermark-line-%d-%lld-%09ld", (int)getpid(),
             (long long)now.tv_sec, now.tv_nsec);
    own->fd = memfd_create(own->name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    own->pid = (int32_t)getpid();
    if (own->fd < 0) return;
    if (ftruncate(own->fd, PAGE_BYTES) == 0 && fcntl(own->fd, F_ADD_SEALS, SEALS) == 0)
        *made = map(own->fd);
    own->made = *made != NULL;
}

/* In another container the number may be that of another process, so the descriptor is opened only
   if the memory's name is the one said. */
static page *take(const offer *other)
{
    char path[64], is[NAME + 32], expected[NAME + 32];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)other->pid, (int)other->fd);
    snprintf(expected, sizeof expected, "/memfd:%.*s (deleted)", NAME - 1, other->name);
    const ssize_t length = readlink(path, is, sizeof is - 1);
    if (length < 0) return NULL;
    is[length] = '\0';
    if (strcmp(is, expected) != 0) return NULL;
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return NULL;
    page *taken = NULL;
    if (fstat(fd, &file) == 0 && file.st_size == PAGE_BYTES && file.st_uid == geteuid()
        && (fcntl(fd, F_GET_SEALS) & SEALS) == SEALS)
        taken = map(fd);
    close(fd);
    return taken;
}

/* Ranks that share a core bounce nothing while the other one waits for it. */
static bool have_cores(const cm_machine_cpus *one, const cm_machine_cpus *other)
{
    cm_machine_cpus both = *one;
    cm_machine_cpus_or(&both, other);
    return cm_machine_cpus_count(&both) >= CM_PAIR_RANKS
           && cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world())) <= cm_machine_job_cores();
}

static void open_leading(cm_pair_line *line, cm_group *group, int peer)
{
    offer own = {.fd = -1, .cpus = cm_pair_own_cpus()};
    int32_t rank = -1; /* the other one's, if it has the page, too */
    own.rank = cm_rank(cm_world());
    make(&own, &line->page);
    cm_send(group, &own, sizeof own, peer, CM_PAIR_TAG_LINE);
    cm_recv(group, &rank, sizeof rank, peer, CM_PAIR_TAG_LINE, NULL);
    if (own.fd >= 0) close(own.fd);
    if (rank < 0) cm_pair_line_close(line);
    line->peer_of_job = rank;
}

static void open_following(cm_pair_line *line, cm_group *group, int peer)
{
    const cm_machine_cpus own = cm_pair_own_cpus();
    offer other;
    cm_recv(group, &other, sizeof other, peer, CM_PAIR_TAG_LINE, NULL);
    if (other.made && have_cores(&own, &other.cpus)) line->page = take(&other);
    const int32_t rank = line->page ? cm_rank(cm_world()) : -1;
    line->peer_of_job = other.rank;
    cm_send(group, &rank, sizeof rank, peer, CM_PAIR_TAG_LINE);
}

static void open_line(cm_pair_line *line, cm_group *group, int peer, bool leads)
{
    cm_pair_line_close(line);
    *line = (cm_pair_line){.asked = true, .peer = peer};
    if (leads) open_leading(line, group, peer);
    else open_following(line, group, peer);
    line->asked = true;
    line->peer = peer;
}

void cm_pair_line_close(cm_pair_line *line)
{
    if (line->page) munmap(line->page, PAGE_BYTES);
    *line = (cm_pair_line){0};
}

/* ---- Bouncing -------------------------------------------------------------------------------- */

typedef struct {
    page *page;
    uint32_t first; /* of this look's flags */
    double until_s;
} bounce;

/* No pause instruction: it would wait longer than threads of a core take. */
static bool await(bounce *b, uint32_t flag)
{
    enum { SPINS = 1 << 12 };
    for (;;) {
        for (int k = 0; k < SPINS; k++)
            if (atomic_load_explicit(&b->page->flag, memory_order_acquire) == flag) return true;
        if (atomic_load_explicit(&b->page->given_up, memory_order_relaxed) == b->first
            || cm_clock_now_s() > b->until_s) {
            atomic_store_explicit(&b->page->given_up, b->first, memory_order_relaxed);
            return false;
        }
    }
}

static void put(bounce *b, uint32_t flag)
{
    atomic_store_explicit(&b->page->flag, flag, memory_order_release);
}

static bool lead_batch(bounce *b, uint32_t *flag)
{
    for (int k = 0; k < BOUNCES; k++) {
        put(b, ++*flag);
        if (!await(b, ++*flag)) return false;
    }
    return true;
}

static double lead(bounce *b)
{
    double batch_ns[BATCHES];
    uint32_t flag = b->first;
    if (!await(b, flag)) return NAN; /* until the other one is there */
    if (!lead_batch(b, &flag)) return NAN;
    for (int k = 0; k < BATCHES; k++) {
        const double begin_s = cm_clock_now_s();
        if (!lead_batch(b, &flag)) return NAN;
        batch_ns[k] = 1e9 * (cm_clock_now_s() - begin_s) / (2 * BOUNCES);
    }
    return cm_distance_of(BATCHES, batch_ns);
}

static void follow(bounce *b)
{
    uint32_t flag = b->first;
    put(b, flag);
    for (int k = 0; k < (BATCHES + 1) * BOUNCES; k++) {
        if (!await(b, ++flag)) return;
        put(b, ++flag);
    }
}

double cm_pair_line_look(cm_pair_line *line, cm_group *group, int peer, bool leads)
{
    /* Where ranks are no processes, or simulated ones, there is nothing to measure. */
    if (!cm_comm_has(CM_HAS_PROCESSES) || cm_comm_has(CM_HAS_SIMULATOR)
        || cm_computer_of(group, peer) != cm_computer_of(group, cm_rank(group)))
        return NAN;
    if (!line->asked || line->peer != peer) open_line(line, group, peer, leads);
    if (!line->page) return NAN;
    bounce b = {.page = line->page,
                .first = ++line->looks * FLAGS_OF_LOOK,
                .until_s = cm_clock_now_s() + patience_s};
    if (leads) return lead(&b);
    follow(&b);
    return NAN;
}
