/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives.c: comm.h: every collective that moves data, by each of its algorithms and from every
   root, compared with blocks computed here. */
#include "algorithms.h"
#include "subject.h"

#include <time.h>

enum { GUARD = 16 };

static unsigned seed; /* of the present operation, the same on all ranks */

/* Block that rank from gives rank to. */
static unsigned block_seed(int from, int to) { return seed * 101 + (unsigned)(from * 13 + to); }

/* Length of block k (of rank k, or between two ranks) in the v-forms: from 0 to twice bytes. */
static size_t varied(size_t bytes, int k)
{
    return bytes * (size_t)(k % 3) + (bytes ? (size_t)k % 2 : 0);
}

/* ---- A buffer of blocks and what it must hold in the end ------------------------------------- */

typedef struct {
    unsigned char *data, *want;
    size_t bytes;
    size_t *lengths, *offsets;
} blocks;

/* `size` blocks, the last first, with gaps between them, all marked as untouched. */
static blocks blocks_new(const size_t *lengths, bool dense)
{
    blocks b = {.lengths = memory((size_t)size * sizeof(size_t)),
                .offsets = memory((size_t)size * sizeof(size_t))};
    size_t end = dense ? 0 : 3;
    for (int k = 0; k < size; k++) {
        int r = dense ? k : size - 1 - k;
        b.lengths[r] = lengths[r];
        b.offsets[r] = end;
        end += lengths[r] + (dense ? 0 : 5);
    }
    b.bytes = end + GUARD;
    b.data = memory(b.bytes);
    b.want = memory(b.bytes);
    memset(b.data, 0xa5, b.bytes);
    memset(b.want, 0xa5, b.bytes);
    return b;
}

static void blocks_check(const blocks *b)
{
    size_t i = 0;
    while (i < b->bytes && b->data[i] == b->want[i]) i++;
    EXPECT(i == b->bytes, "seed %u: byte %zu of %zu is %d, not %d", seed, i, b->bytes,
           i < b->bytes ? b->data[i] : 0, i < b->bytes ? b->want[i] : 0);
}

static void blocks_free(blocks *b)
{
    free(b->data);
    free(b->want);
    free(b->lengths);
    free(b->offsets);
}

/* Lengths of `size` blocks: all equal, or those that v-forms use between rank r and the others. */
static size_t *lengths_alike(size_t bytes)
{
    size_t *lengths = memory((size_t)size * sizeof *lengths);
    lengths[0] = bytes; /* there is one, which GCC cannot know */
    for (int k = 1; k < size; k++) lengths[k] = bytes;
    return lengths;
}

static size_t *lengths_varied(size_t bytes)
{
    size_t *lengths = memory((size_t)size * sizeof *lengths);
    for (int k = 0; k < size; k++) lengths[k] = varied(bytes, k);
    return lengths;
}

/* ---- The operations -------------------------------------------------------------------------- */

typedef void operation(size_t bytes, int root, cm_algorithm algorithm);

static void bcast(size_t bytes, int root, cm_algorithm algorithm)
{
    unsigned char *data = memory(bytes + GUARD);
    memset(data, 0xa5, bytes + GUARD);
    if (rank == root) fill(data, bytes, seed);
    cm_bcast(world, data, bytes, root, algorithm);
    size_t at = wrong_at(data, bytes, seed);
    EXPECT(at == bytes, "byte %zu of %zu, root %d", at, bytes, root);
    EXPECT(other_than(data + bytes, GUARD, 0xa5) == GUARD, "behind %zu bytes, root %d", bytes,
           root);
    free(data);
}

