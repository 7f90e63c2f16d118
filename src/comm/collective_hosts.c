/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_hosts.c: collective operations in two levels, inside hosts and between them, so that a
   byte passes between two hosts as often as the operation needs, however the ranks are placed. Each
   level is a call among some of the ranks, by the algorithm that auto takes there.

   Short data: one rank of each host, its leader, communicates for all of them. Long vectors: the
   ranks of a host share the vector. Part l belongs to lane l, the ranks with local number l of all
   hosts. There are as many lanes as the host with the fewest ranks has; other ranks have empty
   parts. So all ranks of a host use its network at once, and no part passes it twice. */
#include "comm/collective.h"
#include "comm/hosts.h"

enum {
    /* Vectors of at least this length are shared. The value is not measured: Thakur, Rabenseifner
       and Gropp (tuning/paper.tab) begin to cut vectors there on few ranks. */
    SHARED_BYTES = 64 << 10,
    GATHERED_BYTES = 80 << 10, /* likewise all blocks of an allgather */
    /* Longer blocks of an alltoall go from rank to rank. They would pass through the leaders once
       more, and no fewer bytes would pass between hosts. */
    LED_BLOCK_BYTES = 256,
    /* On up to this many hosts, the root's host takes the vectors of the others directly. A tree
       may have another host at its top, and the result then travels one hop more. */
    FEW_HOSTS = 4
};

bool cm_hosts_help(const cm_collective_call *call)
{
    const cm_hosts *x = call->hosts;
    if (!x || x->hosts == 1 || x->most == 1) return false;
    switch (call->collective) {
    case CM_COLLECTIVE_BARRIER:
    case CM_COLLECTIVE_BCAST:
    case CM_COLLECTIVE_ALLGATHER:
    case CM_COLLECTIVE_ALLGATHERV:
        return true;
    case CM_COLLECTIVE_REDUCE:
    case CM_COLLECTIVE_ALLREDUCE:
        return call->op.commutative || x->in_order;
    case CM_COLLECTIVE_ALLTOALL:
        return call->bytes <= LED_BLOCK_BYTES;
    default:
        return false;
    }
}

/* ---- Levels ---------------------------------------------------------------------------------- */

typedef struct {
    cm_schedule *s;
    const cm_collective_call *call;
    const cm_hosts *x;
    int host, local, ranks; /* this rank's host, its number there, the ranks there */
    const int *inside;      /* these ranks */
} level;

static level enter(cm_schedule *s, const cm_collective_call *call, int rank)
{
    const cm_hosts *x = call->hosts;
    const int host = x->host[rank];
    return (level){
        s, call, x, host, x->local[rank], cm_hosts_count(x, host), x->ranks + x->first[host]};
}

/* Returns a call of this collective, with the operator and element type of the whole call. */
static cm_collective_call part_of(const level *v, cm_collective collective)
{
    return (cm_collective_call){.collective = collective, .type = v->call->type, .op = v->call->op};
}

static void record(const level *v, const int *ranks, const cm_collective_call *call, int rank,
                   int size, cm_algorithm algorithm)
{
    cm_schedule_round(v->s);
    cm_schedule_among(v->s, ranks);
    cm_algorithm_builder(call->collective, algorithm)(v->s, call, rank, size, algorithm.parameter);
    cm_schedule_among(v->s, NULL);
    cm_schedule_round(v->s);
}

/* Records a call among the ranks of this host. */
static void inside(const level *v, const cm_collective_call *call)
{
    record(v, v->inside, call, v->local, v->ranks, cm_collective_choose(call, v->ranks));
}

/* Returns the rank with local number l on a host. On hosts with fewer ranks, the numbers start
   again at 0. */
static int rank_at(const cm_hosts *x, int host, int l)
{
    return x->ranks[x->first[host] + l % cm_hosts_count(x, host)];
}

/* Records a call between hosts, each represented by its rank of local number l. Other ranks have no
   part in it. */
