/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.c: the collective algorithms over simulated ranks (ranks.h): results, numbers of
   messages, what is refused, and that none of them relies on buffering. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "comm/collective.h"
#include "comm/tuning.h"
#include "collective_checks.h"
#include "ranks.h"
#include "tap.h"

/* The sanitizers would end the program where an allocation is meant to fail, and report the
   schedules that stay behind where cm_abort is caught. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1:detect_leaks=0"; }
const char *__tsan_default_options(void) { return "allocator_may_return_null=1"; }

/* At several parameters where they take one. */
#define NOTHING(name) name,
#define LEAVES(name) name ":1", name ":2", name ":3", name ":5",
#define BYTES(name) name ":0", name ":64", name ":1000",
#define NAMES(kind, builders, name, counts, least, properties) counts(name)
static const char *const algorithms[] = {CM_ALGORITHM_LIST(NAMES)};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

static cm_algorithm algorithm(int which)
{
    cm_algorithm a;
    if (!cm_algorithm_parse(algorithms[which], &a)) abort();
    return a;
}

/* ---- Results --------------------------------------------------------------------------------- */

typedef struct {
    bool thorough;
    atomic_int wrong[CM_COLLECTIVES][ALGORITHMS], repeatable[ALGORITHMS], nonblocking[ALGORITHMS];
} results;

static bool both(int a)
{
    return cm_algorithm_available(CM_COLLECTIVE_REDUCE, algorithm(a))
           && cm_algorithm_available(CM_COLLECTIVE_ALLREDUCE, algorithm(a))
           && cm_algorithm_available(CM_COLLECTIVE_BCAST, algorithm(a));
}

static void everything(cm_group *group, void *context)
{
    results *r = context;
    for (int a = 0; a < ALGORITHMS; a++) {
        for (int k = 0; k < CM_COLLECTIVES; k++)
            if (cm_algorithm_available((cm_collective)k, algorithm(a)))
                atomic_fetch_add(&r->wrong[k][a], check_collective(group, (cm_collective)k,
                                                                   algorithm(a), r->thorough));
        if (!both(a)) continue;
        atomic_fetch_add(&r->repeatable[a], check_repeatable(group, algorithm(a)));
        atomic_fetch_add(&r->nonblocking[a], check_nonblocking(group, algorithm(a)));
    }
}

static void check_results(int size)
{
    static const struct {
        size_t eager_bytes;
        bool synchronous;
        ranks_access access;
        const char *name;
    } modes[] = {{SIZE_MAX, false, RANKS_REFUSED, "all eager, direct access refused"},
                 {64, false, RANKS_DIRECT, "eager up to 64 bytes, direct access"},
                 {0, true, RANKS_UNSURE, "all synchronous, direct access now and then"}};
    for (int mode = 0; mode < 3; mode++) {
        results *r = calloc(1, sizeof *r);
        r->thorough = mode == 1;
        const char *mode_name = modes[mode].name;
        const ranks_options options = {.size = size,
                                       .eager_bytes = modes[mode].eager_bytes,
                                       .synchronous = modes[mode].synchronous,
                                       .access = modes[mode].access};
        const ranks_report report = ranks_run(&options, everything, r);
        for (int a = 0; a < ALGORITHMS; a++) {
            for (int k = 0; k < CM_COLLECTIVES; k++)
                if (cm_algorithm_available((cm_collective)k, algorithm(a)))
                    ok(r->wrong[k][a] == 0, "%s, %s, %d ranks, %s",
                       cm_collective_name((cm_collective)k), algorithms[a], size, mode_name);
            if (!both(a)) continue;
            ok(r->repeatable[a] == 0, "same bits every time, %s, %d ranks, %s", algorithms[a], size,
               mode_name);
            ok(r->nonblocking[a] == 0, "non-blocking, %s, %d ranks, %s", algorithms[a], size,
               mode_name);
        }
        ok(report.left == 0, "no message or request left over, %d ranks, %s", size, mode_name);
        free(r);
    }
}

/* ---- Messages, and lengths beyond 2 GiB ------------------------------------------------------ */

enum { HUGE_RANKS = 3 };
static const size_t huge = (size_t)3 << 30;

typedef struct {
    char *memory;
    cm_algorithm algorithm;
} huge_case;

static void huge_bcast(cm_group *group, void *context)
{
    const huge_case *h = context;
    cm_bcast(group, h->memory, huge, 1, h->algorithm);
}

/* In place, because a dry run's messages are free but its copies are not. */
static void huge_allgather(cm_group *group, void *context)
{
    const huge_case *h = context;
    cm_allgather(group, h->memory + (size_t)cm_rank(group) * huge, huge, h->memory, h->algorithm);
}