/* Gather and its relatives. all: to every rank; else to root. */
static void gathering(size_t bytes, int root, cm_algorithm algorithm, bool all, bool vary)
{
    size_t *lengths = vary ? lengths_varied(bytes) : lengths_alike(bytes), mine = lengths[rank];
    unsigned char *in = memory(mine);
    bool gets = all || rank == root;
    blocks out = blocks_new(lengths, !vary);
    fill(in, mine, block_seed(rank, 0));
    for (int r = 0; gets && r < size; r++)
        fill(out.want + out.offsets[r], lengths[r], block_seed(r, 0));
    void *to = gets ? out.data : NULL;
    const size_t *out_bytes = gets ? out.lengths : NULL, *out_offsets = gets ? out.offsets : NULL;
    if (all && vary) cm_allgatherv(world, in, mine, to, out_bytes, out_offsets, algorithm);
    else if (all) cm_allgather(world, in, bytes, to, algorithm);
    else if (vary) cm_gatherv(world, in, mine, to, out_bytes, out_offsets, root, algorithm);
    else cm_gather(world, in, bytes, to, root, algorithm);
    blocks_check(&out);
    EXPECT(wrong_at(in, mine, block_seed(rank, 0)) == mine, "what a rank gives was changed");
    blocks_free(&out);
    free(in);
    free(lengths);
}

static void gather(size_t n, int root, cm_algorithm a) { gathering(n, root, a, false, false); }
static void gatherv(size_t n, int root, cm_algorithm a) { gathering(n, root, a, false, true); }
static void allgather(size_t n, int root, cm_algorithm a) { gathering(n, root, a, true, false); }
static void allgatherv(size_t n, int root, cm_algorithm a) { gathering(n, root, a, true, true); }

static void scattering(size_t bytes, int root, cm_algorithm algorithm, bool vary)
{
    size_t *lengths = vary ? lengths_varied(bytes) : lengths_alike(bytes), mine = lengths[rank];
    blocks in = blocks_new(lengths, !vary);
    unsigned char *out = memory(mine + GUARD);
    memset(out, 0xa5, mine + GUARD);
    bool gives = rank == root;
    for (int r = 0; gives && r < size; r++) {
        fill(in.data + in.offsets[r], lengths[r], block_seed(root, r));
        fill(in.want + in.offsets[r], lengths[r], block_seed(root, r));
    }
    if (vary)
        cm_scatterv(world, gives ? in.data : NULL, gives ? in.lengths : NULL,
                    gives ? in.offsets : NULL, out, mine, root, algorithm);
    else cm_scatter(world, gives ? in.data : NULL, bytes, out, root, algorithm);
    size_t at = wrong_at(out, mine, block_seed(root, rank));
    EXPECT(at == mine, "byte %zu of %zu, root %d", at, mine, root);
    EXPECT(other_than(out + mine, GUARD, 0xa5) == GUARD, "behind %zu bytes, root %d", mine, root);
    blocks_check(&in);
    blocks_free(&in);
    free(out);
    free(lengths);
}

static void scatter(size_t bytes, int root, cm_algorithm a) { scattering(bytes, root, a, false); }
static void scatterv(size_t bytes, int root, cm_algorithm a) { scattering(bytes, root, a, true); }

static void exchanging(size_t bytes, cm_algorithm algorithm, bool vary)
{
    size_t *to = lengths_alike(bytes), *from = lengths_alike(bytes);
    for (int k = 0; vary && k < size; k++) {
        to[k] = varied(bytes, rank + 2 * k);
        from[k] = varied(bytes, k + 2 * rank);
    }
    blocks in = blocks_new(to, !vary), out = blocks_new(from, !vary);
    for (int k = 0; k < size; k++) {
        fill(in.data + in.offsets[k], to[k], block_seed(rank, k));
        fill(in.want + in.offsets[k], to[k], block_seed(rank, k));
        fill(out.want + out.offsets[k], from[k], block_seed(k, rank));
    }
    if (vary)
        cm_alltoallv(world, in.data, in.lengths, in.offsets, out.data, out.lengths, out.offsets,
                     algorithm);
    else cm_alltoall(world, in.data, bytes, out.data, algorithm);
    blocks_check(&out);
    blocks_check(&in);
    blocks_free(&in);
    blocks_free(&out);
    free(to);
    free(from);
}

static void alltoall(size_t n, int root, cm_algorithm a) { (void)root, exchanging(n, a, false); }
static void alltoallv(size_t n, int root, cm_algorithm a) { (void)root, exchanging(n, a, true); }