static void between(const level *v, const cm_collective_call *call, int l)
{
    const int hosts = v->x->hosts;
    if (l % v->ranks != v->local) return;
    int *ranks = (int *)cm_schedule_stage(v->s, (size_t)hosts, sizeof *ranks);
    for (int h = 0; h < hosts; h++) ranks[h] = rank_at(v->x, h, l);
    const bool direct = call->collective == CM_COLLECTIVE_REDUCE && hosts <= FEW_HOSTS;
    record(v, ranks, call, v->host, hosts,
           direct ? CM_LINEAR : cm_collective_choose_between(call, hosts));
}

/* Returns room for n lengths. */
static size_t *lengths(const level *v, int n)
{
    return (size_t *)cm_schedule_stage(v->s, (size_t)n, sizeof(size_t));
}

/* ---- Sharing a vector ------------------------------------------------------------------------ */

/* The parts of a vector of n things: counts, and lengths and offsets in bytes for each rank of this
   host. */
typedef struct {
    size_t *counts, *bytes, *offsets;
} parts;

static parts share(const level *v, size_t n, size_t element)
{
    const int lanes = v->x->least;
    size_t *room = lengths(v, 3 * v->ranks);
    const parts p = {room, room + v->ranks, room + 2 * v->ranks};
    for (int l = 0; l < v->ranks; l++) {
        const size_t begin = cm_chunk_start(n, lanes, l < lanes ? l : lanes);
        const size_t end = cm_chunk_start(n, lanes, l < lanes ? l + 1 : lanes);
        p.counts[l] = end - begin;
        p.bytes[l] = (end - begin) * element;
        p.offsets[l] = begin * element;
    }
    return p;
}

/* Returns true if a vector of n things and this many bytes is long enough to be shared. */
static bool is_shared(const level *v, size_t n, size_t bytes)
{
    return bytes >= SHARED_BYTES && n >= (size_t)v->x->least;
}

/* Gathers the parts, which are at their places in data, on all ranks of this host. */
static void join(const level *v, const parts *p, char *data)
{
    cm_collective_call gathered = part_of(v, CM_COLLECTIVE_ALLGATHERV);
    gathered.in = data + p->offsets[v->local];
    gathered.bytes = p->bytes[v->local];
    gathered.out = data;
    gathered.out_bytes = p->bytes;
    gathered.out_offsets = p->offsets;
    inside(v, &gathered);
}

/* Reduces the vectors of this host; each rank gets its part in part. */
static void reduce_parts(const level *v, const parts *p, void *part)
{
    cm_collective_call reduced = *v->call;
    reduced.collective = CM_COLLECTIVE_REDUCE_SCATTER;
    reduced.hosts = NULL;
    reduced.out = part;
    reduced.counts = p->counts;
    inside(v, &reduced);
}

/* ---- Barrier and broadcast ------------------------------------------------------------------- */

/* A reduction and a broadcast of no data are the first and the last third of a barrier. */
static void barrier(const level *v)
{
    cm_collective_call third = part_of(v, CM_COLLECTIVE_REDUCE);
    record(v, v->inside, &third, v->local, v->ranks, CM_BINOMIAL);
    third.collective = CM_COLLECTIVE_BARRIER;
    between(v, &third, 0);
    third.collective = CM_COLLECTIVE_BCAST;
    record(v, v->inside, &third, v->local, v->ranks, CM_BINOMIAL);
}

static void bcast(const level *v)
{
    const cm_collective_call *call = v->call;
    const int root_host = v->x->host[call->root], root_local = v->x->local[call->root];
    char *data = call->out;
    cm_collective_call sent = part_of(v, CM_COLLECTIVE_BCAST);
    if (!is_shared(v, call->bytes, call->bytes)) {
        sent.out = data;
        sent.bytes = call->bytes;
        sent.root = root_host;
        between(v, &sent, root_local);
        sent.root = root_local % v->ranks;
        inside(v, &sent);
        return;
    }
    const parts p = share(v, call->bytes, 1);
    sent.out = data + p.offsets[v->local];
    sent.bytes = p.bytes[v->local];
    if (v->host == root_host) {
        cm_collective_call scattered = sent;
        scattered.collective = CM_COLLECTIVE_SCATTERV;
        scattered.in = data;
        scattered.in_bytes = p.bytes;
        scattered.in_offsets = p.offsets;
        scattered.root = root_local;
        inside(v, &scattered);
    }
    sent.root = root_host;
    if (v->local < v->x->least) between(v, &sent, v->local);
    join(v, &p, data);
}

