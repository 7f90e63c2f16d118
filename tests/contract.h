/* SPDX-License-Identifier: BSD-3-Clause */
/* contract.h: parallel tests: points whose failures on any rank reach rank 0, which prints TAP.

       int main(int argc, char **argv)
       {
           contract_start(&argc, &argv);
           point("messages keep their order");       begins a point, on all ranks alike
           EXPECT(got == want, "got %d", got);        as often as needed, on any rank
           return contract_done();
       }

   Points of several sources can be those of one program (contract/subject.h).                  */
#ifndef CM_CONTRACT_H
#define CM_CONTRACT_H

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm/comm.h"

#define UNUSED __attribute__((unused))
#define SHARED __attribute__((weak)) /* one for all sources of a program */

enum { CONTRACT_TAG = (1 << 27) + 1, CONTRACT_POINTS = 400 };

typedef struct {
    char name[160];
    int failures;
    char first[200]; /* what failed first */
} contract_point;

SHARED contract_point contract_points[CONTRACT_POINTS]; /* since the last report */
SHARED int contract_count;
SHARED int contract_reported, contract_failed; /* points that rank 0 has printed */
SHARED const char *contract_subject;           /* goes before the names of points; or NULL */
SHARED char contract_where[200];               /* what this rank is in, for contract_late */
SHARED bool contract_outlives; /* ranks may fail (cm_on_failure): they have no say */
SHARED int rank, size;         /* of this process in the world, of the world */
SHARED cm_group *world;

/* make bigcheck sets TEST_TIER: it also runs what only repeats a test with more sizes or ranks. */
UNUSED static bool tier_is_big(void)
{
    const char *tier = getenv("TEST_TIER");
    return tier && strcmp(tier, "big") == 0;
}

UNUSED static void contract_late(int number)
{
    (void)number;
    ssize_t written = write(STDERR_FILENO, contract_where, strlen(contract_where));
    (void)written;
}

/* Before run-ranks ends a job that hangs, each of its ranks prints where it is. */
static void contract_watch(void)
{
    const char *text = getenv("TEST_LIMIT");
    const int limit_s = text ? atoi(text) : 0;
    struct sigaction action;
    sigaction(SIGALRM, NULL, &action);
    if (limit_s < 2 || action.sa_handler != SIG_DFL) return; /* faults/shim.c has that timer */
    action.sa_handler = contract_late;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    alarm((unsigned)(limit_s > 60 ? limit_s - 20 : limit_s / 2));
}

static void contract_note(const char *name)
{
    snprintf(contract_where, sizeof contract_where, "late: rank %d of %d is in '%s'\n", rank, size,
             name);
}