static void check_huge(void)
{
    const ranks_options options = {.size = HUGE_RANKS, .eager_bytes = 0, .dry = true};
    char *memory = mmap(NULL, HUGE_RANKS * huge, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        tap_skip("lengths beyond 2 GiB", "no 9 GiB of address space");
        return;
    }
    huge_case h = {memory, CM_LINEAR};
    ranks_report r = ranks_run(&options, huge_bcast, &h);
    ok(r.messages == 2 && r.bytes == 2 * huge, "linear bcast of 3 GiB");
    r = ranks_run(&options, huge_allgather, &h);
    ok(r.messages == 6 && r.bytes == 6 * huge, "linear allgather of 3 GiB blocks");
    h.algorithm = CM_BINOMIAL;
    r = ranks_run(&options, huge_bcast, &h);
    ok(r.messages == 2 && r.bytes == 2 * huge, "binomial bcast of 3 GiB");
    r = ranks_run(&options, huge_allgather, &h);
    ok(r.messages == 4 && r.bytes == 8 * huge, "binomial allgather of 3 GiB blocks");
    munmap(memory, HUGE_RANKS * huge);
}

static void one_barrier(cm_group *group, void *context)
{
    cm_barrier(group, *(cm_algorithm *)context);
}

static void no_data(cm_group *group, void *context)
{
    const cm_algorithm a = *(cm_algorithm *)context;
    const size_t none[4] = {0};
    cm_bcast(group, NULL, 0, 3, a);
    cm_allreduce(group, NULL, NULL, 0, CM_DOUBLE, CM_SUM, a);
    cm_gather(group, NULL, 0, NULL, 2, a);
    cm_alltoall(group, NULL, 0, NULL, CM_LINEAR);
    cm_alltoallv(group, NULL, none, none, NULL, none, none, CM_LINEAR);
    cm_gatherv(group, NULL, 0, NULL, none, none, 1, CM_LINEAR);
    cm_request *request = cm_ibcast(group, NULL, 0, 0, a);
    cm_wait(&request, NULL);
}

static void hundred_scanned(cm_group *group, void *context)
{
    double in[100] = {0}, out[100];
    cm_scan(group, in, out, 100, CM_DOUBLE, CM_SUM, *(cm_algorithm *)context);
}

static void blocks_reduced(cm_group *group, void *context)
{
    const size_t counts[4] = {100, 100, 100, 100};
    double in[400] = {0}, out[100];
    cm_reduce_scatter(group, in, out, counts, CM_DOUBLE, CM_SUM, *(cm_algorithm *)context);
}

static void check_messages(void)
{
    const ranks_options options = {.size = 4, .eager_bytes = SIZE_MAX};
    cm_algorithm a = CM_BINOMIAL;
    ok(ranks_run(&options, one_barrier, &a).messages == 6,
       "a barrier of 4 is 3 messages up, 3 down");
    a = CM_TREE(2);
    ok(ranks_run(&options, one_barrier, &a).messages == 6, "by a tree of two leaves a node too");
    a = CM_DOUBLING;
    ok(ranks_run(&options, one_barrier, &a).messages == 8, "by doubling it is 2 messages a rank");
    a = CM_LINEAR;
    ok(ranks_run(&options, hundred_scanned, &a).messages == 3, "a linear scan of 4 is 3 messages");
    a = CM_CHAIN(64);
    ok(ranks_run(&options, hundred_scanned, &a).messages == 3 * 13,
       "by a chain of segments of 64 bytes 800 bytes are 13 messages a link");
    a = CM_BINOMIAL;
    ok(ranks_run(&options, no_data, &a).messages == 0, "without data there are no messages");
    a = CM_RING;
    ranks_report r = ranks_run(&options, blocks_reduced, &a);
    ok(r.messages == 12 && r.bytes == 12 * 800, "pairwise, each rank gets its block of each other");
    a = CM_DOUBLING;
    r = ranks_run(&options, blocks_reduced, &a);
    ok(r.messages == 8 && r.bytes == 12 * 800, "by halving as many bytes in fewer messages");
    a = CM_DIRECT;
    r = ranks_run(&options, blocks_reduced, &a);
    ok(r.messages == 6 && r.bytes == 3 * (3200 + 800), "direct, without access to memory: linear");
    const ranks_options direct = {.size = 4, .eager_bytes = SIZE_MAX, .access = RANKS_DIRECT};
    r = ranks_run(&direct, blocks_reduced, &a);
    ok(r.messages == 24 && r.bytes < 12 * 80, "direct: what is in the messages is not the data");
}

/* ---- Hosts ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int size, host[9];
} placements[] = {
    {"one host after the other", 8, {0, 0, 0, 0, 1, 1, 1, 1}},
    {"round robin", 8, {0, 1, 0, 1, 0, 1, 0, 1}},
    {"round robin on three hosts", 8, {2, 0, 1, 2, 0, 1, 2, 0}},
    {"unequal hosts", 7, {3, 3, 1, 3, 0, 3, 1}},
    {"unequal hosts in order", 6, {0, 1, 1, 2, 2, 2}},
    {"a rank a host", 4, {3, 1, 0, 2}},
    {"three ranks, in turn", 3, {1, 0, 1}},
};

/* Long enough for ranks to share a vector, whose length is no multiple of theirs. */
enum { LONG_ELEMENTS = 20011 };