/* ---- Reductions ------------------------------------------------------------------------------ */

static void reduce(const level *v, int rank)
{
    const cm_collective_call *call = v->call;
    const int root = call->root, root_host = v->x->host[root], root_local = v->x->local[root];
    cm_collective_call reduced = *call;
    reduced.hosts = NULL;
    if (!is_shared(v, call->count, call->bytes)) {
        const int leader = root_local % v->ranks;
        const bool leads = v->local == leader;
        char *sum = rank == root ? call->out
                    : leads      ? cm_schedule_stage(v->s, 1, call->bytes)
                                 : NULL;
        reduced.out = sum;
        reduced.root = leader;
        inside(v, &reduced);
        reduced.in = sum;
        reduced.out = rank == root ? sum : NULL;
        reduced.root = root_host;
        between(v, &reduced, root_local);
        return;
    }
    const size_t element = cm_type_bytes(call->type);
    const parts p = share(v, call->count, element);
    char *part = cm_schedule_stage(v->s, 1, p.bytes[v->local]);
    reduce_parts(v, &p, part);
    reduced.in = part;
    reduced.out = v->host == root_host ? part : NULL;
    reduced.count = p.counts[v->local];
    reduced.bytes = p.bytes[v->local];
    reduced.root = root_host;
    if (v->local < v->x->least) between(v, &reduced, v->local);
    if (v->host != root_host) return;
    cm_collective_call gathered = part_of(v, CM_COLLECTIVE_GATHERV);
    gathered.in = part;
    gathered.bytes = p.bytes[v->local];
    gathered.out = call->out;
    gathered.out_bytes = p.bytes;
    gathered.out_offsets = p.offsets;
    gathered.root = root_local;
    inside(v, &gathered);
}

static void allreduce(const level *v)
{
    const cm_collective_call *call = v->call;
    char *out = call->out;
    cm_collective_call reduced = *call;
    reduced.hosts = NULL;
    if (!is_shared(v, call->count, call->bytes)) {
        reduced.collective = CM_COLLECTIVE_REDUCE;
        reduced.root = 0;
        reduced.out = v->local ? NULL : out;
        inside(v, &reduced);
        reduced.collective = CM_COLLECTIVE_ALLREDUCE;
        reduced.in = reduced.out = out;
        between(v, &reduced, 0);
        reduced.collective = CM_COLLECTIVE_BCAST;
        inside(v, &reduced);
        return;
    }
    const parts p = share(v, call->count, cm_type_bytes(call->type));
    char *part = out + p.offsets[v->local];
    reduce_parts(v, &p, part);
    reduced.in = reduced.out = part;
    reduced.count = p.counts[v->local];
    reduced.bytes = p.bytes[v->local];
    if (v->local < v->x->least) between(v, &reduced, v->local);
    join(v, &p, out);
}

/* ---- Gathering ------------------------------------------------------------------------------- */

/* Leaders gather the blocks of their hosts and exchange them. The blocks arrive ordered by host. */
static void allgather_by_leaders(const level *v, int size)
{
    const cm_hosts *x = v->x;
    const size_t bytes = v->call->bytes;
    char *out = v->call->out;
    char *all = x->in_order ? out : cm_schedule_stage(v->s, (size_t)size, bytes);
    char *own = all + (size_t)x->first[v->host] * bytes;
    cm_collective_call gathered = part_of(v, CM_COLLECTIVE_GATHER);
    gathered.in = v->call->in;
    gathered.out = v->local ? NULL : own;
    gathered.bytes = bytes;
    inside(v, &gathered);

    gathered.collective = x->least == x->most ? CM_COLLECTIVE_ALLGATHER : CM_COLLECTIVE_ALLGATHERV;
    gathered.in = own;
    gathered.out = all;
    gathered.bytes = (size_t)v->ranks * bytes;
    size_t *host_bytes = lengths(v, 2 * x->hosts), *host_offsets = host_bytes + x->hosts;
    for (int h = 0; h < x->hosts; h++) {
        host_bytes[h] = (size_t)cm_hosts_count(x, h) * bytes;
        host_offsets[h] = (size_t)x->first[h] * bytes;
    }
    gathered.out_bytes = host_bytes;
    gathered.out_offsets = host_offsets;
    between(v, &gathered, 0);

    cm_collective_call sent = part_of(v, CM_COLLECTIVE_BCAST);
    sent.out = all;
    sent.bytes = (size_t)size * bytes;
    inside(v, &sent);
    for (int i = 0; i < size && all != out; i++)
        cm_schedule_copy(v->s, all + (size_t)i * bytes, out + (size_t)x->ranks[i] * bytes, bytes);
}