UNUSED static void contract_start(int *argc, char ***argv)
{
    int status = cm_init(argc, argv);
    if (status) exit(status);
    world = cm_world();
    rank = cm_rank(world);
    size = cm_size(world);
    const char *wanted = getenv("TEST_RANKS");
    if (wanted && atoi(wanted) != size) {
        if (rank == 0) printf("Bail out! this job has %d ranks instead of %s\n", size, wanted);
        cm_finalize();
        exit(CM_EXIT_WRONG);
    }
    /* A run that hangs or dies leaves what it has said. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    contract_note("contract_start");
    contract_watch();
}

__attribute__((format(printf, 1, 2))) UNUSED static void point(const char *name, ...)
{
    if (contract_count == CONTRACT_POINTS)
        cm_abort(CM_EXIT_WRONG, "more than %d points", CONTRACT_POINTS);
    contract_point *p = &contract_points[contract_count++];
    int n = contract_subject ? snprintf(p->name, sizeof p->name, "%s: ", contract_subject) : 0;
    va_list list;
    va_start(list, name);
    vsnprintf(p->name + n, sizeof p->name - (size_t)n, name, list);
    va_end(list);
    contract_note(p->name);
    if (rank == 0) printf("# %s\n", p->name);
}

__attribute__((format(printf, 5, 6))) UNUSED static bool contract_expect(bool passed,
                                                                         const char *condition,
                                                                         const char *file, int line,
                                                                         const char *format, ...)
{
    contract_point *p = &contract_points[contract_count - 1];
    if (passed || p->failures++) return passed;
    const char *base = strrchr(file, '/');
    int n =
        snprintf(p->first, sizeof p->first, "%s:%d: %s", base ? base + 1 : file, line, condition);
    if (n < 0 || n >= (int)sizeof p->first) return passed;
    va_list list;
    va_start(list, format);
    vsnprintf(p->first + n, sizeof p->first - (size_t)n, format, list);
    va_end(list);
    return passed;
}
#define EXPECT(condition, ...) \
    contract_expect((condition), #condition, __FILE__, __LINE__, ": " __VA_ARGS__)

/* Gathers and prints the points since the last report. */
UNUSED static void contract_report(void)
{
    const int count = contract_count;
    const size_t bytes = (size_t)count * sizeof(contract_point);
    contract_count = 0;
    if (rank) {
        cm_send(world, contract_points, bytes, 0, CONTRACT_TAG);
        memset(contract_points, 0, bytes);
        return; /* rank 0 has the verdict */
    }
    contract_point *all = calloc((size_t)size, sizeof contract_points);
    if (!all) cm_abort(CM_EXIT_SYSTEM, "no memory for %d ranks' points", size);
    for (int r = 1; r < size; r++) {
        cm_status status;
        cm_recv(world, all + (size_t)r * CONTRACT_POINTS, sizeof contract_points, r, CONTRACT_TAG,
                &status);
        if (contract_outlives && status.failed == r) continue;
        if (status.bytes != bytes) {
            printf("Bail out! rank %d has %zu points instead of %d\n", r,
                   status.bytes / sizeof(contract_point), count);
            contract_failed++;
        }
    }
    memcpy(all, contract_points, bytes);
    memset(contract_points, 0, bytes);
    for (int i = 0; i < count; i++) {
        int ranks = 0;
        for (int r = 0; r < size; r++)
            ranks += all[(size_t)r * CONTRACT_POINTS + (size_t)i].failures > 0;
        printf("%s %d - %s\n", ranks ? "not ok" : "ok", ++contract_reported, all[i].name);
        contract_failed += ranks > 0;
        for (int r = 0; r < size; r++) {
            const contract_point *p = &all[(size_t)r * CONTRACT_POINTS + (size_t)i];
            if (p->failures)
                printf("# rank %d, %d failures, the first at %s\n", r, p->failures, p->first);
        }
    }
    free(all);
}

/* Reports, leaves the job; returns main's status. */
UNUSED static int contract_done(void)
{
    contract_report();
    if (rank == 0) printf("1..%d\n", contract_reported);
    contract_note("cm_finalize");
    cm_finalize();
    return contract_failed ? CM_EXIT_WRONG : CM_EXIT_PASS;
}

/* ---- Tools ----------------------------------------------------------------------------------- */

UNUSED static int right_of(int r) { return (r + 1) % size; }
UNUSED static int left_of(int r) { return (r + size - 1) % size; }

/* With more ranks than cores each wait for others costs milliseconds, so tests do less. */
UNUSED static bool oversubscribed(void) { return size > sysconf(_SC_NPROCESSORS_ONLN); }

static inline unsigned char contract_byte(size_t i, unsigned seed)
{
    size_t x = i + 7919u * (size_t)seed;
    return (unsigned char)(x ^ x >> 8 ^ x >> 15 ^ 17u * seed);
}

UNUSED static void fill(void *data, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++) ((unsigned char *)data)[i] = contract_byte(i, seed);
}

/* Returns the offset of the first byte that differs from fill's; bytes if there is none. */
UNUSED static size_t wrong_at(const void *data, size_t bytes, unsigned seed)
{
    size_t i = 0;
    while (i < bytes && ((const unsigned char *)data)[i] == contract_byte(i, seed)) i++;
    return i;
}

/* Returns the offset of the first byte that is not value; bytes if there is none. */
UNUSED static size_t other_than(const void *data, size_t bytes, unsigned char value)
{
    size_t i = 0;
    while (i < bytes && ((const unsigned char *)data)[i] == value) i++;
    return i;
}

UNUSED static void *memory(size_t bytes)
{
    void *data = malloc(bytes ? bytes : 1);
    if (!data) cm_abort(CM_EXIT_SYSTEM, "no memory for %zu bytes", bytes);
    return data;
}

UNUSED static void contract_find_eager(const char *key, const char *value, void *eager_bytes)
{
    if (!strcmp(key, "eager_bytes")) *(size_t *)eager_bytes = (size_t)strtoull(value, NULL, 10);
}

/* Returns the eager limit that the backend reports, or else a usual one. */
UNUSED static size_t eager_limit(void)
{
    size_t bytes = 0;
    cm_describe(contract_find_eager, &bytes);
    return bytes && bytes < 1 << 22 ? bytes : 65536;
}

/* Waits until all ranks have come here. Uses plain messages, so that collectives need not work for
   it. */
UNUSED static void meet(void)
{
    enum { TAG = (1 << 27) + 2 };
    for (int k = 1; k < size; k *= 2)
        cm_sendrecv(world, NULL, 0, (rank + k) % size, TAG, NULL, 0, (rank + size - k) % size, TAG,
                    NULL);
}

#endif