/* x, y -> y: associative, and the last rank's operand is the result. */
static void last_operand(const void *left, void *right, size_t count, cm_type type)
{
    (void)left, (void)right, (void)count, (void)type;
}

/* Returns how many elements of long results are wrong: sums, the last rank's operands, broadcasts
   from every root, gathered blocks. */
static int long_vectors(cm_group *group, cm_algorithm a)
{
    const int rank = cm_rank(group), size = cm_size(group);
    const size_t bytes = LONG_ELEMENTS * sizeof(int64_t);
    int64_t *in = malloc(bytes), *out = malloc(bytes), *all = malloc(bytes * (size_t)size);
    int wrong = 0;
    for (int root = -1; root < size; root++) {
        const cm_op last = CM_USER_OP(last_operand, 0);
        for (int ordered = 0; ordered < 2; ordered++) {
            for (int i = 0; i < LONG_ELEMENTS; i++) in[i] = (rank + 1) * (i + 3);
            for (int i = 0; i < LONG_ELEMENTS; i++) out[i] = -1;
            if (root < 0)
                cm_allreduce(group, in, out, LONG_ELEMENTS, CM_INT64, ordered ? last : CM_SUM, a);
            else
                cm_reduce(group, in, out, LONG_ELEMENTS, CM_INT64, ordered ? last : CM_SUM, root,
                          a);
            const int64_t times = ordered ? size : size * (size + 1) / 2;
            for (int i = 0; i < LONG_ELEMENTS; i++)
                wrong += out[i] != (root < 0 || root == rank ? times * (i + 3) : -1);
        }
        if (root < 0) continue;
        for (int i = 0; i < LONG_ELEMENTS; i++) out[i] = rank == root ? i * 5 + root : -1;
        cm_bcast(group, out, bytes - 3, root, a);
        out[LONG_ELEMENTS - 1] = (LONG_ELEMENTS - 1) * 5 + root;
        for (int i = 0; i < LONG_ELEMENTS; i++) wrong += out[i] != i * 5 + root;
    }
    cm_allgather(group, in, bytes, all, a);
    for (int i = 0; i < LONG_ELEMENTS * size; i++)
        wrong += all[i] != (i / LONG_ELEMENTS + 1) * (i % LONG_ELEMENTS + 3);
    free(in);
    free(out);
    free(all);
    return wrong;
}

typedef struct {
    results r;
    atomic_int long_vectors[2];
} placed_results;

static void everything_placed(cm_group *group, void *context)
{
    static const cm_algorithm both_names[] = {CM_HOSTS, CM_AUTO};
    placed_results *p = context;
    for (int i = 0; i < 2; i++) {
        const cm_algorithm a = both_names[i];
        for (int k = 0; k < CM_COLLECTIVES; k++)
            if (cm_algorithm_available((cm_collective)k, a))
                atomic_fetch_add(&p->r.wrong[k][i],
                                 check_collective(group, (cm_collective)k, a, true));
        atomic_fetch_add(&p->r.repeatable[i], check_repeatable(group, a));
        atomic_fetch_add(&p->r.nonblocking[i], check_nonblocking(group, a));
        atomic_fetch_add(&p->long_vectors[i], long_vectors(group, a));
    }
}

static void check_placements(int most)
{
    for (size_t i = 0; i < sizeof placements / sizeof *placements; i++)
        for (int synchronous = 0; synchronous < 2; synchronous++) {
            if (placements[i].size > most) continue;
            const char *where = placements[i].name;
            const char *mode = synchronous ? ", synchronous" : "";
            placed_results *p = calloc(1, sizeof *p);
            const ranks_options options = {.size = placements[i].size,
                                           .eager_bytes = 64,
                                           .synchronous = synchronous,
                                           .host = placements[i].host,
                                           .access = synchronous ? RANKS_UNSURE : RANKS_DIRECT};
            const ranks_report report = ranks_run(&options, everything_placed, p);
            for (int a = 0; a < 2; a++) {
                const char *name = a ? "auto" : "hosts";
                for (int k = 0; k < CM_COLLECTIVES; k++)
                    if (cm_algorithm_available((cm_collective)k, a ? CM_AUTO : CM_HOSTS))
                        ok(p->r.wrong[k][a] == 0, "%s, %s: %s%s",
                           cm_collective_name((cm_collective)k), name, where, mode);
                ok(p->r.repeatable[a] == 0, "same bits every time, %s: %s%s", name, where, mode);
                ok(p->r.nonblocking[a] == 0, "non-blocking, %s: %s%s", name, where, mode);
                ok(p->long_vectors[a] == 0, "long vectors, %s: %s%s", name, where, mode);
            }
            ok(report.left == 0, "no message or request left over: %s%s", where, mode);
            free(p);
        }
}