static size_t block_bytes(const cm_collective_call *call, int rank)
{
    return call->out_bytes ? call->out_bytes[rank] : call->bytes;
}

static size_t block_offset(const cm_collective_call *call, int rank)
{
    return call->out_offsets ? call->out_offsets[rank] : call->bytes * (size_t)rank;
}

/* Sends or receives the blocks that the rank of local number l of this host has from all hosts:
   those of the ranks whose local numbers are l modulo the ranks of this host. Blocks that follow
   each other are one message, except where the caller gives offsets, which are each rank's own. */
static void pass(const level *v, cm_blocks_message *message, int l, int size, int peer)
{
    const cm_collective_call *call = v->call;
    for (int k = 0, end; k < size; k = end) {
        end = k + 1;
        if (v->x->local[k] % v->ranks != l) continue;
        while (!call->out_bytes && end < size && v->x->local[end] % v->ranks == l) end++;
        const size_t bytes = block_bytes(call, k) * (size_t)(end - k);
        if (bytes) message(v->s, (char *)call->out + block_offset(call, k), bytes, peer);
    }
}

/* Every rank sends its block to the rank of its local number on each other host; these blocks then
   go round the ranks of a host. */
static void allgather_by_lanes(const level *v, int rank, int size)
{
    const cm_hosts *x = v->x;
    const cm_collective_call *call = v->call;
    char *out = call->out;
    const size_t bytes = block_bytes(call, rank);
    cm_schedule_copy(v->s, call->in, cm_block(out, block_offset(call, rank)), bytes);
    for (int i = 1; i < x->hosts; i++) {
        const int to = cm_rank_after(v->host, i, x->hosts);
        const int from = cm_rank_before(v->host, i, x->hosts);
        cm_schedule_round(v->s);
        for (int j = x->first[from] + v->local; j < x->first[from + 1]; j += v->ranks) {
            const int k = x->ranks[j];
            if (block_bytes(call, k))
                cm_schedule_recv(v->s, out + block_offset(call, k), block_bytes(call, k), k);
        }
        if (bytes) cm_schedule_send(v->s, call->in, bytes, rank_at(x, to, v->local));
    }
    const int right = v->inside[cm_rank_after(v->local, 1 % v->ranks, v->ranks)];
    const int left = v->inside[cm_rank_before(v->local, 1 % v->ranks, v->ranks)];
    for (int i = 1; i < v->ranks; i++) {
        cm_schedule_round(v->s);
        pass(v, cm_blocks_recv, cm_rank_before(v->local, i, v->ranks), size, left);
        pass(v, cm_blocks_send, cm_rank_before(v->local, i - 1, v->ranks), size, right);
    }
}

/* ---- All to all ------------------------------------------------------------------------------ */

/* A leader has the blocks of its ranks for all ranks, and sends each other leader those for its
   ranks. */
