/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c: time of a collective operation with barriers between operations; the slowest rank's
   time counts. Usage: collective SECONDS COLLECTIVE ALGORITHM BYTES...; BYTES of the vector, or of
   one block per rank. Rank 0 prints a line for each length: bytes, median, minimum and mean over
   the operations in us, operations. */
#include "config.h"
#include "comm/comm.h"
#include "pingpong.h"

enum { FEWEST = 8, MOST = 4000 };

/* A collective, and the bytes that a rank gives and gets. */
typedef struct {
    const char *name;
    bool gives_all, gets_all; /* a block for or from each rank */
    void (*call)(cm_group *world, char *in, char *out, size_t bytes, cm_algorithm algorithm);
    /* Returns true if out is right; every rank gave its number. */
    int (*right)(const char *out, size_t bytes, int rank, int size);
} operation;

static void barrier(cm_group *w, char *in, char *out, size_t n, cm_algorithm a)
{
    (void)in, (void)out, (void)n;
    cm_barrier(w, a);
}
static void bcast(cm_group *w, char *in, char *out, size_t n, cm_algorithm a)
{
    cm_bcast(w, cm_rank(w) ? out : in, n, 0, a);
}
static void reduce(cm_group *w, char *in, char *out, size_t n, cm_algorithm a)
{
    cm_reduce(w, in, out, n / 4, CM_INT32, CM_MAX, 0, a);
}
static void allreduce(cm_group *w, char *in, char *out, size_t n, cm_algorithm a)
{
    cm_allreduce(w, in, out, n / 4, CM_INT32, CM_MAX, a);
}
static void scan(cm_group *w, char *in, char *out, size_t n, cm_algorithm a)
{
    cm_scan(w, in, out, n / 4, CM_INT32, CM_MAX, a);
}
static void gather(cm_group *w, char *in, char *out, size_t n, cm_algorithm a)
{
    cm_gather(w, in, n, out, 0, a);
}
static void scatter(cm_group *w, char *in, char *out, size_t n, cm_algorithm a)
{
    cm_scatter(w, in, n, out, 0, a);
}
static void allgather(cm_group *w, char *in, char *out, size_t n, cm_algorithm a)
{
    cm_allgather(w, in, n, out, a);
}
static void alltoall(cm_group *w, char *in, char *out, size_t n, cm_algorithm a)
{
    cm_alltoall(w, in, n, out, a);
}

/* All bytes of a rank's number are equal, so any length of it identifies the rank. */
static int number(int rank) { return rank % 63 * 0x01010101 + 0x01010101; }
static int holds(const char *at, size_t bytes, int rank)
{
    return at[0] == (char)number(rank) && at[bytes - 1] == (char)number(rank);
}

static int nothing(const char *out, size_t n, int r, int p)
{
    (void)out, (void)n, (void)r, (void)p;
    return 1;
}
static int first(const char *out, size_t n, int r, int p)
{
    (void)p;
    return r == 0 || holds(out, n, 0);
}
static int greatest(const char *out, size_t n, int r, int p)
{
    (void)r;
    return holds(out, n, p < 63 ? p - 1 : 62);
}
static int greatest_at_0(const char *out, size_t n, int r, int p)
{
    return r || greatest(out, n, r, p);
}
static int greatest_so_far(const char *out, size_t n, int r, int p)
{
    (void)p;
    return greatest(out, n, r, r + 1);
}
static int all(const char *out, size_t n, int r, int p)
{
    (void)r;
    for (int k = 0; k < p; k++)
        if (!holds(out + (size_t)k * n, n, k)) return 0;
    return 1;
}
static int all_at_0(const char *out, size_t n, int r, int p) { return r || all(out, n, r, p); }
static int from_0(const char *out, size_t n, int r, int p)
{
    (void)r, (void)p;
    return holds(out, n, 0);
}