/* A vector of 1 MB in all: 8 blocks of 128 KiB in allgather, 16 KiB in alltoall. */
typedef struct {
    cm_collective collective;
    cm_algorithm algorithm;
    int root;
} traffic;

enum { TRAFFIC_BYTES = 1 << 20 };

static void send_traffic(cm_group *group, void *context)
{
    const traffic *t = context;
    const size_t count = TRAFFIC_BYTES / sizeof(double), block = TRAFFIC_BYTES / 8;
    double *in = calloc(count, sizeof *in), *out = calloc(count, sizeof *out);
    switch (t->collective) {
    case CM_COLLECTIVE_BCAST:
        cm_bcast(group, out, TRAFFIC_BYTES, t->root, t->algorithm);
        break;
    case CM_COLLECTIVE_REDUCE:
        cm_reduce(group, in, out, count, CM_DOUBLE, CM_SUM, t->root, t->algorithm);
        break;
    case CM_COLLECTIVE_ALLREDUCE:
        cm_allreduce(group, in, out, count, CM_DOUBLE, CM_SUM, t->algorithm);
        break;
    case CM_COLLECTIVE_ALLGATHER:
        cm_allgather(group, in, block, out, t->algorithm);
        break;
    default:
        cm_alltoall(group, in, 64, out, t->algorithm);
        break;
    }
    free(in);
    free(out);
}

/* Between two hosts of four ranks each, ranks placed in turn. */
static void check_traffic(void)
{
    static const int round_robin[8] = {0, 1, 0, 1, 0, 1, 0, 1};
    static const struct {
        cm_collective collective;
        size_t most;
    } cases[] = {{CM_COLLECTIVE_BCAST, TRAFFIC_BYTES},
                 {CM_COLLECTIVE_REDUCE, TRAFFIC_BYTES},
                 {CM_COLLECTIVE_ALLREDUCE, TRAFFIC_BYTES},
                 {CM_COLLECTIVE_ALLGATHER, TRAFFIC_BYTES / 2},
                 {CM_COLLECTIVE_ALLTOALL, 16 * 64}};
    const ranks_options options = {.size = 8, .eager_bytes = SIZE_MAX, .host = round_robin};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int root = 0; root < 8; root += 3) {
            traffic t = {cases[i].collective, CM_AUTO, root};
            const ranks_report r = ranks_run(&options, send_traffic, &t);
            if (!ok(r.left_host[0] <= cases[i].most && r.left_host[1] <= cases[i].most,
                    "%s, root %d: each host sends the other at most %zu bytes",
                    cm_collective_name(t.collective), root, cases[i].most))
                printf("# %zu and %zu\n", r.left_host[0], r.left_host[1]);
        }
    traffic ring = {CM_COLLECTIVE_ALLREDUCE, CM_RING, 0};
    ok(ranks_run(&options, send_traffic, &ring).left_host[0] > 3 * TRAFFIC_BYTES / 2,
       "a ring through both hosts in turn sends more");
}

/* ---- A segmented algorithm in this form ------------------------------------------------------ */

/* A chain 0 -> 1 -> ..., each rank passing segment i - 1 on while it receives segment i. */
static void chain(cm_group *group, void *context)
{
    enum { BYTES = 1000, SEGMENT = 64 };
    const int rank = cm_rank(group), size = cm_size(group);
    unsigned char data[BYTES] = {0};
    if (rank == 0)
        for (int i = 0; i < BYTES; i++) data[i] = (unsigned char)(i * 31 + 7);
    cm_schedule *s = cm_schedule_begin(group, CM_COLLECTIVE_BCAST, 0, CM_OPERATOR(0, 0, 0));
    for (size_t at = 0, last = 0; at < BYTES + SEGMENT; last = at, at += SEGMENT) {
        const size_t length = at < BYTES ? (BYTES - at < SEGMENT ? BYTES - at : SEGMENT) : 0;
        cm_schedule_round(s);
        if (rank > 0 && length) cm_schedule_recv(s, data + at, length, rank - 1);
        const size_t before = BYTES - last < SEGMENT ? BYTES - last : SEGMENT;
        if (rank + 1 < size && at > 0) cm_schedule_send(s, data + last, before, rank + 1);
    }
    cm_schedule_run(s);
    for (int i = 0; i < BYTES; i++)
        if (data[i] != (unsigned char)(i * 31 + 7)) {
            atomic_fetch_add((atomic_int *)context, 1);
            break;
        }
}

static void check_chain(void)
{
    for (int synchronous = 0; synchronous < 2; synchronous++) {
        const ranks_options options = {
            .size = 5, .eager_bytes = SIZE_MAX, .synchronous = synchronous};
        atomic_int wrong = 0;
        const ranks_report r = ranks_run(&options, chain, &wrong);
        ok(wrong == 0 && r.messages == 4 * 16, "a chain of segments%s",
           synchronous ? ", synchronous" : "");
    }
}

/* ---- Names and availability ------------------------------------------------------------------ */