static void alltoall(const level *v, int size)
{
    const cm_hosts *x = v->x;
    const size_t bytes = v->call->bytes, n = (size_t)v->ranks, p = (size_t)size;
    char *one = v->local ? NULL : cm_schedule_stage(v->s, 2 * n * p, bytes);
    char *two = one ? one + n * p * bytes : NULL;
    cm_collective_call moved = part_of(v, CM_COLLECTIVE_GATHER);
    moved.in = v->call->in;
    moved.out = one;
    moved.bytes = p * bytes;
    inside(v, &moved);
    if (!v->local) {
        /* For each host, the blocks of all our ranks; in each, those for its ranks. */
        char *to = two;
        for (int h = 0; h < x->hosts; h++)
            for (size_t l = 0; l < n; l++)
                for (int j = x->first[h]; j < x->first[h + 1]; j++, to += bytes)
                    cm_schedule_copy(v->s, one + (l * p + (size_t)x->ranks[j]) * bytes, to, bytes);

        cm_collective_call exchanged = part_of(v, CM_COLLECTIVE_ALLTOALLV);
        size_t *host_bytes = lengths(v, 2 * x->hosts), *host_offsets = host_bytes + x->hosts;
        for (int h = 0; h < x->hosts; h++) {
            host_bytes[h] = n * (size_t)cm_hosts_count(x, h) * bytes;
            host_offsets[h] = n * (size_t)x->first[h] * bytes;
        }
        exchanged.in = two;
        exchanged.out = one;
        exchanged.in_bytes = exchanged.out_bytes = host_bytes;
        exchanged.in_offsets = exchanged.out_offsets = host_offsets;
        between(v, &exchanged, 0);

        /* The blocks of all ranks of a host arrive together; each contains the blocks for our
           ranks. */
        const char *from = one;
        for (int j = 0; j < size; j++)
            for (size_t l = 0; l < n; l++, from += bytes)
                cm_schedule_copy(v->s, from, two + (l * p + (size_t)x->ranks[j]) * bytes, bytes);
    }
    moved.collective = CM_COLLECTIVE_SCATTER;
    moved.in = two;
    moved.out = v->call->out;
    inside(v, &moved);
}

/* ---- Table of the collectives ---------------------------------------------------------------- */

/* Passes calls for which two levels do not help to the algorithm that auto would take if all ranks
   were on one host. */
static void by_hosts(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                     int64_t parameter)
{
    (void)parameter;
    if (!cm_hosts_help(call)) {
        cm_collective_call flat = *call;
        flat.hosts = NULL;
        const cm_algorithm a = cm_collective_choose(&flat, size);
        cm_algorithm_builder(call->collective, a)(s, &flat, rank, size, a.parameter);
        return;
    }
    const level v = enter(s, call, rank);
    switch (call->collective) {
    case CM_COLLECTIVE_BARRIER:
        barrier(&v);
        break;
    case CM_COLLECTIVE_BCAST:
        bcast(&v);
        break;
    case CM_COLLECTIVE_REDUCE:
        reduce(&v, rank);
        break;
    case CM_COLLECTIVE_ALLREDUCE:
        allreduce(&v);
        break;
    case CM_COLLECTIVE_ALLGATHER:
        if (call->bytes * (size_t)size < GATHERED_BYTES) allgather_by_leaders(&v, size);
        else allgather_by_lanes(&v, rank, size);
        break;
    case CM_COLLECTIVE_ALLGATHERV:
        allgather_by_lanes(&v, rank, size);
        break;
    default:
        alltoall(&v, size);
        break;
    }
}

#define WHY_ONCE "by linear a block passes between hosts only once, too"
const cm_algorithm_entry cm_hosts_builders[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = {by_hosts, 0},
    [CM_COLLECTIVE_BCAST] = {by_hosts, 0},
    [CM_COLLECTIVE_REDUCE] = {by_hosts, 0},
    [CM_COLLECTIVE_ALLREDUCE] = {by_hosts, 0},
    [CM_COLLECTIVE_SCAN] = {0, "a prefix follows the order of ranks, not of hosts"},
    [CM_COLLECTIVE_GATHER] = {0, WHY_ONCE},
    [CM_COLLECTIVE_GATHERV] = {0, WHY_ONCE},
    [CM_COLLECTIVE_SCATTER] = {0, WHY_ONCE},
    [CM_COLLECTIVE_SCATTERV] = {0, WHY_ONCE},
    [CM_COLLECTIVE_ALLGATHER] = {by_hosts, 0},
    [CM_COLLECTIVE_ALLGATHERV] = {by_hosts, 0},
    [CM_COLLECTIVE_ALLTOALL] = {by_hosts, 0},
    [CM_COLLECTIVE_ALLTOALLV] = {0, WHY_ONCE},
    [CM_COLLECTIVE_REDUCE_SCATTER] = {0, "a host's blocks would have to be put together again"},
};