static const struct {
    operation *run;
    bool rooted;
} operations[CM_COLLECTIVES] = {[CM_COLLECTIVE_BCAST] = {bcast, true},
                                [CM_COLLECTIVE_GATHER] = {gather, true},
                                [CM_COLLECTIVE_GATHERV] = {gatherv, true},
                                [CM_COLLECTIVE_SCATTER] = {scatter, true},
                                [CM_COLLECTIVE_SCATTERV] = {scatterv, true},
                                [CM_COLLECTIVE_ALLGATHER] = {allgather, false},
                                [CM_COLLECTIVE_ALLGATHERV] = {allgatherv, false},
                                [CM_COLLECTIVE_ALLTOALL] = {alltoall, false},
                                [CM_COLLECTIVE_ALLTOALLV] = {alltoallv, false}};

static void run_all(cm_collective collective, cm_algorithm algorithm, const char *name)
{
    static const size_t all[] = {0, 1, 8, 13, 24, 8000, 300000}, few[] = {0, 13, 8000};
    static int turn;
    const size_t *bytes = oversubscribed() ? few : all;
    int n = oversubscribed() ? sizeof few / sizeof *few : sizeof all / sizeof *all;
    bool every_root = operations[collective].rooted && !oversubscribed();
    point("%s by %s", cm_collective_name(collective), name);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < (every_root ? size : 1); k++) {
            seed++;
            operations[collective].run(bytes[i], turn++ % size, algorithm);
        }
}

/* No rank leaves a barrier before the last one has entered. One clock serves all processes of a
   host. */
static void barrier(cm_collective collective, cm_algorithm algorithm, const char *name)
{
    (void)collective;
    point("barrier by %s", name);
    bool one_host = true;
    for (int r = 0; r < size; r++) one_host &= !strcmp(cm_host(world, r), cm_host(world, 0));
    for (int late = 0; late < size; late += oversubscribed() ? 3 : 1) {
        struct timespec in, out, nap = {0, 5000000};
        if (rank == late) nanosleep(&nap, NULL);
        clock_gettime(CLOCK_MONOTONIC, &in);
        cm_barrier(world, algorithm);
        clock_gettime(CLOCK_MONOTONIC, &out);
        int64_t mine[2] = {(int64_t)in.tv_sec * 1000000000 + in.tv_nsec,
                           (int64_t)out.tv_sec * 1000000000 + out.tv_nsec},
                theirs[2];
        /* The late one tells all when it came. */
        if (rank == late)
            for (int r = 0; r < size; r++)
                if (r != late) cm_send(world, mine, sizeof mine, r, 1);
        if (rank != late) {
            cm_recv(world, theirs, sizeof theirs, late, 1, NULL);
            if (one_host)
                EXPECT(mine[1] >= theirs[0], "left %lld ns before rank %d came",
                       (long long)(theirs[0] - mine[1]), late);
        }
    }
}

SUBJECT(collectives)
{
    each_algorithm(CM_COLLECTIVE_BARRIER, barrier);
    for (int c = 0; c < CM_COLLECTIVES; c++)
        if (operations[c].run) each_algorithm((cm_collective)c, run_all);

    point("every collective has auto, native and one more; names of algorithms are read strictly");
    for (int c = 0; c < CM_COLLECTIVES; c++) {
        cm_collective x = (cm_collective)c;
        EXPECT(cm_algorithm_available(x, CM_AUTO) && cm_algorithm_available(x, CM_NATIVE)
                   && cm_algorithm_available(x, CM_LINEAR),
               "%s", cm_collective_name(x));
    }
    static const char *const bad[] = {"",          "Linear",
                                      "linear ",   " ring",
                                      "tree",      "tree:",
                                      "tree:0",    "tree:-1",
                                      "tree:2x",   "chain",
                                      "chain:1e3", "ring:1",
                                      "auto:",     "tree:99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cm_algorithm a = CM_RING;
        EXPECT(!cm_algorithm_parse(bad[i], &a), "'%s' is taken for %s", bad[i],
               cm_algorithm_name(a));
    }
    cm_algorithm a;
    EXPECT(cm_algorithm_parse("chain:65536", &a) && a.kind == CM_KIND_CHAIN
           && a.parameter == 65536);
    EXPECT(!strcmp(cm_algorithm_name(CM_TREE(4)), "tree"), "%s", cm_algorithm_name(CM_TREE(4)));
}