static void check_names(void)
{
    cm_algorithm a = CM_RING;
    ok(cm_algorithm_parse("tree:4", &a) && a.kind == CM_KIND_TREE && a.parameter == 4, "tree:4");
    ok(cm_algorithm_parse("chain:65536", &a) && a.kind == CM_KIND_CHAIN && a.parameter == 65536,
       "chain:65536");
    ok(cm_algorithm_parse("chain:0", &a) && a.kind == CM_KIND_CHAIN && a.parameter == 0,
       "chain:0, the layer chooses the segment");
    for (int k = 0; k < CM_KINDS; k++) {
        const bool counts = cm_algorithm_parameter(k) != CM_COUNTS_NOTHING;
        const cm_algorithm want = CM_ALGORITHM(k, counts ? 9 : 0);
        char text[40];
        snprintf(text, sizeof text, want.parameter ? "%s:9" : "%s", cm_algorithm_name(want));
        ok(cm_algorithm_parse(text, &a) && a.kind == want.kind && a.parameter == want.parameter,
           "%s is read back", text);
        char written[40];
        cm_algorithm_text(want, written, sizeof written);
        ok(strcmp(written, text) == 0, "and written as %s", written);
    }
    static const char *const wrong[] = {"",
                                        "Linear",
                                        "linea",
                                        "linears",
                                        "linear ",
                                        " linear",
                                        "linear:",
                                        "linear:2",
                                        "auto:1",
                                        "tree",
                                        "tree:",
                                        "tree:0",
                                        "tree:-1",
                                        "tree:+1",
                                        "tree: 1",
                                        "tree:1x",
                                        "chain:",
                                        "chain:-1",
                                        "tree:99999999999999999999",
                                        "chain:9223372036854775808",
                                        "chain:4k",
                                        ":4",
                                        "scatter"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        a = CM_RING;
        ok(!cm_algorithm_parse(wrong[i], &a) && a.kind == CM_KIND_RING, "'%s' is not an algorithm",
           wrong[i]);
    }
    ok(!cm_algorithm_parse(NULL, &a), "NULL is not an algorithm");
    ok_text(cm_collective_name(CM_COLLECTIVE_ALLTOALLV), "alltoallv", "name of alltoallv");
    ok_text(cm_algorithm_name(CM_ALGORITHM(99, 0)), "unknown", "name of no algorithm");

    int missing = 0;
    for (int k = 0; k < CM_COLLECTIVES; k++)
        missing += !cm_algorithm_available((cm_collective)k, CM_AUTO)
                   + !cm_algorithm_available((cm_collective)k, CM_NATIVE)
                   + !cm_algorithm_available((cm_collective)k, CM_LINEAR);
    ok(missing == 0, "every collective has auto, native and linear");
#define BUILDERS(kind, builders, name, counts, least, properties) cm_##builders##_builders,
    static const cm_algorithm_entry *const entries[] = {CM_ALGORITHM_LIST(BUILDERS)};
    int unexplained = 0;
    for (int kind = CM_KIND_NATIVE + 1; kind < CM_KINDS; kind++)
        for (int k = 0; k < CM_COLLECTIVES; k++)
            unexplained += !entries[kind][k].build == !entries[kind][k].reason;
    ok(unexplained == 0, "every combination has a builder or else a reason");
    ok(cm_algorithm_available(CM_COLLECTIVE_SCAN, CM_BINOMIAL), "scan has binomial");
    ok(!cm_algorithm_available(CM_COLLECTIVE_ALLTOALL, CM_BINOMIAL), "alltoall has no binomial");
    ok(!cm_algorithm_available(CM_COLLECTIVE_BCAST, CM_TREE(0))
           && !cm_algorithm_available(CM_COLLECTIVE_BCAST, CM_CHAIN(-5)),
       "parameters that are too small are not available");
    ok(!cm_algorithm_available(CM_COLLECTIVES, CM_LINEAR)
           && !cm_algorithm_available(CM_COLLECTIVE_BCAST, CM_ALGORITHM(-1, 0))
           && !cm_algorithm_available(CM_COLLECTIVE_BCAST, CM_ALGORITHM(CM_KINDS, 0)),
       "numbers outside the table are not available");
}