static const operation operations[] = {
    {"barrier", false, false, barrier, nothing},
    {"bcast", false, false, bcast, first},
    {"reduce", false, false, reduce, greatest_at_0},
    {"allreduce", false, false, allreduce, greatest},
    {"scan", false, false, scan, greatest_so_far},
    {"gather", false, true, gather, all_at_0},
    {"scatter", true, false, scatter, from_0},
    {"allgather", false, true, allgather, all},
    {"alltoall", true, true, alltoall, all},
};

/* From a page on: copies between blocks that begin at different places of their cache lines take up
   to 1.4 times as long, and what malloc gives hangs on what was allocated before. */
static char *block(size_t bytes)
{
    void *at;
    return posix_memalign(&at, 4096, bytes + 1) ? NULL : at;
}

static double one_s(const operation *o, cm_group *world, char *in, char *out, size_t bytes,
                    cm_algorithm a)
{
    cm_barrier(world, CM_NATIVE);
    double start_s = bench_now_s();
    o->call(world, in, out, bytes, a);
    return bench_now_s() - start_s;
}

static void measure(const operation *o, cm_group *world, size_t bytes, cm_algorithm a,
                    double limit_s)
{
    const int rank = cm_rank(world), size = cm_size(world);
    const size_t in_bytes = bytes * (o->gives_all ? (size_t)size : 1);
    const size_t out_bytes = bytes * (o->gets_all ? (size_t)size : 1);
    char *in = block(in_bytes), *out = block(out_bytes);
    double *mine = calloc(MOST, sizeof *mine), *slowest = calloc(MOST, sizeof *slowest);
    if (!in || !out || !mine || !slowest) cm_abort(CM_EXIT_SYSTEM, "collective: out of memory");
    memset(in, number(rank), in_bytes);
    memset(out, 0, out_bytes);
    int64_t n = FEWEST;
    double start_s = bench_now_s();
    for (int i = 0; i < FEWEST; i++) one_s(o, world, in, out, bytes, a);
    double each_s = (bench_now_s() - start_s) / FEWEST;
    if (limit_s / each_s > FEWEST) n = limit_s / each_s < MOST ? (int64_t)(limit_s / each_s) : MOST;
    cm_bcast(world, &n, sizeof n, 0, CM_NATIVE);
    for (int64_t i = 0; i < n; i++) mine[i] = one_s(o, world, in, out, bytes, a);
    if (bytes && !o->right(out, bytes, rank, size))
        cm_abort(CM_EXIT_WRONG, "collective: %s of %zu bytes: a wrong answer", o->name, bytes);
    cm_reduce(world, mine, slowest, (size_t)n, CM_DOUBLE, CM_MAX, 0, CM_NATIVE);
    if (rank == 0) {
        double sum_s = 0;
        for (int64_t i = 0; i < n; i++) sum_s += slowest[i];
        qsort(slowest, (size_t)n, sizeof *slowest, bench_compare);
        printf("%zu %.3f %.3f %.3f %lld\n", bytes, 1e6 * slowest[n / 2], 1e6 * slowest[0],
               1e6 * sum_s / (double)n, (long long)n);
        fflush(stdout);
    }
    free(in), free(out), free(mine), free(slowest);
}

int main(int argc, char **argv)
{
    int status = cm_init(&argc, &argv);
    if (status) return status;
    const operation *o = NULL;
    cm_algorithm a;
    if (argc > 2)
        for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
            if (strcmp(operations[k].name, argv[2]) == 0) o = &operations[k];
    if (argc < 5 || !o || !cm_algorithm_parse(argv[3], &a))
        cm_abort(CM_EXIT_USAGE, "collective: usage: SECONDS COLLECTIVE ALGORITHM BYTES...");
    bench_pin(cm_rank(cm_world()));
    for (int k = 4; k < argc; k++)
        measure(o, cm_world(), (size_t)strtoull(argv[k], NULL, 10), a, atof(argv[1]));
    cm_finalize();
    return 0;
}