static void check_choice(void)
{
    int wrong = 0;
    for (int k = 0; k < CM_COLLECTIVES; k++)
        for (int size = 1; size <= 64; size++)
            for (size_t bytes = 1; bytes <= (size_t)1 << 30; bytes *= 2) {
                const cm_collective_call call = {
                    .collective = (cm_collective)k, .bytes = bytes, .count = bytes};
                const cm_algorithm two[] = {cm_collective_choose(&call, size),
                                            cm_collective_choose_between(&call, size)};
                for (int i = 0; i < 2; i++)
                    wrong += two[i].kind == CM_KIND_AUTO || two[i].kind == CM_KIND_NATIVE
                             || !cm_algorithm_available(call.collective, two[i]);
            }
    ok(wrong == 0, "auto always means an algorithm that there is");
    cm_collective_call call = {.collective = CM_COLLECTIVE_ALLREDUCE, .bytes = 8, .count = 1};
    /* Between hosts no table was measured, so the choices are the paper's. */
    const int brief = cm_collective_choose_between(&call, 4).kind;
    call.bytes = call.count = 1 << 20;
    ok(brief == CM_KIND_DOUBLING
           && cm_collective_choose_between(&call, 4).kind == CM_KIND_SCATTER_ALLGATHER,
       "auto takes another allreduce for 1 MiB than for 8 bytes");
    ok(cm_collective_choose_between(&call, 2).kind == CM_KIND_RING,
       "and another for two ranks than for four");
    int whole = 0, cut = 0;
    for (call.count = 1; call.count <= 8; call.count++) {
        whole += cm_collective_choose_between(&call, 8).kind == CM_KIND_DOUBLING;
        cut += call.count < 8
               && cm_algorithm_has(cm_collective_choose(&call, 8).kind, CM_CUTS_VECTORS);
    }
    ok(whole == 7 && !cut, "one long element, or fewer than ranks, cannot be cut into parts");
    call.collective = CM_COLLECTIVE_REDUCE_SCATTER;
    call.bytes = 512 << 10;
    ok(cm_collective_choose_between(&call, 4).kind == CM_KIND_RING
           && (call.bytes -= 4, cm_collective_choose_between(&call, 4).kind == CM_KIND_DOUBLING),
       "the size of a reduce_scatter is that of a block");
    const size_t lengths[4] = {0, 0, 0, 400};
    call = (cm_collective_call){.collective = CM_COLLECTIVE_ALLGATHERV, .out_bytes = lengths};
    ok(cm_collective_choose_between(&call, 4).kind == CM_KIND_RING,
       "an allgatherv of no own bytes has the others'");
    call.collective = CM_COLLECTIVE_GATHERV;
    ok(cm_collective_choose(&call, 4).kind == CM_KIND_LINEAR,
       "where lengths differ from rank to rank auto does not look at them");
}

/* ---- What is refused ------------------------------------------------------------------------- */

static cm_group *lone; /* rank 0 of 3 */
static double number[4];
static const size_t three[3] = {8, 8, 8}, offsets[3] = {0, 8, 16};
static const size_t enormous[3] = {1, SIZE_MAX, 1};

#define REFUSED(name, call)         \
    static void name(void *context) \
    {                               \
        (void)context;              \
        call;                       \
    }
REFUSED(root_high, cm_bcast(lone, number, 8, 3, CM_AUTO))
REFUSED(root_negative, cm_reduce(lone, number, number, 1, CM_DOUBLE, CM_SUM, -1, CM_AUTO))
REFUSED(root_scatter, cm_scatterv(lone, number, three, offsets, number, 8, 4, CM_AUTO))
REFUSED(null_group, cm_barrier(NULL, CM_AUTO))
REFUSED(null_data, cm_bcast(lone, NULL, 8, 0, CM_AUTO))
REFUSED(null_in, cm_allreduce(lone, NULL, number, 1, CM_DOUBLE, CM_SUM, CM_AUTO))
REFUSED(null_out, cm_scan(lone, number, NULL, 1, CM_DOUBLE, CM_SUM, CM_AUTO))
REFUSED(null_root_out, cm_gather(lone, number, 8, NULL, 0, CM_AUTO))
REFUSED(null_lengths, cm_gatherv(lone, number, 8, number, NULL, offsets, 0, CM_AUTO))
REFUSED(null_offsets, cm_alltoallv(lone, number, three, NULL, number, three, offsets, CM_AUTO))
REFUSED(bad_type, cm_allreduce(lone, number, number, 1, 77, CM_SUM, CM_AUTO))
REFUSED(bad_op, cm_allreduce(lone, number, number, 1, CM_DOUBLE, CM_XOR, CM_AUTO))
REFUSED(bad_op_record, cm_iallreduce(lone, number, number, 1, CM_RECORD(8), CM_SUM, CM_AUTO))
REFUSED(no_function, cm_scan(lone, number, number, 1, CM_DOUBLE, CM_USER_OP(0, 1), CM_AUTO))
REFUSED(own_length, cm_allgatherv(lone, number, 4, number, three, offsets, CM_AUTO))
REFUSED(huge_count, cm_allreduce(lone, number, number, SIZE_MAX / 4, CM_DOUBLE, CM_SUM, CM_AUTO))
REFUSED(huge_blocks, cm_allgather(lone, number, SIZE_MAX / 2, number, CM_AUTO))
REFUSED(null_counts, cm_reduce_scatter(lone, number, number, NULL, CM_DOUBLE, CM_SUM, CM_AUTO))
REFUSED(null_block, cm_reduce_scatter(lone, number, NULL, three, CM_DOUBLE, CM_SUM, CM_AUTO))
REFUSED(huge_counts, cm_reduce_scatter(lone, number, number, enormous, CM_DOUBLE, CM_SUM, CM_AUTO))
REFUSED(no_tree, cm_gatherv(lone, number, 8, number, three, offsets, 0, CM_BINOMIAL))
REFUSED(no_leaves, cm_bcast(lone, number, 8, 0, CM_TREE(0)))
REFUSED(no_segments, cm_barrier(lone, CM_CHAIN(8)))
REFUSED(no_kind, cm_bcast(lone, number, 8, 0, CM_ALGORITHM(50, 0)))
REFUSED(no_data_no_kind, cm_bcast(lone, NULL, 0, 0, CM_ALGORITHM(50, 0)))
/* in is read and out written only once there is memory, so their lengths need not be true */
REFUSED(no_memory,
        cm_reduce(lone, number, number + 1, SIZE_MAX / 32, CM_DOUBLE, CM_SUM, 0, CM_BINOMIAL))

static void check_refused(void)
{
    static const struct {
        void (*call)(void *);
        int status;
        const char *says;
    } cases[] = {
        {root_high, 2, "cm_bcast: root is 3; expected 0 to 2"},
        {root_negative, 2, "cm_reduce: root is -1; expected 0 to 2"},
        {root_scatter, 2, "cm_scatterv: root is 4; expected 0 to 2"},
        {null_group, 2, "cm_barrier: group is NULL"},
        {null_data, 2, "cm_bcast: 'data' is NULL; expected a buffer of 8 bytes"},
        {null_in, 2, "cm_allreduce: 'in' is NULL; expected a buffer of 8 bytes"},
        {null_out, 2, "cm_scan: 'out' is NULL; expected a buffer of 8 bytes"},
        {null_root_out, 2, "cm_gather: 'out' is NULL; expected a buffer of 24 bytes"},
        {null_lengths, 2, "cm_gatherv: 'out_bytes' is NULL"},
        {null_offsets, 2, "cm_alltoallv: 'in_offsets' is NULL"},
        {bad_type, 2, "cm_allreduce: type 77 is not an element type"},
        {bad_op, 2, "cm_allreduce: operator xor (number 7) is not defined on type double"},
        {bad_op_record, 2, "cm_allreduce: operator sum (number 1) is not defined on type record"},
        {no_function, 2, "cm_scan: the user operator has no function"},
        {own_length, 2, "cm_allgatherv: rank 0 sends itself 4 bytes but expects 8"},
        {huge_count, 2, "elements of 8 bytes exceed the address space"},
        {huge_blocks, 2, "cm_allgather: 3 blocks of"},
        {null_counts, 2, "cm_reduce_scatter: 'counts' is NULL"},
        {null_block, 2, "cm_reduce_scatter: 'out' is NULL; expected a buffer of 64 bytes"},
        {huge_counts, 2, "cm_reduce_scatter: counts[1] is 18446744073709551615"},
        {no_tree, 2,
         "cm_gatherv: algorithm 'binomial' (intermediate ranks do not "
         "know the other ranks' lengths) is not available; available: auto, native, linear"},
        {no_leaves, 2, "cm_bcast: algorithm tree:0: expected a parameter of at least 1"},
        {no_segments, 2,
         "cm_barrier: algorithm 'chain' (a barrier has no data to cut "
         "into segments) is not available; available: auto, native, linear, binomial, tree, "
         "doubling"},
        {no_kind, 2,
         "cm_bcast: 50 is not the number of an algorithm; available: auto, native, linear"},
        {no_data_no_kind, 2, "cm_bcast: 50 is not the number of an algorithm"},
        {no_memory, 3, "cm_reduce: out of memory: 4611686018427387904 bytes of partial results"},
    };
    lone = ranks_lone(3, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512];
        const int status = ranks_catch_abort(cases[i].call, NULL, line);
        if (!ok(status == cases[i].status && strstr(line, cases[i].says), "refused: %s",
                cases[i].says))
            printf("# status %d: %s\n", status, line);
    }
    ranks_lone_free(lone);
}

/* Rank 0 gives 4 bytes where rank 1 expects 8. */
typedef struct {
    cm_group *group;
    int status;
    char line[512];
} mismatch;

static void short_bcast(void *context)
{
    double data = 0;
    cm_bcast(((mismatch *)context)->group, &data, sizeof data, 0, CM_LINEAR);
}

static void mismatched(cm_group *group, void *context)
{
    if (cm_rank(group) == 0) {
        float data = 1;
        cm_bcast(group, &data, sizeof data, 0, CM_LINEAR);
        return;
    }
    mismatch *m = context;
    m->group = group;
    m->status = ranks_catch_abort(short_bcast, m, m->line);
}

static void check_mismatch(void)
{
    mismatch m = {NULL, 0, ""};
    const ranks_options options = {.size = 2, .eager_bytes = SIZE_MAX};
    ranks_run(&options, mismatched, &m);
    ok(m.status == 2 && strstr(m.line, "cm_bcast: rank 0 sent 4 bytes but 8 were expected"),
       "ranks that disagree on the length are told");
}

/* ---- The backend's own collectives ----------------------------------------------------------- */

static void check_native(void)
{
    double x = 2, y = 0;
    lone = ranks_lone(1, 0);
    ranks_set_native(1u << CM_COLLECTIVE_ALLREDUCE | 1u << CM_COLLECTIVE_BCAST,
                     1u << CM_COLLECTIVE_ALLREDUCE);
    cm_allreduce(lone, &x, &y, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    cm_allreduce(lone, &x, &y, 1, CM_DOUBLE, CM_SUM, CM_NATIVE);
    ok(ranks_native_calls() == 2 && y == 0, "auto and native go to the backend where it has one");
    cm_allreduce(lone, &x, &y, 1, CM_DOUBLE, CM_SUM, CM_LINEAR);
    ok(ranks_native_calls() == 2 && y == 2, "linear is ours");
    cm_scan(lone, &x, &y, 1, CM_DOUBLE, CM_SUM, CM_NATIVE);
    cm_bcast(lone, &x, sizeof x, 0, CM_NATIVE);
    ok(ranks_native_calls() == 2, "ours where the backend has none or declines");
    cm_allreduce(lone, NULL, NULL, 0, CM_DOUBLE, CM_SUM, CM_NATIVE);
    ok(ranks_native_calls() == 2, "nothing is called without data");
    cm_request *request = cm_iallreduce(lone, &x, &y, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    ok(ranks_native_calls() == 3 && request, "non-blocking ones too");
    cm_backend_request_free(request);
    request = cm_ibcast(lone, &x, sizeof x, 0, CM_AUTO);
    ok(request && cm_test(&request, NULL) && !request && !cm_schedule_pending(),
       "one rank's own broadcast is complete at once");
    ranks_set_native(0, 0);
    ranks_lone_free(lone);
    cm_schedule_trim();
}

/* ---- Local work in parts --------------------------------------------------------------------- */

typedef struct {
    int parts, done;
} work;

static bool do_part(cm_group *group, void *context)
{
    work *w = context;
    (void)group;
    return ++w->done == w->parts;
}

static cm_schedule *working(work *first, work *second)
{
    cm_schedule *s = cm_schedule_begin(lone, CM_COLLECTIVE_BCAST, 0, CM_OPERATOR(0, 0, 0));
    cm_schedule_call(s, do_part, first);
    if (second) cm_schedule_call(s, do_part, second);
    return s;
}

static void check_parts(void)
{
    work longer = {3, 0}, after = {1, 0}, other = {1, 0};
    lone = ranks_lone(1, 0);
    cm_schedule *s = working(&longer, &after), *short_one = working(&other, NULL);
    cm_schedule_start(s);
    ok(longer.done == 1 && cm_schedule_working(),
       "an operation does one part of its work in a look");
    cm_schedule_start(short_one);
    ok(longer.done == 2 && other.done == 1 && cm_schedule_working(), "another one ends meanwhile");
    ok(cm_schedule_advance(s) && longer.done == 3 && after.done == 1 && !cm_schedule_working(),
       "after its last part it goes on");
    cm_schedule_free(s);
    cm_schedule_free(short_one);
    longer.done = after.done = 0;
    cm_schedule_run(working(&longer, &after));
    ok(longer.done == 3 && after.done == 1, "a blocking operation does all parts");
    longer.done = 0;
    s = working(&longer, NULL);
    cm_schedule_start(s);
    cm_schedule_free(s);
    cm_schedule_progress();
    ok(!cm_schedule_working(), "work that was given up keeps nobody awake");
    ranks_lone_free(lone);
    cm_schedule_trim();
}

/* "more": numbers of ranks that repeat what those of every run test, some of them larger. N: up to
   N of these, for sanitizers, under which each takes long. */
int main(int argc, char **argv)
{
    /* make check has powers of two and others; what more of each repeat takes as long again. */
    static const int sizes[] = {1, 2, 3, 4, 5, 7, 8}, more[] = {6, 9, 16};
    static const int check[] = {1, 2, 3, 4, 7};
    enum { SIZES = sizeof sizes / sizeof *sizes, MORE = sizeof more / sizeof *more };
    enum { CHECK = sizeof check / sizeof *check };
    const int *size = tier_is_big() ? sizes : check, few = tier_is_big() ? SIZES : CHECK;
    cm_tuning_open(NULL); /* the ranks are threads */
    if (argc > 1 && strcmp(argv[1], "more") == 0) {
        for (int k = 0; k < MORE; k++) check_results(more[k]);
        return tap_done();
    }
    int most = argc > 1 ? atoi(argv[1]) : sizes[SIZES - 1];
    check_names();
    check_choice();
    check_refused();
    check_mismatch();
    check_native();
    check_parts();
    check_messages();
    check_huge();
    check_chain();
    check_traffic();
    check_placements(most);
    for (int k = 0; k < few && size[k] <= most; k++) check_results(size[k]);
    return tap_done();
}
